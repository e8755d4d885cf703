//! `HR231 per-try-idle-never-fires`: `per_try_idle_timeout` is not below what ends the request.

use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR231",
        name: "per-try-idle-never-fires",
        severity: Severity::Warning,
        summary: "`per_try_idle_timeout` is not below the clock that ends the request",
        rationale: "A silent attempt is given up after per_try_idle_timeout and may be repeated. Where the route \
                    timeout or the idle timeout of the stream is no longer than that, it ends the whole request \
                    first, which is never retried: the attempt's own clock does nothing.",
        sources: &["measured on 1.40: timeout 2 s, per_try_idle_timeout 3 s, silent upstream: 504 after 2 s"],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let per_try = &cx.effective.retry.as_ref()?.per_try_idle_timeout;
    let (at, end) = (per_try.place()?, cx.end_of_silence()?);
    if !cx.carries_requests() || per_try.value.0 <= 0.0 || per_try.value < end.of.value {
        return None;
    }
    let finding = RULE
        .meta
        .found(
            &["per_try_idle_timeout", end.name],
            at,
            format!(
                "`per_try_idle_timeout` {} is not below {}",
                display::millis(per_try.value),
                end.last_words()
            ),
        )
        .consequence("it never fires: the whole request ends first, and is not retried")
        .help(format!("make it shorter than {}, or leave it out", display::millis(end.of.value)))
        .fix(Fix::new("Leave it out", Change::Clear(Setting::PerTryIdleTimeout)));
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn route(timeout: &str, idle: &str) -> String {
        format!(
            "match: {{prefix: /}}\nroute: {{cluster: shop, timeout: {timeout}, retry_policy: {{retry_on: 5xx, per_try_idle_timeout: {idle}}}}}\n"
        )
    }

    #[test]
    fn fires_at_equality_and_silent_just_below() {
        let found = finding(&RULE, &route("2s", "2s"), "");
        assert_eq!(
            found.message,
            "`per_try_idle_timeout` 2,000\u{a0}ms is not below `timeout` 2,000\u{a0}ms"
        );
        assert!(!fires(&RULE, &route("2s", "1.999s"), ""));
        assert!(!fires(&RULE, &route("2s", "0s"), ""));
    }

    #[test]
    fn the_idle_timeout_of_the_stream_ends_first_too() {
        assert!(
            finding(&RULE, &route("0s", "300s"), "")
                .message
                .ends_with("`idle_timeout` 300\u{a0}s, the default")
        );
        assert!(!fires(&RULE, &route("0s", "299s"), ""));
    }
}
