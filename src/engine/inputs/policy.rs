//! What the configuration of a cluster and its routes tells of a scenario.

use super::Case;
use super::field::{Field, count};
use super::missing;
use crate::engine::params::ParamId;
use crate::engine::read::config::{RouteConfig, RoutingPriority};
use crate::engine::read::effective::{
    Effective, EffectiveRetryLimit, EffectiveRoute, effective_cluster, effective_route,
};
use crate::engine::units::display;

fn in_force<'c>(case: &Case<'c>) -> Vec<(&'c RouteConfig, EffectiveRoute)> {
    let cluster = case.sources.cluster.map(|(_, cluster)| cluster);
    let version = case.given.envoy_version;
    let of = |route| (route, effective_route(case.sources.configuration, route, cluster, version));
    case.sources.routes().into_iter().map(of).collect()
}

/// The deadline: what a route is given is what its caller gets at most. A default is nobody's wish.
pub fn deadline(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::DeadlineMs;
    let routes = in_force(case);
    if routes.is_empty() {
        return Field::missing(ID, "no text has a route to the cluster: give --deadline-ms");
    }
    let written: Vec<_> = routes.iter().filter(|(_, r)| r.timeout.place().is_some()).collect();
    let [(_, first), ..] = written.as_slice() else {
        let default = display::millis(routes.first().map_or_else(Default::default, |(_, r)| r.timeout.value));
        return Field::missing(
            ID,
            format!("no route has a timeout of its own, so it is {default} by default"),
        );
    };
    let time = first.timeout.value;
    if written.len() < routes.len() || written.iter().any(|(_, r)| r.timeout.value != time) {
        let said: Vec<String> = routes
            .iter()
            .take(5)
            .map(|(route, r)| {
                let name = display::echo(route.label().unwrap_or("unnamed"));
                let time = r.timeout.value;
                format!("{name} {}", if time.0 > 0.0 { display::millis(time) } else { "none".to_owned() })
            })
            .collect();
        let more = if routes.len() > said.len() { ", …" } else { "" };
        let why = format!("its routes have several timeouts: {}{more}; give --deadline-ms", said.join(", "));
        return Field::missing(ID, why);
    }
    if time.0 <= 0.0 {
        return Field::missing(ID, "its routes have no timeout: give --deadline-ms");
    }
    let places = written.iter().filter_map(|(_, r)| r.timeout.place().cloned()).collect();
    Field::derived(ID, time.0, "timeout of its routes", display::millis(time), places)
        .noting("what a caller gets at most; its own deadline may be another")
}

/// The extra load that retries may add, out of a retry budget: of all that is in flight, b are
/// retries, so that on top of the rest there are b / (1 − b).
pub fn retry_overhead(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::RetryOverhead;
    let Some((_, cluster)) = case.sources.cluster else {
        return Field::missing(ID, "no text has the limits of the cluster: add /config_dump");
    };
    let effective = effective_cluster(case.sources.configuration, cluster, case.given.envoy_version);
    let EffectiveRetryLimit::Budget(budget) = &effective.limits(RoutingPriority::Default).retry_limit else {
        return Field::missing(ID, "the cluster has no retry budget: a choice, not a measurement");
    };
    let share = budget.budget_percent.value.0 / 100.0;
    if share >= 0.5 {
        let percent = display::number(share * 100.0);
        return Field::missing(ID, format!("a retry budget of {percent}% is more than as much again"));
    }
    let place = |effective: &Effective<_>| effective.place().cloned();
    let places = place(&budget.budget_percent).or_else(|| cluster.circuit_breakers.clone());
    let b = display::number(share);
    let substituted = format!("{b} / (1 − {b})");
    let formula = "b / (1 − b), b = retry_budget.budget_percent / 100";
    Field::derived(ID, share / (1.0 - share), formula, substituted, places.into_iter().collect())
}

/// The share of HIGH priority, where all routes agree: how much goes over which is not known.
pub fn high_share(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::HighPriorityShare;
    let routes = in_force(case);
    if routes.is_empty() {
        return Field::missing(ID, "no text has a route to the cluster");
    }
    let high = routes.iter().filter(|(_, r)| r.priority.value == RoutingPriority::High).count();
    if high != 0 && high != routes.len() {
        let why = format!(
            "{} of {} routes have priority HIGH, and no text tells their share",
            count(high as u64),
            count(routes.len() as u64)
        );
        return Field::missing(ID, why);
    }
    let places = routes.iter().map(|(route, _)| route.origin.block.clone()).collect();
    let formula = "routes of priority HIGH / routes to the cluster, all or none";
    let substituted = format!("{} / {}", count(high as u64), count(routes.len() as u64));
    Field::derived(ID, f64::from(u8::from(high > 0)), formula, substituted, places)
}

/// Whether requests may run twice is not written anywhere; what is retried today is.
pub fn idempotent(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::Idempotent;
    let routes = in_force(case);
    let retry = routes.iter().find_map(|(_, route)| route.retry.as_ref()).map(|retry| &retry.retry_on);
    let Some(retry_on) = retry.filter(|words| !words.value.is_empty()) else {
        return Field::missing(ID, missing::why(ID));
    };
    let note = format!("{}: its routes retry on {}", missing::why(ID), retry_on.value.join(","));
    Field::missing(ID, note).standing(retry_on.place().cloned().into_iter().collect())
}

/// The server's keep-alive is not Envoy's; its own idle timeout and connections that the server closed
/// under requests tell something of it.
pub fn keepalive(case: &Case<'_>) -> Field {
    const ID: ParamId = ParamId::UpstreamKeepaliveS;
    let closed = case.counters.iter().find_map(|c| {
        c.whole.stat("upstream_cx_destroy_remote_with_active_rq").filter(|closed| closed.value > 0)
    });
    if let Some(closed) = closed {
        let connections = display::plural(closed.value as f64, "connection", "connections");
        let why = format!("{}, but it closed {connections} with requests on them", missing::why(ID));
        return Field::missing(ID, why).standing(vec![closed.at.clone()]);
    }
    match case.sources.cluster.and_then(|(_, cluster)| cluster.idle_timeout.as_ref()) {
        Some(idle) => {
            let own = display::millis(idle.value);
            Field::missing(ID, format!("{}; the proxy closes idle connections after {own}", missing::why(ID)))
                .standing(vec![idle.at.clone()])
        }
        None => Field::missing(ID, missing::why(ID)),
    }
}
