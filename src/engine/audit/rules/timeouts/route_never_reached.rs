//! `HR238 route-never-reached`: a route above takes every request that it could match.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::read::config::{Dialect, RouteConfig, RouteKind, RouteMatch};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR238",
        name: "route-never-reached",
        severity: Severity::Warning,
        summary: "a route above takes all requests of this one, so that nothing written here acts",
        rationale: "Routes of a virtual host are tried in the order of the text and the first match wins, however \
                    special a later one is. A route behind a prefix that covers it is accepted and never used: its \
                    timeouts, retries and priority do not act. The Gateway API, Contour and Emissary sort routes by \
                    how special they are; Envoy itself and Istio do not.",
        sources: &[
            "envoy: config.route.v3.VirtualHost.routes, matched in order",
            "istio: analysis message IST0130, VirtualServiceUnreachableRule",
        ],
    },
    check: Check::Route(check),
};

// No fix: the order of routes is for a person to say.
fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let in_order = matches!(cx.dialect(), Dialect::Envoy | Dialect::Istio | Dialect::Cilium);
    if !in_order || cx.config.kind != RouteKind::Http || cx.is_patch() {
        return None;
    }
    let before = cx.configuration.routes.get(..cx.index)?.iter().filter(|r| is_neighbor(r, cx.config));
    let before: Vec<&RouteConfig> = before.collect();
    let taker = |begins: &str| before.iter().copied().find(|r| takes(r, begins));
    let begins = begins(cx.config)?;
    let first = taker(begins.first()?)?;
    if !begins.iter().all(|path| taker(path).is_some()) {
        return None;
    }
    let (own, above) = (cx.title(), title(first));
    let at = cx.config.matches.as_ref().map_or(cx.block(), |m| &m.at);
    let finding = RULE
        .meta
        .found(
            &["match"],
            at,
            format!("{own} is never reached: {above} stands before it and takes its requests"),
        )
        .consequence(consequence(cx, first))
        .help(format!("move it above {above}: the first match wins"))
        .related("takes its requests", first.matches.as_ref().map_or(&first.origin.block, |m| &m.at));
    Some(finding)
}

/// Whether two routes stand in one virtual host.
fn is_neighbor(a: &RouteConfig, b: &RouteConfig) -> bool {
    let place = |r: &RouteConfig| r.virtual_host.as_ref().map(|v| (v.at.file, v.at.span));
    let same = a.origin.document == b.origin.document && a.origin.dialect == b.origin.dialect;
    same && a.kind == RouteKind::Http && place(a).is_some() && place(a) == place(b)
}

/// What its paths begin with; none where that is not known.
fn begins(route: &RouteConfig) -> Option<Vec<String>> {
    match &route.matches {
        None if route.origin.dialect == Dialect::Istio => Some(vec![String::new()]),
        Some(of) if !of.value.begins.is_empty() => Some(of.value.begins.clone()),
        _ => None,
    }
}

/// Whether a route takes every path that begins so.
fn takes(route: &RouteConfig, begins: &str) -> bool {
    // Every path begins with a slash.
    let covers = |prefix: &String| matches!(prefix.as_str(), "" | "/") || begins.starts_with(prefix.as_str());
    match &route.matches {
        None => route.origin.dialect == Dialect::Istio,
        Some(of) => of.value.takes.iter().any(covers),
    }
}

fn title(route: &RouteConfig) -> String {
    let text =
        |m: &RouteMatch| if m.text.is_empty() { "that takes everything".to_owned() } else { m.text.clone() };
    match (&route.name, &route.matches) {
        (Some(name), _) => format!("route {}", name.value),
        (None, Some(of)) => format!("route {}", text(&of.value)),
        (None, None) => "the route without a match".to_owned(),
    }
}

fn consequence(cx: &RouteCx<'_>, first: &RouteConfig) -> String {
    let time =
        |t: f64| if t > 0.0 { display::millis(crate::engine::units::Millis(t)) } else { "off".to_owned() };
    if let Some(own) = &cx.config.timeout {
        return match &first.timeout {
            Some(there) => {
                format!(
                    "`timeout` {} does not act: the requests get {}",
                    time(own.value.0),
                    time(there.value.0)
                )
            }
            None => format!(
                "`timeout` {} does not act: the requests get that of the other route",
                time(own.value.0)
            ),
        };
    }
    if cx.config.retry_policy.is_some() {
        return "its retry policy does not act: the requests get that of the other route".to_owned();
    }
    "neither its cluster nor anything else that it says acts on a request".to_owned()
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn host(first: &str, second: &str) -> String {
        format!(
            "virtual_hosts:\n- name: all\n  domains: [\"*\"]\n  routes:\n  - match: {first}\n    route: {{cluster: web, timeout: 5s}}\n  \
             - match: {second}\n    route: {{cluster: web, timeout: 300s}}\n"
        )
    }

    #[test]
    fn a_catch_all_before_the_rest() {
        let found = finding(&RULE, &host("{prefix: /}", "{prefix: /export}"), "");
        assert_eq!(
            found.message,
            "route prefix /export is never reached: route prefix / stands before it and takes its requests"
        );
        assert_eq!(found.consequence, "`timeout` 300\u{a0}s does not act: the requests get 5,000\u{a0}ms");
        assert_eq!(found.at.line(), 7);
    }

    #[test]
    fn only_a_prefix_that_covers_it() {
        assert!(fires(&RULE, &host("{prefix: /api}", "{path: /api/v1}"), ""));
        assert!(fires(&RULE, &host("{prefix: /}", "{safe_regex: {regex: /x.*}}"), ""));
        for (first, second) in [
            ("{prefix: /export}", "{prefix: /}"),
            ("{prefix: /api/v1}", "{prefix: /api}"),
            ("{path: /}", "{prefix: /export}"),
            ("{prefix: /, headers: [{name: a, present_match: true}]}", "{prefix: /export}"),
            ("{prefix: /, grpc: {}}", "{prefix: /export}"),
            ("{prefix: /, runtime_fraction: {default_value: {numerator: 5}}}", "{prefix: /export}"),
            ("{path_separated_prefix: /api}", "{prefix: /apiary}"),
            ("{prefix: /api}", "{safe_regex: {regex: /api.*}}"),
            ("{prefix: /}", "{connect_matcher: {}}"),
        ] {
            assert!(!fires(&RULE, &host(first, second), ""), "{first} {second}");
        }
    }

    #[test]
    fn other_hosts_and_loose_routes_have_nothing_to_do_with_it() {
        let two = "virtual_hosts:\n- {name: a, domains: [a], routes: [{match: {prefix: /}, route: {cluster: w}}]}\n\
                   - {name: b, domains: [b], routes: [{match: {prefix: /}, route: {cluster: w}}]}\n";
        assert!(!fires(&RULE, two, ""));
        let loose = "routes:\n- {match: {prefix: /}, route: {cluster: a}}\n- {match: {prefix: /}, route: {cluster: b}}\n";
        assert!(!fires(&RULE, loose, ""));
    }

    #[test]
    fn a_rule_of_istio_without_a_match() {
        let rule = |first: &str| {
            format!(
                "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: api}}\nspec:\n  hosts: [api]\n  http:\n  \
                 - {first}route: [{{destination: {{host: api}}}}]\n  - match: [{{uri: {{prefix: /upload}}}}]\n    timeout: 120s\n    \
                 route: [{{destination: {{host: api}}}}]\n"
            )
        };
        assert!(finding(&RULE, &rule(""), "").message.contains("the route without a match stands before it"));
        assert!(!fires(&RULE, &rule("match: [{uri: {prefix: /u}, headers: {a: {exact: b}}}]\n    "), ""));
        assert!(fires(&RULE, &rule("match: [{uri: {prefix: /u}}]\n    "), ""));
    }

    #[test]
    fn the_gateway_api_sorts_by_itself() {
        let text = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec:\n  rules:\n  \
                    - {matches: [{path: {value: /}}], backendRefs: [{name: a}]}\n  - {matches: [{path: {value: /b}}], backendRefs: [{name: a}]}\n";
        assert!(!fires(&RULE, text, ""));
    }
}
