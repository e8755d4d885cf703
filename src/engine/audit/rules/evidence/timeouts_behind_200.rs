//! `HR615 timeouts-behind-200`: answers that a timeout cut are logged as successes.

use super::seen::{count, lines, logged};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Millis;
use crate::engine::units::display::millis;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR615",
        name: "timeouts-behind-200",
        severity: Severity::Warning,
        summary: "timeouts cut answers that are logged with status 200, where no error rate sees them",
        rationale: "Once headers are out, the status stays 200 whatever happens to the body, and a gRPC call that times out \
                    is always a 200 with a gRPC status. Error rates by status code miss both: the flags UT and SI tell. For \
                    a stream it mostly means a route timeout that was never meant for it.",
        sources: &[
            "measured on Envoy 1.40: an expired route timeout of gRPC is HTTP 200; body cut, status stays 200",
        ],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let found = |(groups, n, of): (Vec<&LogGroup>, u64, u64)| {
        let first = groups.first()?;
        let longest = groups.iter().filter_map(|g| g.longest).reduce(Millis::max);
        let after = longest.map(|longest| format!(" after {}", millis(longest))).unwrap_or_default();
        let finding = RULE
            .meta
            .found(
                &["timeout", "idle_timeout"],
                first.places.first()?,
                format!("{} cut{after} with status 200: {} of {}", what(&groups), lines(n), count(of)),
            )
            .consequence("an error rate by status code counts them as successes")
            .help("alert on the flags UT and SI; set `timeout: 0s` on routes of streams and bound them by idle timeouts");
        Some(finding)
    };
    logged(cx, is_hidden).into_iter().filter_map(found).collect()
}

fn is_hidden(group: &LogGroup) -> bool {
    group.status == 200 && (group.has("UT") || group.has("SI"))
}

fn what(groups: &[&LogGroup]) -> &'static str {
    match (groups.iter().any(|g| g.has("UT")), groups.iter().any(|g| g.has("SI"))) {
        (true, true) => "the route timeout and the stream idle timeout",
        (true, false) => "the route timeout",
        (false, _) => "the stream idle timeout",
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn line(status: u32, flags: &str) -> String {
        format!("[t] \"POST /a.S/W HTTP/2\" {status} {flags} 84 0 15001 - \"-\" \"-\" \"-\" \"-\" \"h:1\"\n")
    }

    #[test]
    fn only_behind_a_success() {
        let found = finding(&RULE, &line(200, "UT"), "");
        assert_eq!(found.message, "the route timeout cut after 15\u{a0}s with status 200: 1 line of 1");
        assert!(!fires(&RULE, &line(504, "UT"), ""));
        assert!(!fires(&RULE, &line(200, "-"), ""));
    }
}
