//! `HR522 limit-read-per-host`: what one host takes was set as the limit of a whole cluster.

use super::{Limit, Wire, all_limits, is_judged, is_native, whole, wire};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::read::config::Dialect;
use crate::engine::read::effective::EffectivePriority;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Share;
use crate::engine::units::display::{number, share};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR522",
        name: "limit-read-per-host",
        severity: Severity::Warning,
        summary: "a limit equals what one host takes, but counts for all hosts together",
        rationale: "`max_connections` and `max_requests` hold in each proxy for the whole cluster, not for a host and not \
                    for the fleet. Set to what a single host takes, they leave most of the hosts idle; multiplied by \
                    the hosts, every proxy may put all of it on them. No number per proxy is a cap per host as well \
                    as full use: the one is the business of the receiving end, the other of the load.",
        sources: &["istio/istio#28666", "envoy: circuit breakers count for a cluster in one process"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    all_limits(cx).filter(|_| is_judged(cx)).filter_map(|limits| of_priority(cx, limits)).collect()
}

// No fix: a cap per host and a limit of the load are two settings, and which is meant is not in the text.
fn of_priority(cx: &ClusterCx<'_>, limits: &EffectivePriority) -> Option<Finding> {
    let (hosts, each) = (cx.facts.hosts?, cx.facts.host_concurrency?);
    let clients = cx.facts.clients;
    let limit = of_one_host(cx, limits, each)?;
    // Who serves the peak with it needs no more, whatever it was meant to be.
    let serves = cx.sizing(limits.priority).is_some_and(|s| limit.of(limits).value >= s.window.floor);
    if clients.unwrap_or(1) >= hosts || serves {
        return None;
    }
    let all = f64::from(hosts) * each;
    let message = format!(
        "{} is what one host takes, and counts in each proxy for all {} together",
        limit.stated(limits),
        phrases::hosts(hosts)
    );
    let consequence = match clients {
        Some(clients) => {
            format!(
                "{}{}",
                of_all(&phrases::proxies(clients), clients, each, all),
                other_numbers(clients, hosts, all)
            )
        }
        None => format!("{}; every other proxy has as many of its own", of_all("1 proxy", 1, each, all)),
    };
    let found = RULE.meta.found(&[limit.name()], limit.place(cx, limits), message);
    let found = found.consequence(consequence).help(help(cx, each, clients));
    Some(if clients.is_none() { found.asks(ParamId::Clients) } else { found })
}

/// `2 proxies × 8 is 16 of the 80 that the hosts take, 20%`
fn of_all(proxies: &str, clients: u32, each: f64, all: f64) -> String {
    let fleet = f64::from(clients) * each;
    let part = share(Share(fleet / all));
    format!(
        "{proxies} × {} is {} of the {} that the hosts take, {part}",
        whole(each),
        whole(fleet),
        whole(all)
    )
}

/// The limit that is written as what one host takes.
fn of_one_host(cx: &ClusterCx<'_>, limits: &EffectivePriority, each: f64) -> Option<Limit> {
    #[allow(clippy::float_cmp, reason = "the same whole number, typed twice")]
    let is_of_one = |l: &&Limit| !l.of(limits).is_default() && f64::from(l.of(limits).value) == each;
    // What a connection carries on HTTP/2 is no matter of one request, and TCP has no requests.
    let counting: &[Limit] = match wire(cx) {
        Some(Wire::Multiplexed) => &[Limit::Requests],
        Some(Wire::Tcp) => &[Limit::Connections],
        _ => &[Limit::Connections, Limit::Requests],
    };
    counting.iter().find(is_of_one).copied()
}

/// What other numbers per proxy would do: none of them is right.
fn other_numbers(clients: u32, hosts: u32, all: f64) -> String {
    if clients == 1 {
        return String::new();
    }
    let fair = (all / f64::from(clients)).floor();
    let without_one = (all / f64::from(clients - 1)).floor();
    format!(
        "; {} each would use all {} and lose a part with one proxy, {} each survives that and allows {} to a host",
        whole(fair),
        whole(all),
        whole(without_one),
        number(without_one * f64::from(clients) / f64::from(hosts))
    )
}

fn help(cx: &ClusterCx<'_>, each: f64, clients: Option<u32>) -> String {
    // Without the number of proxies there is none for each of them.
    let fair = clients.map_or(0.0, |clients| (each / f64::from(clients)).floor());
    let receiving = format!("limit each host at its own receiving proxy to {}", whole(each));
    let of_host = match cx.dialect() {
        _ if fair < 1.0 => None,
        Dialect::EnvoyGateway => Some("`perEndpoint.maxConnections`"),
        _ if is_native(cx) => Some("`per_host_thresholds`"),
        _ => None,
    };
    let of_host =
        of_host.map(|name| format!(" or with {name} {} in each proxy", whole(fair))).unwrap_or_default();
    format!("{receiving}{of_host}; size this limit by the load, and again when proxies or hosts change")
}

#[cfg(test)]
mod tests {
    use super::{ParamId, RULE};
    use crate::engine::audit::rules::tests::{finding, fires};

    const TEN: &str = "clients=2 hosts=10 host_concurrency=8";

    fn cluster(limit: u32) -> String {
        format!("name: shop\ncircuit_breakers:\n  thresholds:\n  - {{max_connections: {limit}}}\n")
    }

    #[test]
    fn eight_connections_for_ten_servers() {
        let found = finding(&RULE, &cluster(8), TEN);
        assert_eq!(
            found.message,
            "`max_connections` 8 is what one host takes, and counts in each proxy for all ten hosts together"
        );
        assert_eq!(
            found.consequence,
            "2 proxies × 8 is 16 of the 80 that the hosts take, 20%; 40 each would use all 80 and lose a part with one proxy, 80 each survives that and allows 16 to a host"
        );
        assert!(found.help.starts_with("limit each host at its own receiving proxy to 8 or with `per_host_thresholds` 4 in each proxy"), "{}", found.help);
    }

    #[test]
    fn one_proxy_is_enough_to_see_it() {
        let found = finding(&RULE, &cluster(8), "hosts=10 host_concurrency=8");
        assert_eq!(
            found.consequence,
            "1 proxy × 8 is 8 of the 80 that the hosts take, 10%; every other proxy has as many of its own"
        );
        assert!(!found.help.contains("per_host_thresholds"), "{}", found.help);
        assert_eq!(found.asks, Some(ParamId::Clients));
    }

    #[test]
    fn istio_has_no_limit_per_host() {
        let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec: {host: shop, trafficPolicy: {connectionPool: {tcp: {maxConnections: 8}}}}\n";
        let found = finding(&RULE, rule, TEN);
        assert!(!found.help.contains("per_host"), "{}", found.help);
    }

    #[test]
    fn silent_for_other_numbers_and_where_proxies_are_as_many_as_hosts() {
        assert!(!fires(&RULE, &cluster(9), TEN));
        assert!(!fires(&RULE, &cluster(8), &TEN.replace("clients=2", "clients=10")));
        assert!(fires(&RULE, &cluster(8), &TEN.replace("clients=2", "clients=9")));
        assert!(!fires(&RULE, &cluster(8), "hosts=1 host_concurrency=8"));
        // 0.2 in flight: eight are plenty.
        assert!(!fires(
            &RULE,
            &cluster(8),
            &format!("{TEN} protocol=http1 rps=10 mean=20 p50=15 burst=1 skew=1")
        ));
    }
}
