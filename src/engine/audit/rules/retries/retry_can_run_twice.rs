//! `HR104 retry-can-run-twice`: a request that is not safe to repeat is repeated after it may have run.

use crate::engine::audit::retrying::{Retrying, codes_among_words, safe_conditions};
use crate::engine::audit::rules::{Check, Rule};
use crate::engine::audit::{Change, Finding, Fix, RouteCx, Setting, Value};
use crate::engine::params::ParamId;
use crate::engine::retry::conditions::{Fires, LISTED_CODES, fires};
use crate::engine::rules::{RuleMeta, Severity};
use crate::engine::units::display;

pub static RULE: Rule = Rule {
    meta: RuleMeta {
        code: "HR104",
        name: "retry-can-run-twice",
        severity: Severity::Error,
        summary: "a request that is not safe to repeat is retried after it may have run",
        rationale: "An error status, a reset and a timeout say nothing about whether the service has acted: the answer \
                    may have been lost on its way back. Only connect-failure, refused-stream and reset-before-request \
                    are sure that it has not. Requests that are not idempotent then take effect more than once.",
        sources: &[
            "envoy: config.route.v3.RetryPolicy.retry_on; RFC 9110, 9.2.2: idempotent methods",
            "istio/istio#50506, knative/serving#6549: requests with effects that ran several times",
        ],
    },
    check: Check::Route(check),
};

fn check(cx: &RouteCx<'_>) -> Vec<Finding> {
    of_route(cx).into_iter().collect()
}

fn of_route(cx: &RouteCx<'_>) -> Option<Finding> {
    let retrying = cx.retrying()?;
    let words = repeating_words(cx, retrying);
    // A hedge is a second attempt beside one that runs.
    let hedges = cx.effective.hedge_on_per_try_timeout.value && cx.effective.per_try_timeout().is_some();
    // What a mesh fills in is judged by the rule on inherited retries.
    if words.is_empty() && !hedges || retrying.policy.retry_on.is_default() && retrying.written.is_none() {
        return None;
    }
    let severity = severity(cx)?;
    let attempts = display::count(f64::from(retrying.count()) + 1.0);
    let at = retrying.policy.retry_on.place().unwrap_or_else(|| cx.retry_place());
    let what = if words.is_empty() { "`hedge_on_per_try_timeout`".to_owned() } else { on(&words, &retrying) };
    let finding = RULE
        .meta
        .found(
            &["retry_on", "num_retries"],
            at,
            format!("{what} can run a request twice, up to {attempts} times"),
        )
        .consequence(consequence(cx, retrying.count()))
        .help("retry only what never reached a host, or say that requests are safe to repeat")
        .severity(severity)
        .fix(fix(cx, retrying, hedges));
    Some(if cx.facts.idempotent.is_none() { finding.asks(ParamId::Idempotent) } else { finding })
}

/// The words that matter here. Those of gRPC do nothing to other traffic, and where a mesh fills
/// them in for everybody, they say nothing about this route.
fn repeating_words<'r>(cx: &RouteCx<'r>, retrying: Retrying<'r>) -> Vec<&'r str> {
    let http = cx.facts.protocol.is_some_and(|p| !p.speaks_grpc()) && !cx.is_grpc();
    let unsaid = retrying.policy.retry_on.is_default() && !cx.is_grpc();
    let of_grpc = |word: &str| fires(word) == Some(Fires::OnGrpcStatus);
    retrying.repeating_words().into_iter().filter(|word| !(http || unsaid) || !of_grpc(word)).collect()
}

/// `None` where repeating is safe.
fn severity(cx: &RouteCx<'_>) -> Option<Severity> {
    match cx.repeatable() {
        Some(true) => None,
        Some(false) => Some(Severity::Error),
        // POST and PATCH are not idempotent by themselves.
        None if cx.methods().is_empty() => Some(Severity::Info),
        None => Some(Severity::Warning),
    }
}

/// `` `retry_on: 5xx,reset` ``, with the codes that are listed.
fn on(words: &[&str], retrying: &Retrying<'_>) -> String {
    let codes = &retrying.policy.retriable_status_codes.value;
    let listed = words.contains(&LISTED_CODES);
    let codes: Vec<String> = codes.iter().filter(|_| listed).take(5).map(u32::to_string).collect();
    let of_codes = if codes.is_empty() { String::new() } else { format!(" ({})", codes.join(", ")) };
    format!("`retry_on: {}`{of_codes}", words.join(","))
}

fn consequence(cx: &RouteCx<'_>, retries: u32) -> String {
    let executions = format!(
        "a request whose answer is lost or bad runs up to 1 + {retries} = {} times",
        display::count(f64::from(retries) + 1.0)
    );
    let methods = cx.methods();
    match (cx.facts.idempotent, methods) {
        (None, []) => format!("{executions}; whether that does harm is not known"),
        (_, [_, ..]) => format!("{executions}; {} is not safe to repeat by itself", methods.join(", ")),
        (_, []) => format!("{executions}; its requests are not marked safe to repeat"),
    }
}

/// The words that are safe, or what the sizing recommends.
fn fix(cx: &RouteCx<'_>, retrying: Retrying<'_>, hedges: bool) -> Fix {
    let safe = safe_conditions(cx.dialect(), cx.facts.envoy_version);
    let recommended = cx.traffic().map(|t| &t.sizing.retry);
    let fix = if recommended.is_some_and(|r| r.num_retries == 0) {
        Fix::set("Make it safe", Setting::NumRetries, Value::Count(0))
    } else {
        let fix = Fix::set("Make it safe", Setting::RetryOn, Value::Words(safe));
        match recommended.filter(|r| r.num_retries < retrying.count()) {
            Some(r) => fix.and(Change::Set(Setting::NumRetries, Value::Count(r.num_retries.into()))),
            None => fix,
        }
    };
    let written = !retrying.policy.retriable_status_codes.is_default();
    let codes = written && !codes_among_words(cx.dialect());
    let fix = if codes { fix.and(Change::Clear(Setting::RetriableStatusCodes)) } else { fix };
    if hedges { fix.and(Change::Set(Setting::HedgeOnPerTryTimeout, Value::Flag(false))) } else { fix }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::engine::audit::rules::tests::{finding, fires};
    use crate::engine::audit::{Change, Setting, Value};
    use crate::engine::rules::Severity;

    fn route(of_match: &str, policy: &str) -> String {
        format!(
            "match: {{prefix: /{of_match}}}\nroute:\n  cluster: shop\n  timeout: 3s\n  retry_policy: {{{policy}}}\n"
        )
    }

    #[test]
    fn four_executions_and_an_error_where_repeating_is_not_safe() {
        let found = finding(&RULE, &route("", "retry_on: 5xx, num_retries: 3"), "idempotent=false");
        assert_eq!(found.severity, Severity::Error);
        assert_eq!(found.message, "`retry_on: 5xx` can run a request twice, up to 4 times");
        assert!(found.consequence.contains("1 + 3 = 4 times"), "{}", found.consequence);
        assert_eq!(found.at.line(), 5);
        let words = ["connect-failure", "refused-stream", "reset-before-request"].map(str::to_owned);
        let fix = found.fix.expect("safe words");
        assert_eq!(fix.changes, [Change::Set(Setting::RetryOn, Value::Words(words.to_vec()))]);
    }

    #[test]
    fn asks_where_nobody_says_and_warns_of_posts() {
        let policy = "retry_on: reset, num_retries: 1";
        let found = finding(&RULE, &route("", policy), "");
        assert_eq!((found.severity, found.asks.is_some()), (Severity::Info, true));
        let post = ", headers: [{name: \":method\", string_match: {exact: POST}}]";
        let found = finding(&RULE, &route(post, policy), "");
        assert_eq!(found.severity, Severity::Warning);
        assert!(found.consequence.contains("POST is not safe"), "{}", found.consequence);
        assert!(!fires(&RULE, &route(&post.replace("POST", "GET"), policy), ""));
    }

    #[test]
    fn silent_where_nothing_was_sent_or_repeating_is_safe() {
        let safe = "retry_on: \"connect-failure,refused-stream,reset-before-request\", num_retries: 3";
        assert!(!fires(&RULE, &route("", safe), "idempotent=false"));
        assert!(!fires(&RULE, &route("", "retry_on: 5xx, num_retries: 3"), "idempotent=true"));
        assert!(!fires(&RULE, &route("", "retry_on: 5xx, num_retries: 0"), "idempotent=false"));
    }

    #[test]
    fn listed_codes_count_unless_they_turn_requests_away() {
        let with = |codes: &str| {
            route("", &format!("retry_on: retriable-status-codes, retriable_status_codes: [{codes}]"))
        };
        let found = finding(&RULE, &with("503"), "idempotent=false");
        assert!(found.message.contains("`retry_on: retriable-status-codes` (503)"), "{}", found.message);
        assert!(!fires(&RULE, &with("429"), "idempotent=false"));
        assert!(!fires(&RULE, &with(""), "idempotent=false"));
    }

    #[test]
    fn a_hedge_is_a_second_run() {
        let text = route("", "retry_on: connect-failure, per_try_timeout: 0.1s")
            + "  hedge_policy: {hedge_on_per_try_timeout: true}\n";
        let found = finding(&RULE, &text, "idempotent=false");
        assert!(found.message.starts_with("`hedge_on_per_try_timeout` can run"), "{}", found.message);
    }
}
