//! What each program writes for its Envoys when its user writes nothing.
//!
//! Where a control plane leaves a field alone, Envoy's default holds; those are in
//! `envoy::defaults` and not here. Sources: istio/istio and istio/api, mid-2026; envoyproxy/gateway,
//! August 2026; the manuals of the others.

use crate::engine::envoy::defaults as envoy;
use crate::engine::read::config::Dialect;
use crate::engine::units::Millis;

/// What a program fills in.
pub struct ProgramDefaults {
    /// `max_connections`, `max_pending_requests` and `max_requests`, DEFAULT priority.
    pub limits: [u32; 3],
    /// `max_retries`, DEFAULT priority.
    pub max_retries: u32,
    /// Who fills the limits in.
    pub limits_by: Dialect,
    /// `connect_timeout`, if it is not Envoy's.
    pub connect_timeout: Option<Millis>,
    /// Route timeout, if it is not Envoy's; zero is off.
    pub route_timeout: Option<Millis>,
    /// Stream idle timeout, if it is not Envoy's.
    pub stream_idle_timeout: Option<Millis>,
    /// Panic threshold in percent once outlier detection is set.
    pub panic_with_outlier_detection: Option<f64>,
    /// Interval of outlier detection.
    pub outlier_interval: Option<Millis>,
    /// Whether success rates are never enforced.
    pub success_rate_off: bool,
    /// `max_concurrent_streams`.
    pub max_concurrent_streams: Option<u32>,
    /// Buffer limit of listeners and clusters.
    pub buffer_limit_bytes: Option<u32>,
    /// What a retry policy says where its author does not.
    pub retry: RetryDefaults,
    /// Retries once a policy is written that leaves their number out.
    pub num_retries: u32,
    /// `track_remaining`.
    pub track_remaining: bool,
}

/// What a program fills into a retry policy.
pub struct RetryDefaults {
    /// Whether routes that do not mention retries get the policy too.
    pub without_policy: bool,
    /// Words of `retry_on`.
    pub retry_on: &'static [&'static str],
    /// Status codes, as long as `retry_on` is not written.
    pub codes: &'static [u32],
    /// Whether hosts already tried are avoided.
    pub previous_hosts: bool,
    /// `host_selection_retry_max_attempts`.
    pub host_picks: u32,
}

/// The largest limit there is: what Istio writes for "no limit".
pub const NO_LIMIT: u32 = u32::MAX;

/// Conditions of a retry in Istio and Envoy Gateway. Istio lists no status code since the fix 50506
/// of mid-2024, Envoy Gateway lists 503.
const MESH_RETRY_ON: &[&str] =
    &["connect-failure", "refused-stream", "unavailable", "cancelled", "retriable-status-codes"];

const ENVOY: ProgramDefaults = ProgramDefaults {
    limits: [envoy::MAX_CONNECTIONS, envoy::MAX_PENDING_REQUESTS, envoy::MAX_REQUESTS],
    max_retries: envoy::MAX_RETRIES,
    limits_by: Dialect::Envoy,
    connect_timeout: None,
    route_timeout: None,
    stream_idle_timeout: None,
    panic_with_outlier_detection: None,
    outlier_interval: None,
    success_rate_off: false,
    max_concurrent_streams: None,
    buffer_limit_bytes: None,
    retry: RetryDefaults {
        without_policy: false,
        retry_on: &[],
        codes: &[],
        previous_hosts: false,
        host_picks: envoy::HOST_SELECTION_RETRY_MAX_ATTEMPTS,
    },
    num_retries: envoy::NUM_RETRIES,
    track_remaining: false,
};

const ISTIO: ProgramDefaults = ProgramDefaults {
    limits: [NO_LIMIT; 3],
    max_retries: NO_LIMIT,
    limits_by: Dialect::Istio,
    connect_timeout: Some(Millis(10_000.0)),
    route_timeout: Some(Millis(0.0)),
    panic_with_outlier_detection: Some(0.0),
    success_rate_off: true,
    retry: RetryDefaults {
        without_policy: true,
        retry_on: MESH_RETRY_ON,
        codes: &[],
        previous_hosts: true,
        host_picks: 5,
    },
    num_retries: 2,
    track_remaining: true,
    ..ENVOY
};

const ENVOY_GATEWAY: ProgramDefaults = ProgramDefaults {
    limits: [1024; 3],
    max_retries: 1024,
    limits_by: Dialect::EnvoyGateway,
    connect_timeout: Some(Millis(10_000.0)),
    outlier_interval: Some(Millis(3_000.0)),
    max_concurrent_streams: Some(100),
    buffer_limit_bytes: Some(32 * 1024),
    retry: RetryDefaults {
        without_policy: false,
        retry_on: MESH_RETRY_ON,
        codes: &[503],
        previous_hosts: true,
        host_picks: 5,
    },
    num_retries: 2,
    ..ENVOY
};

/// Contour: connections within 2 s, retries on 5xx.
const CONTOUR: ProgramDefaults = ProgramDefaults {
    connect_timeout: Some(Millis(2_000.0)),
    retry: RetryDefaults { retry_on: &["5xx"], ..ENVOY.retry },
    ..ENVOY
};

/// Emissary: three seconds for a request and for a connection.
const EMISSARY: ProgramDefaults =
    ProgramDefaults { connect_timeout: Some(Millis(3_000.0)), route_timeout: Some(Millis(3_000.0)), ..ENVOY };

/// Kuma: its own policies of timeouts and retries.
const KUMA: ProgramDefaults = ProgramDefaults {
    stream_idle_timeout: Some(Millis(1_800_000.0)),
    retry: RetryDefaults { retry_on: &["gateway-error", "connect-failure", "refused-stream"], ..ENVOY.retry },
    ..ENVOY
};

/// What `dialect` fills in.
pub fn of(dialect: Dialect) -> &'static ProgramDefaults {
    match dialect {
        Dialect::Istio => &ISTIO,
        Dialect::EnvoyGateway => &ENVOY_GATEWAY,
        Dialect::Contour => &CONTOUR,
        Dialect::Emissary => &EMISSARY,
        Dialect::Kuma => &KUMA,
        _ => &ENVOY,
    }
}
