//! `HR204 per-try-cuts-good-requests`: the per-try timeout ends attempts that would have succeeded.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::remedy::{deadline_where, tolerated_cut};
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR204",
        name: "per-try-cuts-good-requests",
        severity: Severity::Warning,
        summary: "`per_try_timeout` cuts good requests when the upstream is slower",
        rationale: "A per-try timeout repeats what would have been answered: on a slow day each cut costs the \
                    upstream the work of the first attempt and that of the second. It should therefore let \
                    p99.9 of the slow day pass; where that does not fit twice into the route timeout, a \
                    shorter one is used and its price is said.",
        sources: &[
            "our rule: per_try = max(slowdown, 1.25) × p99.9 where it fits twice",
            "our choice: one in a thousand may be cut, or the tolerated refusals where they are more",
        ],
    },
    check,
};

/// p99.9 put into its own distribution gives a thousandth only up to rounding.
const ROUNDING: f64 = 1.0 + 1e-9;

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let f = &cx.sizing.forecast;
    let (Some(per_try), Some(at_peak), Some(at_slowdown)) =
        (cx.sizing.timeouts.per_try_ms, f.cut_by_per_try, f.cut_by_per_try_at_slowdown)
    else {
        return Vec::new();
    };
    let tolerated = tolerated_cut(cx.scenario).0 * ROUNDING;
    if at_peak.0 <= tolerated && at_slowdown.0 <= tolerated {
        return Vec::new();
    }
    vec![finding(cx, per_try, at_peak, at_slowdown)]
}

fn finding(cx: &Context<'_>, per_try: Millis, at_peak: Share, at_slowdown: Share) -> Finding {
    let s = cx.scenario;
    let tolerated = tolerated_cut(s);
    let message = format!(
        "`per_try_timeout` {} cuts {} of good requests when the upstream is {} slower",
        display::millis(per_try),
        phrases::refused(at_slowdown),
        phrases::times(s.slowdown),
    );
    let enough = deadline_where(s, cx.sizing, |l| {
        l.timeouts
            .per_try_ms
            .is_some_and(|cut| cx.sizing.model.exceedance(cut * (1.0 / s.slowdown)) <= tolerated)
    });
    RULE.meta
        .finding(&["deadline_ms", "slowdown", "per_try_timeout"], message)
        .consequence(format!(
            "each cut is sent again on top of the slow traffic; p99.9 is then {}, and today the cut is {}",
            display::millis(cx.sizing.latency.p999_ms * s.slowdown),
            phrases::refused(at_peak),
        ))
        .help("give the call a longer deadline, so that a longer attempt fits twice")
        .maybe_fix(enough.and_then(fixes::deadline))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_the_full_timeout_misses_by_a_millisecond() {
        assert!(fires(&RULE, "deadline_ms=1231"));
    }

    #[test]
    fn silent_when_it_just_fits_twice() {
        assert!(!fires(&RULE, "deadline_ms=1232"));
    }

    #[test]
    fn silent_without_a_per_try_timeout() {
        assert!(!fires(&RULE, "idempotent=false deadline_ms=1231"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "deadline_ms=1000").message,
            "`per_try_timeout` 400\u{a0}ms cuts 1% of good requests when the upstream is ×2 slower"
        );
    }
}
