//! `HR229 request-timeout-on-stream`: the connection manager ends streams whose client still sends.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR229",
        name: "request-timeout-on-stream",
        severity: Severity::Warning,
        summary: "`request_timeout` of the connection manager ends streams while their client sends",
        rationale: "request_timeout runs from the start of a request until it has been received whole or the answer \
                    begins. It is a guard against slow uploads. A stream is a request that goes on, so unless the \
                    server answers first the stream ends in 408, on every route of the connection manager.",
        sources: &[
            "envoy: HttpConnectionManager.request_timeout; measured on 1.40: 408, details request_overall_timeout",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let timeout = cx.configuration.manager_of(cx.config)?.request_timeout.as_ref()?;
    if !cx.carries_requests() || !cx.carries_streams() || timeout.value.0 <= 0.0 {
        return None;
    }
    let value = display::millis(timeout.value);
    let finding = RULE
        .meta
        .found(
            &["request_timeout"],
            &timeout.at,
            format!("`request_timeout` {value} of the connection manager also holds for streams"),
        )
        .consequence(format!("a client that still sends after {value} is cut with 408, unless the answer has begun"))
        .help("give streams a listener without it, or bound slow clients with `request_headers_timeout` and `idle_timeout`")
        .related("a route for streams", cx.block());
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn manager(timeout: &str, route: &str) -> String {
        format!(
            "stat_prefix: in\n{timeout}route_config: {{virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{cluster: shop, {route}}}}}]}}]}}\n"
        )
    }

    #[test]
    fn fires_for_streams() {
        let found = finding(&RULE, &manager("request_timeout: 30s\n", "timeout: 0s, idle_timeout: 60s"), "");
        assert_eq!(
            found.message,
            "`request_timeout` 30\u{a0}s of the connection manager also holds for streams"
        );
        assert_eq!(found.at.line(), 2);
    }

    #[test]
    fn silent_for_requests_and_where_it_is_off() {
        assert!(!fires(&RULE, &manager("request_timeout: 30s\n", "timeout: 5s"), ""));
        assert!(!fires(&RULE, &manager("request_timeout: 0s\n", "timeout: 0s, idle_timeout: 60s"), ""));
        assert!(!fires(&RULE, &manager("", "timeout: 0s, idle_timeout: 60s"), ""));
    }
}
