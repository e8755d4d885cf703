//! `HR504 capacity-below-peak`: the hosts left cannot carry the healthy peak.

use super::{Context, Finding, Rule, RuleMeta, Severity, fixes};
use crate::engine::phrases;
use crate::engine::units::{Share, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR504",
        name: "capacity-below-peak",
        severity: Severity::Error,
        summary: "the hosts cannot carry the peak",
        rationale: "By Little's law the worst second keeps `rps` × `burst` × mean requests in flight. If the \
                    hosts that are left survive fewer, part of the healthy traffic has to be refused \
                    somewhere: limits only choose where, and retries make it worse.",
        sources: &["J. D. C. Little, A Proof for the Queuing Formula L = λW, Operations Research 9 (1961)"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let Some(each) = s.host_concurrency else { return Vec::new() };
    let survive = f64::from(s.hosts_left()) * each;
    let peak = cx.sizing.load.fleet_concurrency_at_peak.0;
    if survive >= peak {
        return Vec::new();
    }
    let message = format!(
        "{} {} in flight, and the healthy peak takes {}",
        phrases::hosts_survive(s.hosts_left()),
        phrases::capacity(survive),
        display::count(peak.ceil()),
    );
    let finding = RULE
        .meta
        .finding(&["rps", "burst", "hosts", "hosts_lost", "host_concurrency"], message)
        .consequence(format!(
            "at least {} of the worst second cannot be served, whatever the limits",
            display::share(Share(1.0 - survive / peak))
        ))
        .help("add hosts, raise what one host survives, or shorten the time a request takes")
        .maybe_fix(fixes::hosts_for_peak(cx));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_below_the_peak() {
        // 91 against 94.1.
        assert!(fires(&RULE, "host_concurrency=13"));
    }

    #[test]
    fn silent_above_the_peak() {
        // 98 against 94.1.
        assert!(!fires(&RULE, "host_concurrency=14"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "host_concurrency=13").message,
            "seven hosts survive 91 in flight, and the healthy peak takes 95"
        );
    }
}
