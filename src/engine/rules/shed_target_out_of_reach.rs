//! `HR211 shed-target-out-of-reach`: the route timeout alone cuts more than is tolerated.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::remedy::deadline_where;
use crate::engine::units::{Millis, Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR211",
        name: "shed-target-out-of-reach",
        severity: Severity::Warning,
        summary: "the route timeout alone cuts more than may be refused",
        rationale: "The limits keep refusals at the healthy peak below the tolerated share. If the route timeout \
                    cuts more than that by itself, no limit brings the failures of the peak below it.",
        sources: &["envoy: route.timeout", "our rule: refusals and cuts are the same to the caller"],
    },
    check,
};

/// Share of requests that the route timeout cuts at the healthy peak.
pub fn cut_at_peak(cx: &Context<'_>) -> Share {
    let route = cx.sizing.timeouts.route_ms;
    if cx.scenario.protocol.streams() { Share(0.0) } else { cx.sizing.model.exceedance(route) }
}

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, z) = (cx.scenario, cx.sizing);
    let cut = cut_at_peak(cx);
    // Not above p99 is an error of its own.
    if cut <= s.shed_target || z.timeouts.route_ms <= z.latency.p99_ms {
        return Vec::new();
    }
    let message = format!(
        "the route timeout of {} cuts {} at the healthy peak, more than the {} tolerated",
        display::millis(z.timeouts.route_ms),
        phrases::refused(cut),
        phrases::refused(s.shed_target),
    );
    let enough = deadline_where(s, z, |l| z.model.exceedance(l.timeouts.route_ms) <= s.shed_target);
    let needed: Millis = z.model.quantile(1.0 - s.shed_target.0);
    let finding = RULE
        .meta
        .finding(&["deadline_ms", "shed_target", "timeout"], message)
        .consequence(format!(
            "limits refuse {}; all but the tolerated share are answered within {}",
            phrases::refused(z.forecast.refused_at_peak),
            display::millis(needed),
        ))
        .help("give the call a longer deadline, or tolerate more")
        .maybe_fix(enough.and_then(fixes::deadline));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_the_cut_passes_the_target() {
        assert!(fires(&RULE, "deadline_ms=318"));
    }

    #[test]
    fn silent_just_within_the_target() {
        assert!(!fires(&RULE, "deadline_ms=319"));
    }

    #[test]
    fn silent_below_p99() {
        // Deadline-below-p99 says so.
        assert!(!fires(&RULE, "deadline_ms=210"));
    }

    #[test]
    fn silent_for_streams() {
        assert!(!fires(&RULE, "protocol=grpc_stream stream_mean=60 deadline_ms=1000 rps=5"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "deadline_ms=240 idempotent=false").message,
            "the route timeout of 228\u{a0}ms cuts 0.28% at the healthy peak, more than the 1 in 10,000 tolerated"
        );
    }
}
