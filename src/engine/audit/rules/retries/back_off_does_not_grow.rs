//! `HR130 back-off-does-not-grow`: retries wait no longer however often they have failed.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR130",
        name: "back-off-does-not-grow",
        severity: Severity::Warning,
        summary: "`max_interval` keeps the back-off from growing, or from waiting at all",
        rationale: "The wait is a whole number of milliseconds below a bound that doubles with each retry. A maximum \
                    that equals the base keeps the bound where it is; at 1 ms the wait is always 0, so that every \
                    retry of every client goes out at once and nothing spreads them.",
        sources: &[
            "envoy: source/common/common/backoff_strategy.cc: uniform whole milliseconds below the bound; measured on 1.40",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let max = &retrying.policy.back_off.max_interval;
    let at = max.place()?;
    let longest = retrying.back_off().upper_bound(u32::MAX);
    let flat = max.value <= retrying.policy.back_off.base_interval.value && retrying.count() > 1;
    let without_wait = longest.0 <= 1.0;
    if !flat && !without_wait {
        return None;
    }
    let (severity, message, consequence) = if without_wait {
        (
            Severity::Warning,
            format!("`max_interval` {} leaves no wait before a retry", display::millis(max.value)),
            "Envoy waits whole milliseconds below it, which is 0: all retries go out at once, in step with each other",
        )
    } else {
        (
            Severity::Info,
            format!(
                "`max_interval` {} is no longer than `base_interval`, so {} retries wait alike",
                display::millis(max.value),
                display::count(retrying.count().into())
            ),
            "a host that stays down is asked again as soon after the last retry as after the first",
        )
    };
    let finding = RULE
        .meta
        .found(&["max_interval", "base_interval"], at, message)
        .consequence(consequence)
        .help("leave `max_interval` out: it is ten times the base then")
        .severity(severity);
    // Without the maximum the first wait is as short as before, and late ones are longer.
    Some(finding.fix(Fix::new("Leave it out", Change::Clear(Setting::BackOffMax))))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    fn route(retries: u32, base: &str, max: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  retry_policy: {{retry_on: reset, num_retries: {retries}, \
             retry_back_off: {{base_interval: {base}, max_interval: {max}}}}}\n"
        )
    }

    #[test]
    fn a_maximum_at_the_base_is_flat() {
        let found = finding(&RULE, &route(2, "0.05s", "0.05s"), "");
        assert_eq!(found.severity, Severity::Info);
        assert!(found.message.contains("so 2 retries wait alike"), "{}", found.message);
        assert!(!fires(&RULE, &route(2, "0.05s", "0.051s"), ""));
        assert!(!fires(&RULE, &route(1, "0.05s", "0.05s"), ""));
    }

    #[test]
    fn a_millisecond_is_no_wait() {
        let found = finding(&RULE, &route(1, "0.001s", "0.001s"), "");
        assert_eq!(found.severity, Severity::Warning);
        assert!(!fires(&RULE, &route(1, "0.001s", "0.002s"), ""));
    }
}
