//! `HR406 success-rate-stays-off`: too few requests or hosts to compare success rates.

use super::{Context, Finding, Rule, RuleMeta, Severity};
use crate::engine::envoy::defaults;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR406",
        name: "success-rate-stays-off",
        severity: Severity::Info,
        summary: "success-rate ejection needs more traffic or hosts than a proxy sees",
        rationale: "The mode compares the hosts of one interval with each other. A host counts only from 100 requests \
                    on, at least five hosts must count, and with fewer than five a single failure can never be \
                    far enough from the mean. Below that it never acts, so it is left off.",
        sources: &[
            "envoy: success_rate_request_volume 100, success_rate_minimum_hosts 5",
            "one failed host of n lies √(n − 1) deviations from the mean; Envoy asks for 1.9",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    let Some(outlier) = cx.sizing.outlier.as_ref().filter(|o| o.enforcing_success_rate == 0) else {
        return Vec::new();
    };
    let seen = cx.sizing.ejection.rate_per_host.arrivals_in(outlier.interval.0);
    let reason = if s.hosts < defaults::SUCCESS_RATE_MINIMUM_HOSTS {
        format!("it compares {} hosts and needs {}", s.hosts, defaults::SUCCESS_RATE_MINIMUM_HOSTS)
    } else {
        format!(
            "a proxy sees {} per host and interval; the mode needs {}",
            requests(seen),
            display::number(defaults::SUCCESS_RATE_REQUEST_VOLUME)
        )
    };
    let finding = RULE
        .meta
        .finding(
            &["rps", "clients", "hosts", "outlier_detection"],
            format!("success-rate ejection stays off: {reason}"),
        )
        .consequence("a host that fails some requests but never several in a row stays in")
        .help("compare the hosts where their traffic meets, in metrics over all proxies");
    vec![finding]
}

/// Below a hundredth the digits say nothing more.
fn requests(seen: f64) -> String {
    const LEAST: f64 = 0.01;
    if seen < LEAST {
        return format!("fewer than {} requests", display::number(LEAST));
    }
    display::plural(seen, "request", "requests")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_below_100_requests_per_host_and_interval() {
        assert!(fires(&RULE, "clients=8"));
    }

    #[test]
    fn fires_with_four_hosts() {
        assert!(fires(&RULE, "hosts=4 clients=1"));
    }

    #[test]
    fn silent_above_100() {
        assert!(!fires(&RULE, "clients=7"));
    }

    #[test]
    fn silent_with_five_hosts() {
        assert!(!fires(&RULE, "hosts=5 clients=1"));
    }

    #[test]
    fn counts_no_splinters_of_a_request() {
        let message = |changes: &str| finding(&RULE, changes).message;
        assert!(message("rps=0.000001").contains("a proxy sees fewer than 0.01 requests per host"));
        // 0.0272 / 2 / 8 in a second, ten seconds.
        assert!(message("rps=0.0272").contains("a proxy sees 0.017 requests per host"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "clients=8").message,
            "success-rate ejection stays off: a proxy sees 93.8 requests per host and interval; the mode needs 100"
        );
    }
}
