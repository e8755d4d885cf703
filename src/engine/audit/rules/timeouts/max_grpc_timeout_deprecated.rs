//! `HR223 max-grpc-timeout-deprecated`: the old field for gRPC deadlines.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR223",
        name: "max-grpc-timeout-deprecated",
        severity: Severity::Info,
        summary: "`max_grpc_timeout` is deprecated, and unlike its successor keeps `timeout`",
        rationale: "max_grpc_timeout maps the client's grpc-timeout onto the route timeout; a call without the header \
                    gets the cap. Envoy accepts it with a warning and will drop it. Its successor is the block \
                    max_stream_duration, which behaves differently: it switches the route timeout off for every \
                    request of the route, and it ends calls with status 4 where the route timeout gives 14.",
        sources: &["envoy: config.route.v3.RouteAction.max_grpc_timeout, deprecated; measured on 1.40"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let old = cx.config.max_grpc_timeout.as_ref()?;
    let cap = if old.value.0 > 0.0 { display::millis(old.value) } else { "0\u{a0}s".to_owned() };
    // On a route that carries other requests too, these would lose their timeout.
    let only_grpc = cx.config.matches.as_ref().is_some_and(|m| m.value.grpc);
    let set = |setting| Change::Set(setting, Value::Duration(old.value));
    let offset = cx.config.grpc_timeout_offset.as_ref();
    let mut fix = Fix::new("Use max_stream_duration", Change::Remove(old.at.clone()))
        .and(set(Setting::GrpcTimeoutHeaderMax))
        .and(set(Setting::MaxStreamDuration));
    if let Some(offset) = offset {
        let moved = Change::Set(Setting::GrpcTimeoutHeaderOffset, Value::Duration(offset.value));
        fix = fix.and(Change::Remove(offset.at.clone())).and(moved);
    }
    let finding = RULE
        .meta
        .found(&["max_grpc_timeout"], &old.at, format!("`max_grpc_timeout` {cap} is deprecated"))
        .consequence("Envoy accepts it with a warning today and will drop it")
        .help("use `max_stream_duration` with `grpc_timeout_header_max` and `max_stream_duration`, and mind that `timeout` no longer acts beside it");
    Some(if only_grpc { finding.fix(fix) } else { finding })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    #[test]
    fn fires_and_moves_it_on_routes_of_grpc_alone() {
        let of = |matches: &str| {
            format!(
                "match: {{prefix: /{matches}}}\nroute: {{cluster: shop, max_grpc_timeout: 5s, grpc_timeout_offset: 0.1s}}\n"
            )
        };
        let found = finding(&RULE, &of(", grpc: {}"), "");
        assert_eq!(found.message, "`max_grpc_timeout` 5,000\u{a0}ms is deprecated");
        assert_eq!(found.fix.map(|f| f.changes.len()), Some(5));
        assert!(finding(&RULE, &of(""), "").fix.is_none());
    }

    #[test]
    fn silent_with_its_successor() {
        assert!(!fires(
            &RULE,
            "match: {prefix: /}\nroute: {cluster: shop, max_stream_duration: {grpc_timeout_header_max: 5s}}\n",
            ""
        ));
    }
}
