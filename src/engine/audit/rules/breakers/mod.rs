//! Circuit breakers and capacity.

mod connection_limit_unenforceable;
mod connections_below_held;
mod connections_below_need;
mod dead_thresholds;
mod few_requests_held;
mod fleet_limit_not_shared;
mod handshake_per_request;
mod high_without_thresholds;
mod limit_above_ceiling;
mod limit_below_floor;
mod limit_below_slowdown;
mod limit_far_above_load;
mod limit_on_both_ends;
mod limit_read_per_host;
mod limits_for_unused_priority;
mod limits_of_misspelt_cluster;
mod limits_on_unrouted_subset;
mod local_cluster_forgotten;
mod long_lived_at_default;
mod no_limit_serves_and_protects;
mod one_limit_raised;
mod override_drops_limits;
mod pending_below_cold_start;
mod per_host_limit_above_capacity;
mod per_host_limit_below_need;
mod policy_written_twice;
mod pools_limited;
mod ports_before_breaker;
mod preconnect_above_connections;
mod queue_outlasts_caller;
mod refuses_instead_of_queueing;
mod request_limit_on_tcp;
mod retries_off_misses_sidecars;
mod runtime_key_without_cluster;
mod runtime_overrides_limit;
mod streams_cap_requests;
mod track_remaining_off;
mod unseen_limits_too_low;
mod zero_limit;
mod zero_means_unset;

use super::Rule;
use crate::engine::audit::{Change, ClusterCx, Fix, Setting, Value};
use crate::engine::read::Place;
use crate::engine::read::config::{Dialect, PatchOperation, RouteConfig, RouteKind, RoutingPriority};
use crate::engine::read::effective::{Effective, EffectivePriority, From, effective_route};
use crate::engine::scenario::Protocol;
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::{Millis, display};

/// The rules of this folder, sorted by code.
pub static RULES: &[&Rule] = &[
    &limit_below_floor::RULE,
    &track_remaining_off::RULE,
    &zero_limit::RULE,
    &zero_means_unset::RULE,
    &limit_above_ceiling::RULE,
    &connections_below_need::RULE,
    &queue_outlasts_caller::RULE,
    &pending_below_cold_start::RULE,
    &refuses_instead_of_queueing::RULE,
    &handshake_per_request::RULE,
    &one_limit_raised::RULE,
    &long_lived_at_default::RULE,
    &limit_below_slowdown::RULE,
    &limit_far_above_load::RULE,
    &local_cluster_forgotten::RULE,
    &limits_for_unused_priority::RULE,
    &high_without_thresholds::RULE,
    &dead_thresholds::RULE,
    &runtime_overrides_limit::RULE,
    &runtime_key_without_cluster::RULE,
    &pools_limited::RULE,
    &request_limit_on_tcp::RULE,
    &streams_cap_requests::RULE,
    &preconnect_above_connections::RULE,
    &per_host_limit_above_capacity::RULE,
    &retries_off_misses_sidecars::RULE,
    &connections_below_held::RULE,
    &per_host_limit_below_need::RULE,
    &override_drops_limits::RULE,
    &limits_on_unrouted_subset::RULE,
    &limits_of_misspelt_cluster::RULE,
    &few_requests_held::RULE,
    &unseen_limits_too_low::RULE,
    &policy_written_twice::RULE,
    &no_limit_serves_and_protects::RULE,
    &fleet_limit_not_shared::RULE,
    &limit_read_per_host::RULE,
    &limit_on_both_ends::RULE,
    &connection_limit_unenforceable::RULE,
    &ports_before_breaker::RULE,
];

/// One of the limits on what is in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limit {
    Connections,
    Pending,
    Requests,
}

impl Limit {
    const ALL: [Self; 3] = [Self::Connections, Self::Pending, Self::Requests];

    fn name(self) -> &'static str {
        match self {
            Self::Connections => "max_connections",
            Self::Pending => "max_pending_requests",
            Self::Requests => "max_requests",
        }
    }

    fn of(self, limits: &EffectivePriority) -> &Effective<u32> {
        match self {
            Self::Connections => &limits.max_connections,
            Self::Pending => &limits.max_pending_requests,
            Self::Requests => &limits.max_requests,
        }
    }

    fn setting(self, priority: RoutingPriority) -> Setting {
        match self {
            Self::Connections => Setting::MaxConnections(priority),
            Self::Pending => Setting::MaxPendingRequests(priority),
            Self::Requests => Setting::MaxRequests(priority),
        }
    }

    /// What a dialect calls it, where that is not Envoy's name.
    fn alias(self, cx: &ClusterCx<'_>) -> Option<&'static str> {
        let of_three = |names: [&'static str; 3]| Some(names[self as usize]);
        match cx.dialect() {
            _ if is_native(cx) => None,
            Dialect::Istio => of_three(["maxConnections", "http1MaxPendingRequests", "http2MaxRequests"]),
            Dialect::EnvoyGateway => {
                of_three(["maxConnections", "maxPendingRequests", "maxParallelRequests"])
            }
            Dialect::Consul => of_three(["maxConnections", "maxPendingRequests", "maxConcurrentRequests"]),
            Dialect::Contour => of_three(["max-connections", "max-pending-requests", "max-requests"]),
            Dialect::Kuma | Dialect::Gloo | Dialect::AppMesh => {
                of_three(["maxConnections", "maxPendingRequests", "maxRequests"])
            }
            _ => None,
        }
    }

    /// What to do, with the dialect's own name for it: set it to 5.
    fn advice(self, cx: &ClusterCx<'_>, to: u32) -> String {
        let alias = self.alias(cx).map(|alias| format!(" (`{alias}`)")).unwrap_or_default();
        format!("set `{}`{alias} to {}", self.name(), whole(to))
    }

    /// `` `max_requests` 1,024, a default, ``: what is in force, and why where nobody wrote it.
    fn stated(self, limits: &EffectivePriority) -> String {
        let now = self.of(limits);
        let high = if limits.priority == RoutingPriority::High { " for HIGH priority" } else { "" };
        let from = match now.from {
            From::Default(_) => ", a default,",
            From::Runtime(_) => ", from a runtime key,",
            From::Text(_) => "",
        };
        format!("`{}` {}{high}{from}", self.name(), whole(now.value))
    }

    /// Where a finding about it points.
    fn place<'a>(self, cx: &ClusterCx<'a>, limits: &'a EffectivePriority) -> &'a Place {
        self.of(limits).place().unwrap_or_else(|| cx.limits_place(limits.priority))
    }

    /// The change of its value: in the text, or of the runtime key that overrides the text.
    fn change(self, limits: &EffectivePriority, to: u32) -> Change {
        let value = Value::Count(to.into());
        match &self.of(limits).from {
            From::Runtime(place) => Change::Replace(place.clone(), value),
            _ => Change::Set(self.setting(limits.priority), value),
        }
    }

    /// The change that lets the default hold.
    fn clear(self, limits: &EffectivePriority) -> Change {
        match &self.of(limits).from {
            From::Runtime(place) => Change::Remove(place.clone()),
            _ => Change::Clear(self.setting(limits.priority)),
        }
    }

    /// The change as a button: `2 → 5`.
    fn fix(self, limits: &EffectivePriority, to: u32) -> Fix {
        let label = format!("{} → {}", whole(self.of(limits).value), whole(to));
        Fix::new(label, self.change(limits, to))
    }
}

/// How requests share the connections to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wire {
    /// Raw bytes: a connection upstream for each connection downstream, and no requests.
    Tcp,
    /// One request a connection.
    Http1,
    /// Many streams a connection.
    Multiplexed,
}

/// How a cluster speaks to its hosts, where that is known.
fn wire(cx: &ClusterCx<'_>) -> Option<Wire> {
    use crate::engine::read::config::UpstreamProtocol as Spoken;
    if cx.config.carries_tcp {
        return Some(Wire::Tcp);
    }
    match cx.config.protocol.as_ref().map(|p| p.value) {
        Some(Spoken::Tcp) => return Some(Wire::Tcp),
        Some(Spoken::Http1) => return Some(Wire::Http1),
        Some(Spoken::Http2 | Spoken::Http3 | Spoken::Grpc) => return Some(Wire::Multiplexed),
        Some(Spoken::Auto | Spoken::Downstream) => return None,
        None => {}
    }
    match cx.facts.protocol? {
        Protocol::Http1 => Some(Wire::Http1),
        // Streams where Envoy is told nothing go over HTTP/1.1: upgraded connections.
        Protocol::GrpcStream if is_native(cx) => Some(Wire::Http1),
        Protocol::Http2 | Protocol::Grpc | Protocol::GrpcStream => Some(Wire::Multiplexed),
    }
}

/// Whether each request holds its slot for minutes: streams, web sockets, connections.
fn are_held(cx: &ClusterCx<'_>) -> bool {
    cx.traffic().is_some_and(|t| t.scenario.protocol.streams())
}

/// What is recommended for a limit; where a connection is held for life, as many as are held.
fn recommended(cx: &ClusterCx<'_>, sizing: &PrioritySizing, limit: Limit) -> u32 {
    match limit {
        Limit::Connections if are_held(cx) && wire(cx) != Some(Wire::Multiplexed) => sizing.window.chosen,
        Limit::Connections => sizing.threshold.max_connections,
        Limit::Pending => sizing.threshold.max_pending_requests,
        Limit::Requests => sizing.window.chosen,
    }
}

/// Whether the text is Envoy's own, so that every setting can be written.
fn is_native(cx: &ClusterCx<'_>) -> bool {
    match cx.dialect() {
        Dialect::Envoy | Dialect::Cilium => true,
        Dialect::Consul => cx.config.origin.kind == "Cluster",
        _ => false,
    }
}

/// Whether the text says which limits hold. A patch, a fragment, or a resource that leaves limits
/// to another one does not: what it leaves out is no default.
fn is_judged(cx: &ClusterCx<'_>) -> bool {
    let (config, origin) = (cx.config, &cx.config.origin);
    let is_part = origin.patch.as_ref().is_some_and(|p| p.operation == PatchOperation::Merge);
    let is_whole = match origin.dialect {
        Dialect::Istio | Dialect::EnvoyGateway | Dialect::Emissary => true,
        _ if is_native(cx) => config.name.is_some(),
        _ => matches!(origin.kind.as_str(), "ServiceDefaults" | "Upstream"),
    };
    let has_limits = !config.thresholds.is_empty() || config.circuit_breakers.is_some();
    origin.dialect.runs_envoy() && !is_part && (is_whole || has_limits)
}

/// The limits of DEFAULT, and those of HIGH where somebody wrote some or traffic has that priority;
/// most dialects can write DEFAULT only.
fn all_limits<'a>(cx: &'a ClusterCx<'_>) -> impl Iterator<Item = &'a EffectivePriority> {
    let writes_high = is_native(cx) || cx.dialect() == Dialect::Emissary;
    let with_high = writes_high && (has_high(cx) || uses_high(cx) == Some(true));
    cx.effective.priorities.iter().filter(move |p| with_high || p.priority == RoutingPriority::Default)
}

/// Whether somebody set a limit for HIGH priority.
fn has_high(cx: &ClusterCx<'_>) -> bool {
    let limits = cx.effective.limits(RoutingPriority::High);
    cx.config.threshold(RoutingPriority::High).is_some()
        || limits.max_connections_per_host.value.is_some()
        || Limit::ALL.iter().any(|limit| !limit.of(limits).is_default())
}

/// Whether traffic of HIGH priority leads here, where that is known.
fn uses_high(cx: &ClusterCx<'_>) -> Option<bool> {
    let share = cx.facts.high_priority_share.map(|share| share.0 > 0.0);
    let routed = cx.routes.iter().any(|r| r.effective.priority.value == RoutingPriority::High);
    match share {
        Some(true) => Some(true),
        _ if routed => Some(true),
        None if cx.routes.is_empty() => None,
        _ => Some(false),
    }
}

/// What the hosts survive together, with those lost that may be lost.
#[derive(Clone, Copy, Debug)]
struct Capacity {
    /// Hosts left.
    hosts: u32,
    /// Requests in flight that each survives.
    each: f64,
}

impl Capacity {
    fn of(cx: &ClusterCx<'_>) -> Option<Self> {
        let hosts = cx.facts.hosts?;
        let lost = cx.facts.hosts_lost.unwrap_or(u32::from(hosts > 1));
        Some(Self { hosts: hosts.saturating_sub(lost), each: cx.facts.host_concurrency? })
    }

    fn together(self) -> f64 {
        f64::from(self.hosts) * self.each
    }
}

/// The longest that a request can hold what it takes: the longest route timeout that leads here,
/// or the default; `None` where one is off.
fn longest_hold(cx: &ClusterCx<'_>) -> Option<Millis> {
    let http = cx.routes.iter().filter(|r| r.config.kind == RouteKind::Http);
    let mut timeouts: Vec<Millis> = http.map(|r| r.effective.timeout.value).collect();
    if timeouts.is_empty() {
        let mut unknown = RouteConfig::default();
        unknown.origin.dialect = cx.dialect();
        let route = effective_route(cx.configuration, &unknown, None, cx.facts.envoy_version);
        timeouts.push(route.timeout.value);
    }
    let off = timeouts.iter().any(|timeout| timeout.0 <= 0.0);
    (!off).then(|| timeouts.into_iter().fold(Millis(0.0), Millis::max))
}

/// A whole number as sentences have it: `1,024`.
fn whole(n: impl Into<f64>) -> String {
    display::count(n.into())
}

#[cfg(test)]
mod tests {
    use crate::engine::analyze;
    use crate::engine::audit::audit;
    use crate::engine::audit::rules::tests::asked;
    use crate::engine::export::{Target, export};
    use crate::engine::params::by_key;
    use crate::engine::read::read;
    use crate::engine::read::source::Input;
    use crate::engine::rules::Severity;
    use crate::engine::scenario::Draft;

    /// Scenarios of every kind: calm, tight, trap, both priorities, streams, small, huge.
    const SCENARIOS: &[&str] = &[
        "rps=600 p50=100 p99=200 clients=2 hosts=8 host_concurrency=400 idempotent=true",
        "rps=500 p50=35 p99=110 clients=100 hosts=10 host_concurrency=64",
        "rps=500 p50=35 p99=110 clients=130 hosts=11 host_concurrency=64",
        "rps=500 p50=35 p99=110 clients=100 hosts=11 host_concurrency=64 high_priority_share=0.6",
        "rps=600 p50=100 p99=200 clients=2 hosts=8 host_concurrency=24 high_priority_share=0.2",
        "rps=500 mean=40 p50=35 clients=1 burst=1 skew=1 protocol=http1",
        "rps=500 mean=40 p50=35 clients=1 workers=1 hosts=1 burst=1 skew=1 protocol=http1",
        "rps=90000 mean=2 p50=1.5 connect_ms=20 protocol=http1 clients=3 hosts=40 workers=8",
        "rps=3000 mean=200 p50=180 slowdown=10 retry_overhead=0 protocol=http1 clients=1",
        "rps=0.1 p50=20 clients=1 hosts=300 workers=16 protocol=http1",
        "rps=600 p50=100 p99=200 clients=2 deadline_ms=240 connect_ms=100",
        "rps=10000 mean=1000 p50=900 clients=10 skew=10 burst=1",
        "rps=1 p50=100 clients=1000000 hosts=8 host_concurrency=400",
        "rps=200 p50=10 clients=50 hosts=3 shed_target=0.1 host_concurrency=5 protocol=http1",
        "protocol=grpc rps=3000 p50=4 p99=18 p999=40 clients=40 hosts=8 host_concurrency=100 deadline_ms=150 connect_ms=2",
        "protocol=grpc_stream rps=5 stream_p99=300 clients=4 hosts=6 host_concurrency=400",
        "protocol=grpc_stream rps=200 stream_mean=100 clients=1 hosts=2",
    ];

    #[test]
    fn what_is_recommended_is_clean() {
        for inputs in SCENARIOS {
            let mut draft = Draft::default();
            for pair in inputs.split_whitespace() {
                let (key, value) = pair.split_once('=').unwrap();
                draft.set(by_key(key).unwrap().id, value);
            }
            let analysis = analyze(&draft.check().unwrap()).unwrap();
            for target in [Target::Envoy, Target::EnvoyBootstrap] {
                let found =
                    audit(read(&[Input::new("it.yaml", export(&analysis, target))]), &asked(inputs)).findings;
                let ours = |code: &str| code.starts_with("HR3") || code.starts_with("HR52");
                let bad: Vec<_> =
                    found.iter().filter(|f| ours(f.code) && f.severity != Severity::Info).collect();
                assert!(bad.is_empty(), "{inputs}: {bad:#?}");
            }
        }
    }
}
