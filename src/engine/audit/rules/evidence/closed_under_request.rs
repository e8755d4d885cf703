//! `HR618 closed-under-request`: the server closed connections on which it was working.

use super::idle_connections_closed::AT_ONCE;
use super::seen::{count, lines, logged};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Millis;
use crate::engine::units::display::millis;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR618",
        name: "closed-under-request",
        severity: Severity::Warning,
        summary: "503 with UC after a while: the server or a box before it gave up on the request",
        rationale: "UC after seconds is no race of keep-alive timeouts: the request had arrived and was being worked on. Where it \
                    always takes the same time, a timeout of the server, its framework or a box on the way has ended it; \
                    otherwise the process died or was replaced. Idle timeouts and limits of the proxy have no part in it, \
                    and whatever repeats the request runs it again.",
        sources: &[
            "istio: issue 51619, 503 UC after 120,001 ms",
            "measured on Envoy 1.40: flags of closed connections",
        ],
    },
    check: Check::Whole(check),
};

/// Our choice: times this near to each other are one timeout, and shorter ones are none.
const SPREAD: f64 = 0.02;
const LEAST: Millis = Millis(1000.0);

// No fix: the timeout is not in this text.
fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    let found = |(groups, n, of): (Vec<&LogGroup>, u64, u64)| {
        let first = groups.first()?;
        let longest = groups.iter().filter_map(|g| g.longest).reduce(Millis::max)?;
        let shortest = groups.iter().filter_map(|g| g.shortest).reduce(Millis::min)?;
        let same = n > 1 && longest >= LEAST && (longest - shortest).0 <= SPREAD * longest.0;
        let when = if same {
            format!("always after {}", millis(shortest))
        } else if n > 1 {
            format!("after {} to {}", millis(shortest), millis(longest))
        } else {
            format!("after {}", millis(longest))
        };
        let cause = if same || longest >= LEAST && n == 1 {
            "a timeout of the server or of a box before it, or a process that died"
        } else {
            "a process that died or was replaced under its requests"
        };
        let config = first.cluster.as_ref().and_then(|name| cx.reported(name));
        let finding = RULE
            .meta
            .found(
                &["timeout"],
                first.places.first()?,
                format!("the server closed the connection {when} on {} of {} (UC)", lines(n), count(of)),
            )
            .consequence(format!(
                "the request had arrived: {cause}, and no idle connection; what repeats a 503 or a reset runs it again"
            ))
            .help(help(same.then_some(shortest)));
        Some(Finding { cluster: config.map(|c| c.index), ..finding })
    };
    logged(cx, is_late).into_iter().filter_map(found).collect()
}

fn help(timeout: Option<Millis>) -> String {
    let own = timeout.map_or_else(
        || "look at the log of the server and at its restarts".to_owned(),
        |after| {
            format!(
                "look for {} in the settings of the server, and end such requests earlier with `timeout`",
                millis(after)
            )
        },
    );
    format!("{own}; leave limits and idle timeouts alone, and do not retry what must not run twice")
}

fn is_late(group: &LogGroup) -> bool {
    group.has("UC") && group.status == 503 && group.longest.is_some_and(|longest| longest > AT_ONCE)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn line(flags: &str, ms: u32) -> String {
        format!("[t] \"POST / HTTP/1.1\" 503 {flags} 0 95 {ms} - \"-\" \"-\" \"-\" \"-\" \"h:1\"\n")
    }

    #[test]
    fn always_after_two_minutes() {
        let found = finding(&RULE, &[line("UC", 120_001), line("UC", 120_040)].concat(), "");
        assert_eq!(
            found.message,
            "the server closed the connection always after 120\u{a0}s on 2 lines of 2 (UC)"
        );
        assert!(
            found.help.starts_with("look for 120\u{a0}s in the settings of the server"),
            "{}",
            found.help
        );
        let spread = finding(&RULE, &[line("UC", 20_000), line("UC", 120_000)].concat(), "");
        assert!(spread.message.contains("after 20\u{a0}s to 120\u{a0}s"), "{}", spread.message);
        assert!(spread.help.starts_with("look at the log of the server"), "{}", spread.help);
    }

    #[test]
    fn a_race_is_said_elsewhere() {
        assert!(!fires(&RULE, &line("UC", 10), ""));
        assert!(fires(&RULE, &line("UC", 11), ""));
        assert!(!fires(&RULE, &line("UT", 15_000), ""));
    }
}
