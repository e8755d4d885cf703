//! `HR334 connections-below-held`: `max_connections` cuts off what holds its connection for life.

use super::{Limit, Wire, all_limits, are_held, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Traffic};
use crate::engine::phrases;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR334",
        name: "connections-below-held",
        severity: Severity::Error,
        summary: "`max_connections` is below the connections that are held at the peak",
        rationale: "A raw connection and an upgraded one take a connection upstream for their whole life, so what counts \
                    is how many exist at once and not how many requests arrive. On TCP `max_connections` is the only \
                    cap, `max_requests` does not apply; an upgraded connection takes one of each. Where one proxy of a \
                    few is lost, the clients of it come back to the others.",
        sources: &[
            "banzaicloud/koperator#616; envoyproxy/envoy#20020",
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_connections",
            "Erlang B: what finds every connection taken is cut off",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    // Of raw connections only their life tells how many there are.
    let held = is_judged(cx) && are_held(cx) && matches!(wire(cx), Some(Wire::Tcp | Wire::Http1));
    all_limits(cx).filter(|_| held).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    let (of, limit) = (Limit::Connections, limits.max_connections.value);
    if limit == 0 || limit >= sizing.window.floor {
        return None;
    }
    let proxy = phrases::busiest_proxy(&traffic.scenario);
    let open = number(sizing.offered.0);
    let message = format!("{} is below the {open} connections that {proxy} holds at peak", of.stated(limits));
    let rest = match wire(cx) {
        Some(Wire::Tcp) => "the rest is cut off",
        _ => "the rest waits for one that is never free",
    };
    let (fits, lost) = fleet(traffic, sizing, limit);
    let finding = RULE
        .meta
        .found(&["max_connections"], of.place(cx, limits), message)
        .consequence(format!("{fits}, {rest}{lost}"))
        .help(of.advice(cx, sizing.window.chosen));
    Some(finding.fix(of.fix(limits, sizing.window.chosen)))
}

/// How much of it fits, and what is left for each proxy when one is lost.
fn fleet(traffic: &Traffic, sizing: &PrioritySizing, limit: u32) -> (String, String) {
    let (clients, open) = (f64::from(traffic.scenario.clients), sizing.offered.0);
    if traffic.scenario.clients == 1 {
        return (format!("{} of {} fit", whole(limit), number(open)), String::new());
    }
    let fits = format!(
        "{} × {} is {} of the {} that are open at once",
        phrases::proxies(traffic.scenario.clients),
        whole(limit),
        whole(f64::from(limit) * clients),
        number(traffic.sizing.load.fleet_concurrency.0)
    );
    let each = number(open * clients / (clients - 1.0));
    (fits, format!("; with one proxy lost each of the others holds {each}"))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    const HELD: &str =
        "protocol=grpc_stream rps=10 stream_mean=1000 burst=1.3 skew=1 slowdown=1 retry_overhead=0";

    fn tcp(limits: &str) -> String {
        format!(
            "clusters:\n- {{name: shop, connect_timeout: 1s{limits}}}\nlisteners:\n- filter_chains:\n  - filters:\n    \
             - {{name: envoy.filters.network.tcp_proxy, typed_config: {{stat_prefix: in, cluster: shop}}}}\n"
        )
    }

    #[test]
    fn raw_connections_are_held_for_life() {
        // 10,000 over two proxies, and three tenths more.
        let found = finding(&RULE, &tcp(""), &format!("{HELD} clients=2"));
        assert_eq!(
            found.message,
            "`max_connections` 1,024, a default, is below the 6,500 connections that the busiest proxy holds at peak"
        );
        assert_eq!(
            found.consequence,
            "2 proxies × 1,024 is 2,048 of the 10,000 that are open at once, the rest is cut off; with one proxy lost each of the others holds 13,000"
        );
        assert!(!fires(
            &RULE,
            &tcp(", circuit_breakers: {thresholds: [{max_connections: 7000}]}"),
            &format!("{HELD} clients=2")
        ));
    }

    #[test]
    fn sockets_over_http1_take_connections_too() {
        let found = finding(&RULE, "{name: shop, connect_timeout: 1s}", &format!("{HELD} clients=1"));
        assert!(
            found.consequence.starts_with("1,024 of 13,000 fit, the rest waits"),
            "{}",
            found.consequence
        );
        assert!(!fires(
            &RULE,
            "{name: shop, connect_timeout: 1s, http2_protocol_options: {}}",
            &format!("{HELD} clients=1")
        ));
    }

    #[test]
    fn boundary_is_the_floor_of_erlang_b() {
        // B(38, 20) is 1.08e-4 and B(39, 20) 5.6e-5, at a tolerated 1e-4.
        let inputs = "protocol=grpc_stream rps=0.1 stream_mean=200 clients=1 burst=1 skew=1";
        let at = |n: u32| {
            fires(
                &RULE,
                &tcp(&format!(", circuit_breakers: {{thresholds: [{{max_connections: {n}}}]}}")),
                inputs,
            )
        };
        assert_eq!([38, 39].map(at), [true, false]);
    }

    #[test]
    fn silent_for_requests() {
        assert!(!fires(
            &RULE,
            "{name: shop, connect_timeout: 1s}",
            "protocol=http1 rps=90000 mean=100 p50=90"
        ));
    }
}
