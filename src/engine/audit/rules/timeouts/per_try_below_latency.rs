//! `HR216 per-try-below-latency`: the per-try timeout ends attempts that would have succeeded.

use crate::engine::audit::clocks::{Carries, cut_words, label, reaches};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::remedy::tolerated_cut;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR216",
        name: "per-try-below-latency",
        severity: Severity::Error,
        summary: "`per_try_timeout` ends attempts that would have been answered",
        rationale: "A per-try timeout shorter than the tail of good answers repeats what would have succeeded: each \
                    cut costs the upstream the work of the first attempt and that of the next, most of all on a \
                    slow day. It should let p99.9 pass. The per-try clock stops at the headers of the answer; where \
                    bodies are long the true share is smaller.",
        sources: &[
            "envoy: per_try_timeout runs from the attached connection to the headers of the answer",
            "our choice: one in a thousand may be cut, or the tolerated refusals where they are more",
        ],
    },
    check: Check::Route(check),
};

/// A cut of more than this is an error: it shows in p99.
const ERROR: Share = Share(0.01);
/// p99.9 put into its own distribution gives a thousandth only up to rounding.
const ROUNDING: f64 = 1.0 + 1e-9;

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (traffic, per_try) = (cx.timing()?, cx.effective.per_try_timeout()?);
    let (s, z) = (&traffic.scenario, &traffic.sizing);
    // What is recommended is a choice with a known price.
    let recommended = z.timeouts.per_try_ms.is_some_and(|to| reaches(per_try, to));
    // With hedging it cuts nothing: the attempt goes on beside the next one.
    if !cx.carries_requests() || cx.carries() != Carries::Requests || recommended || cx.hedges() {
        return None;
    }
    let cut = |slower: f64| z.model.exceedance(per_try * (1.0 / slower));
    let cuts = [cut(1.0), cut(s.slowdown)];
    let tolerated = tolerated_cut(s).0 * ROUNDING;
    if cuts.iter().all(|share| share.0 <= tolerated) {
        return None;
    }
    let at = cx.effective.retry.as_ref().and_then(|r| r.per_try_timeout.place());
    let finding = RULE
        .meta
        .found(
            &["per_try_timeout"],
            at.unwrap_or_else(|| cx.retry_place()),
            format!(
                "`per_try_timeout` {} cuts {}",
                display::millis(per_try),
                cut_words("good attempts", cuts, s.slowdown),
            ),
        )
        .consequence(consequence(cx, z.latency.p999_ms));
    let finding = remedy(cx, finding, per_try);
    Some(if cuts[0].0 > ERROR.0 { finding } else { finding.severity(Severity::Warning) })
}

fn consequence(cx: &RouteCx<'_>, p999: Millis) -> String {
    let p999 = display::millis(p999);
    if cx.retries_on(&["5xx", "gateway-error", "reset"]) {
        format!("p99.9 of good answers is {p999}; what is cut is sent again on top of the traffic")
    } else {
        format!("p99.9 of good answers is {p999}; what is cut fails with 504")
    }
}

fn remedy(cx: &RouteCx<'_>, finding: Finding, per_try: Millis) -> Finding {
    let Some(z) = cx.traffic().map(|t| &t.sizing) else {
        let p999 = cx.timing().map(|t| display::millis(t.sizing.latency.p999_ms)).unwrap_or_default();
        return finding
            .help(format!("leave it out, or set `per_try_timeout` above p99.9 of good answers, {p999}"));
    };
    match z.timeouts.per_try_ms {
        Some(to) => finding.help(format!("set `per_try_timeout` to {}", display::millis(to))).fix(Fix::set(
            label(per_try, to),
            Setting::PerTryTimeout,
            Value::Duration(to),
        )),
        None => finding
            .help("leave it out: the route timeout ends what hangs")
            .fix(Fix::new("Leave it out", Change::Clear(Setting::PerTryTimeout))),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    /// p99 110 ms; ln t is linear in z, so p99.9 is 35 · (110/35)^(3.0902/2.3263) = 160.2 ms.
    const KNOWN: &str = "rps=500 p50=35 p99=110 slowdown=1 idempotent=true";

    fn route(per_try: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: 0.95s\n  retry_policy: {{retry_on: reset, \
             per_try_timeout: {per_try}}}\n"
        )
    }

    #[test]
    fn fires_with_the_share_that_is_cut() {
        let found = finding(&RULE, &route("0.11s"), KNOWN);
        assert_eq!(found.message, "`per_try_timeout` 110\u{a0}ms cuts 1% of good attempts");
        assert_eq!(
            found.consequence,
            "p99.9 of good answers is 160\u{a0}ms; what is cut is sent again on top of the traffic"
        );
        // 1.25 × 160.2 to two digits.
        assert_eq!(found.fix.map(|f| f.label), Some("110\u{a0}ms → 210\u{a0}ms".to_owned()));
        assert_eq!(finding(&RULE, &route("0.1s"), KNOWN).severity, Severity::Error);
        assert_eq!(finding(&RULE, &route("0.12s"), KNOWN).severity, Severity::Warning);
    }

    #[test]
    fn silent_above_p999_and_without_traffic() {
        assert!(fires(&RULE, &route("0.16s"), KNOWN));
        assert!(!fires(&RULE, &route("0.161s"), KNOWN));
        assert!(!fires(&RULE, &route("0.01s"), "deadline_ms=1000"));
    }

    #[test]
    fn needs_the_latency_and_not_the_rate() {
        let found = finding(&RULE, &route("0.1s"), &KNOWN.replace("rps=500 ", ""));
        assert_eq!(found.severity, Severity::Error);
        assert_eq!(
            found.help,
            "leave it out, or set `per_try_timeout` above p99.9 of good answers, 160\u{a0}ms"
        );
        assert!(found.fix.is_none());
        assert!(!fires(&RULE, &route("0.161s"), &KNOWN.replace("rps=500 ", "")));
    }

    #[test]
    fn with_hedging_nothing_is_cut() {
        let hedged =
            |on: bool| format!("{}  hedge_policy: {{hedge_on_per_try_timeout: {on}}}\n", route("0.11s"));
        assert!(!fires(&RULE, &hedged(true), KNOWN));
        assert!(fires(&RULE, &hedged(false), KNOWN));
    }

    #[test]
    fn counts_the_slow_day() {
        // Half of 220 ms is 110 ms, which p99 is: 1% is cut when all answers take twice as long.
        let slow = finding(&RULE, &route("0.22s"), "rps=500 p50=35 p99=110 slowdown=2 idempotent=true");
        assert!(
            slow.message.ends_with("of good attempts, 1% once the upstream is twice as slow"),
            "{}",
            slow.message
        );
        assert!(fires(&RULE, &route("0.3s"), "rps=500 p50=35 p99=110 slowdown=2 idempotent=true"));
        assert!(!fires(&RULE, &route("0.33s"), "rps=500 p50=35 p99=110 slowdown=2 idempotent=true"));
    }
}
