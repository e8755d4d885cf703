//! `HR506 skew-with-one-proxy`: a single proxy has no busiest one.

use super::{Context, Finding, Fix, Rule, RuleMeta, Severity};
use crate::engine::params::ParamId;
use crate::engine::phrases;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR506",
        name: "skew-with-one-proxy",
        severity: Severity::Info,
        summary: "the load of a single proxy is inflated by a share it cannot exceed",
        rationale: "`skew` is the rate of the busiest proxy over its fair share. With one proxy both are the \
                    same, so any other value only sizes the limits for traffic that does not exist.",
        sources: &["our formula: client_rate = rps × burst × skew / clients"],
    },
    check,
};

fn check(cx: &Context<'_>) -> Vec<Finding> {
    let s = cx.scenario;
    if s.clients > 1 || s.skew <= 1.0 {
        return Vec::new();
    }
    let offered = cx.sizing.load.offered.0;
    let message = format!(
        "`skew` {} counts {} in flight where one proxy sees {}",
        phrases::times(s.skew),
        display::number(offered),
        display::number(offered / s.skew),
    );
    let finding = RULE
        .meta
        .finding(&["skew", "clients"], message)
        .consequence("every limit is larger than this traffic needs")
        .help("set `skew` to 1, or enter how many proxies share the traffic")
        .fix("Set ×1", Fix::set(ParamId::Skew, 1.0));
    vec![finding]
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::rules::tests::{finding, fires};

    #[test]
    fn fires_with_one_proxy_and_a_skew() {
        assert!(fires(&RULE, "clients=1 skew=1.1"));
    }

    #[test]
    fn silent_without_a_skew() {
        assert!(!fires(&RULE, "clients=1 skew=1"));
    }

    #[test]
    fn silent_with_two_proxies() {
        assert!(!fires(&RULE, "clients=2 skew=1.2"));
    }

    #[test]
    fn says_it_with_the_numbers() {
        assert_eq!(
            finding(&RULE, "clients=1").message,
            "`skew` ×1.2 counts 113 in flight where one proxy sees 94.1"
        );
    }
}
