//! `HR226 timeout-on-one-hop`: a timeout was raised on one hop of several.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::envoy::defaults;
use crate::engine::read::Spanned;
use crate::engine::read::config::{Dialect, RouteConfig};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR226",
        name: "timeout-on-one-hop",
        severity: Severity::Warning,
        summary: "a timeout is longer on one hop than on another of the same call",
        rationale: "Between two services of a mesh lie two proxies, and a gateway adds a third. Each has timeouts of \
                    its own, and the smallest rules: a smaller value works wherever it is set, a larger one only \
                    where every hop has it. Hops that say nothing keep 15 s for a request and five minutes for a \
                    silent stream.",
        sources: &[
            "aws/aws-app-mesh-roadmap#302",
            "envoy: RouteAction.timeout, default 15 s; HttpConnectionManager.stream_idle_timeout, default 5 min",
        ],
    },
    check: Check::Route(check),
};

/// What a hop does by itself.
const DEFAULTS: [Millis; 2] = [defaults::ROUTE_TIMEOUT.0, Millis(defaults::STREAM_IDLE_TIMEOUT_S * 1000.0)];

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    // The one program here whose text has a resource for each end.
    if cx.dialect() != Dialect::AppMesh || cx.config.origin.kind != "VirtualNode" || !cx.carries_requests() {
        return Vec::new();
    }
    let of = |setting: Which, default| of_setting(cx, setting, default);
    [of(Which::Timeout, DEFAULTS[0]), of(Which::Idle, DEFAULTS[1])].into_iter().flatten().collect()
}

#[derive(Clone, Copy)]
enum Which {
    Timeout,
    Idle,
}

impl Which {
    fn of(self, route: &RouteConfig) -> Option<&Spanned<Millis>> {
        match self {
            Self::Timeout => route.timeout.as_ref(),
            Self::Idle => route.idle_timeout.as_ref(),
        }
    }

    /// Envoy's name, App Mesh's name, what it ends.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Timeout => ("timeout", "perRequest", "a request"),
            Self::Idle => ("idle_timeout", "idle", "a silent stream"),
        }
    }
}

/// The routes of callers to the same node.
fn callers<'a>(cx: &RouteCx<'a>) -> Vec<&'a RouteConfig> {
    let name = cx.config.targets.first().map(|t| t.cluster.value.as_str());
    let leads_here =
        |route: &&RouteConfig| route.targets.iter().any(|t| Some(t.cluster.value.as_str()) == name);
    cx.configuration
        .routes
        .iter()
        .filter(|route| route.origin.dialect == Dialect::AppMesh && route.origin.kind == "VirtualRouter")
        .filter(leads_here)
        .collect()
}

fn of_setting(cx: &RouteCx<'_>, which: Which, default: Millis) -> Option<Finding> {
    let here = which.of(cx.config)?;
    let callers = callers(cx);
    let smallest = callers
        .iter()
        .map(|route| which.of(route).map_or(default, |there| there.value))
        .filter(|there| there.0 > 0.0)
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let there = if callers.is_empty() { default } else { smallest? };
    // Zero is off, which no hop that says something else honors.
    let raised = here.value > there || here.value.0 <= 0.0;
    raised.then(|| found(here, there, which, &callers, default))
}

fn found(
    here: &Spanned<Millis>,
    there: Millis,
    which: Which,
    callers: &[&RouteConfig],
    default: Millis,
) -> Finding {
    let (name, own, what) = which.words();
    let is_off = here.value.0 <= 0.0;
    let long = if is_off { "off".to_owned() } else { display::millis(here.value) };
    let short = display::millis(there);
    let whose = if there == default { ", the default," } else { "" };
    let message = if callers.is_empty() {
        format!(
            "`{own}` {long} is set on this hop only: the route to it keeps {short}{whose} unless it says so too"
        )
    } else {
        format!("`{own}` {long} is set on this hop, and the route to it has {short}{whose} which ends first")
    };
    let longest = if is_off { "off".to_owned() } else { long.clone() };
    let finding = RULE
        .meta
        .found(&[name], &here.at, message.trim_end_matches(',').to_owned())
        .consequence(format!("the smallest of all hops rules: with {longest} here and {short} there {what} ends after {short}"))
        .help(format!(
            "set `{own}` {long} on every hop: the listener of the calling node, the route and this listener{}",
            if name == "idle_timeout" { format!(", or send something within {short}") } else { String::new() }
        ));
    // Whether the other hops are set is not in this text.
    if callers.is_empty() { finding.severity(Severity::Info) } else { finding }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{findings, fires};
    use crate::engine::rules::Severity;

    fn node(timeouts: &str) -> String {
        format!(
            "apiVersion: appmesh.k8s.aws/v1beta2\nkind: VirtualNode\nmetadata: {{name: wren}}\nspec:\n  listeners:\n  \
             - portMapping: {{port: 80, protocol: grpc}}\n    timeout: {{grpc: {{{timeouts}}}}}\n"
        )
    }

    fn router(timeouts: &str) -> String {
        format!(
            "---\napiVersion: appmesh.k8s.aws/v1beta2\nkind: VirtualRouter\nmetadata: {{name: r}}\nspec:\n  routes:\n  - name: r\n    \
             grpcRoute: {{action: {{weightedTargets: [{{virtualNodeRef: {{name: wren}}}}]}}{timeouts}}}\n"
        )
    }

    #[test]
    fn an_hour_here_is_five_minutes_in_all() {
        let found = findings(&RULE, &node("idle: {unit: s, value: 3600}"), "");
        assert_eq!(found[0].severity, Severity::Info);
        assert_eq!(
            found[0].consequence,
            "the smallest of all hops rules: with 60\u{a0}min here and 300\u{a0}s there a silent stream ends after 300\u{a0}s"
        );
    }

    #[test]
    fn a_smaller_value_works_anywhere() {
        assert!(!fires(&RULE, &node("idle: {unit: s, value: 5}, perRequest: {unit: s, value: 5}"), ""));
        assert!(!fires(&RULE, &node("idle: {unit: s, value: 300}, perRequest: {unit: s, value: 15}"), ""));
        assert!(fires(&RULE, &node("perRequest: {unit: s, value: 16}"), ""));
    }

    #[test]
    fn a_route_in_the_text_counts() {
        let here = node("idle: {unit: s, value: 3600}");
        assert_eq!(findings(&RULE, &(here.clone() + &router("")), "")[0].severity, Severity::Warning);
        assert!(!fires(&RULE, &(here + &router(", timeout: {idle: {unit: s, value: 3600}}")), ""));
    }
}
