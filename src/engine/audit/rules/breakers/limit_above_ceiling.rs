//! `HR312 limit-above-ceiling`: the fleet together may put more in flight than the hosts survive.

use super::{Capacity, Limit, Wire, all_limits, is_judged, uses_high, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::read::config::RoutingPriority;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display::number;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR312",
        name: "limit-above-ceiling",
        severity: Severity::Warning,
        summary: "the limits of all proxies together allow more than the hosts survive",
        rationale: "Envoy counts in each process, and nothing is coordinated: the fleet may put as many times the limit \
                    in flight as there are proxies, and both priorities lead to the same hosts. A limit protects only \
                    as long as that sum is one that the hosts survive. On HTTP/1.1 the smaller of `max_requests` and \
                    `max_connections` counts.",
        sources: &[
            "envoy: config.cluster.v3.CircuitBreakers, one set of counters per process",
            "our rule: limit × proxies ≤ (hosts − hosts lost) × what each survives",
        ],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

/// A limit that bounds what is in flight of a priority.
type Bound<'a> = (Limit, &'a EffectivePriority);

fn value((limit, limits): Bound<'_>) -> u32 {
    limit.of(limits).value
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let capacity = Capacity::of(cx).filter(|_| is_judged(cx))?;
    let in_use =
        |l: &&EffectivePriority| l.priority == RoutingPriority::Default || uses_high(cx) == Some(true);
    let bounds: Vec<Bound<'_>> = all_limits(cx).filter(in_use).map(|l| (bound(cx, l), l)).collect();
    let sum = bounds.iter().map(|b| f64::from(value(*b))).sum::<f64>() * f64::from(cx.clients());
    // What is recommended may lie above the ceiling: then no limit fits, which another rule says.
    let recommended = |b: &Bound<'_>| cx.sizing(b.1.priority).is_some_and(|s| value(*b) <= s.window.chosen);
    if sum <= capacity.together() || bounds.iter().all(recommended) {
        return None;
    }
    let (limit, limits) = *bounds.first()?;
    let survive =
        format!("{} {}", phrases::hosts_survive(capacity.hosts), phrases::capacity(capacity.together()));
    let (message, consequence) = if value(bounds[0]) == u32::MAX {
        let message = format!("{} is no limit; {survive} in flight", limit.stated(limits));
        (message, "nothing is refused before the hosts collapse".to_owned())
    } else {
        let each = number(sum / f64::from(capacity.hosts.max(1)));
        (
            format!("{} put {} in flight; {survive}", lets(cx, &bounds), whole(sum)),
            format!(
                "when all of it fills, each host holds {each} instead of {}, and collapses before anything is refused",
                number(capacity.each)
            ),
        )
    };
    let finding = RULE.meta.found(&[limit.name()], limit.place(cx, limits), message).consequence(consequence);
    Some(with_help(cx, finding, &bounds, capacity))
}

/// What bounds the requests in flight of a priority.
fn bound(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Limit {
    match wire(cx) {
        Some(Wire::Tcp) => Limit::Connections,
        Some(Wire::Http1) if limits.max_connections.value < limits.max_requests.value => Limit::Connections,
        // Where only connections were limited, they are what was meant to protect.
        None if limits.max_requests.is_default() && !limits.max_connections.is_default() => {
            Limit::Connections
        }
        _ => Limit::Requests,
    }
}

fn lets(cx: &ClusterCx<'_>, bounds: &[Bound<'_>]) -> String {
    let proxies = match cx.facts.clients {
        Some(n) if n > 1 => phrases::proxies(n),
        _ => "one proxy".to_owned(),
    };
    if let [(limit, limits)] = bounds {
        return format!("{} lets {proxies}", limit.stated(limits));
    }
    let each: Vec<String> = bounds.iter().map(|b| whole(value(*b))).collect();
    format!("`{}` of both priorities, {}, lets {proxies}", bounds[0].0.name(), each.join(" + "))
}

fn with_help(cx: &ClusterCx<'_>, finding: Finding, bounds: &[Bound<'_>], capacity: Capacity) -> Finding {
    let to = |b: &Bound<'_>| {
        let chosen = cx.sizing(b.1.priority)?.window.chosen;
        // Connections have to suffice for the slowdown; requests are what is refused.
        let limit = if wire(cx) == Some(Wire::Http1) { Limit::Requests } else { b.0 };
        (value(*b) > chosen).then(|| (limit.advice(cx, chosen), limit.fix(b.1, chosen)))
    };
    let (advice, fixes): (Vec<String>, Vec<Fix>) = bounds.iter().filter_map(to).unzip();
    if let Some(fix) =
        fixes.into_iter().reduce(|all, next| Fix { changes: [all.changes, next.changes].concat(), ..all })
    {
        return finding.help(advice.join("; ")).fix(fix);
    }
    let name = bounds[0].0.name();
    let ceiling = (capacity.together() / f64::from(cx.clients())).floor();
    if ceiling < 1.0 {
        let each = phrases::capacity(capacity.each);
        return finding.help(format!("limit each host at its own receiving proxy: `{name}` {each} there"));
    }
    let asks = if cx.facts.clients.is_none() { ParamId::Clients } else { ParamId::Rps };
    finding.help(format!("set `{name}` to {} or less, if that serves the peak", whole(ceiling))).asks(asks)
}

#[cfg(test)]
mod tests {
    use super::{RULE, RoutingPriority};
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::audit::{Change, Setting, Value};

    const FLEET: &str = "protocol=http2 clients=100 hosts=10 host_concurrency=64";

    fn cluster(max_requests: u32) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - max_requests: {max_requests}\n")
    }

    #[test]
    fn fires_above_what_the_hosts_left_survive_and_is_silent_at_it() {
        // Nine hosts of ten survive 576.
        let found = finding(&RULE, &cluster(6), FLEET);
        assert_eq!(
            found.message,
            "`max_requests` 6 lets 100 proxies put 600 in flight; nine hosts survive 576"
        );
        assert!(
            found.consequence.starts_with("when all of it fills, each host holds 66.7 instead of 64"),
            "{}",
            found.consequence
        );
        assert_eq!(found.help, "set `max_requests` to 5 or less, if that serves the peak");
        assert!(!fires(&RULE, &cluster(5), FLEET));
        assert!(!fires(&RULE, &cluster(6), &format!("{FLEET} hosts_lost=0")));
    }

    #[test]
    fn a_default_protects_nothing() {
        let found = finding(&RULE, "{name: shop, connect_timeout: 1s}", FLEET);
        assert_eq!(
            found.message,
            "`max_requests` 1,024, a default, lets 100 proxies put 102,400 in flight; nine hosts survive 576"
        );
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec: {host: shop, trafficPolicy: {connectionPool: {tcp: {maxConnections: 9}}}}\n";
        assert_eq!(
            finding(&RULE, rule, FLEET).message,
            "`max_requests` 4,294,967,295, a default, is no limit; nine hosts survive 576 in flight"
        );
    }

    #[test]
    fn on_http1_the_smaller_limit_counts() {
        let text =
            "name: shop\ncircuit_breakers:\n  thresholds:\n  - {max_connections: 5, max_requests: 900}\n";
        let http1 = FLEET.replace("http2", "http1");
        assert!(!fires(&RULE, text, &http1));
        let found = finding(&RULE, &text.replace("5,", "6,"), &http1);
        assert!(
            found.message.starts_with("`max_connections` 6 lets 100 proxies put 600"),
            "{}",
            found.message
        );
    }

    #[test]
    fn connections_are_left_as_they_are_where_requests_can_be_refused() {
        // Connections have to suffice for the slowdown: the floor is 5 as above.
        let text =
            "name: shop\ncircuit_breakers:\n  thresholds:\n  - {max_connections: 60, max_requests: 900}\n";
        let http1 = FLEET.replace("http2", "http1");
        let fix = finding(&RULE, text, &format!("{http1} rps=500 p50=35 p99=110")).fix.unwrap();
        assert_eq!(
            fix.changes,
            [Change::Set(Setting::MaxRequests(RoutingPriority::Default), Value::Count(5))]
        );
    }

    #[test]
    fn a_pool_of_connections_to_a_database() {
        // Twenty proxies with ten each; the database takes a hundred.
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec: {host: db, trafficPolicy: {connectionPool: {tcp: {maxConnections: 10}}}}\n";
        let found = finding(&RULE, rule, "clients=20 hosts=1 host_concurrency=100");
        assert_eq!(
            found.message,
            "`max_connections` 10 lets 20 proxies put 200 in flight; one host survives 100"
        );
        assert!(!fires(&RULE, rule, "clients=10 hosts=1 host_concurrency=100"));
    }

    #[test]
    fn sets_what_is_recommended_where_the_traffic_is_known() {
        // Floor 5, ceiling 5.
        let found = finding(&RULE, &cluster(100), &format!("{FLEET} rps=500 p50=35 p99=110"));
        assert_eq!(found.fix.unwrap().label, "100 → 5");
        // In the trap the floor is 5 and the ceiling 4: 5 is no worse than any other number.
        assert!(!fires(
            &RULE,
            &cluster(5),
            "protocol=http2 clients=130 hosts=11 host_concurrency=64 rps=500 p50=35 p99=110"
        ));
    }

    #[test]
    fn both_priorities_lead_to_the_same_hosts() {
        let text = "name: shop\ncircuit_breakers:\n  thresholds:\n  - max_requests: 3\n  - {priority: HIGH, max_requests: 3}\n";
        assert!(!fires(&RULE, text, FLEET));
        let found = finding(&RULE, text, &format!("{FLEET} high_priority_share=0.5"));
        assert!(
            found.message.starts_with("`max_requests` of both priorities, 3 + 3, lets 100 proxies put 600"),
            "{}",
            found.message
        );
    }

    #[test]
    fn silent_while_nobody_says_what_a_host_survives() {
        assert!(!fires(&RULE, &cluster(100_000), "clients=100 hosts=10 rps=500 mean=40"));
    }
}
