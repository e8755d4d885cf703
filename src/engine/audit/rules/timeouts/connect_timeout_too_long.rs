//! `HR203 connect-timeout-too-long`: a dead address costs more than the clocks around it allow.

use crate::engine::audit::clocks::{label, reaches, words};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{ClusterCx, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::read::Place;
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::sizing::timeouts::connect_wanted;
use crate::engine::units::{Millis, display};

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR203",
        name: "connect-timeout-too-long",
        severity: Severity::Warning,
        summary: "`connect_timeout` is too long for the clocks around it",
        rationale: "A connection that cannot be set up is given up only after `connect_timeout`, and every request \
                    queued in that pool fails with it. The per-try clock does not run meanwhile, since it starts \
                    when a connection is attached, and the route clock does: a connect that takes all of it leaves \
                    no time for the retry.",
        sources: &[
            "envoy: config.cluster.v3.Cluster.connect_timeout covers TCP and TLS, default 5 s; measured on 1.40",
            "our rule: five set-up times, at least 50 ms, at most half of what surrounds it",
        ],
    },
    check: Check::Cluster(check),
};

/// Conditions that repeat a connect that failed (F51).
const ON_CONNECT: [&str; 5] = ["5xx", "gateway-error", "reset", "reset-before-request", "connect-failure"];

fn check(cx: &ClusterCx<'_>) -> Vec<Finding> {
    let connect = &cx.effective.connect_timeout;
    let unknown = connect.is_default() && cx.config.origin.patch.is_some();
    let skipped = cx.config.carries_tcp || cx.is_bypassed();
    if !cx.dialect().runs_envoy() || skipped || unknown || is_recommended(cx) {
        return Vec::new();
    }
    let given = cx.facts.deadline.and_then(|_| outlasts_caller(cx));
    let assumed = || outlasts_caller(cx);
    given
        .or_else(|| leaves_no_retry(cx))
        .or_else(assumed)
        .or_else(|| outlasts_attempt(cx))
        .into_iter()
        .collect()
}

fn is_recommended(cx: &ClusterCx<'_>) -> bool {
    let recommended = cx.traffic().map(|t| t.sizing.timeouts.connect_ms);
    recommended.is_some_and(|to| reaches(to, cx.effective.connect_timeout.value))
}

fn requests<'a>(cx: &'a ClusterCx<'a>) -> impl Iterator<Item = RouteCx<'a>> {
    cx.route_cxs().filter(|route| route.carries_requests() && !route.carries_streams())
}

fn outlasts_caller(cx: &ClusterCx<'_>) -> Option<Finding> {
    let known = cx.traffic().filter(|t| !t.scenario.protocol.streams());
    let deadline = cx.facts.deadline.or_else(|| known?.sizing.timeouts.deadline_ms)?;
    let connect = &cx.effective.connect_timeout;
    if connect.value < deadline {
        return None;
    }
    let is_assumed = cx.facts.deadline.is_none();
    let set_up = cx.facts.connect.map(|time| format!("; set-up takes {}", display::millis(time)));
    let caller = if is_assumed { "the caller's assumed" } else { "the caller's" };
    let (connect, time) = (words("connect_timeout", connect), display::millis(deadline));
    let message = format!("{connect} outlasts {caller} {time}");
    let cost = format!("one dead address costs the whole deadline{}", set_up.unwrap_or_default());
    let finding = found(cx, message, cost, deadline * 0.5);
    if !is_assumed {
        return Some(finding);
    }
    // A deadline that nobody named is no harm yet.
    let help =
        format!("{}, or enter the caller's deadline: {} is assumed", finding.help, display::millis(deadline));
    Some(finding.help(help).severity(Severity::Info).asks(ParamId::DeadlineMs))
}

/// A dead address uses up the time of the request, so that the failed connect is never repeated.
fn leaves_no_retry(cx: &ClusterCx<'_>) -> Option<Finding> {
    let connect = &cx.effective.connect_timeout;
    let answer = cx.traffic().map_or(Millis::default(), |t| t.sizing.latency.p99_ms);
    let tight = |route: &RouteCx<'_>| {
        let (end, back_off) = (route.end()?.of.value, route.back_off()?);
        let needed = connect.value + back_off.upper_bound(1) + answer;
        (route.retries_on(&ON_CONNECT) && needed >= end).then_some(())
    };
    let route =
        requests(cx).filter(|route| tight(route).is_some()).min_by(|a, b| end(a).0.total_cmp(&end(b).0))?;
    let clock = route.end()?;
    let message = format!(
        "{} leaves no time for a retry within {}",
        words("connect_timeout", connect),
        clock.last_words()
    );
    let cost = if connect.value >= clock.of.value {
        format!(
            "one dead address uses up {}, and what the route timeout cuts is never retried",
            display::millis(clock.of.value)
        )
    } else {
        format!(
            "after one dead address {} are left for the retry",
            display::millis(clock.of.value - connect.value)
        )
    };
    let waits = route.back_off()?.upper_bound(1);
    let finding = found(cx, message, cost, (clock.of.value - waits) * 0.5);
    // That of a mesh stands beside every timeout of less than ten seconds.
    let finding = if connect.is_default() { finding.severity(Severity::Info) } else { finding };
    Some(finding.related(clock.last_words(), clock.of.place().unwrap_or_else(|| route.block())))
}

/// The per-try timeout does not bound the connect: worth knowing, and no more.
fn outlasts_attempt(cx: &ClusterCx<'_>) -> Option<Finding> {
    let connect = &cx.effective.connect_timeout;
    let per_try = requests(cx)
        .filter_map(|route| route.effective.per_try_timeout())
        .filter(|per_try| connect.value > *per_try)
        .min_by(|a, b| a.0.total_cmp(&b.0))?;
    let [long, short] = [connect.value, per_try].map(display::millis);
    let message = format!("{} is longer than `per_try_timeout` {short}", words("connect_timeout", connect));
    let cost = format!(
        "the per-try clock starts when a connection is attached: an attempt at a dead address lasts {long}, not {short}"
    );
    Some(found(cx, message, cost, per_try * 0.5).severity(Severity::Info))
}

fn end(route: &RouteCx<'_>) -> Millis {
    route.end().map_or(Millis(f64::INFINITY), |clock| clock.of.value)
}

/// The finding; `most` is what the clock around it has room for.
fn found(cx: &ClusterCx<'_>, message: String, cost: String, most: Millis) -> Finding {
    let connect = &cx.effective.connect_timeout;
    let block: &Place = &cx.config.origin.block;
    let to = cx
        .traffic()
        .map(|t| t.sizing.timeouts.connect_ms)
        .or_else(|| cx.facts.connect.map(connect_wanted).filter(|wanted| *wanted <= most));
    let finding =
        RULE.meta.found(&["connect_timeout"], connect.place().unwrap_or(block), message).consequence(cost);
    match to {
        Some(to) => finding.help(format!("set `connect_timeout` to {}", display::millis(to))).fix(Fix::set(
            label(connect.value, to),
            Setting::ConnectTimeout,
            Value::Duration(to),
        )),
        None => finding.help(format!(
            "set `connect_timeout` to a few times what TCP and TLS take, at most {}",
            display::millis(Millis(most.0.floor()))
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{ParamId, RULE};
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::rules::Severity;

    const CHECKOUT: &str = "rps=500 p50=35 p99=110 clients=100 hosts=10";

    fn text(connect: &str, route: &str) -> String {
        format!(
            "clusters:\n- name: shop\n{connect}  lb_policy: RANDOM\nroutes:\n- match: {{prefix: /}}\n  route: {{cluster: shop{route}}}\n"
        )
    }

    #[test]
    fn fires_where_it_outlasts_the_caller() {
        let found = finding(&RULE, &text("  connect_timeout: 5s\n", ", timeout: 15s"), CHECKOUT);
        assert_eq!(
            found.message,
            "`connect_timeout` 5,000\u{a0}ms outlasts the caller's assumed 1,000\u{a0}ms"
        );
        assert_eq!((found.severity, found.asks), (Severity::Info, Some(ParamId::DeadlineMs)));
        let given = finding(
            &RULE,
            &text("  connect_timeout: 5s\n", ", timeout: 15s"),
            &format!("{CHECKOUT} deadline_ms=1000"),
        );
        assert_eq!(given.message, "`connect_timeout` 5,000\u{a0}ms outlasts the caller's 1,000\u{a0}ms");
        assert_eq!((given.severity, given.asks), (Severity::Warning, None));
        assert_eq!(found.consequence, "one dead address costs the whole deadline; set-up takes 5\u{a0}ms");
        assert_eq!(found.fix.map(|f| f.label), Some("5,000\u{a0}ms → 50\u{a0}ms".to_owned()));
        assert_eq!((found.at.line(), found.severity), (3, Severity::Info));
        assert!(found.help.ends_with("1,000\u{a0}ms is assumed"), "{}", found.help);
        let named = format!("{CHECKOUT} deadline_ms=1000");
        assert_eq!(
            finding(&RULE, &text("  connect_timeout: 5s\n", ", timeout: 15s"), &named).severity,
            Severity::Warning
        );
        assert!(
            finding(&RULE, &text("", ""), CHECKOUT).message.contains("5,000\u{a0}ms, the default, outlasts")
        );
    }

    #[test]
    fn the_deadline_itself_is_too_long_and_less_is_not() {
        let of = |ms: &str| text(&format!("  connect_timeout: {ms}s\n"), "");
        assert!(fires(&RULE, &of("1"), "deadline_ms=1000"));
        assert!(!fires(&RULE, &of("0.999"), "deadline_ms=1000"));
    }

    #[test]
    fn fires_where_no_time_is_left_for_the_retry() {
        let retry = ", timeout: 2s, retry_policy: {retry_on: connect-failure}";
        let found = finding(&RULE, &text("  connect_timeout: 2s\n", retry), "");
        assert_eq!(
            found.message,
            "`connect_timeout` 2,000\u{a0}ms leaves no time for a retry within `timeout` 2,000\u{a0}ms"
        );
        assert_eq!(found.severity, Severity::Warning);
        assert_eq!(finding(&RULE, &text("", retry), "").severity, Severity::Info);
        assert!(found.fix.is_none() && found.help.contains("at most 987\u{a0}ms"), "{}", found.help);
        // One back-off of up to 25 ms lies between them.
        assert!(fires(&RULE, &text("  connect_timeout: 1.975s\n", retry), ""));
        assert!(!fires(&RULE, &text("  connect_timeout: 1.974s\n", retry), ""));
        // What is not retried needs no time for it, and what the text does not know is not said.
        assert!(!fires(
            &RULE,
            &text("  connect_timeout: 2s\n", ", timeout: 2s, retry_policy: {retry_on: retriable-4xx}"),
            ""
        ));
        assert!(!fires(&RULE, &text("", ", timeout: 2s"), ""));
    }

    #[test]
    fn says_that_the_per_try_timeout_does_not_bound_it() {
        let retry = ", timeout: 9s, retry_policy: {retry_on: 5xx, per_try_timeout: 0.25s}";
        let found = finding(&RULE, &text("  connect_timeout: 1s\n", retry), "");
        assert!(found.consequence.ends_with("lasts 1,000\u{a0}ms, not 250\u{a0}ms"), "{}", found.consequence);
        assert_eq!(found.severity, Severity::Info);
        assert!(!fires(&RULE, &text("  connect_timeout: 0.25s\n", retry), ""));
    }
}
