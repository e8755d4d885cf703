//! `HR149 rate-limited-wait-outlasts-timeout`: a reset header may ask for more time than the request has.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, RouteCx};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR149",
        name: "rate-limited-wait-outlasts-timeout",
        severity: Severity::Warning,
        summary: "waits of `rate_limited_retry_back_off` may be longer than the route `timeout`",
        rationale: "Envoy waits for what a reset header asks for and up to half of it more, on the route's clock, and \
                    does not look whether that much time is left. Then the route timeout ends the wait: the caller \
                    gets a 504 late instead of the first answer at once, and a retry slot is held for nothing. Only \
                    values above `max_interval`, by default 300 s, are passed over.",
        sources: &[
            "envoyproxy/envoy#24316: the wait does not respect the timeout",
            "envoy: RateLimitedRetryBackOff.max_interval, default 300 s; measured on 1.40: retry-after 1 waits 1 to 1.5 s",
        ],
    },
    check: Check::Route(check),
};

/// Envoy's own `max_interval`.
const DEFAULT_MAX: Millis = Millis(300_000.0);

/// The longest wait, in what the header asks for.
const JITTER: f64 = 1.5;

/// The shortest wait that a reset header in seconds can ask for; below it nothing is ever retried,
/// which `rate-limited-back-off-idle` says.
const SHORTEST: Millis = Millis(1_000.0);

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

// No fix: how long the upstream asks for is not in the text.
fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let limited = retrying.written?.rate_limited_retry_back_off.as_ref()?;
    let (timeout, written) = (cx.effective.timeout.value, limited.max_interval.as_ref());
    let max = written.map_or(DEFAULT_MAX, |max| max.value);
    if timeout <= SHORTEST || max.0 * JITTER <= timeout.0 {
        return None;
    }
    let default = if written.is_some() { "" } else { ", the default," };
    let [most, longest, end] = [max, max * JITTER, timeout].map(display::millis);
    let of_default = if cx.effective.timeout.is_default() { ", the default" } else { "" };
    let fits = Millis((timeout.0 / JITTER / SHORTEST.0).floor() * SHORTEST.0);
    let at = written.map_or(&limited.block, |max| &max.at);
    let finding = RULE
        .meta
        .found(
            &["rate_limited_retry_back_off", "timeout"],
            at,
            format!("`max_interval` {most}{default} lets a retry wait up to {longest}, and `timeout` is {end}{of_default}"),
        )
        .consequence(format!(
            "a reset header of more than {} is waited for until the route timeout answers 504, instead of the first answer at once",
            display::millis(fits)
        ))
        .help(format!(
            "set `max_interval` of `rate_limited_retry_back_off` to {} at most: longer waits are passed over for the usual back-off",
            display::millis(fits)
        ));
    Some(match cx.effective.timeout.place() {
        Some(place) => finding.related("the clock that runs on", place),
        None => finding,
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(timeout: &str, max: &str, on: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute:\n  cluster: shop\n  timeout: {timeout}\n  retry_policy:\n    retry_on: {on}\n    \
             rate_limited_retry_back_off: {{{max}reset_headers: [{{name: retry-after, format: SECONDS}}]}}\n"
        )
    }

    #[test]
    fn five_minutes_do_not_fit_into_ten_seconds() {
        // 300 × 1.5 = 450 s; 10 / 1.5 = 6.67, in whole seconds 6.
        let found = finding(&RULE, &route("10s", "", "gateway-error"), "");
        assert_eq!(
            found.message,
            "`max_interval` 300\u{a0}s, the default, lets a retry wait up to 450\u{a0}s, and `timeout` is 10\u{a0}s"
        );
        assert!(found.help.contains("to 6,000\u{a0}ms at most"), "{}", found.help);
        assert_eq!(found.at.line(), 7);
    }

    #[test]
    fn silent_where_the_longest_wait_fits() {
        assert!(!fires(&RULE, &route("15s", "max_interval: 10s, ", "gateway-error"), ""));
        assert!(fires(&RULE, &route("14.9s", "max_interval: 10s, ", "gateway-error"), ""));
        assert!(!fires(&RULE, &route("0s", "", "gateway-error"), ""));
        assert!(!fires(&RULE, &route("1s", "", "gateway-error"), ""));
        assert!(!fires(&RULE, &route("10s", "", "\"\""), ""));
    }
}
