//! `HR209 connect-does-not-fit`: connections are given up before they can be set up.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::remedy::deadline_where;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR209",
        name: "connect-does-not-fit",
        severity: Severity::Error,
        summary: "connections are given up before they can be set up",
        rationale: "`connect_timeout` covers TCP and TLS and must end inside the clocks around it. Where those are \
                    so short that it is not above the set-up time itself, no connection is ever opened, and \
                    every request fails.",
        sources: &["envoy: config.cluster.v3.Cluster.connect_timeout covers TCP and TLS"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, t) = (cx.scenario, &cx.sizing.timeouts);
    if t.connect_ms > s.connect_ms {
        return Vec::new();
    }
    let outer = t.per_try_ms.map_or_else(
        || format!("the route timeout of {}", display::millis(t.route_ms)),
        |per_try| format!("`per_try_timeout` {}", display::millis(per_try)),
    );
    let message = format!(
        "`connect_timeout` {} is not above the {} that setting up a connection takes",
        display::millis(t.connect_ms),
        display::millis(s.connect_ms),
    );
    let room = deadline_where(s, cx.sizing, |l| l.timeouts.connect_ms.0 >= 2.0 * s.connect_ms.0);
    let finding = RULE
        .meta
        .finding(&["connect_ms", "deadline_ms", "connect_timeout"], message)
        .consequence(format!("{outer} leaves no more, so no connection is ever opened"))
        .help("give the call more time, or open connections ahead of the traffic")
        .maybe_fix(room.and_then(fixes::deadline));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_half_the_route_timeout_is_the_set_up_time() {
        assert!(fires(&RULE, "idempotent=false connect_ms=150 deadline_ms=315"));
    }

    #[test]
    fn silent_just_above() {
        assert!(!fires(&RULE, "idempotent=false connect_ms=150 deadline_ms=316"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "idempotent=false connect_ms=150 deadline_ms=300").message,
            "`connect_timeout` 142\u{a0}ms is not above the 150\u{a0}ms that setting up a connection takes"
        );
    }
}
