//! `HR614 idle-connections-closed`: requests hit connections that the server was closing.

use super::seen::{count, lines, logged};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Finding, WholeCx};
use crate::engine::params::ParamId;
use crate::engine::read::config::LogGroup;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::Millis;
use crate::engine::units::display::millis;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR614",
        name: "idle-connections-closed",
        severity: Severity::Warning,
        summary: "503 with UC at once: the server closed a connection that Envoy still used",
        rationale: "A request that fails with UC within milliseconds met a connection that its server was closing, mostly \
                    because the server's keep-alive is shorter than Envoy's idle timeout of an hour. Bytes were sent, so \
                    that `connect-failure` and `reset-before-request` do not retry it. UC after a long time is a host that \
                    died under the request.",
        sources: &["measured on Envoy 1.40: keep-alive race, 503 UC connection_termination"],
    },
    check: Check::Whole(check),
};

/// Our choice: a server that read and understood the request takes longer to give up on it.
pub const AT_ONCE: Millis = Millis(10.0);

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    logged(cx, is_race).into_iter().filter_map(|found| of_log(cx, found)).collect()
}

fn is_race(group: &LogGroup) -> bool {
    group.has("UC") && group.status == 503 && group.longest.is_some_and(|longest| longest <= AT_ONCE)
}

fn of_log(cx: &WholeCx<'_>, (groups, n, of): (Vec<&LogGroup>, u64, u64)) -> Option<Finding> {
    let first = groups.first()?;
    let config = first.cluster.as_ref().and_then(|name| cx.reported(name));
    let config = config.or_else(|| cx.clusters.first().filter(|_| cx.clusters.len() == 1));
    let idle = config.map(|c| &c.effective.idle_timeout);
    let set = idle.map_or_else(
        || " (an hour by default)".to_owned(),
        |idle| format!(" ({}{})", millis(idle.value), if idle.is_default() { ", a default" } else { "" }),
    );
    let finding = RULE
        .meta
        .found(
            &["idle_timeout"],
            first.places.first()?,
            format!("the server closed the connection on {} of {} within milliseconds (UC)", lines(n), count(of)),
        )
        .consequence("the request met a connection that was idle and is gone: no limit refused it and no host is overloaded")
        .help(format!(
            "set the `idle_timeout` of the pool{set} below the server's keep-alive, and retry `reset` where requests may \
             run twice"
        ));
    let known = config.map_or(cx.facts, |c| c.facts).upstream_keepalive.is_some();
    let finding = if known { finding } else { finding.asks(ParamId::UpstreamKeepaliveS) };
    Some(Finding { cluster: config.map(|c| c.index), ..finding })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn line(flags: &str, ms: u32) -> String {
        format!("[t] \"GET / HTTP/1.1\" 503 {flags} 0 95 {ms} - \"-\" \"-\" \"-\" \"-\" \"h:1\"\n")
    }

    #[test]
    fn at_once_and_not_later() {
        let found = finding(&RULE, &line("UC", 10), "");
        assert!(found.message.contains("on 1 line of 1 within milliseconds (UC)"), "{}", found.message);
        assert!(!fires(&RULE, &line("UC", 11), ""));
        assert!(!fires(&RULE, &line("UF", 0), ""));
    }
}
