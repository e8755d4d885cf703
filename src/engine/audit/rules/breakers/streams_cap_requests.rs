//! `HR330 streams-cap-requests`: connections times streams are fewer than the requests that are meant.

use super::{Limit, Wire, all_limits, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::read::config::RoutingPriority;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR330",
        name: "streams-cap-requests",
        severity: Severity::Warning,
        summary: "`max_connections` times the streams of each is below what is in flight",
        rationale: "On HTTP/2 a connection carries `max_concurrent_streams` requests, or fewer if the server says so, \
                    and Envoy opens another one only within `max_connections`; every pool has one in any case. When \
                    all streams are taken requests queue, and the queue refuses, although `max_requests` has room.",
        sources: &[
            "measured on Envoy 1.40: 2 streams a connection and max_connections 1 take five requests in three waves",
            "envoy: http2_protocol_options.max_concurrent_streams",
        ],
    },
    check: Check::Cluster(check),
};

/// Streams of a connection that recommendations count on.
const ROOM: u32 = 100;

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let many = is_judged(cx) && wire(cx) == Some(Wire::Multiplexed);
    all_limits(cx).filter(|_| many).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (connections, streams) = (&limits.max_connections, &cx.effective.max_concurrent_streams);
    let at = connections.place().or(streams.place())?;
    let open = u64::from(connections.value).max(cx.pools().unwrap_or(1));
    let carried = open.saturating_mul(streams.value.into()) as f64;
    let high = if limits.priority == RoutingPriority::High { " of HIGH priority" } else { "" };
    let carry = format!(
        "{} connections{high} × {} streams carry {}",
        whole(open as f64),
        whole(streams.value),
        whole(carried)
    );
    let found = |message| RULE.meta.found(&["max_connections", "max_concurrent_streams"], at, message);
    match cx.sizing(limits.priority) {
        Some(sizing) => (carried < f64::from(sizing.window.floor)).then(|| {
            let peak = number(sizing.offered.0);
            at_peak(
                cx,
                limits,
                sizing,
                found(format!("{carry}, too few for the {peak} in flight at the peak")),
            )
        }),
        None if connections.is_default() || limits.max_requests.value == u32::MAX => None,
        None => (carried < f64::from(limits.max_requests.value)).then(|| {
            let requests = Limit::Requests.stated(limits);
            by_text(cx, found(format!("{carry}, so that {requests} is never reached")))
        }),
    }
}

fn at_peak(
    cx: &ClusterCx<'_>,
    limits: &EffectivePriority,
    sizing: &PrioritySizing,
    found: Finding,
) -> Finding {
    let (of, pending) = (Limit::Connections, whole(limits.max_pending_requests.value));
    let to = sizing.threshold.max_connections;
    let raised = to.max(limits.max_connections.value);
    // What is recommended has room for a hundred streams in each connection.
    let streams = &cx.effective.max_concurrent_streams;
    let fix = if streams.value < ROOM && streams.place().is_some() {
        Fix::new(format!("Room for {ROOM} streams"), of.change(limits, raised))
            .and(Change::Set(Setting::MaxConcurrentStreams, Value::Count(ROOM.into())))
    } else {
        of.fix(limits, raised)
    };
    let text = format!(
        "what comes on top waits, and `max_pending_requests` {pending} refuses the rest, whatever `max_requests` allows"
    );
    found.consequence(text).help(of.advice(cx, to)).fix(fix)
}

/// The text alone: the limit on requests is never reached.
fn by_text(cx: &ClusterCx<'_>, found: Finding) -> Finding {
    let text = "what comes on top waits for a stream, and `max_pending_requests` decides what is refused";
    let help = "raise `max_connections`, or lower `max_requests` to what the connections carry";
    let found = found.severity(Severity::Info).consequence(text).help(help);
    if cx.pools().is_none() { found.asks(ParamId::Workers) } else { found }
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(connections: u32, streams: u32) -> String {
        format!(
            "name: shop\nhttp2_protocol_options: {{max_concurrent_streams: {streams}}}\ncircuit_breakers:\n  thresholds:\n  - {{max_connections: {connections}}}\n"
        )
    }

    #[test]
    fn fires_where_the_peak_does_not_fit() {
        // 200 in flight in two pools.
        let inputs = "protocol=http2 rps=5000 mean=40 p50=35 clients=1 workers=2 hosts=1 burst=1 skew=1";
        let found = finding(&RULE, &cluster(4, 50), inputs);
        assert_eq!(
            found.message,
            "4 connections × 50 streams carry 200, too few for the 200 in flight at the peak"
        );
        assert_eq!(found.severity, Severity::Warning);
        // 255 slots keep refusals of 200 erlangs below 1e-4 (Erlang B).
        assert!(!fires(&RULE, &cluster(6, 50), inputs));
    }

    #[test]
    fn the_text_alone_is_worth_a_note() {
        let found = finding(&RULE, &cluster(10, 100), "");
        assert_eq!(
            found.message,
            "10 connections × 100 streams carry 1,000, so that `max_requests` 1,024, a default, is never reached"
        );
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &cluster(11, 100), ""));
        // Every pool has a connection of its own.
        assert!(!fires(&RULE, &cluster(1, 100), "workers=4 hosts=3"));
    }

    #[test]
    fn silent_on_http1() {
        assert!(!fires(&RULE, "name: shop\ncircuit_breakers: {thresholds: [{max_connections: 1}]}\n", ""));
    }
}
