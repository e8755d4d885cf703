//! `HR302 pending-above-useful`: a cold start queues more than can be drained in time.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::queueing::poisson;
use crate::engine::remedy::deadline_where;
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR302",
        name: "pending-above-useful",
        severity: Severity::Warning,
        summary: "a cold start queues more requests than can be drained in time",
        rationale: "While a connection is being opened every request that arrives is queued, and \
                    `max_pending_requests` limits that queue. Whatever stands further back than the slots can \
                    drain before the route timeout is cut anyway, so a longer queue only turns fast failures \
                    into slow ones; a shorter one refuses part of a cold start.",
        sources: &[
            "envoy: max_pending_requests also limits requests waiting for a connection being set up",
            "our rule: needed for a cold start, never above what drains in time",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let short = |p: &&PrioritySizing| p.pending_useful.is_some_and(|useful| p.pending_needed > useful);
    cx.sizing.priorities.iter().find(short).map(|p| finding(cx, p)).into_iter().collect()
}

fn finding(cx: &Context<'_>, p: &PrioritySizing) -> Finding {
    let s = cx.scenario;
    let limit = p.threshold.max_pending_requests;
    let useful = p.pending_useful.unwrap_or_default();
    let queued = display::plural(p.pending_needed as f64, "request", "requests");
    let served = if useful == 0 { "none".to_owned() } else { display::count(useful as f64) };
    let message = format!(
        "a cold start queues {queued} while a connection is set up, and {served} can be served before the route timeout",
    );
    let refused = poisson::tail(p.client_rate.arrivals_in(s.connect_ms), u64::from(limit));
    let is_refused = refused.0 > s.shed_target.0;
    let mut finding = RULE
        .meta
        .finding(&["connect_ms", "deadline_ms", "max_pending_requests"], message)
        .consequence(consequence(cx, limit, useful, is_refused.then_some(refused)))
        .help(
            "open connections ahead of the traffic (`preconnect_policy`), or give the call a longer deadline",
        )
        .maybe_fix(longer_deadline(cx).and_then(fixes::deadline));
    if !is_refused {
        // The limit holds what arrives; only those that wait for a new connection are late.
        finding.severity = Severity::Info;
    }
    finding
}

/// What is refused, if it is more than tolerated, and how little time is left.
fn consequence(cx: &Context<'_>, limit: u32, useful: u64, refused: Option<Share>) -> String {
    let slack = cx.sizing.timeouts.route_ms - cx.sizing.latency.p99_ms;
    let beyond = display::millis(slack.max(Millis(0.0)));
    let time = match (useful, slack.0 > 0.0) {
        (0, false) => {
            "the route timeout ends before p99, so no request that waits is served in time".to_owned()
        }
        (0, true) => {
            format!(
                "the deadline leaves only {beyond} beyond p99, so no request that waits is served in time"
            )
        }
        _ => format!("the deadline leaves {beyond} beyond p99"),
    };
    let Some(refused) = refused else { return time };
    let limit = display::count(f64::from(limit));
    format!("`max_pending_requests` {limit} refuses {} of a cold start; {time}", phrases::refused(refused))
}

/// The deadline with which every priority drains its cold start in time.
fn longer_deadline(cx: &Context<'_>) -> Option<Millis> {
    let (p99, mean) = (cx.sizing.latency.p99_ms, cx.sizing.latency.mean_ms);
    let drains = |p: &PrioritySizing, slack: Millis| {
        (f64::from(p.window.chosen) / mean.0 * slack.0).floor() >= p.pending_needed as f64
    };
    deadline_where(cx.scenario, cx.sizing, |l| {
        l.slack(p99).is_none_or(|slack| cx.sizing.priorities.iter().all(|p| drains(p, slack)))
    })
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_one_cannot_be_drained() {
        assert!(fires(&RULE, "connect_ms=100 idempotent=false deadline_ms=260"));
    }

    #[test]
    fn silent_when_all_just_can() {
        assert!(!fires(&RULE, "connect_ms=100 idempotent=false deadline_ms=261"));
    }

    #[test]
    fn warns_only_of_what_is_refused() {
        // 0.1 / 2 · 1.5 · 1.2 req/s in 5 ms: two arrive in one cold start of ten million.
        let late = finding(&RULE, "rps=0.1 deadline_ms=200");
        assert_eq!(late.severity, Severity::Info);
        assert_eq!(
            late.message,
            "a cold start queues 1 request while a connection is set up, and none can be served before the route timeout"
        );
        assert_eq!(
            late.consequence,
            "the route timeout ends before p99, so no request that waits is served in time"
        );
        let refused = finding(&RULE, "deadline_ms=200 connect_ms=20");
        assert_eq!(refused.severity, Severity::Warning);
        assert!(
            refused.consequence.ends_with(
                "% of a cold start; the route timeout ends before p99, so no request that waits is served in time"
            ),
            "{}",
            refused.consequence
        );
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "connect_ms=100 idempotent=false deadline_ms=260").message,
            "a cold start queues 83 requests while a connection is set up, and 82 can be served before the route timeout"
        );
    }
}
