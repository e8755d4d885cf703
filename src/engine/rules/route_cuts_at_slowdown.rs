//! `HR210 route-cuts-at-slowdown`: the slowdown asked for does not fit into the deadline.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes, shed_target_out_of_reach};
use crate::engine::phrases;
use crate::engine::remedy::{deadline_where, tolerated_cut};
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR210",
        name: "route-cuts-at-slowdown",
        severity: Severity::Warning,
        summary: "the slowdown asked for does not fit into the deadline",
        rationale: "The limits are sized to ride out an upstream that is `slowdown` times slower. That helps nobody \
                    if the slower answers come after the route timeout: they are admitted, worked on, and cut.",
        sources: &[
            "envoy: route.timeout covers everything from the complete request to the complete response",
            "our choice: one in a thousand may be cut, or the tolerated refusals where they are more",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, z) = (cx.scenario, cx.sizing);
    let route = z.timeouts.route_ms;
    let cut = |route: Millis| z.model.exceedance(route * (1.0 / s.slowdown));
    // A route timeout that cuts the healthy peak already has a finding of its own.
    if s.protocol.streams() || shed_target_out_of_reach::cut_at_peak(cx) > s.shed_target {
        return Vec::new();
    }
    if cut(route) <= tolerated_cut(s) {
        return Vec::new();
    }
    vec![finding(cx, cut(route), deadline_where(s, z, |l| cut(l.timeouts.route_ms) <= tolerated_cut(s)))]
}

fn finding(cx: &Context<'_>, cut: Share, deadline: Option<Millis>) -> Finding {
    let (s, z) = (cx.scenario, cx.sizing);
    let message = format!(
        "the route timeout of {} cuts {} of good requests when the upstream is {} slower",
        display::millis(z.timeouts.route_ms),
        phrases::refused(cut),
        phrases::times(s.slowdown),
    );
    RULE.meta
        .finding(&["deadline_ms", "slowdown", "timeout"], message)
        .consequence(format!(
            "p99.9 is then {}; what is cut has used its slot and its host for nothing",
            display::millis(z.latency.p999_ms * s.slowdown)
        ))
        .help("give the call a longer deadline, or ask for less `slowdown`")
        .maybe_fix(deadline.and_then(fixes::deadline))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_just_below_the_slow_p999() {
        assert!(fires(&RULE, "deadline_ms=528"));
    }

    #[test]
    fn silent_just_above_it() {
        assert!(!fires(&RULE, "deadline_ms=529"));
    }

    #[test]
    fn silent_when_the_healthy_peak_is_cut_already() {
        // Shed-target-out-of-reach says so.
        assert!(!fires(&RULE, "deadline_ms=318"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "deadline_ms=500").message,
            "the route timeout of 475\u{a0}ms cuts 0.18% of good requests when the upstream is ×2 slower"
        );
    }
}
