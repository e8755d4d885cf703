//! `HR328 pools-limited`: with fewer pools allowed than there are, requests fail as if there were no host.

use super::{all_limits, is_judged, whole};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting};
use crate::engine::params::ParamId;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Share;
use crate::engine::units::display::{plural, share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR328",
        name: "pools-limited",
        severity: Severity::Error,
        summary: "`max_connection_pools` allows fewer pools than workers and hosts make",
        rationale: "Every worker keeps a pool of connections to every host, for each routing priority apart, and more \
                    where socket options differ. A request that would need one pool too many fails with 503 `no \
                    healthy upstream`, flag UH, which sends everybody looking for dead hosts. A pool that holds an \
                    idle connection is not given up for it.",
        sources: &[
            "measured on Envoy 1.40: limit 1 and 2 hosts, every second request failed",
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_connection_pools",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    all_limits(cx).filter(|_| is_judged(cx)).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    // What a zero does is said by `zero-limit`.
    let limit = limits.max_connection_pools.value.filter(|limit| *limit > 0)?;
    let at = limits.max_connection_pools.place()?;
    let (name, shown) = ("max_connection_pools", whole(limit));
    let fix = Fix::new("Leave it out", Change::Clear(Setting::MaxConnectionPools(limits.priority)));
    // A single worker needs a pool for each host; how many workers there are may not be known.
    let Some(pools) = cx.pools().or(cx.facts.hosts.map(u64::from)) else {
        let message = format!("`{name}` {shown} is enough for as many pools as workers × hosts");
        let found = RULE.meta.found(&[name], at, message).severity(Severity::Info);
        let found = found.consequence("beyond them requests fail with 503 `no healthy upstream`, flag UH");
        return Some(
            found
                .help("leave it out, or say how many hosts and workers there are")
                .fix(fix)
                .asks(ParamId::Hosts),
        );
    };
    if u64::from(limit) >= pools {
        return None;
    }
    let message = format!("`{name}` {shown} is below the pools that there are: {}", made(cx, pools));
    let failing = share(Share(1.0 - f64::from(limit) / pools as f64));
    let found = RULE.meta.found(&[name], at, message).consequence(format!(
        "once {shown} exist about {failing} of the requests fail with 503 `no healthy upstream`, flag UH, as if hosts were missing"
    ));
    Some(found.help("leave it out, and limit `max_requests` instead").fix(fix))
}

/// `2 workers × 3 hosts make 6`.
fn made(cx: &ClusterCx<'_>, pools: u64) -> String {
    let pools = whole(pools as f64);
    let (Some(workers), Some(hosts)) = (cx.facts.workers, cx.facts.hosts) else {
        return format!("one worker alone makes {pools}");
    };
    let workers = plural(f64::from(workers), "worker", "workers");
    format!("{workers} × {} make {pools}", plural(f64::from(hosts), "host", "hosts"))
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(pools: u32) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{max_connection_pools: {pools}}}\n")
    }

    #[test]
    fn fires_below_workers_times_hosts() {
        let found = finding(&RULE, &cluster(1), "workers=1 hosts=2");
        assert_eq!(
            found.message,
            "`max_connection_pools` 1 is below the pools that there are: 1 worker × 2 hosts make 2"
        );
        assert!(found.consequence.contains("about 50% of the requests"), "{}", found.consequence);
        assert!(fires(&RULE, &cluster(5), "workers=2 hosts=3"));
        assert!(!fires(&RULE, &cluster(6), "workers=2 hosts=3"));
    }

    #[test]
    fn one_worker_is_the_least() {
        assert!(fires(&RULE, &cluster(2), "hosts=3"));
        assert!(!fires(&RULE, &cluster(3), "hosts=3"));
    }

    #[test]
    fn asks_while_the_hosts_are_not_known_and_leaves_zero_to_its_own_rule() {
        let found = finding(&RULE, &cluster(4), "");
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &cluster(0), ""));
        assert!(!fires(&RULE, "{name: shop, connect_timeout: 1s}", "workers=2 hosts=3"));
    }
}
