//! `HR232 misspelt-timeout`: a timeout is not read, so the default stays.

use crate::engine::audit::clocks::words;
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, WholeCx};
use crate::engine::read::Place;
use crate::engine::read::config::{Dialect, Effect, ProblemKind, ReadProblem};
use crate::engine::read::effective::{Effective, effective_cluster, effective_route};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR232",
        name: "misspelt-timeout",
        severity: Severity::Warning,
        summary: "a misspelt timeout is not read, and another value stays in force",
        rationale: "Programs other than Envoy itself skip a field they do not know, often without a word. Nothing \
                    fails then, and the timeout that its author believes in is the default: too short for what \
                    should have none, too long for what should end early.",
        sources: &["emissary-ingress/emissary#545"],
    },
    check: Check::Whole(check),
};

fn check(cx: &WholeCx<'_>) -> Vec<Finding> {
    cx.configuration.problems.iter().filter_map(|problem| of_problem(cx, problem)).collect()
}

/// What a field with this name governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clock {
    Timeout,
    PerTry,
    Idle,
    Connect,
}

impl Clock {
    /// By the name of the field in any dialect: `timeout_ms`, `perTryTimeout`, `connect_timeout`.
    fn of(field: &str) -> Option<Self> {
        let name = field.to_ascii_lowercase().replace('_', "");
        let has = |part: &str| name.contains(part);
        match () {
            () if !has("timeout") => None,
            () if has("pertry") => Some(Self::PerTry),
            () if has("connect") => Some(Self::Connect),
            () if has("idle") => Some(Self::Idle),
            // Of all that is left only the timeout of requests is one of ours.
            () if ["timeout", "timeoutms", "requesttimeout"].contains(&name.as_str()) => Some(Self::Timeout),
            () => None,
        }
    }
}

fn of_problem(cx: &WholeCx<'_>, problem: &ReadProblem) -> Option<Finding> {
    let ProblemKind::UnknownField { nearest: Some(nearest) } = &problem.kind else { return None };
    // What is refused is not in force at all.
    if problem.effect != Effect::Ignored {
        return None;
    }
    let (clock, in_force, dialect) = in_force(cx, &problem.at, nearest)?;
    let written = problem.at.path.rsplit('.').next().unwrap_or_default();
    let stays = words(clock, &in_force);
    let finding = RULE
        .meta
        .found(&[clock], &problem.at, format!("`{written}` is not read: {stays} stays in force"))
        .consequence(consequence(clock, in_force.value))
        .help(help(nearest, dialect))
        .fix(Fix::new(format!("Write {nearest}"), Change::Rename(problem.at.clone(), nearest.clone())));
    Some(finding)
}

fn consequence(clock: &str, in_force: Millis) -> String {
    let what = match clock {
        "per_try_timeout" => "an attempt",
        "idle_timeout" => "a silent stream",
        "connect_timeout" => "a connect",
        _ => "a request",
    };
    if in_force.0 > 0.0 {
        format!("whatever it says, {what} ends after {}", display::millis(in_force))
    } else {
        format!("whatever it says, no clock ends {what}")
    }
}

fn help(nearest: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Emissary if nearest == "timeout_ms" => format!(
            "write `{nearest}`; a 0 there is no timeout, but releases before September 2018 took it for not set and kept 3,000\u{a0}ms, so look at the generated route"
        ),
        _ => format!("write `{nearest}`"),
    }
}

/// What is in force instead: of the route or the cluster that the field stands in.
fn in_force(cx: &WholeCx<'_>, at: &Place, field: &str) -> Option<(&'static str, Effective<Millis>, Dialect)> {
    let clock = Clock::of(field)?;
    let version = cx.facts.envoy_version;
    let holds = |block: &Place| {
        block.file == at.file && block.span.start <= at.span.start && at.span.end <= block.span.end
    };
    if clock == Clock::Connect {
        let cluster = cx.configuration.clusters.iter().find(|c| holds(&c.origin.block))?;
        let e = effective_cluster(cx.configuration, cluster, version);
        return Some(("connect_timeout", e.connect_timeout, cluster.origin.dialect));
    }
    let route = cx.configuration.routes.iter().find(|r| holds(&r.origin.block))?;
    let e = effective_route(cx.configuration, route, None, version);
    let (name, value) = match clock {
        Clock::PerTry => ("per_try_timeout", e.retry?.per_try_timeout),
        Clock::Idle => ("idle_timeout", e.idle_timeout),
        _ => ("timeout", e.timeout),
    };
    Some((name, value, route.origin.dialect))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};

    fn mapping(field: &str) -> String {
        format!(
            "apiVersion: getambassador.io/v2\nkind: Mapping\nmetadata: {{name: p}}\nspec:\n  prefix: /p/\n  service: p:80\n  {field}\n"
        )
    }

    #[test]
    fn the_default_stays() {
        let found = finding(&RULE, &mapping("timemout_ms: 0"), "");
        assert_eq!(
            found.message,
            "`timemout_ms` is not read: `timeout` 3,000\u{a0}ms, Emissary's default, stays in force"
        );
        assert!(found.help.starts_with("write `timeout_ms`; a 0 there"), "{}", found.help);
        assert_eq!(found.fix.map(|f| f.label), Some("Write timeout_ms".to_owned()));
        assert_eq!(found.at.line(), 7);
    }

    #[test]
    fn silent_for_other_fields_and_where_it_is_spelt_right() {
        assert!(!fires(&RULE, &mapping("timeout_ms: 0"), ""));
        assert!(!fires(&RULE, &mapping("rewrit: /"), ""));
    }

    #[test]
    fn other_clocks_have_their_own_values() {
        let found = finding(&RULE, &mapping("conect_timeout_ms: 100"), "");
        assert!(
            found.message.contains("`connect_timeout` 3,000\u{a0}ms, Emissary's default,"),
            "{}",
            found.message
        );
    }
}
