//! `HR303 default-limit-harms`: what Envoy's default of 1,024 would do here.

use super::{Context, Finding, Rule, RuleMeta, Severity};
use crate::engine::envoy::defaults;
use crate::engine::phrases;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR303",
        name: "default-limit-harms",
        severity: Severity::Info,
        summary: "Envoy's default limit would refuse the peak or let the fleet overrun the hosts",
        rationale: "Without a `circuit_breakers` block Envoy allows 1,024 requests in flight in each process. For a \
                    large proxy that is below the floor; for a fleet of small ones the sum is far above what the \
                    hosts survive, so nothing is ever refused before they collapse.",
        sources: &["envoy: config.cluster.v3.CircuitBreakers.Thresholds.max_requests, default 1024"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    refuses(cx).or_else(|| overruns(cx)).into_iter().collect()
}

/// The default is too small for the healthy peak.
fn refuses(cx: &Context<'_>) -> Option<Finding> {
    let (s, f) = (cx.scenario, &cx.sizing.forecast);
    if f.refused_at_peak_default <= s.shed_target {
        return None;
    }
    let message = format!(
        "the default of {} is below the floor of {}",
        default_text(),
        display::count(f64::from(cx.sizing.default_priority().window.floor)),
    );
    let finding = RULE.meta.finding(&["max_requests"], message).consequence(format!(
        "left at it, {} refuses {} of the healthy peak",
        phrases::busiest_proxy(s),
        phrases::refused(f.refused_at_peak_default)
    ));
    Some(finding.help("set `max_requests` in `circuit_breakers`, do not leave it out"))
}

/// The default protects nothing.
fn overruns(cx: &Context<'_>) -> Option<Finding> {
    let (s, f) = (cx.scenario, &cx.sizing.forecast);
    let survive = f.hosts_survive?;
    let sum = f.fleet_max_requests_default as f64;
    if sum <= survive {
        return None;
    }
    let fleet = if s.clients == 1 { "the proxy".to_owned() } else { phrases::proxies(s.clients) };
    let message = format!(
        "the default of {} lets {fleet} put {} in flight; {} {}",
        default_text(),
        display::count(sum),
        phrases::hosts_survive(s.hosts_left()),
        phrases::capacity(survive),
    );
    let finding = RULE.meta.finding(&["max_requests"], message).consequence(format!(
        "left at it, the hosts collapse before anything is refused: it allows {} what they survive",
        phrases::fold(sum / survive)
    ));
    Some(finding.help("set `max_requests` in `circuit_breakers`, do not leave it out"))
}

fn default_text() -> String {
    display::count(f64::from(defaults::MAX_REQUESTS))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_when_two_defaults_overrun_the_hosts() {
        // 2,048 against 2,044.
        assert!(fires(&RULE, "host_concurrency=292"));
    }

    #[test]
    fn fires_when_the_default_is_below_the_floor() {
        assert!(fires(&RULE, "rps=9900 host_concurrency="));
    }

    #[test]
    fn silent_when_the_hosts_survive_two_defaults() {
        // 2,048 against 2,051.
        assert!(!fires(&RULE, "host_concurrency=293"));
    }

    #[test]
    fn silent_when_the_default_serves_and_nothing_is_known_of_the_hosts() {
        assert!(!fires(&RULE, "rps=9800 host_concurrency="));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "clients=100").message,
            "the default of 1,024 lets 100 proxies put 102,400 in flight; seven hosts survive 2,800"
        );
    }
}
