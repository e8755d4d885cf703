//! `HR619 timeouts-in-log`: an access log has requests that a timeout ended, and shows which one.

use super::seen::{count, lines, logged};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::envoy::defaults;
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Millis;
use crate::engine::units::display::millis;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR619",
        name: "timeouts-in-log",
        severity: Severity::Warning,
        summary: "requests ended by a timeout: the log tells which one, and after how long",
        rationale: "Each timeout leaves its own trace: UT for the route and for each attempt, which the details tell apart; SI \
                    for silence; no flag at all for `max_stream_duration`, only the details. A duration that is the \
                    same on every line is the timeout itself, and a round 15 s is mostly the default that nobody set.",
        sources: &["measured on Envoy 1.40: flags and response_code_details of every timeout"],
    },
    check: Check::Whole(check),
};

/// A timeout and what it leaves behind.
struct Kind {
    is: fn(&LogGroup) -> bool,
    field: &'static str,
    name: &'static str,
    flag: &'static str,
    default: Option<Millis>,
    help: &'static str,
}

const KINDS: [Kind; 4] = [
    Kind {
        is: |g| is_failed(g) && g.has("UT") && !g.detailed("per_try"),
        field: "timeout",
        name: "the route's `timeout`",
        flag: " (UT)",
        default: Some(defaults::ROUTE_TIMEOUT.0),
        help: "find why answers take so long; set `timeout` of the route to what the caller waits, and leave the limits alone",
    },
    Kind {
        is: |g| is_failed(g) && g.has("UT") && g.detailed("per_try"),
        field: "per_try_timeout",
        name: "`per_try_timeout`",
        flag: " (UT)",
        default: None,
        help: "set `per_try_timeout` above p99.9 of good answers, or leave it out",
    },
    Kind {
        is: |g| is_failed(g) && g.has("SI"),
        field: "idle_timeout",
        name: "the stream idle timeout",
        flag: " (SI)",
        default: Some(Millis(defaults::STREAM_IDLE_TIMEOUT_S * 1000.0)),
        help: "set `idle_timeout` of the route above the longest silence, on every proxy of the way",
    },
    Kind {
        is: |g| g.detailed("max_duration_timeout") || g.has("UMSDR"),
        field: "max_stream_duration",
        name: "`max_stream_duration`",
        flag: "",
        default: None,
        help: "set `max_stream_duration` of the route above the life of its streams, or find the connection manager or \
               the cluster that has it; `timeout` and `idle_timeout` have no part in it",
    },
];

// No fix: which route it was is not in the log.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    KINDS.iter().flat_map(|kind| kind.findings(cx)).collect()
}

/// What is logged as a success is said elsewhere.
fn is_failed(group: &LogGroup) -> bool {
    group.status != 200 && !group.tcp
}

impl Kind {
    fn findings(&self, cx: &WholeCx<'_>) -> Vec<Finding> {
        let found = |(groups, n, of): (Vec<&LogGroup>, u64, u64)| {
            let first = groups.first()?;
            let longest = groups.iter().filter_map(|g| g.longest).reduce(Millis::max);
            let shortest = groups.iter().filter_map(|g| g.shortest).reduce(Millis::min);
            let after = longest.map(|longest| format!(" after {}", millis(longest))).unwrap_or_default();
            let config = first.cluster.as_ref().and_then(|name| cx.reported(name));
            let flag = self.flag;
            let finding = RULE
                .meta
                .found(
                    &[self.field],
                    first.places.first()?,
                    format!("{} ended the request{after} on {} of {}{flag}", self.name, lines(n), count(of)),
                )
                .consequence(self.consequence(shortest, longest))
                .help(self.help);
            Some(Finding { cluster: config.map(|c| c.index), ..finding })
        };
        logged(cx, self.is).into_iter().filter_map(found).collect()
    }

    fn consequence(&self, shortest: Option<Millis>, longest: Option<Millis>) -> String {
        let is_default = |default: Millis| {
            shortest.is_some_and(|s| s >= default) && longest.is_some_and(|l| l.0 <= default.0 * NEAR)
        };
        let whose = self.default.filter(|default| is_default(*default)).map_or_else(String::new, |default| {
            format!("; {} is the default, which nobody may have chosen", millis(default))
        });
        let flag = if self.flag.is_empty() {
            "no flag is set, only the details tell"
        } else {
            "no limit refused it"
        };
        format!("{flag}{whose}")
    }
}

/// Our choice: Envoy ends a request within a few milliseconds of its timeout.
const NEAR: f64 = 1.02;

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, findings, fires};

    fn line(status: u32, flags: &str, details: &str, ms: u32) -> String {
        format!(
            "[t] \"GET /e HTTP/1.1\" {status} {flags} {details} - \"-\" 0 24 {ms} - \"-\" \"curl\" \"5\" \"api\" \"10.0.0.7:80\" outbound|80||api - a:1 b:2 - default\n"
        )
    }

    #[test]
    fn the_default_of_a_route() {
        let text = [line(504, "UT", "response_timeout", 15_001), line(504, "UT", "response_timeout", 15_000)];
        let found = finding(&RULE, &text.concat(), "");
        assert_eq!(
            found.message,
            "the route's `timeout` ended the request after 15\u{a0}s on 2 lines of 2 (UT)"
        );
        assert!(found.consequence.contains("15\u{a0}s is the default"), "{}", found.consequence);
        let other = finding(&RULE, &line(504, "UT", "response_timeout", 14_999), "");
        assert_eq!(other.consequence, "no limit refused it");
    }

    #[test]
    fn the_life_of_a_stream_has_no_flag() {
        let found = finding(&RULE, &line(200, "-", "max_duration_timeout", 120_000), "");
        assert!(found.message.starts_with("`max_stream_duration` ended the request after 120\u{a0}s"));
        assert!(found.help.contains("have no part in it"), "{}", found.help);
    }

    #[test]
    fn an_attempt_and_a_silence() {
        let fields = |text: &str| findings(&RULE, text, "")[0].fields.clone();
        assert_eq!(fields(&line(504, "UT", "upstream_per_try_timeout", 250)), ["per_try_timeout"]);
        assert_eq!(fields(&line(408, "SI", "stream_idle_timeout", 300_000)), ["idle_timeout"]);
        assert!(!fires(&RULE, &line(200, "UT", "response_timeout", 15_000), ""));
        assert!(!fires(&RULE, &line(503, "UO", "overflow", 0), ""));
    }
}
