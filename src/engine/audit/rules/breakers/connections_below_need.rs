//! `HR313 connections-below-need`: `max_connections` makes the peak of HTTP/1.1 wait.

use super::{Limit, Wire, all_limits, are_held, is_judged, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, ClusterCx, Finding, Setting, Traffic, Value};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::queueing::mmck;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::{PrioritySizing, max_connections};
use crate::engine::units::display::{millis, number};
use crate::engine::units::{Millis, Rate, Share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR313",
        name: "connections-below-need",
        severity: Severity::Error,
        summary: "`max_connections` is below what the peak needs on HTTP/1.1: requests wait",
        rationale: "On HTTP/1.1 a request needs a connection for itself. Below the load the queue never empties: it \
                    fills, and refuses. Above the load a limit can still be too low, because pools do not share: a \
                    connection that idles in the pool of one worker and host is no use in another, and still counts. \
                    The formula of one common queue (M/M/c/K) holds for a single pool only.",
        sources: &[
            "measured on Envoy 1.40: 66 to 72 connections for 20.5 erlangs over 20 pools",
            "envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_connections",
            "envoy: one connection in each pool whatever the limit says: at most limit + pools − 1",
        ],
    },
    check: Check::Cluster(check),
};

/// "Off" for an idle timeout: connections of a day ago are still open.
const NEVER_IDLE: Millis = Millis(86_400_000.0);

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let one_each = is_judged(cx) && wire(cx) == Some(Wire::Http1) && !are_held(cx);
    all_limits(cx).filter(|_| one_each).filter_map(|limits| of_priority(cx, limits)).collect()
}

fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (traffic, sizing) = (cx.traffic()?, cx.sizing(limits.priority)?);
    // What a zero does is said by `zero-limit`.
    if Limit::ALL.iter().any(|limit| limit.of(limits).value == 0) {
        return None;
    }
    let said = overload(limits, traffic, sizing)
        .or_else(|| idle_elsewhere(cx, limits, traffic, sizing))
        .or_else(|| one_queue(limits, traffic, sizing))?;
    if said.severity == Severity::Warning && is_recommended(cx, limits, traffic, sizing) {
        // The hosts survive no more connections, which another rule says.
        return None;
    }
    let at = Limit::Connections.place(cx, limits);
    let message = format!("{} {}", Limit::Connections.stated(limits), said.message);
    let finding = RULE.meta.found(&["max_connections"], at, message);
    let finding = finding.severity(said.severity).consequence(said.consequence);
    Some(with_fix(cx, limits, traffic, sizing, finding))
}

/// Whether limit and idle timeout are those that Headroom would set, or better.
fn is_recommended(
    cx: &ClusterCx<'_>,
    limits: &EffectivePriority,
    traffic: &Traffic,
    sizing: &PrioritySizing,
) -> bool {
    limits.max_connections.value >= sizing.threshold.max_connections
        && idle(cx) <= traffic.sizing.timeouts.pool_idle_ms
}

/// What is wrong: the message goes on after the limit.
struct Said {
    severity: Severity,
    message: String,
    consequence: String,
}

/// More requests in flight than connections can ever be open.
fn overload(limits: &EffectivePriority, traffic: &Traffic, sizing: &PrioritySizing) -> Option<Said> {
    let (limit, offered) = (u64::from(limits.max_connections.value), sizing.offered.0);
    let usable = limit.saturating_add(traffic.scenario.n_pools() - 1) as f64;
    // `max_requests` refuses before a queue forms.
    if offered <= usable || u64::from(limits.max_requests.value) <= limit {
        return None;
    }
    let pending = f64::from(limits.max_pending_requests.value);
    let (run, wait) = (whole(usable), whole(pending));
    let queue = if usable + pending < offered {
        format!("{run} run and {wait} wait, {} of {} at once", whole(usable + pending), number(offered))
    } else {
        let drain = Rate(usable / traffic.sizing.latency.mean_ms.as_secs());
        let waits = millis(Millis::from_secs(pending / drain.0));
        format!("{run} run, the queue of {wait} fills, and what waits in it waits {waits}")
    };
    let refused = phrases::refused(Share(1.0 - usable / offered));
    Some(Said {
        severity: Severity::Error,
        message: format!("is below the {} requests in flight at the peak", number(offered)),
        consequence: format!(
            "HTTP/1.1 carries one request a connection: {queue}; at least {refused} of the peak is refused"
        ),
    })
}

/// Enough for the load, and not for what the pools keep open.
fn idle_elsewhere(
    cx: &ClusterCx<'_>,
    limits: &EffectivePriority,
    traffic: &Traffic,
    sizing: &PrioritySizing,
) -> Option<Said> {
    let pools = traffic.scenario.n_pools();
    let open = open_at_peak(sizing, pools, idle(cx));
    (pools > 1 && open > u64::from(limits.max_connections.value)).then(|| Said {
        severity: Severity::Warning,
        message: format!("is below the {} connections that the pools keep open at peak", whole(open as f64)),
        consequence: format!(
            "pools do not share: requests wait in one of the {} pools while connections idle in others, for up to {}",
            whole(pools as f64),
            millis(idle(cx))
        ),
    })
}

/// A single pool: one limit and one queue.
fn one_queue(limits: &EffectivePriority, traffic: &Traffic, sizing: &PrioritySizing) -> Option<Said> {
    let s = &traffic.scenario;
    let (limit, pending) = (u64::from(limits.max_connections.value), limits.max_pending_requests.value);
    let refused = mmck::blocking(sizing.offered, limit, limit.saturating_add(pending.into()));
    // `max_requests` refuses before a queue forms.
    let queues = s.n_pools() == 1 && u64::from(limits.max_requests.value) > limit;
    (queues && refused > s.shed_target).then(|| Said {
        severity: Severity::Warning,
        message: format!("is tight for {} requests in flight at the peak", number(sizing.offered.0)),
        consequence: format!(
            "the queue of {} behind it refuses {}",
            whole(pending),
            phrases::refused(refused)
        ),
    })
}

fn idle(cx: &ClusterCx<'_>) -> Millis {
    let idle = cx.effective.idle_timeout.value;
    if idle.0 > 0.0 { idle } else { NEVER_IDLE }
}

fn open_at_peak(sizing: &PrioritySizing, pools: u64, idle: Millis) -> u64 {
    pools.saturating_mul(max_connections::level(pools, sizing.client_rate, sizing.offered, idle))
}

/// Sets what is recommended, and the idle timeout with it where the one in force needs more.
fn with_fix(
    cx: &ClusterCx<'_>,
    limits: &EffectivePriority,
    traffic: &Traffic,
    sizing: &PrioritySizing,
    finding: Finding,
) -> Finding {
    let (of, chosen) = (Limit::Connections, sizing.threshold.max_connections);
    let recommended = traffic.sizing.timeouts.pool_idle_ms;
    let pools = traffic.scenario.n_pools();
    let (help, fix) = (of.advice(cx, chosen), of.fix(limits, chosen));
    let stays_too_long =
        pools > 1 && idle(cx) > recommended && open_at_peak(sizing, pools, idle(cx)) > u64::from(chosen);
    if limits.max_connections.value >= chosen && !stays_too_long {
        let protocol = traffic.scenario.protocol;
        return finding.help(if protocol.multiplexes() {
            format!("say in the text, too, that the upstream speaks {}", protocol.title())
        } else {
            "add hosts, or raise what each survives: more connections would only move the collapse".to_owned()
        });
    }
    if stays_too_long {
        let help = format!("{help} and the pool `idle_timeout` to {}", millis(recommended));
        return finding
            .help(help)
            .fix(fix.and(Change::Set(Setting::PoolIdleTimeout, Value::Duration(recommended))));
    }
    // The recommendation is for another protocol, whose connections carry more.
    if chosen <= limits.max_connections.value {
        return finding
            .help("give the protocol that the cluster speaks, HTTP/1.1, or make it speak what was asked for")
            .asks(ParamId::Protocol);
    }
    finding.help(help).fix(fix)
}

#[cfg(test)]
mod tests {
    use super::{RULE, Severity};
    use crate::engine::audit::rules::tests::{finding, fires};

    const ONE_POOL: &str = "protocol=http1 rps=1000 mean=10 p50=8 clients=1 workers=1 hosts=1 burst=1 skew=1";

    fn cluster(limits: &str) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{{limits}}}\n")
    }

    #[test]
    fn the_queue_never_empties_below_the_load() {
        // Ten in flight; five connections in one pool.
        let found = finding(&RULE, &cluster("max_connections: 5, max_pending_requests: 2"), ONE_POOL);
        assert_eq!(found.message, "`max_connections` 5 is below the 10 requests in flight at the peak");
        assert_eq!(found.severity, Severity::Error);
        assert!(
            found
                .consequence
                .contains("5 run and 2 wait, 7 of 10 at once; at least 50% of the peak is refused"),
            "{}",
            found.consequence
        );
        // 1,000 waiting at 500 a second.
        let long = finding(&RULE, &cluster("max_connections: 5, max_pending_requests: 1000"), ONE_POOL);
        assert!(long.consequence.contains("what waits in it waits 2,000\u{a0}ms"), "{}", long.consequence);
    }

    #[test]
    fn every_pool_has_one_connection_whatever_the_limit_says() {
        // Five, and one more in each of the other five pools: ten for ten in flight.
        let pools = ONE_POOL.replace("workers=1 hosts=1", "workers=2 hosts=3");
        assert_eq!(finding(&RULE, &cluster("max_connections: 5"), &pools).severity, Severity::Warning);
        assert_eq!(finding(&RULE, &cluster("max_connections: 4"), &pools).severity, Severity::Error);
    }

    #[test]
    fn pools_keep_what_they_opened() {
        // 20 pools at 1 erlang and 10 req/s each keep 6 connections over 60 s (idle_connections.rs).
        let inputs = "protocol=http1 rps=200 mean=100 p50=90 clients=1 workers=2 hosts=10 burst=1 skew=1";
        let text = |n: u32| {
            format!(
                "{}common_http_protocol_options: {{idle_timeout: 60s}}\n",
                cluster(&format!("max_connections: {n}"))
            )
        };
        let found = finding(&RULE, &text(119), inputs);
        assert_eq!(
            found.message,
            "`max_connections` 119 is below the 120 connections that the pools keep open at peak"
        );
        assert!(found.consequence.contains("one of the 20 pools"), "{}", found.consequence);
        assert!(!fires(&RULE, &text(120), inputs));
    }

    #[test]
    fn one_pool_is_an_ordinary_queue() {
        // M/M/c/K at 10 erlangs: 14 servers and 4 places refuse 1.3%, 40 servers next to nothing.
        let found = finding(&RULE, &cluster("max_connections: 14, max_pending_requests: 4"), ONE_POOL);
        assert_eq!(found.severity, Severity::Warning);
        assert!(found.consequence.contains("refuses 1.3%"), "{}", found.consequence);
        assert!(!fires(&RULE, &cluster("max_connections: 40, max_pending_requests: 4"), ONE_POOL));
    }

    #[test]
    fn no_fix_where_the_text_speaks_another_protocol_than_the_inputs() {
        // gRPC needs one connection for 10 in flight; the text has HTTP/1.1.
        let text = format!("{}http_protocol_options: {{}}\n", cluster("max_connections: 5"));
        let found = finding(&RULE, &text, &ONE_POOL.replace("http1", "grpc"));
        assert_eq!(found.fix, None);
        assert!(found.help.contains("gRPC"), "{}", found.help);
    }

    #[test]
    fn silent_on_http2_and_without_traffic() {
        assert!(!fires(&RULE, &cluster("max_connections: 1"), &ONE_POOL.replace("http1", "http2")));
        assert!(!fires(&RULE, &cluster("max_connections: 1"), "protocol=http1 clients=3"));
    }
}
