//! `HR332 per-host-limit-above-capacity`: the limit per host is one per proxy too.

use super::{Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR332",
        name: "per-host-limit-above-capacity",
        severity: Severity::Warning,
        summary: "the limit per host, times all proxies, is more than a host survives",
        rationale: "`per_host_thresholds` limits what one proxy opens to one host. A host is open to every proxy of the \
                    fleet, and nothing is coordinated between them, so it may see as many times the limit as there \
                    are proxies. On HTTP/1.1 and TCP a connection is a request or a client in flight.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.per_host_thresholds; measured on 1.40"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let counts = is_judged(cx) && matches!(wire(cx), Some(Wire::Http1 | Wire::Tcp));
    all_limits(cx).filter(|_| counts).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let limit = limits.max_connections_per_host.value?;
    let at = limits.max_connections_per_host.place()?;
    let each = cx.facts.host_concurrency?;
    let clients = cx.clients();
    let sum = f64::from(limit) * f64::from(clients);
    if sum <= each {
        return None;
    }
    let fair = (each / f64::from(clients)).floor();
    let message = format!("`max_connections` {} per host is per proxy too", whole(limit));
    let found =
        RULE.meta.found(&["per_host_thresholds", "max_connections"], at, message).consequence(format!(
            "{} may open {} to one host, which survives {}",
            phrases::proxies(clients),
            whole(sum),
            phrases::capacity(each)
        ));
    if fair < 1.0 {
        return Some(found.help(
            "limit the host at its own receiving proxy: less than one connection is left for each of these",
        ));
    }
    let found = found.help(format!("set it to {}, if that many to each host serve the peak", whole(fair)));
    let found = if cx.facts.clients.is_none() { found.asks(ParamId::Clients) } else { found };
    // The fix must leave room for what is in flight.
    let peak = cx.sizing(limits.priority).map_or(f64::INFINITY, |s| s.offered_at_slowdown.0);
    let serves = fair * f64::from(cx.facts.hosts.unwrap_or(0)) >= peak;
    let fix =
        Fix::set(format!("{} → {}", whole(limit), whole(fair)), Setting::PerHostMaxConnections, count(fair));
    Some(found.maybe_fix(serves.then_some(fix)))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at least 1, and below the limit that was read"
)]
fn count(n: f64) -> Value {
    Value::Count(n as u64)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(per_host: u32) -> String {
        format!(
            "name: shop\ncircuit_breakers:\n  per_host_thresholds:\n  - {{max_connections: {per_host}}}\n"
        )
    }

    #[test]
    fn fires_above_what_a_host_survives() {
        let found = finding(&RULE, &cluster(5), "protocol=http1 clients=2 host_concurrency=8");
        assert_eq!(found.message, "`max_connections` 5 per host is per proxy too");
        assert_eq!(found.consequence, "2 proxies may open 10 to one host, which survives 8");
        assert!(found.help.starts_with("set it to 4"), "{}", found.help);
        assert!(!fires(&RULE, &cluster(4), "protocol=http1 clients=2 host_concurrency=8"));
    }

    #[test]
    fn many_proxies_leave_no_connection_each() {
        let found = finding(&RULE, &cluster(1), "protocol=http1 clients=9 host_concurrency=8");
        assert!(found.help.contains("receiving proxy"), "{}", found.help);
    }

    #[test]
    fn silent_on_http2_and_without_capacity() {
        assert!(!fires(&RULE, &cluster(5), "protocol=http2 clients=2 host_concurrency=8"));
        assert!(!fires(&RULE, &cluster(5), "protocol=http1 clients=2"));
    }
}
