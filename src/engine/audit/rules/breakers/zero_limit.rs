//! `HR310 zero-limit`: a limit of 0 refuses everything, or nearly.

use super::{Limit, Wire, all_limits, is_judged, recommended, uses_high, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting};
use crate::engine::read::Place;
use crate::engine::read::config::RoutingPriority;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::{millis, number};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR310",
        name: "zero-limit",
        severity: Severity::Error,
        summary: "a limit of 0 is a real zero: it refuses everything, or nearly",
        rationale: "Zero is not \"no limit\" and not \"the default\" in Envoy. A request on its way to a cold pool waits \
                    for its connection, so with no place to wait the first connection is never opened; with no \
                    request allowed none passes; with no pool allowed there is no host to pick. Only \
                    `max_connections` 0 still serves: every pool may open one connection whatever the limit says.",
        sources: &[
            "measured on Envoy 1.40: each limit at 0",
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    if !is_judged(cx) {
        return Vec::new();
    }
    all_limits(cx).flat_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Vec<Finding> {
    let mut found = Vec::new();
    for limit in Limit::ALL.into_iter().filter(|limit| limit.of(limits).value == 0) {
        // Raw connections are no requests.
        if limit != Limit::Requests || wire(cx) != Some(Wire::Tcp) {
            found.push(of_limit(cx, limits, limit));
        }
    }
    if let (Some(0), Some(at)) = (limits.max_connection_pools.value, limits.max_connection_pools.place()) {
        let setting = Setting::MaxConnectionPools(limits.priority);
        let text = "no pool may be made: every request gets a 503 with flag UH, as if there were no host";
        found.push(
            zero(cx, limits, "max_connection_pools", at)
                .consequence(text)
                .help("leave it out")
                .fix(leave_out(setting)),
        );
    }
    if let (Some(0), Some(at)) =
        (limits.max_connections_per_host.value, limits.max_connections_per_host.place())
    {
        let text = "every pool opens one connection whatever the limit says: what comes meanwhile waits";
        let mut finding =
            zero(cx, limits, "max_connections", at).severity(Severity::Warning).consequence(text);
        finding.message.push_str(" per host");
        let help = "set what each proxy may open to one host, or leave it out";
        found.push(finding.help(help).fix(leave_out(Setting::PerHostMaxConnections)));
    }
    found
}

fn of_limit(cx: &ClusterCx<'_>, limits: &EffectivePriority, limit: Limit) -> Finding {
    let finding =
        zero(cx, limits, limit.name(), limit.place(cx, limits)).consequence(consequence(cx, limits, limit));
    let finding = if limit == Limit::Connections {
        let harm = if wire(cx) == Some(Wire::Multiplexed) { Severity::Info } else { Severity::Warning };
        finding.severity(harm)
    } else {
        finding
    };
    let Some(sizing) = cx.sizing(limits.priority) else {
        let fix = Fix::new("Leave it out", limit.clear(limits));
        return finding.help("set a limit above 0, or leave it out for the default of 1,024").fix(fix);
    };
    let to = recommended(cx, sizing, limit);
    finding.help(limit.advice(cx, to)).fix(limit.fix(limits, to))
}

/// The finding with its message; milder for a priority that no route is known to use.
fn zero(cx: &ClusterCx<'_>, limits: &EffectivePriority, name: &'static str, at: &Place) -> Finding {
    let high = limits.priority == RoutingPriority::High;
    let message = format!("`{name}` is 0{}", if high { " for HIGH priority" } else { "" });
    let unused = high && uses_high(cx) != Some(true);
    RULE.meta.found(&[name], at, message).severity(if unused { Severity::Warning } else { Severity::Error })
}

fn leave_out(setting: Setting) -> Fix {
    Fix::new("Leave it out", Change::Clear(setting))
}

fn consequence(cx: &ClusterCx<'_>, limits: &EffectivePriority, limit: Limit) -> String {
    let all = match limits.priority {
        RoutingPriority::Default => "every request",
        RoutingPriority::High => "every request of HIGH priority",
    };
    match limit {
        Limit::Requests => format!("{all} is refused; connections are opened all the same"),
        Limit::Connections => {
            let pools = cx.pools().map(|n| format!("the {} pools keep one connection each", whole(n as f64)));
            let pools = pools.unwrap_or_else(|| "every pool still opens one connection".to_owned());
            let waits = if wire(cx) == Some(Wire::Multiplexed) {
                ""
            } else {
                ", and requests go through it one by one"
            };
            format!("nothing is refused for it: {pools}{waits}")
        }
        Limit::Pending => {
            let arrive = cx.sizing(limits.priority).zip(cx.traffic()).map(|(sizing, traffic)| {
                let connect = traffic.scenario.connect_ms;
                let n = number(sizing.client_rate.arrivals_in(connect));
                format!("; {n} arrive in the {} that a connection takes", millis(connect))
            });
            let arrive = arrive.unwrap_or_default();
            format!(
                "{all} is refused: none may wait for the first connection, so none is ever opened{arrive}"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, findings, fires};

    fn cluster(limits: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{{limits}}}\n")
    }

    #[test]
    fn each_field_has_its_own_consequence() {
        let said = |limits: &str| {
            let found = finding(&RULE, &cluster(limits), "workers=2 hosts=3");
            (found.severity, found.consequence)
        };
        let (severity, pending) = said("max_pending_requests: 0");
        assert_eq!(severity, Severity::Error);
        assert!(pending.starts_with("every request is refused: none may wait"), "{pending}");
        let (severity, requests) = said("max_requests: 0");
        assert_eq!(
            (severity, requests.as_str()),
            (Severity::Error, "every request is refused; connections are opened all the same")
        );
        let (severity, connections) = said("max_connections: 0");
        assert_eq!(severity, Severity::Warning);
        assert!(
            connections
                .contains("the 6 pools keep one connection each, and requests go through it one by one"),
            "{connections}"
        );
        let (severity, pools) = said("max_connection_pools: 0");
        assert_eq!(severity, Severity::Error);
        assert!(pools.contains("flag UH"), "{pools}");
    }

    #[test]
    fn a_burst_is_counted_where_the_traffic_is_known() {
        // 200 streams a second for 100 ms.
        let inputs = "protocol=grpc_stream rps=200 stream_mean=10 connect_ms=100 burst=1 skew=1 clients=1";
        let found = finding(&RULE, &cluster("max_pending_requests: 0"), inputs);
        assert!(
            found.consequence.ends_with("; 20 arrive in the 100\u{a0}ms that a connection takes"),
            "{}",
            found.consequence
        );
        // P(Poisson(20) > 39) is 5.3e-5, of 38 it is 1.1e-4, at a tolerated 1e-4.
        assert_eq!(found.fix.unwrap().label, "0 → 39");
    }

    #[test]
    fn silent_at_one_and_at_a_default() {
        assert!(!fires(&RULE, &cluster("max_pending_requests: 1, max_requests: 1, max_connections: 1"), ""));
        assert!(!fires(&RULE, "{name: shop, connect_timeout: 1s}", ""));
    }

    #[test]
    fn a_priority_that_no_route_uses_refuses_nobody_yet() {
        let text = cluster("priority: HIGH, max_requests: 0");
        assert_eq!(finding(&RULE, &text, "").severity, Severity::Warning);
        assert_eq!(finding(&RULE, &text, "high_priority_share=0.1").severity, Severity::Error);
    }

    #[test]
    fn a_zero_of_istio_is_no_zero() {
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec: {host: shop, trafficPolicy: {connectionPool: {http: {http1MaxPendingRequests: 0}}}}\n";
        assert!(findings(&RULE, rule, "").is_empty());
    }
}
