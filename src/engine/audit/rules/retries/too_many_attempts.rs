//! `HR146 too-many-attempts`: one request may be tried more than five times.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR146",
        name: "too-many-attempts",
        severity: Severity::Info,
        summary: "`num_retries` makes more than five attempts of one request",
        rationale: "If attempts fail independently, three of them turn 1 failure in 100 into 1 in a million. Where more \
                    are needed they are not independent: the service is down or overloaded, and every further attempt \
                    is load on it and time that the caller waits for the same error.",
        sources: &[
            "our choice: more than three attempts only repeat what failed twice; more than five are worth a word",
            "emissary-ingress/emissary#545: ten retries on 5xx",
        ],
    },
    check: Check::Route(check),
};

const MANY: u32 = 5;
/// Attempts beyond the third only repeat what failed twice.
const ENOUGH: u32 = 2;

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying().filter(|r| r.count() >= MANY)?;
    let retries = retrying.count();
    let at = retrying.policy.num_retries.place().unwrap_or_else(|| cx.retry_place());
    let to = cx.traffic().map_or(ENOUGH, |t| t.sizing.retry.num_retries);
    let [from, attempts] = [f64::from(retries), f64::from(retries) + 1.0].map(display::count);
    let finding = RULE
        .meta
        .found(
            &["num_retries"],
            at,
            format!("`num_retries` {from} makes up to {attempts} attempts of one request"),
        )
        .consequence(format!(
            "a failure that lasts costs {attempts} requests instead of 1, and waits of up to {} in all",
            display::millis(retrying.back_off().total_bound(retries))
        ))
        .help(format!("set `num_retries` to {to}, and let a budget hold the sum"))
        .fix(Fix::set(format!("{from} → {to}"), Setting::NumRetries, Value::Count(to.into())));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(retries: u32) -> String {
        format!(
            "match: {{prefix: /}}\nroute: {{cluster: shop, retry_policy: {{retry_on: 5xx, num_retries: {retries}}}}}\n"
        )
    }

    #[test]
    fn ten_retries_are_eleven_attempts() {
        let found = finding(&RULE, &route(10), "");
        assert_eq!(found.message, "`num_retries` 10 makes up to 11 attempts of one request");
        // 25 + 50 + 100 + 200 + 6 × 250.
        assert!(found.consequence.ends_with("waits of up to 1,875\u{a0}ms in all"), "{}", found.consequence);
        assert_eq!(found.fix.map(|f| f.label), Some("10 → 2".to_owned()));
    }

    #[test]
    fn from_five_on() {
        assert!(fires(&RULE, &route(5), ""));
        assert!(!fires(&RULE, &route(4), ""));
    }
}
