//! The names of Envoy's stats that are kept.

/// Counters and gauges of a cluster, without `cluster.<name>.`, sorted.
const KEPT: &[&str] = &[
    "bind_errors",
    "circuit_breakers.default.cx_open",
    "circuit_breakers.default.cx_pool_open",
    "circuit_breakers.default.remaining_cx",
    "circuit_breakers.default.remaining_cx_pools",
    "circuit_breakers.default.remaining_pending",
    "circuit_breakers.default.remaining_retries",
    "circuit_breakers.default.remaining_rq",
    "circuit_breakers.default.rq_open",
    "circuit_breakers.default.rq_pending_open",
    "circuit_breakers.default.rq_retry_open",
    "circuit_breakers.high.cx_open",
    "circuit_breakers.high.cx_pool_open",
    "circuit_breakers.high.remaining_cx",
    "circuit_breakers.high.remaining_cx_pools",
    "circuit_breakers.high.remaining_pending",
    "circuit_breakers.high.remaining_retries",
    "circuit_breakers.high.remaining_rq",
    "circuit_breakers.high.rq_open",
    "circuit_breakers.high.rq_pending_open",
    "circuit_breakers.high.rq_retry_open",
    "lb_healthy_panic",
    "membership_change",
    "membership_degraded",
    "membership_excluded",
    "membership_healthy",
    "membership_total",
    "outlier_detection.ejections_active",
    "outlier_detection.ejections_detected_consecutive_5xx",
    "outlier_detection.ejections_detected_consecutive_gateway_failure",
    "outlier_detection.ejections_detected_consecutive_local_origin_failure",
    "outlier_detection.ejections_detected_failure_percentage",
    "outlier_detection.ejections_detected_local_origin_failure_percentage",
    "outlier_detection.ejections_detected_local_origin_success_rate",
    "outlier_detection.ejections_detected_success_rate",
    "outlier_detection.ejections_enforced_consecutive_5xx",
    "outlier_detection.ejections_enforced_consecutive_gateway_failure",
    "outlier_detection.ejections_enforced_consecutive_local_origin_failure",
    "outlier_detection.ejections_enforced_failure_percentage",
    "outlier_detection.ejections_enforced_local_origin_failure_percentage",
    "outlier_detection.ejections_enforced_local_origin_success_rate",
    "outlier_detection.ejections_enforced_success_rate",
    "outlier_detection.ejections_enforced_total",
    "outlier_detection.ejections_overflow",
    "retry_or_shadow_abandoned",
    "upstream_cx_active",
    "upstream_cx_close_notify",
    "upstream_cx_connect_attempts_exceeded",
    "upstream_cx_connect_fail",
    "upstream_cx_connect_timeout",
    "upstream_cx_destroy_local_with_active_rq",
    "upstream_cx_destroy_remote_with_active_rq",
    "upstream_cx_http1_total",
    "upstream_cx_http2_total",
    "upstream_cx_http3_total",
    "upstream_cx_idle_timeout",
    "upstream_cx_max_requests",
    "upstream_cx_none_healthy",
    "upstream_cx_overflow",
    "upstream_cx_pool_overflow",
    "upstream_cx_protocol_error",
    "upstream_cx_total",
    "upstream_rq_1xx",
    "upstream_rq_2xx",
    "upstream_rq_3xx",
    "upstream_rq_4xx",
    "upstream_rq_5xx",
    "upstream_rq_active",
    "upstream_rq_active_overflow",
    "upstream_rq_cancelled",
    "upstream_rq_completed",
    "upstream_rq_maintenance_mode",
    "upstream_rq_max_duration_reached",
    "upstream_rq_pending_active",
    "upstream_rq_pending_failure_eject",
    "upstream_rq_pending_overflow",
    "upstream_rq_pending_total",
    "upstream_rq_per_try_idle_timeout",
    "upstream_rq_per_try_timeout",
    "upstream_rq_retry",
    "upstream_rq_retry_backoff_exponential",
    "upstream_rq_retry_backoff_ratelimited",
    "upstream_rq_retry_limit_exceeded",
    "upstream_rq_retry_overflow",
    "upstream_rq_retry_success",
    "upstream_rq_rx_reset",
    "upstream_rq_timeout",
    "upstream_rq_total",
    "upstream_rq_tx_reset",
];

/// Time to the end of the answer.
pub const LATENCY: &str = "upstream_rq_time";
/// Time to connect.
pub const CONNECT: &str = "upstream_cx_connect_ms";

/// What scopes a stat by where the request came from; the same name without it is the whole.
const SCOPES: [&str; 4] = ["external", "internal", "canary", "retry"];

/// Whether a stat of a cluster is kept.
pub fn is_kept(name: &str) -> bool {
    KEPT.binary_search(&name).is_ok() || is_status(name) || name == LATENCY || name == CONNECT
}

/// `upstream_rq_503`
fn is_status(name: &str) -> bool {
    name.strip_prefix("upstream_rq_")
        .is_some_and(|code| code.len() == 3 && code.bytes().all(|b| b.is_ascii_digit()))
}

/// Cluster and stat of `cluster.<name>.<stat>`, if it is kept; names may hold dots.
pub fn split(name: &str) -> Option<(&str, &str)> {
    /// `circuit_breakers.default.rq_open`
    const DEEPEST: usize = 3;
    let rest = name.strip_prefix("cluster.")?;
    let dots: Vec<usize> = rest.rmatch_indices('.').map(|(at, _)| at).take(DEEPEST).collect();
    let at = dots.iter().rev().find(|at| is_kept(&rest[**at + 1..]))?;
    // Istio ends names with a semicolon so that they can be told from the stat.
    let cluster = rest[..*at].trim_end_matches(';');
    let scope = cluster.rsplit('.').next().unwrap_or_default();
    let of_zone = cluster.rsplit('.').nth(2) == Some("zone");
    (!cluster.is_empty() && !SCOPES.contains(&scope) && !of_zone).then_some((cluster, &rest[*at + 1..]))
}

/// Envoy's name of a metric of Prometheus, which has underscores for dots:
/// `envoy_cluster_circuit_breakers_default_rq_open`.
pub fn of_metric(metric: &str) -> Option<&'static str> {
    let name = metric.strip_prefix("envoy_cluster_")?;
    let dotted = |kept: &&&str| kept.len() == name.len() && kept.bytes().zip(name.bytes()).all(same);
    [LATENCY, CONNECT].iter().chain(KEPT).find(dotted).copied()
}

fn same((kept, given): (u8, u8)) -> bool {
    kept == given || kept == b'.' && given == b'_'
}

#[cfg(test)]
mod tests {
    use super::{KEPT, of_metric, split};

    #[test]
    fn the_table_is_sorted() {
        assert!(KEPT.is_sorted());
    }

    #[test]
    fn names_with_dots() {
        for (name, parts) in [
            ("cluster.pier.upstream_rq_total", Some(("pier", "upstream_rq_total"))),
            (
                "cluster.outbound|80||a.default.svc.cluster.local.circuit_breakers.default.rq_open",
                Some(("outbound|80||a.default.svc.cluster.local", "circuit_breakers.default.rq_open")),
            ),
            ("cluster.a;.upstream_rq_503", Some(("a", "upstream_rq_503"))),
            ("cluster.pier.external.upstream_rq_503", None),
            ("cluster.pier.retry.upstream_rq_503", None),
            ("cluster.pier.zone.a.b.upstream_rq_200", None),
            ("cluster.pier.assignment_stale", None),
            ("http.in.downstream_rq_total", None),
            ("cluster.", None),
        ] {
            assert_eq!(split(name), parts, "{name}");
        }
    }

    #[test]
    fn metrics() {
        let open = "envoy_cluster_circuit_breakers_default_rq_open";
        assert_eq!(of_metric(open), Some("circuit_breakers.default.rq_open"));
        assert_eq!(of_metric("envoy_cluster_upstream_rq_time"), Some("upstream_rq_time"));
        assert_eq!(of_metric("envoy_server_uptime"), None);
    }
}
