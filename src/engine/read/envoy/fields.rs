//! The fields of the messages that are read, so that a slip of the pen is told from a field that is
//! merely not audited.
//!
//! Taken from the descriptors in the program of Envoy 1.40.0, all of them, deprecated ones too. Names are separated by spaces.

/// `config.cluster.v3.Cluster`.
pub const CLUSTER: &str = "transport_socket_matches transport_socket_matcher name alt_stat_name stats_matcher type cluster_type \
    eds_cluster_config connect_timeout per_connection_buffer_limit_bytes \
    per_connection_buffer_high_watermark_timeout lb_policy load_assignment health_checks \
    max_requests_per_connection circuit_breakers upstream_http_protocol_options \
    common_http_protocol_options http_protocol_options http2_protocol_options \
    typed_extension_protocol_options dns_refresh_rate dns_jitter dns_failure_refresh_rate \
    respect_dns_ttl dns_lookup_family dns_resolvers use_tcp_for_dns_lookups dns_resolution_config \
    typed_dns_resolver_config wait_for_warm_on_init outlier_detection cleanup_interval \
    upstream_bind_config lb_subset_config ring_hash_lb_config maglev_lb_config original_dst_lb_config \
    least_request_lb_config round_robin_lb_config common_lb_config transport_socket metadata \
    protocol_selection upstream_connection_options close_connections_on_host_health_failure \
    ignore_health_on_host_removal filters load_balancing_policy lrs_server lrs_report_endpoint_metrics \
    track_timeout_budgets upstream_config track_cluster_stats preconnect_policy \
    connection_pool_per_downstream_connection queuing_policies";

/// `config.cluster.v3.Cluster.CommonLbConfig`.
pub const COMMON_LB_CONFIG: &str = "healthy_panic_threshold zone_aware_lb_config locality_weighted_lb_config update_merge_window \
    ignore_new_hosts_until_first_hc close_connections_on_host_set_change consistent_hashing_lb_config \
    override_host_status";

/// `config.cluster.v3.Cluster.CommonLbConfig.ZoneAwareLbConfig`.
pub const ZONE_AWARE_LB_CONFIG: &str = "routing_enabled min_cluster_size fail_traffic_on_panic";

/// `config.cluster.v3.Cluster.PreconnectPolicy`.
pub const PRECONNECT_POLICY: &str =
    "per_upstream_preconnect_ratio predictive_preconnect_ratio preconnect_enabled_metadata";

/// `config.cluster.v3.CircuitBreakers`.
pub const CIRCUIT_BREAKERS: &str = "thresholds per_host_thresholds";

/// `config.cluster.v3.CircuitBreakers.Thresholds`.
pub const THRESHOLDS: &str = "priority max_connections max_pending_requests max_requests max_retries retry_budget track_remaining \
    max_connection_pools";

/// `config.cluster.v3.CircuitBreakers.Thresholds.RetryBudget`.
pub const RETRY_BUDGET: &str = "budget_percent budget_interval min_retry_concurrency";

/// `config.cluster.v3.OutlierDetection`.
pub const OUTLIER_DETECTION: &str = "consecutive_5xx interval base_ejection_time max_ejection_percent enforcing_consecutive_5xx \
    enforcing_success_rate success_rate_minimum_hosts success_rate_request_volume \
    success_rate_stdev_factor consecutive_gateway_failure enforcing_consecutive_gateway_failure \
    split_external_local_origin_errors consecutive_local_origin_failure \
    enforcing_consecutive_local_origin_failure enforcing_local_origin_success_rate \
    failure_percentage_threshold enforcing_failure_percentage enforcing_failure_percentage_local_origin \
    failure_percentage_minimum_hosts failure_percentage_request_volume max_ejection_time \
    max_ejection_time_jitter successful_active_health_check_uneject_host monitors always_eject_one_host \
    detect_degraded_hosts";

/// `extensions.upstreams.http.v3.HttpProtocolOptions`.
pub const UPSTREAM_HTTP_OPTIONS: &str = "common_http_protocol_options upstream_http_protocol_options explicit_http_config \
    use_downstream_protocol_config auto_config http_filters header_validation_config outlier_detection \
    request_mirror_policies hash_policy retry_policy";

/// `extensions.upstreams.http.v3.HttpProtocolOptions.ExplicitHttpConfig`.
pub const EXPLICIT_HTTP_CONFIG: &str = "http_protocol_options http2_protocol_options http3_protocol_options";

/// `config.core.v3.HttpProtocolOptions`.
pub const COMMON_HTTP_OPTIONS: &str = "idle_timeout max_connection_duration max_connection_duration_jitter max_headers_count \
    max_response_headers_kb max_stream_duration headers_with_underscores_action \
    max_requests_per_connection";

/// `config.core.v3.Http2ProtocolOptions`.
pub const HTTP2_OPTIONS: &str = "hpack_table_size max_concurrent_streams initial_stream_window_size initial_connection_window_size \
    allow_connect allow_metadata max_outbound_frames max_outbound_control_frames \
    max_consecutive_inbound_frames_with_empty_payload max_inbound_priority_frames_per_stream \
    max_inbound_window_update_frames_per_data_frame_sent stream_error_on_invalid_http_messaging \
    override_stream_error_on_invalid_http_message custom_settings_parameters connection_keepalive \
    use_oghttp2_codec max_metadata_size enable_huffman_encoding max_header_field_size_kb \
    disallow_obs_text stream_reset_burst stream_reset_rate";

/// `config.core.v3.KeepaliveSettings`.
pub const KEEPALIVE: &str = "interval timeout interval_jitter connection_idle_interval";

/// `config.route.v3.RouteConfiguration`.
pub const ROUTE_CONFIGURATION: &str = "name virtual_hosts vhds internal_only_headers response_headers_to_add response_headers_to_remove \
    request_headers_to_add request_headers_to_remove most_specific_header_mutations_wins \
    validate_clusters max_direct_response_body_size_bytes cluster_specifier_plugins \
    request_mirror_policies ignore_port_in_host_matching vhost_header \
    ignore_path_parameters_in_path_matching typed_per_filter_config metadata route_specifiers";

/// `config.route.v3.VirtualHost`.
pub const VIRTUAL_HOST: &str = "name domains routes matcher require_tls virtual_clusters rate_limits request_headers_to_add \
    request_headers_to_remove response_headers_to_add response_headers_to_remove cors \
    typed_per_filter_config include_request_attempt_count include_attempt_count_in_response retry_policy \
    retry_policy_typed_config hedge_policy include_is_timeout_retry_header \
    per_request_buffer_limit_bytes request_body_buffer_limit request_mirror_policies metadata \
    route_specifiers";

/// `config.route.v3.Route`.
pub const ROUTE: &str = "name match route redirect direct_response filter_action non_forwarding_action metadata decorator \
    typed_per_filter_config request_headers_to_add request_headers_to_remove response_headers_to_add \
    response_headers_to_remove tracing per_request_buffer_limit_bytes stat_prefix \
    request_body_buffer_limit route_specifiers";

/// `config.route.v3.RouteAction`.
pub const ROUTE_ACTION: &str = "cluster cluster_header weighted_clusters cluster_specifier_plugin inline_cluster_specifier_plugin \
    cluster_not_found_response_code metadata_match prefix_rewrite regex_rewrite path_rewrite_policy \
    path_rewrite host_rewrite_literal auto_host_rewrite host_rewrite_header host_rewrite_path_regex \
    host_rewrite append_x_forwarded_host timeout idle_timeout flush_timeout early_data_policy \
    retry_policy retry_policy_typed_config request_mirror_policies priority rate_limits \
    include_vh_rate_limits hash_policy cors max_grpc_timeout grpc_timeout_offset upgrade_configs \
    internal_redirect_policy internal_redirect_action max_internal_redirects hedge_policy \
    max_stream_duration";

/// `config.route.v3.RouteAction.MaxStreamDuration`.
pub const MAX_STREAM_DURATION: &str =
    "max_stream_duration grpc_timeout_header_max grpc_timeout_header_offset";

/// `config.route.v3.RetryPolicy`.
pub const RETRY_POLICY: &str = "retry_on num_retries per_try_timeout per_try_idle_timeout retry_priority retry_host_predicate \
    retry_options_predicates host_selection_retry_max_attempts retriable_status_codes retry_back_off \
    rate_limited_retry_back_off retriable_headers retriable_request_headers refresh_cluster_on_retry";

/// `config.route.v3.RetryPolicy.RetryBackOff`.
pub const RETRY_BACK_OFF: &str = "base_interval max_interval";

/// `config.route.v3.RetryPolicy.RateLimitedRetryBackOff`.
pub const RATE_LIMITED_BACK_OFF: &str = "reset_headers max_interval";

/// `config.route.v3.HedgePolicy`.
pub const HEDGE_POLICY: &str = "initial_requests additional_request_chance hedge_on_per_try_timeout";

/// `extensions.filters.network.http_connection_manager.v3.HttpConnectionManager`.
pub const CONNECTION_MANAGER: &str = "codec_type stat_prefix rds route_config scoped_routes http_filters add_user_agent tracing \
    common_http_protocol_options http1_safe_max_connection_duration http_protocol_options \
    http2_protocol_options http3_protocol_options server_name server_header_transformation \
    scheme_header_transformation max_request_headers_kb stream_idle_timeout stream_flush_timeout \
    request_timeout request_headers_timeout drain_timeout drain_timeout_jitter delayed_close_timeout \
    access_log access_log_flush_interval flush_access_log_on_new_request access_log_options \
    use_remote_address xff_num_trusted_hops original_ip_detection_extensions \
    early_header_mutation_extensions internal_address_config skip_xff_append via generate_request_id \
    preserve_external_request_id always_set_request_id_in_response forward_client_cert_details \
    set_current_client_cert_details forward_client_cert_matcher proxy_100_continue \
    represent_ipv4_remote_address_as_ipv4_mapped_ipv6 upgrade_configs normalize_path merge_slashes \
    path_with_escaped_slashes_action request_id_extension local_reply_config strip_matching_host_port \
    strip_any_host_port stream_error_on_invalid_http_message path_normalization_options \
    strip_trailing_host_dot proxy_status_config typed_header_validation_config append_x_forwarded_port \
    append_local_overload add_proxy_protocol_connection_state forward_proto_config \
    record_route_resolution_stats";

/// `config.listener.v3.Listener`.
pub const LISTENER: &str = "name address additional_addresses stat_prefix stats_matcher filter_chains fcds_config \
    filter_chain_matcher use_original_dst default_filter_chain per_connection_buffer_limit_bytes \
    per_connection_buffer_high_watermark_timeout metadata deprecated_v1 drain_type listener_filters \
    listener_filters_timeout continue_on_listener_filters_timeout transparent freebind socket_options \
    tcp_fast_open_queue_length traffic_direction udp_listener_config api_listener \
    connection_balance_config reuse_port enable_reuse_port access_log tcp_backlog_size \
    max_connections_to_accept_per_socket_event bind_to_port internal_listener enable_mptcp \
    ignore_global_conn_limit bypass_overload_manager tcp_keepalive";

/// `extensions.filters.http.router.v3.Router`.
pub const ROUTER: &str = "dynamic_stats start_child_span upstream_log upstream_log_options suppress_envoy_headers \
    strict_check_headers respect_expected_rq_timeout suppress_grpc_request_failure_code_stats \
    upstream_http_filters reject_connect_request_early_data";

/// `extensions.filters.network.tcp_proxy.v3.TcpProxy`.
pub const TCP_PROXY: &str = "stat_prefix cluster weighted_clusters on_demand metadata_match idle_timeout downstream_idle_timeout \
    upstream_idle_timeout access_log max_connect_attempts backoff_options hash_policy tunneling_config \
    max_downstream_connection_duration max_downstream_connection_duration_jitter_percentage \
    access_log_flush_interval flush_access_log_on_connected access_log_options proxy_protocol_tlvs \
    proxy_protocol_tlv_merge_policy upstream_connect_mode max_early_data_bytes check_drain_close";

/// What an entry of `per_host_thresholds` may hold: the type has more fields, Envoy refuses them.
pub const PER_HOST_THRESHOLDS: &str = "priority max_connections track_remaining";
