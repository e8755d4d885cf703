//! `HR603 pinned-at-limit`: all that a limit allows is taken at this moment.

use super::seen::{Seen, clusters, count};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::{Histogram, ReportedLimit, Resource};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Share;
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR603",
        name: "pinned-at-limit",
        severity: Severity::Error,
        summary: "a cluster is at its limit at this moment, so more requests are refused or wait",
        rationale: "At `max_requests` each further request gets a 503 at once; at `max_connections` it waits for a \
                    connection. A cluster that stays there has a limit below its load or an upstream that became slow: \
                    capacity is limit divided by latency, so that ten times the latency leaves a tenth of the rate, and \
                    retries of callers keep it full.",
        sources: &[
            "Little: requests per second = slots / latency",
            "envoy: /clusters, rq_active and cx_active per host; circuit breaker gauges",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    clusters(cx).filter_map(|seen| of_cluster(&seen)).collect()
}

fn of_cluster(seen: &Seen<'_>) -> Option<Finding> {
    let full = |resource| seen.limit(resource).filter(|_| seen.is_full(resource));
    let (requests, connections) = (full(Resource::Requests), full(Resource::Connections));
    // Idle connections may fill the limit: only busy ones keep requests waiting.
    let busy = connections.filter(|limit| {
        seen.cluster.used(Resource::Requests).is_some_and(|requests| Some(requests) >= limit.used)
    });
    let limit = requests.or(busy)?;
    let part = |limit: ReportedLimit<'_>, what| {
        format!("{} of {} {what}", count(limit.used.unwrap_or(limit.value)), count(limit.value))
    };
    let parts: Vec<String> = [requests.map(|l| part(l, "requests")), busy.map(|l| part(l, "connections"))]
        .into_iter()
        .flatten()
        .collect();
    let finding = RULE
        .meta
        .found(
            &["max_requests", "max_connections"],
            limit.at,
            format!("{} is at its limit: {}", seen.title(), parts.join(", ")),
        )
        .severity(if requests.is_some() { Severity::Error } else { Severity::Warning })
        .consequence(consequence(seen, requests.map(|limit| limit.value)))
        .help(
            "find what made it slow and cut the time a request may hold a slot; raise the limit only to what the hosts can \
             run at once, or a slow upstream gets still more to do",
        );
    Some(seen.finish(finding))
}

fn consequence(seen: &Seen<'_>, slots: Option<u64>) -> String {
    let waiting = seen.cluster.count(Resource::Pending.gauge());
    let wait = if waiting > 0 {
        format!("{} requests wait for a connection", count(waiting))
    } else {
        "further requests wait for a connection".to_owned()
    };
    let Some(slots) = slots else { return wait };
    let refuses = "each further request gets a 503 at once";
    #[allow(clippy::cast_precision_loss, reason = "a limit of 32 bits")]
    let slots = slots as f64;
    let per_second = |ms: f64| number(slots / (ms / 1000.0));
    if let Some(traffic) = seen.fitting_traffic() {
        let (mean, slowdown) = (traffic.sizing.latency.mean_ms.0, traffic.scenario.slowdown);
        return format!(
            "{refuses}; {} slots serve {} req/s at {} ms, and {} at {} ms",
            number(slots),
            per_second(mean),
            number(mean),
            per_second(mean * slowdown),
            number(mean * slowdown)
        );
    }
    let latency = seen.cluster.latency.as_ref();
    let mean = latency.and_then(Histogram::mean).map(|mean| ("mean", mean));
    match mean.or_else(|| latency.and_then(|l| l.quantile(Share(0.5))).map(|median| ("median", median))) {
        Some((what, time)) => format!(
            "{refuses}; {} slots serve {} req/s at the {what} of {} ms",
            number(slots),
            per_second(time.0),
            number(time.0)
        ),
        None => format!(
            "{refuses}; {} slots serve {} req/s once an answer takes 2 s",
            number(slots),
            per_second(2000.0)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn clusters(connections: u32, requests: u32) -> String {
        format!(
            "a::default_priority::max_connections::100\na::default_priority::max_requests::100\n\
             a::10.0.0.1:80::cx_active::{connections}\na::10.0.0.1:80::rq_active::{requests}\n"
        )
    }

    #[test]
    fn both_limits_full() {
        let found = finding(&RULE, &clusters(100, 100), "");
        assert_eq!(found.message, "cluster a is at its limit: 100 of 100 requests, 100 of 100 connections");
        assert!(
            found.consequence.contains("100 slots serve 50 req/s once an answer takes 2 s"),
            "{}",
            found.consequence
        );
        assert_eq!(found.severity, Severity::Error);
    }

    #[test]
    fn room_and_idle_connections_are_silent() {
        assert!(!fires(&RULE, &clusters(99, 99), ""));
        // Idle connections fill the limit.
        assert!(!fires(&RULE, &clusters(100, 99), ""));
        assert_eq!(finding(&RULE, &clusters(99, 100), "").severity, Severity::Error);
    }

    #[test]
    fn capacity_falls_with_latency() {
        let found = finding(&RULE, &clusters(100, 100), "name=a rps=500 mean=200 slowdown=2");
        assert!(
            found.consequence.contains("500 req/s at 200 ms, and 250 at 400 ms"),
            "{}",
            found.consequence
        );
    }

    #[test]
    fn a_limit_of_zero_is_said_elsewhere() {
        let zero = "a::default_priority::max_requests::0\na::10.0.0.1:80::rq_active::0\n";
        assert!(!fires(&RULE, zero, ""));
    }
}
