//! `HR502 ceiling-cuts-recommendation`: the slowdown asked for is not ridden out.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::queueing::erlang_b::{blocking, offered_for};
use crate::engine::remedy::{Goal, Room};
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR502",
        name: "ceiling-cuts-recommendation",
        severity: Severity::Warning,
        summary: "the hosts leave less room than the slowdown asked for needs",
        rationale: "The recommendation rides out an upstream that is `slowdown` times slower with the retries \
                    that `retry_overhead` allows. Where the ceiling lies below it, the ceiling wins, because \
                    a limit that the hosts do not survive protects nothing; the promise of the slowdown is \
                    then kept only in part.",
        sources: &[
            "our rule: serve first, then ride out the slowdown, never above the ceiling",
            "A. K. Erlang (1917), loss formula",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let tight = cx.sizing.priorities.iter().find(|p| p.window.is_tight());
    tight.map(|p| finding(cx, p)).into_iter().collect()
}

fn finding(cx: &Context<'_>, p: &PrioritySizing) -> Finding {
    let w = &p.window;
    let n = |value: u32| display::count(f64::from(value));
    let message = if w.ceiling == Some(w.floor) {
        format!(
            "`max_requests` has a window of one value: floor {}, ceiling {}, recommended {}",
            n(w.floor),
            n(w.chosen),
            n(w.recommended)
        )
    } else {
        format!(
            "the ceiling cuts `max_requests` to {}, below the {} recommended",
            n(w.chosen),
            n(w.recommended)
        )
    };
    RULE.meta
        .finding(&["hosts", "clients", "host_concurrency", "slowdown", "max_requests"], message)
        .consequence(what_is_left(cx, p))
        .help(help(cx))
        .maybe_fix(fixes::hosts_with_room(cx))
}

/// The slowdown and the rate that the limit still rides out, and what it refuses beyond.
fn what_is_left(cx: &Context<'_>, p: &PrioritySizing) -> String {
    let s = cx.scenario;
    let chosen = u64::from(p.window.chosen);
    let carried = offered_for(chosen, s.shed_target).0;
    let slowdown = carried / (p.offered.0 * (1.0 + s.retry_overhead));
    let rate = s.rps * (carried / p.offered_at_slowdown.0);
    let refused = phrases::refused(blocking(chosen, p.offered_at_slowdown));
    let asked = phrases::times(s.slowdown);
    let rides_out = if slowdown >= 1.0 {
        format!("it rides out {} latency, not {asked}", display::multiple(slowdown))
    } else {
        format!("it does not ride out {} extra load from retries", display::share(Share(s.retry_overhead)))
    };
    let trap = trap_ahead(cx);
    format!(
        "{rides_out}; at {asked} it holds to {} and refuses {refused} at the peak{trap}",
        display::rate(rate)
    )
}

/// With how many more proxies even the healthy peak has no limit left, if that is near.
fn trap_ahead(cx: &Context<'_>) -> String {
    let now = cx.scenario.clients;
    let lost_at = Room::new(cx.scenario, cx.sizing, Goal::Floor).lost_at();
    lost_at.filter(|at| *at <= now.saturating_mul(2)).map_or_else(String::new, |at| {
        let more = if at == now + 1 {
            "1 more proxy springs".to_owned()
        } else {
            format!("{} more proxies spring", display::count(f64::from(at - now)))
        };
        format!("; {more} the trap")
    })
}

fn help(cx: &Context<'_>) -> String {
    let ways: Vec<String> = cx.ways.iter().map(|way| way.advice(cx.scenario)).collect();
    if ways.is_empty() { "ask for less `slowdown`".to_owned() } else { ways.join("; or ") }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_the_ceiling_is_below_the_recommendation() {
        // Ceiling 182, recommended 184.
        assert!(fires(&RULE, "host_concurrency=52"));
    }

    #[test]
    fn silent_when_it_is_not() {
        // Ceiling 185.
        assert!(!fires(&RULE, "host_concurrency=53"));
    }

    #[test]
    fn silent_in_the_trap() {
        // Distributed-limit-trap says so.
        assert!(!fires(&RULE, "host_concurrency=24"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "hosts=10 clients=100 rps=500 p50=35 p99=110 host_concurrency=64").message,
            "`max_requests` has a window of one value: floor 5, ceiling 5, recommended 7"
        );
    }
}
