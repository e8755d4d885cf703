//! `HR212 connect-timeout-below-set-up`: connections are given up before they can be set up.

use crate::engine::audit::clocks::{label, reaches, words};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, Setting, Value};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::timeouts::connect_wanted;
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR212",
        name: "connect-timeout-below-set-up",
        severity: Severity::Error,
        summary: "`connect_timeout` gives connections up before they can be set up",
        rationale: "`connect_timeout` covers TCP and TLS. Where it is not above the time that these take, no \
                    connection is ever opened, each attempt ends in 503 UF, and every request that is queued in the \
                    same pool fails with it.",
        sources: &["envoy: config.cluster.v3.Cluster.connect_timeout covers TCP and TLS; measured on 1.40"],
    },
    check: Check::Cluster(check),
};

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    of_cluster(cx).into_iter().collect()
}

fn of_cluster(cx: &ClusterCx<'_>) -> Option<Finding> {
    let (connect, set_up) = (&cx.effective.connect_timeout, cx.facts.connect?);
    if !cx.dialect().runs_envoy() || connect.value > set_up {
        return None;
    }
    let to = cx.traffic().map_or_else(|| connect_wanted(set_up), |t| t.sizing.timeouts.connect_ms);
    let at = connect.place().unwrap_or(&cx.config.origin.block);
    let message = format!(
        "{} is not above the {} that setting up a connection takes",
        words("connect_timeout", connect),
        display::millis(set_up)
    );
    let finding = RULE
        .meta
        .found(&["connect_timeout"], at, message)
        .consequence("no connection is ever opened: every request fails with 503 UF");
    // Where the clocks around it leave no more, the deadline is at fault and not this text.
    Some(if reaches(connect.value, to) {
        finding.help("give the call a longer deadline").severity(Severity::Info)
    } else {
        finding.help(format!("set `connect_timeout` to {}", display::millis(to))).fix(Fix::set(
            label(connect.value, to),
            Setting::ConnectTimeout,
            Value::Duration(to),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn cluster(connect: &str) -> String {
        format!("name: shop\nconnect_timeout: {connect}\n")
    }

    #[test]
    fn fires_at_the_set_up_time_and_silent_just_above() {
        let found = finding(&RULE, &cluster("0.12s"), "connect_ms=120");
        assert_eq!(
            found.message,
            "`connect_timeout` 120\u{a0}ms is not above the 120\u{a0}ms that setting up a connection takes"
        );
        assert_eq!(found.help, "set `connect_timeout` to 600\u{a0}ms");
        assert!(!fires(&RULE, &cluster("0.121s"), "connect_ms=120"));
    }

    #[test]
    fn silent_where_the_set_up_time_is_not_known() {
        assert!(!fires(&RULE, &cluster("0.001s"), ""));
    }
}
