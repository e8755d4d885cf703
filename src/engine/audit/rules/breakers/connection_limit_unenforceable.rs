//! `HR524 connection-limit-unenforceable`: each pool opens one connection whatever the limit says.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::plural;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR524",
        name: "connection-limit-unenforceable",
        severity: Severity::Warning,
        summary: "`max_connections` is below the number of pools, and each opens one anyway",
        rationale: "So that no request is stuck for ever, a pool without a connection opens one even when the limit is \
                    reached. A pool is one worker's way to one host, so up to limit + pools − 1 connections are open; \
                    a limit per host is treated the same way. A small number there promises the hosts something that \
                    Envoy does not keep.",
        sources: &[
            "measured on Envoy 1.40: limit 1, two workers, two hosts, four connections; limit 4, five",
            "envoyproxy/envoy#2927",
        ],
    },
    check: Check::Cluster(check),
};

/// More than a quarter of the limit is worth a word: our choice.
const MUCH: u64 = 4;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    all_limits(cx).filter(|_| is_judged(cx)).filter_map(|limits| of_priority(cx, limits)).collect()
}

// No fix: a cap on what runs is another setting, and its number is not in the text.
fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (of, hosts) = (Limit::Connections, cx.facts.hosts?);
    let limit = limits.max_connections.value;
    // One worker at least.
    let pools = cx.pools().unwrap_or(hosts.into());
    // What a zero does is said by `zero-limit`.
    if limit == 0 {
        return None;
    }
    if u64::from(limit) >= pools {
        return exceeded(cx, limits, pools);
    }
    let of_hosts = plural(f64::from(hosts), "host", "hosts");
    let made = match cx.facts.workers {
        None => format!("{of_hosts} make {} pools with a single worker", whole(pools as f64)),
        Some(n) => format!(
            "{} × {of_hosts} make {} pools",
            plural(f64::from(n), "worker", "workers"),
            whole(pools as f64)
        ),
    };
    let bound = u64::from(limit) + pools - 1;
    let finding = RULE
        .meta
        .found(&["max_connections"], of.place(cx, limits), format!("{} cannot hold: {made}, and each opens one connection", of.stated(limits)))
        .consequence(format!("up to {} connections are open in each proxy: {} + {} − 1", whole(bound as f64), whole(limit), whole(pools as f64)))
        .help("for a hard cap on what runs at once set `max_requests`; for fewer connections run fewer workers (`--concurrency`) or a subset of the hosts");
    let finding = if cx.facts.workers.is_none() { finding.asks(ParamId::Workers) } else { finding };
    // A default promises nothing, and HTTP/2 needs no more than one connection a pool.
    let mild = limits.max_connections.is_default() || wire(cx) == Some(Wire::Multiplexed);
    Some(finding.severity(if mild { Severity::Info } else { Severity::Warning }))
}

/// A limit that the first connection of each pool may pass by a good deal.
fn exceeded(cx: &ClusterCx<'_>, limits: &EffectivePriority, pools: u64) -> Option<Finding> {
    let limit = &limits.max_connections;
    let (hosts, workers) = (cx.facts.hosts?, cx.facts.workers?);
    let more = pools.saturating_sub(1);
    let shares = matches!(wire(cx), Some(Wire::Multiplexed));
    if limit.is_default() || shares || more.saturating_mul(MUCH) < u64::from(limit.value) {
        return None;
    }
    let stated = Limit::Connections.stated(limits);
    let bound = whole((u64::from(limit.value) + more) as f64);
    let (workers, hosts) =
        (plural(f64::from(workers), "worker", "workers"), plural(f64::from(hosts), "host", "hosts"));
    let (limit, pools) = (whole(limit.value), whole(pools as f64));
    let finding = RULE
        .meta
        .found(
            &["max_connections"],
            Limit::Connections.place(cx, limits),
            format!("{stated} may be exceeded: {workers} × {hosts} make {pools} pools, and an empty one opens a connection whatever the limit says"),
        )
        .consequence(format!("up to {bound} connections are open in each proxy: {limit} + {pools} − 1"))
        .help("for a hard cap on what runs at once set `max_requests`; for connections expect the larger number");
    Some(finding.severity(Severity::Info))
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(limit: u32) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{max_connections: {limit}}}\n")
    }

    #[test]
    fn limit_one_and_a_thousand_connections() {
        let found = finding(&RULE, &cluster(1), "hosts=100 workers=10");
        assert_eq!(
            found.message,
            "`max_connections` 1 cannot hold: 10 workers × 100 hosts make 1,000 pools, and each opens one connection"
        );
        assert_eq!(found.consequence, "up to 1,000 connections are open in each proxy: 1 + 1,000 − 1");
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn silent_from_one_connection_a_pool_on() {
        // Measured: two workers, two hosts.
        assert_eq!(
            finding(&RULE, &cluster(3), "hosts=2 workers=2").consequence,
            "up to 6 connections are open in each proxy: 3 + 4 − 1"
        );
        // From there on it only may be exceeded: by 3 of 4, and of 12, and not much of 13.
        let may = finding(&RULE, &cluster(4), "hosts=2 workers=2");
        assert!(
            may.message.starts_with("`max_connections` 4 may be exceeded: 2 workers × 2 hosts make 4 pools")
        );
        assert_eq!(may.consequence, "up to 7 connections are open in each proxy: 4 + 4 − 1");
        assert_eq!(may.severity, Severity::Info);
        assert!(fires(&RULE, &cluster(12), "hosts=2 workers=2"));
        assert!(!fires(&RULE, &cluster(13), "hosts=2 workers=2"));
        assert!(!fires(&RULE, &cluster(4), "hosts=2 workers=2 protocol=http2"));
        assert!(!fires(&RULE, &cluster(0), "hosts=2 workers=2"));
        assert!(!fires(&RULE, &cluster(1), "workers=2"));
    }

    #[test]
    fn milder_for_http2_and_for_a_default() {
        assert_eq!(finding(&RULE, &cluster(3), "hosts=2 workers=2 protocol=http2").severity, Severity::Info);
        assert_eq!(
            finding(&RULE, "{name: shop, connect_timeout: 1s}", "hosts=200 workers=8").severity,
            Severity::Info
        );
    }

    #[test]
    fn one_worker_is_the_least() {
        let found = finding(&RULE, &cluster(7), "hosts=8");
        assert!(found.message.contains("8 hosts make 8 pools with a single worker"), "{}", found.message);
        assert!(!fires(&RULE, &cluster(8), "hosts=8"));
    }
}
