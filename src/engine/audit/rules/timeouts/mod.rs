//! Timeouts, deadlines, idle connections and streams.

mod attempts_outlast_timeout;
mod connect_timeout_below_set_up;
mod connect_timeout_too_long;
mod deadline_not_passed_on;
mod expected_timeout_stripped;
mod grpc_deadline_ignored;
mod grpc_deadline_without_offset;
mod idle_timeout_on_stream;
mod max_grpc_timeout_deprecated;
mod misspelt_timeout;
mod no_room_for_retry;
mod nothing_ends_stall;
mod outbound_outlives_inbound;
mod per_try_below_latency;
mod per_try_idle_never_fires;
mod per_try_not_below_route;
mod per_try_not_retried;
mod per_try_on_stream;
mod pool_outlives_keepalive;
mod request_timeout_on_stream;
mod retries_without_per_try;
mod route_never_reached;
mod stream_life_unbounded;
mod timeout_below_latency;
mod timeout_never_reached;
mod timeout_off;
mod timeout_off_by_stream_duration;
mod timeout_on_one_hop;
mod timeout_on_stream;
mod timeout_outlives_caller;

use super::Rule;

/// The rules of this folder, sorted by code.
pub static RULES: &[&Rule] = &[
    &per_try_not_below_route::RULE,
    &timeout_outlives_caller::RULE,
    &connect_timeout_too_long::RULE,
    &connect_timeout_below_set_up::RULE,
    &attempts_outlast_timeout::RULE,
    &no_room_for_retry::RULE,
    &per_try_not_retried::RULE,
    &per_try_below_latency::RULE,
    &timeout_below_latency::RULE,
    &timeout_never_reached::RULE,
    &nothing_ends_stall::RULE,
    &deadline_not_passed_on::RULE,
    &grpc_deadline_ignored::RULE,
    &grpc_deadline_without_offset::RULE,
    &max_grpc_timeout_deprecated::RULE,
    &timeout_on_stream::RULE,
    &idle_timeout_on_stream::RULE,
    &timeout_on_one_hop::RULE,
    &per_try_on_stream::RULE,
    &outbound_outlives_inbound::RULE,
    &request_timeout_on_stream::RULE,
    &pool_outlives_keepalive::RULE,
    &per_try_idle_never_fires::RULE,
    &misspelt_timeout::RULE,
    &stream_life_unbounded::RULE,
    &timeout_off_by_stream_duration::RULE,
    &expected_timeout_stripped::RULE,
    &retries_without_per_try::RULE,
    &timeout_off::RULE,
    &route_never_reached::RULE,
];
