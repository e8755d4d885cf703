//! `HR237 timeout-off`: only silence ends a request, after a time that nobody chose.

use crate::engine::audit::clocks::Carries;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::params::ParamId;
use crate::engine::read::config::{Dialect, ResourceState};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR237",
        name: "timeout-off",
        severity: Severity::Info,
        summary: "the route `timeout` is switched off on a route that may carry plain requests",
        rationale: "Streams want no route timeout, requests that are answered once do: without one a stalled upstream \
                    holds their slots of max_requests until the stream idle timeout, five minutes by default, and \
                    nothing tells the caller before. Which of the two a route carries is not in the text; a route for \
                    streams says so with an idle timeout or a longest life of its own.",
        sources: &["envoy: config.route.v3.RouteAction.timeout, 0s is off; measured on 1.40"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let written = cx.config.timeout.as_ref().filter(|timeout| timeout.value.0 <= 0.0)?;
    // What a control plane wrote was not chosen for this route.
    let generated = cx.config.origin.state != ResourceState::Static || cx.dialect() == Dialect::Consul;
    let known = cx.carries() != Carries::Unknown || cx.deadline().is_some();
    let bounded = cx.end().is_some() || cx.effective.per_try_timeout().is_some();
    if !cx.carries_requests() || generated || known || bounded {
        return None;
    }
    let silence = cx.end_of_silence()?;
    let slots = cx.cluster.map(|c| c.effective.limits(cx.effective.priority.value).max_requests.value);
    let slots = slots
        .filter(|n| *n < u32::MAX)
        .map(|n| format!(" of the {} of `max_requests`", display::count(f64::from(n))))
        .unwrap_or_default();
    let finding = RULE
        .meta
        .found(
            &["timeout"],
            &written.at,
            format!("`timeout` is off: only {} ends what stalls", silence.words()),
        )
        .consequence(format!(
            "a request that stalls holds its slot{slots} for {}",
            display::millis(silence.of.value)
        ))
        .help(
            "set `timeout` a little below the caller's deadline; for streams set `idle_timeout` on the route",
        )
        .asks(ParamId::DeadlineMs);
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(timeouts: &str) -> String {
        format!("match: {{prefix: /}}\nroute: {{cluster: shop, {timeouts}}}\n")
    }

    #[test]
    fn fires_where_it_was_switched_off() {
        let found = finding(&RULE, &route("timeout: 0s"), "");
        assert_eq!(
            found.message,
            "`timeout` is off: only `idle_timeout` 300\u{a0}s, the default, ends what stalls"
        );
        assert_eq!(found.consequence, "a request that stalls holds its slot for 300\u{a0}s");
    }

    #[test]
    fn silent_for_streams_and_where_the_deadline_is_known() {
        assert!(!fires(&RULE, &route("timeout: 0s, idle_timeout: 60s"), ""));
        assert!(!fires(&RULE, &route("timeout: 0s"), "deadline_ms=1000"));
        assert!(!fires(&RULE, &route("timeout: 1s"), ""));
        assert!(!fires(&RULE, &route("priority: HIGH"), ""));
    }
}
