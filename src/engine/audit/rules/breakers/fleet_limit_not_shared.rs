//! `HR521 fleet-limit-not-shared`: the fleet's limits are enough, and the busiest proxy's is not.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR521",
        name: "fleet-limit-not-shared",
        severity: Severity::Warning,
        summary: "the limits of the fleet would do, but one proxy has only its own",
        rationale: "A limit counts in one process; what the other proxies have left is no use to the busiest one. HTTP/1.1 \
                    clients open many connections, which spread over all proxies; an HTTP/2 client keeps a single \
                    one, and all its requests go to the proxy at its end. The same load then meets the limit of one \
                    proxy instead of the sum.",
        sources: &["knative-extensions/net-kourier#839", "envoy: circuit breakers count in each process"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let counts = is_judged(cx) && wire(cx) != Some(Wire::Tcp);
    all_limits(cx).filter(|_| counts).filter_map(|limits| of_priority(cx, limits)).collect()
}

// No fix of its own: the limit is set by `limit-below-floor`; this says how else to help.
fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    let (s, limit) = (&traffic.scenario, limits.max_requests.value);
    let (each, clients) = (f64::from(limit), f64::from(s.clients));
    let fleet = sizing.offered.0 * clients / s.skew;
    let pinned =
        s.clients > 1 && each < sizing.offered.0 && limit < sizing.window.floor && each * clients >= fleet;
    if !pinned || limit == 0 {
        return None;
    }
    let of = Limit::Requests;
    let message = format!(
        "{} on each of {} would carry the fleet's {}, but the busiest one has {} for its {}",
        of.stated(limits),
        phrases::proxies(s.clients),
        number(fleet),
        whole(limit),
        number(sizing.offered.0)
    );
    let reached = (fleet / sizing.offered.0).max(1.0);
    let found = RULE
        .meta
        .found(&["max_requests"], of.place(cx, limits), message)
        .consequence(format!(
            "the fleet's {} count only if the load spreads over all proxies; at a skew of {} it is as if {} of them got it all",
            whole(each * clients),
            number(s.skew),
            number(reached)
        ))
        .help("find out how many proxies the clients' connections end at: HTTP/2 clients keep one connection each; recycle it (`max_connection_duration`, `max_requests_per_connection` of the listener), or raise `max_requests`");
    Some(found.asks(ParamId::Skew))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    // 10,000 in flight over ten proxies; one HTTP/2 connection takes them all to one.
    const PINNED: &str = "protocol=http2 rps=10000 mean=1000 p50=900 clients=10 skew=10 burst=1";

    #[test]
    fn the_sum_would_do() {
        let found = finding(&RULE, "{name: shop, connect_timeout: 1s}", PINNED);
        assert_eq!(
            found.message,
            "`max_requests` 1,024, a default, on each of 10 proxies would carry the fleet's 10,000, but the busiest one has 1,024 for its 10,000"
        );
        assert!(
            found.consequence.starts_with("the fleet's 10,240 count only if the load spreads"),
            "{}",
            found.consequence
        );
    }

    #[test]
    fn silent_where_it_spreads_or_the_sum_is_too_small_as_well() {
        assert!(!fires(&RULE, "{name: shop, connect_timeout: 1s}", &PINNED.replace("skew=10", "skew=1")));
        let small =
            |n: u32| format!("name: shop\ncircuit_breakers: {{thresholds: [{{max_requests: {n}}}]}}\n");
        assert!(fires(&RULE, &small(1000), PINNED));
        assert!(!fires(&RULE, &small(999), PINNED));
    }
}
