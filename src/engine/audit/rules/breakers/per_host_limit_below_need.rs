//! `HR335 per-host-limit-below-need`: the limits per host together do not hold the peak.

use super::{Limit, Wire, all_limits, are_held, is_judged, recommended, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::phrases;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Share;
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR335",
        name: "per-host-limit-below-need",
        severity: Severity::Error,
        summary: "the connections allowed to each host together are fewer than are needed",
        rationale: "Both limits must allow a connection: `max_connections` for the cluster, `per_host_thresholds` for \
                    each host. On HTTP/1.1 the limit per host times the hosts is the most that one proxy can have \
                    running, and while a host is down its part is missing. Each worker may open one connection more, \
                    which the pools need to start at all.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.per_host_thresholds; measured on 1.40"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let one_each = is_judged(cx) && matches!(wire(cx), Some(Wire::Http1 | Wire::Tcp));
    let known = wire(cx) != Some(Wire::Tcp) || are_held(cx);
    all_limits(cx).filter(|_| one_each && known).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    // What a zero does is said by `zero-limit`.
    let limit = limits.max_connections_per_host.value.filter(|limit| *limit > 0)?;
    let at = limits.max_connections_per_host.place()?;
    let (s, offered) = (&traffic.scenario, sizing.offered.0);
    let each = f64::from(limit) + f64::from(s.workers) - 1.0;
    let usable = each * f64::from(s.hosts);
    if offered <= usable {
        return None;
    }
    let message = format!(
        "`max_connections` {} per host is {} for {}, below the {} in flight at the peak",
        whole(limit),
        whole(f64::from(limit) * f64::from(s.hosts)),
        phrases::hosts(s.hosts),
        number(offered)
    );
    let refused = phrases::refused(Share(1.0 - usable / offered));
    // What is recommended may be low, where the inputs say that the upstream multiplexes.
    let needed = f64::from(recommended(cx, sizing, Limit::Connections)).max(offered);
    let needed = (needed / f64::from(s.hosts)).ceil();
    let found = RULE
        .meta
        .found(&["per_host_thresholds", "max_connections"], at, message)
        .consequence(format!(
            "at most {} connections are open in the proxy: the queue fills, and at least {refused} of the peak is refused",
            whole(usable)
        ))
        .help(format!("set it to {} or more, or leave the limit per host out", whole(needed)));
    // A host that does not survive so much needs another remedy.
    let survives = s.host_concurrency.is_none_or(|most| needed * f64::from(s.clients) <= most);
    let fix = Fix::set(
        format!("{} → {}", whole(limit), whole(needed)),
        Setting::PerHostMaxConnections,
        count(needed),
    );
    Some(found.maybe_fix(survives.then_some(fix)))
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a limit of 32 bits")]
fn count(n: f64) -> Value {
    Value::Count(n as u64)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    // 20 in flight to two hosts from one worker.
    const WORKED: &str = "protocol=http1 rps=500 mean=40 p50=35 clients=1 workers=1 hosts=2 burst=1 skew=1";

    fn cluster(per_host: u32) -> String {
        format!(
            "name: shop\ncircuit_breakers:\n  per_host_thresholds:\n  - {{max_connections: {per_host}}}\n"
        )
    }

    #[test]
    fn fires_below_the_load() {
        let found = finding(&RULE, &cluster(5), WORKED);
        assert_eq!(
            found.message,
            "`max_connections` 5 per host is 10 for two hosts, below the 20 in flight at the peak"
        );
        assert!(found.consequence.contains("at least 50% of the peak is refused"), "{}", found.consequence);
        assert_eq!(found.at.line(), 4);
        assert!(fires(&RULE, &cluster(9), WORKED));
        assert!(!fires(&RULE, &cluster(10), WORKED));
    }

    #[test]
    fn the_limit_it_sets_is_enough() {
        // gRPC needs few connections; the text has HTTP/1.1.
        let text = format!("{}http_protocol_options: {{}}\n", cluster(5));
        let found = finding(&RULE, &text, &WORKED.replace("http1", "grpc"));
        assert_eq!(found.fix.unwrap().label, "5 → 10");
        assert!(!fires(&RULE, &text.replace(": 5}", ": 10}"), &WORKED.replace("http1", "grpc")));
    }

    #[test]
    fn each_worker_may_open_one_more() {
        assert!(!fires(&RULE, &cluster(9), &WORKED.replace("workers=1", "workers=2")));
    }

    #[test]
    fn silent_on_http2_and_without_traffic() {
        assert!(!fires(&RULE, &cluster(1), &WORKED.replace("http1", "http2")));
        assert!(!fires(&RULE, &cluster(1), "protocol=http1 hosts=2 workers=1"));
    }
}
