//! `HR319 long-lived-at-default`: what lives long meets a default that counts lives.

use super::{Limit, Wire, are_held, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::envoy::defaults;
use crate::engine::params::ParamId;
use crate::engine::read::config::RoutingPriority;
use crate::engine::rules::{RuleMeta, Severity};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR319",
        name: "long-lived-at-default",
        severity: Severity::Warning,
        summary: "long-lived connections or streams share a default limit of 1,024",
        rationale: "A subscription to a control plane, an upgraded connection and a raw TCP connection hold their slot \
                    for life, so a limit on what is in flight is a limit on how many exist. 1,024 of them are few: \
                    the default, meant for short requests, then stops the next subscription, socket or client while \
                    nothing is slow and no rate is high.",
        sources: &[
            "projectcontour/contour#291; envoyproxy/envoy#20020; banzaicloud/koperator#616",
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds, defaults 1024",
        ],
    },
    check: Check::Cluster(check),
};

/// With traffic the rules that count it say whether the default binds.
fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    // Requests say nothing of how many raw connections there are.
    let is_uncounted = cx.traffic().is_none() || wire(cx) == Some(Wire::Tcp) && !are_held(cx);
    let by_text = is_judged(cx) && is_uncounted;
    if by_text { of_cluster(cx).into_iter().collect() } else { Vec::new() }
}

/// Kinds of what lives long.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Subscriptions,
    Sockets,
    Connections,
}

// No fix: how many there will be is not in the text.
fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let kind = kind(cx)?;
    let limits = cx.effective.limits(RoutingPriority::Default);
    let counting: &[Limit] = match (kind, wire(cx)) {
        (Kind::Connections, _) => &[Limit::Connections],
        (Kind::Sockets, Some(Wire::Http1)) => &[Limit::Connections, Limit::Requests],
        _ => &[Limit::Requests],
    };
    let is_left = |l: &&Limit| l.of(limits).is_default() && l.of(limits).value == defaults::MAX_REQUESTS;
    let left: Vec<Limit> = counting.iter().filter(is_left).copied().collect();
    let first = left.first()?;
    let default = whole(defaults::MAX_REQUESTS);
    let names = left.iter().map(|l| format!("`{}`", l.name())).collect::<Vec<_>>().join(" and ");
    let (what, harm) = match kind {
        Kind::Subscriptions => ("a control plane's subscriptions, each a stream for life", Severity::Warning),
        Kind::Sockets => ("upgraded connections, each in its slot for life", Severity::Info),
        Kind::Connections => ("raw connections, each in its slot for life", Severity::Info),
    };
    let message = format!("{names} {default}, a default, counts {what}");
    let fields: Vec<&'static str> = left.iter().map(|l| l.name()).collect();
    let finding = RULE.meta.found(&fields, first.place(cx, limits), message).severity(harm);
    Some(match kind {
        Kind::Subscriptions => finding
            .consequence(format!("with two streams a resource the proxy stops updating at {} resources", whole(defaults::MAX_REQUESTS / 2)))
            .help("set `max_requests` far above the number of resources, or use one aggregated stream (ADS)"),
        Kind::Sockets => finding
            .consequence(format!("each proxy carries {default} sockets to this cluster, and its short requests and probes share them"))
            .help("set `max_connections` and `max_requests` to the number of sockets a proxy holds at its peak, and a quarter more")
            .asks(ParamId::StreamMean),
        Kind::Connections => finding
            .consequence(format!("each proxy carries {default} connections to this cluster; the next client is cut off"))
            .help("set `max_connections` to what one proxy holds when another one is lost; requests per second say nothing about it")
            .asks(ParamId::StreamMean),
    })
}

fn kind(cx: &ClusterCx<'_>) -> Option<Kind> {
    let upgrades = |route: &crate::engine::audit::RouteView<'_>| {
        let manager = cx.configuration.manager_of(route.config);
        !route.config.upgrades.is_empty() || manager.is_some_and(|m| !m.upgrades.is_empty())
    };
    if wire(cx) == Some(Wire::Tcp) {
        Some(Kind::Connections)
    } else if cx.config.carries_subscriptions {
        Some(Kind::Subscriptions)
    } else {
        cx.routes.iter().any(upgrades).then_some(Kind::Sockets)
    }
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn bootstrap(api_type: &str, limits: &str) -> String {
        format!(
            "dynamic_resources:\n  lds_config: {{api_config_source: {{api_type: {api_type}, grpc_services: [{{envoy_grpc: {{cluster_name: control}}}}]}}}}\n\
             static_resources:\n  clusters:\n  - name: control\n    connect_timeout: 1s\n    http2_protocol_options: {{}}\n{limits}"
        )
    }

    #[test]
    fn a_control_plane_that_is_left_at_the_default() {
        let found = finding(&RULE, &bootstrap("GRPC", ""), "");
        assert_eq!(
            found.message,
            "`max_requests` 1,024, a default, counts a control plane's subscriptions, each a stream for life"
        );
        assert!(found.consequence.ends_with("at 512 resources"), "{}", found.consequence);
        assert_eq!((found.severity, found.at.line()), (Severity::Warning, 5));
        assert!(!fires(
            &RULE,
            &bootstrap("GRPC", "    circuit_breakers: {thresholds: [{max_requests: 1024}]}\n"),
            ""
        ));
        // One aggregated stream is no crowd.
        assert!(!fires(&RULE, &bootstrap("AGGREGATED_GRPC", ""), ""));
    }

    #[test]
    fn a_tcp_proxy() {
        let text = |limits: &str| {
            format!(
                "clusters:\n- {{name: shop, connect_timeout: 1s{limits}}}\nlisteners:\n- filter_chains:\n  - filters:\n    \
                 - {{name: envoy.filters.network.tcp_proxy, typed_config: {{stat_prefix: in, cluster: shop}}}}\n"
            )
        };
        let found = finding(&RULE, &text(""), "");
        assert!(
            found.message.starts_with("`max_connections` 1,024, a default, counts raw connections"),
            "{}",
            found.message
        );
        assert_eq!(found.severity, Severity::Info);
        assert!(fires(&RULE, &text(""), "rps=500 p50=35 p99=110"));
        assert!(!fires(&RULE, &text(""), "protocol=grpc_stream rps=1 stream_mean=10"));
        assert!(!fires(&RULE, &text(", circuit_breakers: {thresholds: [{max_connections: 99}]}"), ""));
    }

    #[test]
    fn web_sockets_take_a_connection_and_a_request() {
        let text = "clusters:\n- {name: shop, connect_timeout: 1s}\nroutes:\n- {match: {prefix: /}, route: {cluster: shop, upgrade_configs: [{upgrade_type: websocket}]}}\n";
        let found = finding(&RULE, text, "");
        assert!(
            found.message.starts_with("`max_connections` and `max_requests` 1,024, a default,"),
            "{}",
            found.message
        );
        // The rules that count traffic say more.
        assert!(!fires(&RULE, text, "protocol=grpc_stream rps=1 stream_mean=10"));
        assert!(!fires(&RULE, &text.replace(", upgrade_configs: [{upgrade_type: websocket}]", ""), ""));
    }
}
