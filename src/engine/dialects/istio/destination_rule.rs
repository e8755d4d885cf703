//! Limits, timeouts of connections, retry budget and outlier detection.
//!
//! Istio takes a 0 for "not set", which is no limit; none of the limits is ever 0.

use super::model::{
    ConnectionPool, DestinationRule, Http, LoadBalancer, OutlierDetection, RetryBudget, Tcp, TrafficPolicy,
};
use super::servers::Servers;
use super::{API, field};
use crate::engine::analysis::Analysis;
use crate::engine::dialects::lost;
use crate::engine::dialects::names::Names;
use crate::engine::dialects::notes::Notes;
use crate::engine::dialects::resource::{Resource, Units};
use crate::engine::envoy::{defaults, model};
use crate::engine::scenario::Protocol;

/// Envoy's keys and where their comments go.
const PLACES: [(&str, &str); 9] = [
    ("max_connections", "spec.trafficPolicy.connectionPool.tcp.maxConnections"),
    ("connect_timeout", "spec.trafficPolicy.connectionPool.tcp.connectTimeout"),
    ("max_requests", REQUESTS),
    ("max_pending_requests", PENDING),
    ("pool_idle_timeout", "spec.trafficPolicy.connectionPool.http.idleTimeout"),
    ("budget_percent", "spec.trafficPolicy.retryBudget.percent"),
    ("min_retry_concurrency", "spec.trafficPolicy.retryBudget.minRetryConcurrency"),
    ("max_ejection_percent", "spec.trafficPolicy.outlierDetection.maxEjectionPercent"),
    ("consecutive_gateway_failure", "spec.trafficPolicy.outlierDetection.consecutiveGatewayErrors"),
];

const REQUESTS: &str = "spec.trafficPolicy.connectionPool.http.http2MaxRequests";
const PENDING: &str = "spec.trafficPolicy.connectionPool.http.http1MaxPendingRequests";

/// The rule as YAML below the header of the whole text.
pub fn to_yaml(analysis: &Analysis, names: &Names, servers: Servers, top: &[String]) -> String {
    let rule = DestinationRule { host: names.host.clone(), traffic_policy: policy(analysis) };
    Resource::new(API, "DestinationRule", names, rule).to_yaml(top, &notes(analysis, servers).all())
}

fn policy(analysis: &Analysis) -> TrafficPolicy {
    let (limits, timeouts) = (analysis.default_threshold(), &analysis.timeouts);
    let upgrade = if analysis.scenario.protocol.multiplexes() { "UPGRADE" } else { "DO_NOT_UPGRADE" };
    let pool = ConnectionPool {
        tcp: Some(Tcp {
            max_connections: field(limits.max_connections),
            connect_timeout: Units::new(timeouts.connect_ms),
        }),
        http: Http {
            http2_max_requests: field(limits.max_requests),
            http1_max_pending_requests: Some(field(limits.max_pending_requests)),
            idle_timeout: Units::new(timeouts.pool_idle_ms),
            h2_upgrade_policy: Some(upgrade),
        },
    };
    TrafficPolicy {
        // What Envoy does where its text has no `lb_policy`.
        load_balancer: LoadBalancer { simple: "ROUND_ROBIN" },
        connection_pool: pool,
        outlier_detection: lost::sayable(analysis).map(detection),
        retry_budget: RetryBudget {
            percent: limits.retry_budget.budget_percent.into(),
            // Zero would be read as 3.
            min_retry_concurrency: limits.retry_budget.min_retry_concurrency.max(1),
        },
    }
}

fn detection(detection: &model::OutlierDetection) -> OutlierDetection {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a constant of 50")]
    let panic = defaults::HEALTHY_PANIC_THRESHOLD as u32;
    OutlierDetection {
        consecutive_gateway_errors: detection.consecutive_gateway_failure,
        consecutive_5xx_errors: detection.enforcing_consecutive_5xx,
        interval: Units::new(detection.interval.0),
        base_ejection_time: Units::new(detection.base_ejection_time.0),
        max_ejection_percent: detection.max_ejection_percent,
        min_health_percent: panic,
    }
}

fn notes(analysis: &Analysis, servers: Servers) -> Notes {
    let mut notes = Notes::moved(analysis, &PLACES);
    if lost::sayable(analysis).is_none() {
        let because = analysis.ejection.off_because.as_deref().unwrap_or("see the top");
        notes.say("spec.trafficPolicy.connectionPool", format!("no outlier detection: {because}"));
    }
    notes.say("spec.trafficPolicy.loadBalancer", "as in Envoy; left out it would be LEAST_REQUEST");
    let is_http1 = analysis.scenario.protocol == Protocol::Http1;
    notes.add(if is_http1 { REQUESTS } else { PENDING }, "counts for every protocol, whatever the name says");
    notes.add(REQUESTS, &servers.note());
    // Both are never set: Envoy would ignore maxRetries. Zero would be read as no limit.
    let n = analysis.default_threshold().max_retries.max(1);
    notes.add(
        "spec.trafficPolicy.retryBudget.percent",
        &format!("an Istio that refuses or drops retryBudget needs http.maxRetries: {n}, else nothing limits retries"),
    );
    notes.say(
        "spec.trafficPolicy.connectionPool.http.h2UpgradePolicy",
        if is_http1 {
            "the limits are for HTTP/1.1"
        } else {
            "the limits are for HTTP/2, also on ports named http"
        },
    );
    let outlier = "spec.trafficPolicy.outlierDetection";
    notes.say(&format!("{outlier}.consecutive5xxErrors"), "off; left out, 5 in a row would eject");
    notes.say(
        &format!("{outlier}.minHealthPercent"),
        "panic as in Envoy; left out, ejected hosts get nothing, however few are left",
    );
    notes.say(
        outlier,
        "with it Istio prefers hosts of the caller's zone; loadBalancer.localityLbSetting.enabled: false spreads over all, as sized",
    );
    notes
}
