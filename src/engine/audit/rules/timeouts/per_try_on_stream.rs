//! `HR227 per-try-on-stream`: a per-try timeout ends streams that are slow to answer.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting};
use crate::engine::read::config::PolicyScope;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR227",
        name: "per-try-on-stream",
        severity: Severity::Warning,
        summary: "a `per_try_timeout` acts on a route for streams",
        rationale: "The per-try clock runs until the headers of the answer. Many servers send these with their first \
                    message, so a stream that has nothing to say at first is taken for a hanging attempt: it is cut \
                    and sent again, or, with hedging, a second stream is opened beside it. A policy that a route \
                    inherits from its virtual host is easily overlooked.",
        sources: &[
            "envoy: per_try_timeout stops at response headers; with route timeout 0 it acts; measured on 1.40",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let (per_try, retry) = (cx.effective.per_try_timeout()?, cx.effective.retry.as_ref()?);
    if !cx.carries_requests() || !cx.carries_streams() {
        return None;
    }
    let scope = cx.config.retry_policy.as_ref().map_or(PolicyScope::Route, |policy| policy.scope);
    let inherited = match scope {
        PolicyScope::Route => "",
        PolicyScope::VirtualHost => ", inherited from the virtual host,",
        PolicyScope::Cluster => ", from the cluster,",
    };
    let (per_try, n) = (display::millis(per_try), cx.n_attempts());
    let at = retry.per_try_timeout.place().unwrap_or_else(|| cx.retry_place());
    let finding = RULE
        .meta
        .found(
            &["per_try_timeout"],
            at,
            format!("`per_try_timeout` {per_try}{inherited} acts on {}, which is for streams", cx.title()),
        )
        .consequence(consequence(cx, &per_try, n))
        .help(help(scope))
        .related("the route", cx.block());
    // Elsewhere it may be right for other routes.
    let own = scope == PolicyScope::Route;
    Some(if own {
        finding.fix(Fix::new("Leave it out", Change::Clear(Setting::PerTryTimeout)))
    } else {
        finding
    })
}

fn consequence(cx: &RouteCx<'_>, per_try: &str, n: u32) -> String {
    let slow = format!("a stream without an answer within {per_try}");
    let again = cx.retries_on(&["5xx", "gateway-error", "reset"]);
    if cx.effective.hedge_on_per_try_timeout.value && n > 1 {
        format!(
            "{slow} gets company: hedging opens up to {} streams at once, and all but one are reset",
            display::count(f64::from(n))
        )
    } else if again {
        format!(
            "{slow} is cut and opened again, up to {} in all",
            display::plural(f64::from(n), "attempt", "attempts")
        )
    } else {
        format!("{slow} is cut, and ends in 504")
    }
}

fn help(scope: PolicyScope) -> &'static str {
    match scope {
        PolicyScope::Route => "leave it out: `idle_timeout` and `max_stream_duration` bound streams",
        _ => {
            "give the route a `retry_policy` of its own without it, and an empty `hedge_policy`: the route's policies replace the inherited ones whole"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn host(hedge: &str, route: &str) -> String {
        format!(
            "name: r\nvirtual_hosts:\n- name: v\n  domains: ['*']\n  retry_policy: {{retry_on: reset, num_retries: 2, per_try_timeout: 0.08s}}\n{hedge}  \
             routes:\n  - match: {{prefix: /tail}}\n    route: {{cluster: shop, timeout: 0s{route}}}\n"
        )
    }

    #[test]
    fn an_inherited_one_cuts_and_repeats() {
        let found = finding(&RULE, &host("", ", idle_timeout: 120s"), "");
        assert_eq!(
            found.message,
            "`per_try_timeout` 80\u{a0}ms, inherited from the virtual host, acts on route prefix /tail, which is for streams"
        );
        assert!(found.consequence.ends_with("up to 3 attempts in all"), "{}", found.consequence);
        assert_eq!((found.at.line(), found.fix), (5, None));
    }

    #[test]
    fn with_hedging_streams_get_company() {
        let found = finding(
            &RULE,
            &host("  hedge_policy: {hedge_on_per_try_timeout: true}\n", ", idle_timeout: 120s"),
            "",
        );
        assert!(found.consequence.contains("up to 3 streams at once"), "{}", found.consequence);
    }

    #[test]
    fn silent_where_the_route_has_its_own_and_for_requests() {
        assert!(!fires(
            &RULE,
            &host("", ", idle_timeout: 120s, retry_policy: {retry_on: refused-stream}"),
            ""
        ));
        assert!(!fires(&RULE, &host("", ""), ""));
        assert!(fires(&RULE, &host("", ""), "protocol=grpc_stream rps=1 stream_mean=60"));
    }
}
