//! `HR525 ports-before-breaker`: source ports run out before the limit is reached.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR525",
        name: "ports-before-breaker",
        severity: Severity::Warning,
        summary: "`max_connections` is above the source ports there are, so it never trips",
        rationale: "A connection to one address and port needs a source port of its own, and Linux hands out 28,232 of \
                    them (32768 to 60999). Beyond, connecting fails with `cannot assign requested address`: flag UF \
                    and no counter of a breaker, so that overload looks like a network fault. A breaker should trip \
                    first. Two file descriptors for each request proxied end sooner still where their limit is low.",
        sources: &[
            "Linux: ip_local_port_range, default 32768 60999",
            "agent-substrate/substrate#806; cilium/cilium#30406",
        ],
    },
    check: Check::Cluster(check),
};

/// Source ports that Linux hands out for one destination.
const PORTS: f64 = 28_232.0;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let counts = is_judged(cx) && matches!(wire(cx), Some(Wire::Http1 | Wire::Tcp));
    all_limits(cx).filter(|_| counts).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (of, now) = (Limit::Connections, &limits.max_connections);
    let hosts = cx.facts.hosts?;
    let ports = PORTS * f64::from(hosts);
    // Who wrote nothing promised nothing.
    if now.is_default() || f64::from(now.value) <= ports {
        return None;
    }
    let to = if hosts == 1 { "one host".to_owned() } else { format!("{} hosts", whole(hosts)) };
    let message = format!("{} is above the {} source ports to {to}", of.stated(limits), whole(ports));
    let sizing = cx.sizing(limits.priority).filter(|s| s.offered_at_slowdown.0 > ports);
    let finding = RULE.meta.found(&["max_connections"], of.place(cx, limits), message);
    let runs_out =
        "ports run out before the breaker trips: failed connects with flag UF instead of a counted overflow";
    let Some(sizing) = sizing else {
        let help = format!(
            "set `max_connections` below {}, to what the proxy's file descriptors and the hosts bear",
            whole(ports)
        );
        return Some(finding.severity(Severity::Info).consequence(runs_out).help(help));
    };
    // What is recommended is not at fault: the traffic is.
    let recommended = now.value <= sizing.threshold.max_connections;
    let needed = number(sizing.offered_at_slowdown.0);
    let finding = finding.severity(if recommended { Severity::Info } else { Severity::Warning });
    let help = "spread the load over more hosts, proxies or source addresses; no limit makes room for it";
    Some(finding.consequence(format!("a slow day needs {needed} connections, and {runs_out}")).help(help))
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(limit: u32) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{max_connections: {limit}}}\n")
    }

    #[test]
    fn fires_above_the_ports_of_all_hosts() {
        let found = finding(&RULE, &cluster(28_233), "hosts=1");
        assert_eq!(found.message, "`max_connections` 28,233 is above the 28,232 source ports to one host");
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &cluster(28_232), "hosts=1"));
        assert!(!fires(&RULE, &cluster(56_464), "hosts=2"));
        assert!(fires(&RULE, &cluster(56_465), "hosts=2"));
    }

    #[test]
    fn a_slow_day_that_needs_more_is_a_warning() {
        // 12,000 in flight, 30,000 in the slowdown.
        let found = finding(
            &RULE,
            &cluster(40_000),
            "protocol=http1 hosts=1 rps=12000 mean=1000 p50=900 burst=1 skew=1 clients=1",
        );
        assert_eq!(found.severity, Severity::Warning);
        assert!(
            found.consequence.starts_with("a slow day needs 30,000 connections"),
            "{}",
            found.consequence
        );
    }

    #[test]
    fn silent_on_http2_without_hosts_and_at_a_default() {
        assert!(!fires(&RULE, &cluster(90_000), "hosts=1 protocol=http2"));
        assert!(!fires(&RULE, &cluster(90_000), ""));
    }
}
