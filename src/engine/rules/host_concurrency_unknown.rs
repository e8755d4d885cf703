//! `HR505 host-concurrency-unknown`: no ceiling can be drawn.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR505",
        name: "host-concurrency-unknown",
        severity: Severity::Info,
        summary: "what the hosts survive is unknown, so no ceiling is drawn",
        rationale: "A limit protects only if the sum over all proxies stays below what the hosts survive. \
                    Nobody but a load test knows that number, and a guess would look like protection.",
        sources: &["our choice: no ceiling rather than a guessed one"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    if s.host_concurrency.is_some() {
        return Vec::new();
    }
    let sum = display::count(phrases::fleet_limit(s, cx.sizing) as f64);
    let proxies = if s.clients == 1 {
        "one proxy may put".to_owned()
    } else {
        format!("{} together may put", phrases::proxies(s.clients))
    };
    let message =
        format!("what a host survives is unknown: {proxies} {sum} in flight, and no ceiling checks it");
    let finding = RULE
        .meta
        .finding(&["host_concurrency"], message)
        .consequence("a limit above what the hosts survive serves the peak but protects nothing")
        .help("load one host until its latency bends, and enter the requests in flight at that point")
        .fix("Enter it", Fix::ask(ParamId::HostConcurrency));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_nobody_says() {
        assert!(fires(&RULE, "host_concurrency="));
    }

    #[test]
    fn silent_when_it_is_known() {
        assert!(!fires(&RULE, "host_concurrency=64"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "host_concurrency=").message,
            "what a host survives is unknown: 2 proxies together may put 368 in flight, and no ceiling checks it"
        );
    }
}
