//! A configuration that is accepted by Envoy and wrong in most of the ways there are.

/// Name of the example.
pub const NAME: &str = "example.yaml";

/// Its text: that of the worked example's service.
pub const TEXT: &str = r#"clusters:
- name: checkout
  type: STRICT_DNS
  connect_timeout: 5s
  circuit_breakers:
    thresholds:
    - priority: DEFAULT
      max_connections: 1024
      max_pending_requests: 1024
      max_requests: 2
      max_retries: 100
  outlier_detection:
    consecutive_5xx: 5
    interval: 10s
    base_ejection_time: 30s
    max_ejection_percent: 5
  typed_extension_protocol_options:
    envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
      "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
      explicit_http_config: {http2_protocol_options: {}}
routes:
- match: {prefix: /}
  route:
    cluster: checkout
    timeout: 15s
    retry_policy:
      retry_on: 5xx
      num_retries: 3
      per_try_timeout: 15s
"#;
