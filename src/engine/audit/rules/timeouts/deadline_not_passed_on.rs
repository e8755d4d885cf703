//! `HR220 deadline-not-passed-on`: the proxy of a service works on after the caller's proxy gave up.

use crate::engine::audit::clocks::{Clock, label};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Value};
use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::read::config::{Dialect, RouteConfig};
use crate::engine::read::effective::effective_route;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR220",
        name: "deadline-not-passed-on",
        severity: Severity::Warning,
        summary: "the proxy beside the service ignores how long the caller's proxy waits",
        rationale: "The calling proxy writes the time it will wait into x-envoy-expected-rq-timeout-ms. The proxy \
                    beside the service takes no notice and overwrites the header with its own route timeout, so \
                    the service believes it has longer than anybody waits: work goes on for nobody and holds request \
                    slots. Each hop looks right by itself.",
        sources: &[
            "envoy: extensions.filters.http.router.v3.Router.respect_expected_rq_timeout, default false",
            "envoyproxy/envoy#7358",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

/// When the calling side gives up.
struct Outer {
    at: Millis,
    known: bool,
}

fn outer(cx: &RouteCx<'_>) -> Option<Outer> {
    if let Some(deadline) = cx.deadline() {
        return Some(Outer { at: deadline.at, known: !deadline.assumed });
    }
    let service = service_of(cx.config)?;
    let of_caller = cx.configuration.routes.iter().enumerate().filter(|(index, route)| {
        let name = service_of(route);
        *index != cx.index && name == Some(service) && !is_inbound(route)
    });
    let waits = of_caller.map(|(_, route)| {
        effective_route(cx.configuration, route, None, cx.facts.envoy_version).timeout.value
    });
    // A caller without a timeout waits for good, and so may the service.
    let shortest = waits.filter(|wait| wait.0 > 0.0).min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Outer { at: shortest, known: true })
}

/// The host in a mesh's names of clusters: `outbound|80||orders.shop.svc`.
fn service_of(route: &RouteConfig) -> Option<&str> {
    let name = &route.targets.first()?.cluster.value;
    name.rsplit('|').next().filter(|host| host.len() < name.len() && !host.is_empty())
}

fn is_inbound(route: &RouteConfig) -> bool {
    route.targets.iter().any(|t| t.cluster.value.starts_with("inbound|"))
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let manager = cx.configuration.manager_of(cx.config);
    let respects = manager.and_then(|m| m.respect_expected_rq_timeout.as_ref()).is_some_and(|r| r.value);
    let governs = cx.carries_requests() && cx.is_inbound() && cx.dialect() != Dialect::AppMesh;
    if !governs || cx.carries_streams() || respects {
        return None;
    }
    let end = cx.end();
    match outer(cx) {
        None => undecided(cx, end.as_ref()),
        Some(outer) if end.is_some_and(|clock| clock.of.value <= outer.at) => None,
        Some(outer) => Some(found(cx, end.as_ref(), &outer)),
    }
}

fn place<'a>(cx: &RouteCx<'a>, end: Option<&Clock<'a>>) -> &'a Place {
    end.map_or(&cx.effective.timeout, |clock| clock.of).place().unwrap_or_else(|| cx.block())
}

const FIELDS: [&str; 2] = ["timeout", "respect_expected_rq_timeout"];

/// Nobody said how long the caller waits.
fn undecided(cx: &RouteCx<'_>, end: Option<&Clock<'_>>) -> Option<Finding> {
    let clock = end?;
    let finding = RULE
        .meta
        .found(&FIELDS, place(cx, end), format!("{} holds whatever time the caller has left", clock.words()))
        .consequence("`respect_expected_rq_timeout` is off: where the caller waits less, work goes on for nobody")
        .help("set `respect_expected_rq_timeout: true` on the router, or `timeout` to no more than the caller's")
        .asks(ParamId::DeadlineMs)
        .severity(Severity::Info);
    Some(finding)
}

fn found(cx: &RouteCx<'_>, end: Option<&Clock<'_>>, outer: &Outer) -> Finding {
    let (waits, assumed) = (display::millis(outer.at), if outer.known { "" } else { ", as assumed" });
    let message = match end {
        Some(clock) => {
            format!("{} goes on after the caller, who leaves after {waits}{assumed}", clock.words())
        }
        None => format!("no `timeout` ends a request whose caller leaves after {waits}{assumed}"),
    };
    let finding = RULE
        .meta
        .found(&FIELDS, place(cx, end), message)
        .consequence(consequence(cx, end, outer))
        .help(format!(
            "set `timeout` to at most {waits}, or `respect_expected_rq_timeout: true` on the router with the callers in `internal_address_config`"
        ))
        .fix(Fix::set(
            label(end.map_or(Millis::default(), |clock| clock.of.value), outer.at),
            cx.end_setting(),
            Value::Duration(outer.at),
        ));
    if outer.known { finding } else { finding.asks(ParamId::DeadlineMs) }
}

fn consequence(cx: &RouteCx<'_>, end: Option<&Clock<'_>>, outer: &Outer) -> String {
    let off = "`respect_expected_rq_timeout` is off";
    let Some(useless) = end.map(|clock| clock.of.value - outer.at) else {
        return format!("{off}: work goes on for as long as the service likes, for nobody");
    };
    let each = format!("{off}: up to {} of work for nobody in each call", display::millis(useless));
    let Some((rate, _)) = cx.load() else { return each };
    let slots = rate.arrivals_in(useless);
    let limit = cx.cluster.map(|c| c.effective.limits(cx.effective.priority.value).max_requests.value);
    let above = limit
        .filter(|limit| slots > f64::from(*limit))
        .map(|limit| format!(", more than `max_requests` {}", display::count(f64::from(limit))))
        .unwrap_or_default();
    format!("{each}; when all time out, {} hold {} slots{above}", display::rate(rate), display::count(slots))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn inbound(router: &str, timeout: &str) -> String {
        format!(
            "clusters:\n- name: local_app\n  connect_timeout: 1s\nlisteners:\n- name: inbound\n  filter_chains:\n  - filters:\n    \
             - name: hcm\n      typed_config:\n        \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager\n        \
             stat_prefix: in\n        route_config:\n          virtual_hosts:\n          - name: v\n            domains: ['*']\n            \
             routes:\n            - match: {{prefix: /}}\n              route: {{cluster: local_app{timeout}}}\n        http_filters:\n        \
             - name: router\n          typed_config:\n            \"@type\": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router\n{router}"
        )
    }

    const KNOWN: &str = "rps=200 mean=100 burst=1 skew=1 clients=1 deadline_ms=1000";

    #[test]
    fn fourteen_seconds_of_work_for_nobody() {
        let found = finding(&RULE, &inbound("", ""), KNOWN);
        assert_eq!(
            found.message,
            "`timeout` 15\u{a0}s, the default, goes on after the caller, who leaves after 1,000\u{a0}ms"
        );
        // 200 req/s × 14 s.
        assert_eq!(
            found.consequence,
            "`respect_expected_rq_timeout` is off: up to 14\u{a0}s of work for nobody in each call; \
             when all time out, 200\u{a0}req/s hold 2,800 slots, more than `max_requests` 1,024"
        );
        assert_eq!(found.fix.map(|f| f.label), Some("15\u{a0}s → 1,000\u{a0}ms".to_owned()));
    }

    #[test]
    fn silent_where_the_header_is_respected_or_the_timeout_is_no_longer() {
        assert!(!fires(&RULE, &inbound("            respect_expected_rq_timeout: true\n", ""), KNOWN));
        assert!(!fires(&RULE, &inbound("", ", timeout: 1s"), KNOWN));
        assert!(fires(&RULE, &inbound("", ", timeout: 1.001s"), KNOWN));
    }

    #[test]
    fn asks_where_nobody_said_how_long_the_caller_waits() {
        assert_eq!(finding(&RULE, &inbound("", ""), "").severity, Severity::Info);
        assert!(
            !fires(&RULE, &inbound("", "").replace("local_app", "orders"), KNOWN),
            "no sidecar's own service"
        );
    }

    #[test]
    fn the_caller_may_stand_in_the_same_text() {
        let text = "routes:\n- match: {prefix: /}\n  route: {cluster: outbound|80||orders.shop.svc, timeout: 2s}\n\
                    - match: {prefix: /}\n  route: {cluster: inbound|80||orders.shop.svc, timeout: 5s}\n";
        let found = finding(&RULE, text, "");
        assert!(
            found.consequence.ends_with("up to 3,000\u{a0}ms of work for nobody in each call"),
            "{}",
            found.consequence
        );
        assert_eq!(found.at.line(), 5);
    }
}
