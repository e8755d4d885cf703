//! `DestinationRule`: limits and outlier detection of a host, its subsets and its ports.
//!
//! Each subset and each port is an Envoy cluster of its own with counters of its own, so each
//! becomes a cluster here. A subset replaces whole blocks of the host's policy; a port replaces all
//! blocks and inherits none.

use crate::engine::read::config::{
    ClusterConfig, Effect, NoteKind, OutlierDetection, ProblemKind, RetryBudget, Thresholds, UpstreamProtocol,
};
use crate::engine::read::field::{Bound, Field, Reader};
use crate::engine::read::{Setting, Spanned};
use crate::engine::units::Percent;

const POLICY: &str =
    "loadBalancer connectionPool outlierDetection tls portLevelSettings tunnel proxyProtocol retryBudget";
const POOL: &str = "tcp http";
const TCP: &str = "maxConnections connectTimeout tcpKeepalive maxConnectionDuration idleTimeout";
const HTTP: &str = "http1MaxPendingRequests http2MaxRequests maxRequestsPerConnection maxRetries idleTimeout \
    h2UpgradePolicy useClientProtocol maxConcurrentStreams http2KeepAlive";
const OUTLIER: &str = "consecutiveErrors splitExternalLocalOriginErrors consecutiveLocalOriginFailures \
    consecutiveGatewayErrors consecutive5xxErrors interval baseEjectionTime maxEjectionPercent \
    minHealthPercent outlierDetectionHttpErrorCodes";

/// What the blocks of a policy say, read once, however many clusters they end up in.
#[derive(Clone, Default)]
struct Blocks {
    pool: Option<ClusterConfig>,
    outlier: Option<ClusterConfig>,
    lb_policy: Setting<String>,
    has_balancer: bool,
    budget: Option<RetryBudget>,
}

/// Whose settings they are.
#[derive(Clone, Copy)]
struct Of<'s> {
    host: Option<&'s Spanned<String>>,
    subset: Option<&'s Spanned<String>>,
    port: Option<&'s Spanned<u32>>,
}

/// A rule for more subsets than this is none that a person wrote.
const MAX_SUBSETS: usize = 1_000;

/// Reads the spec.
pub fn read(reader: &mut Reader, spec: &Field<'_>) {
    reader.known(spec, "a DestinationRule", "host trafficPolicy subsets exportTo workloadSelector");
    let host = spec.text("host");
    let policy = reader.message(spec, "trafficPolicy");
    let of_host = policy.as_ref().map(|p| blocks(reader, p, POLICY)).unwrap_or_default();
    let at = policy.clone().unwrap_or_else(|| spec.clone());
    let of = Of { host: host.as_ref(), subset: None, port: None };
    emit(reader, &at, of, &of_host);
    // A rule without a policy, or one for some workloads, stands beside others.
    let partial = spec.get("workloadSelector").or_else(|| spec.get("exportTo")).map(|f| f.place());
    let partial = partial.or_else(|| policy.is_none().then(|| spec.place()));
    if let Some(cluster) = reader.config.clusters.last_mut() {
        cluster.partial = partial;
    }
    ports(reader, policy.as_ref(), of, &of_host);
    for subset in spec.list("subsets").into_iter().take(MAX_SUBSETS) {
        reader.known(&subset, "a subset", "name labels trafficPolicy");
        let name = subset.text("name");
        let policy = reader.message(&subset, "trafficPolicy");
        let own = policy.as_ref().map(|p| blocks(reader, p, POLICY)).unwrap_or_default();
        // A subset replaces whole blocks.
        let inherits = !own.has_balancer;
        let merged = Blocks {
            pool: own.pool.or_else(|| of_host.pool.clone()),
            outlier: own.outlier.or_else(|| of_host.outlier.clone()),
            lb_policy: if inherits { of_host.lb_policy.clone() } else { own.lb_policy },
            has_balancer: own.has_balancer || of_host.has_balancer,
            budget: own.budget.or_else(|| of_host.budget.clone()),
        };
        let at = policy.clone().unwrap_or_else(|| subset.clone());
        let of = Of { subset: name.as_ref(), ..of };
        emit(reader, &at, of, &merged);
        ports(reader, policy.as_ref(), of, &merged);
    }
    if spec.list("subsets").len() > MAX_SUBSETS {
        let message = format!("more than {MAX_SUBSETS} subsets; the rest is not read");
        reader.note(spec.place(), NoteKind::PartlyRead, message);
    }
    let message = "the rule acts on the client's proxies and, for the host's own pods, on the server's too";
    reader.note(spec.place(), NoteKind::Scope, message);
}

fn blocks(reader: &mut Reader, policy: &Field<'_>, fields: &str) -> Blocks {
    reader.known(policy, "trafficPolicy", fields);
    let balancer = policy.get("loadBalancer");
    Blocks {
        pool: reader.message(policy, "connectionPool").map(|block| pool(reader, &block)),
        outlier: reader.message(policy, "outlierDetection").map(|block| {
            misplaced(
                reader,
                &block,
                "outlierDetection",
                OUTLIER,
                &[("connectionPool.http", HTTP), ("connectionPool.tcp", TCP)],
            );
            let mut part = ClusterConfig::default();
            part.outlier_detection = Some(outlier(reader, &block, &mut part));
            part
        }),
        lb_policy: balancer.as_ref().and_then(|b| b.text("simple")),
        has_balancer: balancer.is_some(),
        budget: reader.message(policy, "retryBudget").map(|block| budget(reader, &block)),
    }
}

fn check_pool(reader: &mut Reader, pool: &Field<'_>) {
    misplaced(
        reader,
        pool,
        "connectionPool",
        POOL,
        &[("connectionPool.tcp", TCP), ("connectionPool.http", HTTP)],
    );
    if let Some(tcp) = reader.message(pool, "tcp") {
        misplaced(
            reader,
            &tcp,
            "connectionPool.tcp",
            TCP,
            &[("connectionPool.http", HTTP), ("outlierDetection", OUTLIER)],
        );
    }
    if let Some(http) = reader.message(pool, "http") {
        misplaced(
            reader,
            &http,
            "connectionPool.http",
            HTTP,
            &[("outlierDetection", OUTLIER), ("connectionPool.tcp", TCP)],
        );
    }
}

/// Reports unknown fields, and where those that belong elsewhere belong.
fn misplaced(reader: &mut Reader, block: &Field<'_>, name: &str, fields: &str, others: &[(&str, &str)]) {
    let mut stray = String::from(fields);
    for (key, field) in block.entries() {
        if fields.split_whitespace().any(|f| f == key) {
            continue;
        }
        let Some((place, _)) = others.iter().find(|(_, o)| o.split_whitespace().any(|f| f == key)) else {
            continue;
        };
        reader.problem(
            field.place(),
            ProblemKind::MisplacedField { belongs: (*place).to_owned() },
            Effect::Ignored,
            format!("`{key}` is not a field of {name}; it belongs to {place}"),
            format!("move it to {place}"),
        );
        stray.push(' ');
        stray.push_str(key);
    }
    reader.known(block, name, &stray);
}

fn ports(reader: &mut Reader, policy: Option<&Field<'_>>, of: Of<'_>, inherited: &Blocks) {
    const PORT: &str = "port loadBalancer connectionPool outlierDetection tls";
    for port in policy.map(|p| p.list("portLevelSettings")).unwrap_or_default().into_iter().take(MAX_SUBSETS)
    {
        if !reader.is_message(&port) {
            continue;
        }
        let number = port.get("port").and_then(|p| reader.whole(&p, "number", Bound::UpTo(65_535)));
        // A port replaces every block, but the budget is not a matter of ports.
        let own = Blocks { budget: inherited.budget.clone(), ..blocks(reader, &port, PORT) };
        emit(reader, &port, Of { port: number.as_ref(), ..of }, &own);
    }
}

fn emit(reader: &mut Reader, at: &Field<'_>, of: Of<'_>, blocks: &Blocks) {
    let mut into = blocks.pool.clone().unwrap_or_default();
    into.name = of.host.cloned();
    into.subset = of.subset.cloned();
    into.port = of.port.cloned();
    into.origin = reader.origin_at(at);
    into.lb_policy.clone_from(&blocks.lb_policy);
    if into.thresholds.is_empty() {
        into.thresholds.push(Thresholds { block: at.place(), implied: true, ..Thresholds::default() });
    }
    into.thresholds[0].retry_budget.clone_from(&blocks.budget);
    if let Some(part) = &blocks.outlier {
        into.outlier_detection.clone_from(&part.outlier_detection);
        into.healthy_panic_threshold.clone_from(&part.healthy_panic_threshold);
    }
    reader.config.clusters.push(into);
}

/// An integer where zero counts as not set.
fn unless_zero(reader: &mut Reader, block: &Field<'_>, name: &str) -> Setting<u32> {
    let value = reader.whole(block, name, Bound::UpTo(2_147_483_647))?;
    (value.value != 0).then_some(value)
}

/// A limit where zero counts as not set; that it was written is kept, since it looks like a limit.
fn limit(reader: &mut Reader, block: &Field<'_>, name: &str, entry: &mut Thresholds) -> Setting<u32> {
    let value = reader.whole(block, name, Bound::UpTo(2_147_483_647))?;
    if value.value == 0 {
        entry.unset_zeros.push(value.map(|_| name.to_owned()));
        return None;
    }
    Some(value)
}

/// Reads a connection pool.
pub fn pool(reader: &mut Reader, block: &Field<'_>) -> ClusterConfig {
    check_pool(reader, block);
    let mut into = ClusterConfig { circuit_breakers: Some(block.place()), ..ClusterConfig::default() };
    let mut entry = Thresholds { block: block.place(), ..Thresholds::default() };
    if let Some(tcp) = block.get("tcp") {
        entry.max_connections = limit(reader, &tcp, "maxConnections", &mut entry);
        into.connect_timeout = reader.duration(&tcp, "connectTimeout", Bound::Positive);
        into.max_connection_duration = reader.duration(&tcp, "maxConnectionDuration", Bound::Positive);
    }
    if let Some(http) = block.get("http") {
        entry.max_pending_requests = limit(reader, &http, "http1MaxPendingRequests", &mut entry);
        entry.max_requests = limit(reader, &http, "http2MaxRequests", &mut entry);
        entry.max_retries = limit(reader, &http, "maxRetries", &mut entry);
        into.max_requests_per_connection = unless_zero(reader, &http, "maxRequestsPerConnection");
        into.idle_timeout = reader.duration(&http, "idleTimeout", Bound::Positive);
        into.max_concurrent_streams = unless_zero(reader, &http, "maxConcurrentStreams");
        if let Some(keepalive) = http.get("http2KeepAlive") {
            into.keepalive_interval = reader.duration(&keepalive, "interval", Bound::Positive);
            into.keepalive_timeout = reader.duration(&keepalive, "timeout", Bound::Positive);
        }
        let upgrade = [
            ("DEFAULT", None),
            ("DO_NOT_UPGRADE", Some(UpstreamProtocol::Http1)),
            ("UPGRADE", Some(UpstreamProtocol::Http2)),
        ];
        into.protocol = reader
            .word(&http, "h2UpgradePolicy", &upgrade)
            .and_then(|choice| choice.value.map(|p| Spanned::new(p, choice.at)));
        if let Some(client) = reader.truth(&http, "useClientProtocol").filter(|c| c.value) {
            into.protocol = Some(client.map(|_| UpstreamProtocol::Downstream));
        }
    }
    into.thresholds.push(entry);
    into
}

fn budget(reader: &mut Reader, block: &Field<'_>) -> RetryBudget {
    reader.known(block, "retryBudget", "percent minRetryConcurrency budgetInterval");
    let percent = reader.float(block, "percent").map(|p| p.map(Percent));
    RetryBudget {
        block: block.place(),
        budget_percent: percent,
        // Zero becomes Istio's default of 3.
        min_retry_concurrency: reader
            .whole(block, "minRetryConcurrency", Bound::Any)
            .map(|n| n.map(|n| if n == 0 { 3 } else { n })),
        budget_interval: reader.duration(block, "budgetInterval", Bound::Positive),
    }
}

fn outlier(reader: &mut Reader, block: &Field<'_>, into: &mut ClusterConfig) -> OutlierDetection {
    let enforced = |set: &Setting<u32>| {
        set.as_ref().map(|s| Spanned::new(if s.value > 0 { 100 } else { 0 }, s.at.clone()))
    };
    let mut out = OutlierDetection {
        block: block.place(),
        consecutive_5xx: reader.whole(block, "consecutive5xxErrors", Bound::Any),
        consecutive_gateway_failure: reader.whole(block, "consecutiveGatewayErrors", Bound::Any),
        consecutive_local_origin_failure: reader.whole(block, "consecutiveLocalOriginFailures", Bound::Any),
        interval: reader.duration(block, "interval", Bound::Positive),
        base_ejection_time: reader.duration(block, "baseEjectionTime", Bound::Positive),
        max_ejection_percent: reader
            .whole(block, "maxEjectionPercent", Bound::UpTo(100))
            .filter(|percent| percent.value != 0),
        split_external_local_origin_errors: reader.truth(block, "splitExternalLocalOriginErrors"),
        error_codes: super::super::envoy::codes(reader, block, "outlierDetectionHttpErrorCodes"),
        ..OutlierDetection::default()
    };
    out.enforcing_consecutive_5xx = enforced(&out.consecutive_5xx);
    out.enforcing_consecutive_gateway_failure = enforced(&out.consecutive_gateway_failure);
    if let Some(old) = reader.whole(block, "consecutiveErrors", Bound::Any).filter(|n| n.value > 0) {
        reader.problem(
            old.at.clone(),
            ProblemKind::Deprecated,
            Effect::Accepted,
            "`consecutiveErrors` is deprecated and counts gateway errors (502, 503, 504) only",
            "write consecutiveGatewayErrors, or consecutive5xxErrors to count every 5xx",
        );
        let place = old.at.clone();
        out.enforcing_consecutive_5xx.get_or_insert_with(|| Spanned::new(0, place.clone()));
        out.enforcing_consecutive_gateway_failure.get_or_insert_with(|| Spanned::new(100, place.clone()));
        out.consecutive_gateway_failure.get_or_insert(old);
    }
    into.healthy_panic_threshold =
        reader.whole(block, "minHealthPercent", Bound::UpTo(100)).map(|p| p.map(|n| Percent(f64::from(n))));
    out
}
