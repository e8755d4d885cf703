//! `HR225 idle-timeout-on-stream`: streams live longer than the silence that is allowed by default.

use crate::engine::audit::clocks::{label, words};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::phrases;
use crate::engine::read::config::Dialect;
use crate::engine::remedy::TOLERATED_CUT;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR225",
        name: "idle-timeout-on-stream",
        severity: Severity::Warning,
        summary: "nobody chose how long a stream may be silent, and streams live longer",
        rationale: "Any event on a stream restarts its idle timeout, and five minutes without one end it with flag \
                    SI. That is a good bound for what is forgotten and a bad one for a subscription or a web socket \
                    that has nothing to say. The figure should come from the application: how often it sends \
                    something.",
        sources: &[
            "envoy: HttpConnectionManager.stream_idle_timeout, default 5 min; RouteAction.idle_timeout",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let idle = &cx.effective.idle_timeout;
    let unchosen = idle.is_default() && idle.value.0 > 0.0 && !cx.is_patch();
    if !cx.carries_requests() || !cx.carries_streams() || !unchosen {
        return None;
    }
    let traffic = cx.traffic().filter(|t| t.scenario.protocol.streams());
    let longer = traffic.map(|t| t.sizing.model.exceedance(idle.value));
    if longer.is_some_and(|share| share.0 <= TOLERATED_CUT.0) {
        return None;
    }
    let limit = display::millis(idle.value);
    let message = format!("{} ends a stream that is silent for so long", words("idle_timeout", idle));
    let finding =
        RULE.meta.found(&["idle_timeout"], cx.block(), message).consequence(consequence(longer, &limit));
    let to = traffic.and_then(|t| t.sizing.timeouts.stream_idle_ms).filter(|to| *to > idle.value);
    let finding = match (cx.dialect(), to) {
        (Dialect::Istio, _) => {
            finding.help(format!("have each end send something within {limit}; raising it needs an EnvoyFilter"))
        }
        (_, Some(to)) => finding
            .help(format!("set `idle_timeout` of the route to {}, or send something within {limit}", display::millis(to)))
            .fix(Fix::set(label(idle.value, to), Setting::RouteIdleTimeout, Value::Duration(to))),
        (_, None) => finding.help(format!(
            "set `idle_timeout` of the route to the longest silence that is healthy, or send something within {limit}"
        )),
    };
    Some(if longer.is_some() { finding } else { finding.severity(Severity::Info) })
}

fn consequence(longer: Option<Share>, limit: &str) -> String {
    match longer {
        Some(share) => format!(
            "{} of streams live longer: of these, whoever has nothing to say for {limit} is cut",
            phrases::refused(share)
        ),
        None => format!("a stream or web socket with nothing to say for {limit} is cut"),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn route(more: &str) -> String {
        format!("match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: 0s\n{more}")
    }

    #[test]
    fn fires_where_streams_live_longer_than_five_minutes() {
        let found = finding(&RULE, &route(""), "protocol=grpc_stream rps=5 stream_p99=600");
        assert_eq!(
            found.message,
            "`idle_timeout` 300\u{a0}s, the default, ends a stream that is silent for so long"
        );
        assert_eq!(found.fix.map(|f| f.label), Some("300\u{a0}s → 10\u{a0}min".to_owned()));
    }

    #[test]
    fn silent_where_somebody_chose_and_where_streams_are_short() {
        assert!(!fires(&RULE, &route("  idle_timeout: 60s\n"), "protocol=grpc_stream rps=5 stream_p99=600"));
        assert!(!fires(&RULE, &route(""), "protocol=grpc_stream rps=5 stream_p99=60"));
        assert!(!fires(&RULE, &route(""), "rps=5 mean=600"));
    }

    #[test]
    fn worth_knowing_for_web_sockets() {
        let text = route("  upgrade_configs: [{upgrade_type: websocket}]\n");
        assert_eq!(finding(&RULE, &text, "").severity, Severity::Info);
    }
}
