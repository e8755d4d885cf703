//! `HR138 hedging-without-effect`: hedging is on, and something it needs is missing.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, Fix, RouteCx, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR138",
        name: "hedging-without-effect",
        severity: Severity::Warning,
        summary: "`hedge_on_per_try_timeout` does nothing without timeout, condition and retries",
        rationale: "A hedge is a retry that starts when the per-try timeout passes, while the first attempt goes on. It \
                    needs a `per_try_timeout` that acts, conditions in `retry_on` and a retry left; without any of them \
                    Envoy accepts the policy and sends one attempt.",
        sources: &[
            "envoy: config.route.v3.HedgePolicy.hedge_on_per_try_timeout; measured on 1.40",
            "envoyproxy/envoy#12983: hedging without a retry policy",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

// What is missing has no number.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let hedge = &cx.effective.hedge_on_per_try_timeout;
    let at = hedge.place().filter(|_| hedge.value && cx.config.origin.patch.is_none())?;
    let missing = missing(cx);
    if missing.is_empty() {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["hedge_on_per_try_timeout", "per_try_timeout", "retry_on"],
            at,
            format!("`hedge_on_per_try_timeout` lacks {}", missing.join(" and ")),
        )
        .consequence("Envoy accepts it and sends 1 attempt at a time")
        .help("complete the retry policy, or turn hedging off")
        .fix(Fix::set("Turn hedging off", Setting::HedgeOnPerTryTimeout, Value::Flag(false)));
    Some(finding)
}

fn missing(cx: &RouteCx<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let policy = cx.retry_policy();
    match policy {
        None => out.push("a retry policy with conditions".to_owned()),
        Some(p) if p.words().is_empty() => out.push("conditions in `retry_on`".to_owned()),
        Some(p) if p.count() == 0 => out.push("`num_retries` above 0".to_owned()),
        Some(_) => {}
    }
    let written = policy.map_or(0.0, |p| p.policy.per_try_timeout.value.0);
    if cx.effective.per_try_timeout().is_none() {
        out.push(if written > 0.0 {
            format!(
                "a `per_try_timeout` below the route `timeout` of {}",
                display::millis(cx.effective.timeout.value)
            )
        } else {
            "a `per_try_timeout`".to_owned()
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(policy: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: 1s\n  hedge_policy: {{hedge_on_per_try_timeout: true}}\n{policy}"
        )
    }

    #[test]
    fn names_what_is_missing() {
        let found = finding(&RULE, &route(""), "");
        assert!(
            found.message.contains("a retry policy with conditions and a `per_try_timeout`"),
            "{}",
            found.message
        );
        let late = route("  retry_policy: {retry_on: reset, per_try_timeout: 1s}\n");
        assert!(finding(&RULE, &late, "").message.contains("below the route `timeout` of 1,000\u{a0}ms"));
        let off = route("  retry_policy: {retry_on: reset, num_retries: 0, per_try_timeout: 0.1s}\n");
        assert!(finding(&RULE, &off, "").message.contains("`num_retries` above 0"));
    }

    #[test]
    fn silent_where_all_is_there() {
        assert!(!fires(&RULE, &route("  retry_policy: {retry_on: reset, per_try_timeout: 0.999s}\n"), ""));
        assert!(!fires(&RULE, &route("").replace("true", "false"), ""));
    }
}
