//! `HR230 pool-outlives-keepalive`: the pool keeps connections that the server closes.

use crate::engine::audit::clocks::label;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::read::config::{Dialect, UpstreamProtocol};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::timeouts::pool_idle;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR230",
        name: "pool-outlives-keepalive",
        severity: Severity::Warning,
        summary: "the pool keeps idle connections longer than the server does",
        rationale: "Both ends close idle connections. Where the server does so first, a request can meet the closing \
                    connection: 503 UC, now and then, at quiet hours most. The idle timeout that must be below the \
                    server's keep-alive is that of the cluster, an hour by default; the idle timeout of a route ends \
                    silent streams and does not help. `reset`, `5xx` and `gateway-error` repeat such a request, \
                    `connect-failure` and `reset-before-request` do not, since bytes were sent.",
        sources: &[
            "envoy: config.core.v3.HttpProtocolOptions.idle_timeout of a cluster, default 1 h",
            "measured on 1.40: 503 UC, details connection_termination; projectcontour/contour#3313",
        ],
    },
    check: Check::Cluster(check),
};

/// Conditions that repeat a request which met a closing connection (F46).
const ON_CLOSE: [&str; 3] = ["reset", "5xx", "gateway-error"];
/// Keep-alive timeouts that servers have by default: 5 s is the shortest in wide use, 75 s a common long one.
const COMMON_S: [f64; 2] = [5.0, 75.0];

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let tcp = cx.config.carries_tcp || cx.effective.protocol.value == UpstreamProtocol::Tcp;
    if !cx.dialect().runs_envoy() || tcp || cx.is_bypassed() {
        return Vec::new();
    }
    match cx.facts.upstream_keepalive {
        Some(keepalive) => known(cx, keepalive),
        None => unknown(cx),
    }
    .into_iter()
    .collect()
}

fn place<'a>(cx: &ClusterCx<'a>) -> &'a Place {
    cx.config.idle_timeout.as_ref().map_or(&cx.config.origin.block, |idle| &idle.at)
}

/// `1 h`, and how it came about.
fn kept(cx: &ClusterCx<'_>) -> String {
    let idle = &cx.effective.idle_timeout;
    let default = if idle.is_default() { ", the default," } else { "" };
    if idle.value.0 > 0.0 {
        format!("{}{default}", display::millis(idle.value))
    } else {
        "for good".to_owned()
    }
}

fn known(cx: &ClusterCx<'_>, keepalive: Millis) -> Option<Finding> {
    let idle = cx.effective.idle_timeout.value;
    if idle.0 > 0.0 && idle < keepalive {
        return None;
    }
    let to = pool_idle(Some(keepalive.as_secs()));
    let message = format!(
        "the pool keeps idle connections {} and the server closes them after {}",
        if idle.0 > 0.0 { format!("for {}", kept(cx)) } else { kept(cx) },
        display::millis(keepalive)
    );
    let mut finding = RULE.meta.found(&["idle_timeout"], place(cx), message).consequence(consequence(cx));
    for route in cx.route_cxs() {
        if let Some(own) = &route.config.idle_timeout {
            finding = finding.related("ends silent streams, and no connection", &own.at);
        }
    }
    let finding = finding.help(format!(
        "set `common_http_protocol_options.idle_timeout` of the cluster to {}, not `idle_timeout` of a route",
        display::millis(to)
    ));
    // These have no field for it.
    let writes =
        !matches!(cx.dialect(), Dialect::AppMesh | Dialect::Consul) || cx.config.idle_timeout.is_some();
    let fix = Fix::set(label(idle, to), Setting::PoolIdleTimeout, Value::Duration(to));
    let finding = if writes { finding.fix(fix) } else { finding };
    // A server of HTTP/2 says goodbye first, which makes the race rare.
    Some(if is_multiplexed(cx) { finding.severity(Severity::Info) } else { finding })
}

fn is_multiplexed(cx: &ClusterCx<'_>) -> bool {
    use UpstreamProtocol::{Grpc, Http2, Http3};
    matches!(cx.effective.protocol.value, Grpc | Http2 | Http3)
        || cx.facts.protocol.is_some_and(crate::engine::scenario::Protocol::multiplexes)
}

fn consequence(cx: &ClusterCx<'_>) -> String {
    let fails = "a request that meets the closing connection fails with 503 UC";
    let routes: Vec<RouteCx<'_>> = cx.route_cxs().filter(RouteCx::carries_requests).collect();
    if routes.is_empty() {
        format!("{fails}, unless `retry_on` has `reset`, `5xx` or `gateway-error`")
    } else if routes.iter().all(|route| route.retries_on(&ON_CLOSE)) {
        "a request that meets the closing connection is sent twice, at the price of a retry".to_owned()
    } else {
        format!("{fails}; nothing in `retry_on` repeats it")
    }
}

/// Whether the value is right depends on a figure that is not in the text.
fn unknown(cx: &ClusterCx<'_>) -> Option<Finding> {
    let idle = &cx.effective.idle_timeout;
    let assumed = cx.traffic().map(|t| t.sizing.timeouts.pool_idle_ms);
    // Without a word of the traffic a default is nothing to talk about; what rests on Headroom's
    // own assumption has been said where it was made.
    let unsaid =
        idle.is_default() && (assumed.is_none() || cx.config.origin.patch.is_some() || is_multiplexed(cx));
    if unsaid || assumed == Some(idle.value) {
        return None;
    }
    let [short, long] = COMMON_S.map(Millis::from_secs);
    let fits = |keepalive: Millis| idle.value.0 > 0.0 && idle.value < keepalive;
    if fits(short) {
        return None;
    }
    let enough = |keepalive: Millis| display::millis(pool_idle(Some(keepalive.as_secs())));
    let [after_short, after_long] = [short, long].map(display::millis);
    let second = if fits(long) {
        format!("one that closes after {after_long} is served well")
    } else {
        format!("one that closes after {after_long} needs {}", enough(long))
    };
    let message = format!(
        "whether idle connections may be kept {} cannot be judged without the server's keep-alive",
        if idle.value.0 > 0.0 { format!("for {}", kept(cx)) } else { kept(cx) }
    );
    let finding = RULE
        .meta
        .found(&["idle_timeout"], place(cx), message)
        .consequence(format!(
            "a server that closes after {after_short} needs {} here, {second}",
            enough(short)
        ))
        .help("enter the keep-alive timeout of the server")
        .asks(ParamId::UpstreamKeepaliveS)
        .severity(Severity::Info);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn cluster(idle: &str) -> String {
        format!(
            "name: shop\ntyped_extension_protocol_options:\n  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:\n    \
             \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions\n    \
             common_http_protocol_options: {{{idle}}}\n    explicit_http_config: {{http_protocol_options: {{}}}}\n"
        )
    }

    #[test]
    fn an_hour_is_too_long_for_twenty_seconds() {
        let found = finding(&RULE, &cluster(""), "upstream_keepalive_s=20");
        assert_eq!(
            found.message,
            "the pool keeps idle connections for 60\u{a0}min, the default, and the server closes them after 20\u{a0}s"
        );
        // A tenth less.
        assert!(
            found.help.contains("of the cluster to 18\u{a0}s, not `idle_timeout` of a route"),
            "{}",
            found.help
        );
        assert_eq!(found.severity, Severity::Warning);
    }

    #[test]
    fn the_keep_alive_itself_is_too_long_and_less_is_not() {
        assert!(fires(&RULE, &cluster("idle_timeout: 20s"), "upstream_keepalive_s=20"));
        assert!(fires(&RULE, &cluster("idle_timeout: 0s"), "upstream_keepalive_s=20"));
        assert!(!fires(&RULE, &cluster("idle_timeout: 19.999s"), "upstream_keepalive_s=20"));
    }

    #[test]
    fn asks_where_a_value_was_chosen_and_the_server_is_not_known() {
        let found = finding(&RULE, &cluster("idle_timeout: 20s"), "");
        assert_eq!(
            found.consequence,
            "a server that closes after 5,000\u{a0}ms needs 4,000\u{a0}ms here, one that closes after 75\u{a0}s is served well"
        );
        assert_eq!((found.severity, found.fix.is_none()), (Severity::Info, true));
        assert!(!fires(&RULE, &cluster("idle_timeout: 4s"), ""));
        assert!(!fires(&RULE, &cluster(""), ""), "a default without a word of the traffic");
        assert!(!fires(&RULE, &cluster("idle_timeout: 60s"), "rps=10 mean=10"), "what was assumed in sizing");
        assert!(fires(&RULE, &cluster(""), "rps=10 mean=10"));
    }

    #[test]
    fn what_is_repeated_costs_a_retry() {
        let routes = |on: &str| {
            let text = cluster("").replace("name: shop", "- name: shop").replace('\n', "\n  ");
            format!(
                "clusters:\n{}\nroutes:\n- match: {{prefix: /}}\n  route: {{cluster: shop, retry_policy: {{retry_on: {on}}}}}\n",
                text.trim_end()
            )
        };
        let known = "upstream_keepalive_s=20";
        assert!(finding(&RULE, &routes("reset"), known).consequence.contains("sent twice"));
        assert!(
            finding(&RULE, &routes("connect-failure"), known)
                .consequence
                .contains("nothing in `retry_on` repeats it")
        );
    }
}
