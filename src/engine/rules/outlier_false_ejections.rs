//! `HR403 outlier-false-ejections`: a good day ejects healthy hosts.

use super::{Context, Finding, Rule, RuleMeta, Severity};
use crate::engine::units::{Share, display};

/// Our choice: more than one in a day is what a team sees in its graphs without a cause.
const TOLERATED_PER_DAY: f64 = 1.0;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR403",
        name: "outlier-false-ejections",
        severity: Severity::Warning,
        summary: "a good day ejects healthy hosts",
        rationale: "At a failure rate p, k failures in a row happen by chance about once in 1 / p^k requests. With \
                    many failures on a good day even a long run is no sign of a dead host, and every ejection \
                    puts the load of a healthy host on the others.",
        sources: &[
            "envoy: outlier_detection.consecutive_gateway_failure",
            "our formula: rps / hosts × error_rate^k × 86,400 s",
        ],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let (s, z) = (cx.scenario, cx.sizing);
    let (Some(per_day), Some(outlier)) = (z.ejection.false_per_day, &z.outlier) else { return Vec::new() };
    if per_day <= TOLERATED_PER_DAY {
        return Vec::new();
    }
    let message = format!(
        "{} failures on a good day eject about {} healthy hosts a day, even with {} in a row",
        display::share(s.error_rate),
        display::count(per_day.ceil()),
        display::count(f64::from(outlier.consecutive_gateway_failure)),
    );
    let tolerated = tolerated_rate(s.rps.0 / f64::from(s.hosts), outlier.consecutive_gateway_failure);
    let finding = RULE
        .meta
        .finding(&["error_rate", "outlier_detection"], message)
        .consequence("each takes a healthy host out for half a minute or more, and the others carry its load")
        .help(format!(
            "count only answers 502, 503 and 504 in `error_rate`; at {} or less false ejections stay rare",
            display::share(Share(tolerated))
        ));
    vec![finding]
}

/// The failure rate at which a good day ejects one healthy host, two digits, rounded down: who
/// enters it must not be told the same again.
fn tolerated_rate(rate_per_host: f64, in_a_row: u32) -> f64 {
    let all = TOLERATED_PER_DAY / (rate_per_host * 86_400.0);
    let rate = libm::exp(libm::log(all) / f64::from(in_a_row.max(1)));
    let scale = display::second_digit(rate);
    (rate / scale).floor() * scale
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_above_one_a_day() {
        assert!(fires(&RULE, "error_rate=0.457"));
    }

    #[test]
    fn silent_below_one_a_day() {
        assert!(!fires(&RULE, "error_rate=0.456"));
    }

    #[test]
    fn silent_with_outlier_detection_off() {
        assert!(!fires(&RULE, "error_rate=0.457 hosts=1"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "error_rate=0.5").message,
            "50% failures on a good day eject about 7 healthy hosts a day, even with 20 in a row"
        );
    }
}
