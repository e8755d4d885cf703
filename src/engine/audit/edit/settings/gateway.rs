//! Envoy Gateway's `BackendTrafficPolicy`, and the routes of the Gateway API.

use super::{Cx, Wanted, name};
use crate::engine::audit::edit::form::{Form, write};
use crate::engine::audit::edit::plan::{At, Refused};
use crate::engine::audit::edit::scalar::{Single, duration};
use crate::engine::audit::{Setting, Value};
use crate::engine::envoy::defaults;
use crate::engine::read::config::{ClusterConfig, RouteConfig, RoutingPriority};
use crate::engine::read::scalar::Notation;

const N: Notation = Notation::GatewayApi;

/// The maps above a field, its name, its form.
type Where = (&'static [&'static str], &'static str, Form);

const PASSIVE: &[&str] = &["healthCheck", "passive"];
const BREAKER: &[&str] = &["circuitBreaker"];
const BUDGET: &[&str] = &["circuitBreaker", "retryBudget"];
const HTTP: &[&str] = &["timeout", "http"];

fn of_policy(setting: Setting) -> Option<Where> {
    use RoutingPriority::Default;
    use Setting as S;
    Some(match setting {
        S::MaxConnections(Default) => (BREAKER, "maxConnections", Form::Count),
        S::MaxPendingRequests(Default) => (BREAKER, "maxPendingRequests", Form::Count),
        S::MaxRequests(Default) => (BREAKER, "maxParallelRequests", Form::Count),
        S::MaxRetries(Default) => (BREAKER, "maxParallelRetries", Form::Count),
        S::MaxRequestsPerConnection => (BREAKER, "maxRequestsPerConnection", Form::Count),
        S::PerHostMaxConnections => (&["circuitBreaker", "perEndpoint"], "maxConnections", Form::Count),
        S::BudgetPercent(Default) => (BUDGET, "percent", Form::Fraction),
        S::MinRetryConcurrency(Default) => (BUDGET, "minRetryConcurrency", Form::Count),
        S::ConnectTimeout => (&["timeout", "tcp"], "connectTimeout", Form::Duration),
        S::PoolIdleTimeout => (HTTP, "connectionIdleTimeout", Form::Duration),
        S::RouteTimeout => (HTTP, "requestTimeout", Form::Duration),
        S::RouteIdleTimeout => (HTTP, "streamIdleTimeout", Form::Duration),
        S::MaxStreamDuration => (HTTP, "maxStreamDuration", Form::Duration),
        S::MaxConcurrentStreams => (&["http2"], "maxConcurrentStreams", Form::Count),
        S::HealthyPanicThreshold => (&["healthCheck"], "panicThreshold", Form::Count),
        S::Consecutive5xx => (PASSIVE, "consecutive5XxErrors", Form::Count),
        S::ConsecutiveGatewayFailure => (PASSIVE, "consecutiveGatewayErrors", Form::Count),
        S::ConsecutiveLocalOriginFailure => (PASSIVE, "consecutiveLocalOriginFailures", Form::Count),
        S::SplitExternalLocalOriginErrors => (PASSIVE, "splitExternalLocalOriginErrors", Form::Flag),
        S::OutlierInterval => (PASSIVE, "interval", Form::Duration),
        S::BaseEjectionTime => (PASSIVE, "baseEjectionTime", Form::Duration),
        S::MaxEjectionPercent => (PASSIVE, "maxEjectionPercent", Form::Count),
        S::AlwaysEjectOneHost => (PASSIVE, "alwaysEjectOneEndpoint", Form::Flag),
        S::NumRetries => (&["retry"], "numRetries", Form::Count),
        S::RetryOn => (&["retry", "retryOn"], "triggers", Form::List),
        S::RetriableStatusCodes => (&["retry", "retryOn"], "httpStatusCodes", Form::Codes),
        S::PerTryTimeout => (&["retry", "perRetry"], "timeout", Form::Duration),
        S::BackOffBase => (&["retry", "perRetry", "backOff"], "baseInterval", Form::Duration),
        S::BackOffMax => (&["retry", "perRetry", "backOff"], "maxInterval", Form::Duration),
        _ => return None,
    })
}

/// Enters a setting of the cluster of a policy.
pub fn cluster(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    use Setting as S;
    let spec = cx.block(&cluster.origin)?;
    let is_off = matches!(value, Some(Value::Count(0) | Value::Flag(false)) | None);
    match setting {
        S::OutlierDetection => switch(cx, spec, &["healthCheck"], "passive", value),
        S::RetryBudget(RoutingPriority::Default) => switch(cx, spec, BREAKER, "retryBudget", value),
        // A kind of error is enforced once it has a number.
        S::EnforcingConsecutiveGatewayFailure if is_off => {
            put(cx, spec, (PASSIVE, "consecutiveGatewayErrors", Form::Count), None)
        }
        S::EnforcingConsecutiveGatewayFailure if matches!(value, Some(Value::Count(100))) => {
            let is_set =
                cluster.outlier_detection.as_ref().is_some_and(|o| o.consecutive_gateway_failure.is_some());
            let five = Value::Count(u64::from(defaults::CONSECUTIVE_GATEWAY_FAILURE));
            let at = (PASSIVE, "consecutiveGatewayErrors", Form::Count);
            if is_set { Ok(()) } else { put(cx, spec, at, Some(&five)) }
        }
        S::MaxEjectionPercent if matches!(value, Some(Value::Count(0))) => {
            Err("to Envoy Gateway a `max_ejection_percent` of zero is not set: leave out `passive`"
                .to_owned())
        }
        _ => field(cx, spec, setting, value),
    }
}

/// Enters a setting of the route of a policy, or of a route of the Gateway API.
pub fn route(
    cx: &mut Cx<'_, '_>,
    route: &RouteConfig,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    let block = cx.block(&route.origin)?;
    let is_off = value.is_none_or(|v| *v == Value::Flag(false));
    if setting == Setting::RetryPolicy {
        return if is_off {
            cx.editor.clear(block, "retry")
        } else {
            cx.editor.enter(block, "retry").map(|_| ())
        };
    }
    if route.origin.kind == "BackendTrafficPolicy" {
        return policy(cx, block, setting, value);
    }
    let (above, field, form): Where = match setting {
        Setting::RouteTimeout => (&["timeouts"], "request", Form::Duration),
        Setting::PerTryTimeout => (&["timeouts"], "backendRequest", Form::Duration),
        Setting::NumRetries => (&["retry"], "attempts", Form::Count),
        Setting::RetriableStatusCodes => (&["retry"], "codes", Form::Codes),
        Setting::BackOffBase => (&["retry"], "backoff", Form::Duration),
        _ => {
            let kind = &route.origin.kind;
            return Err(format!(
                "a {kind} cannot express {}: write it in a BackendTrafficPolicy",
                name(setting)
            ));
        }
    };
    put(cx, block, (above, field, form), value)
}

fn policy(cx: &mut Cx<'_, '_>, spec: At, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
    if setting == Setting::PreviousHosts && value.is_some_and(|v| *v != Value::Flag(false)) {
        // It always avoids them.
        return Ok(());
    }
    if let (Setting::RetryOn, Some(Value::Words(words))) = (setting, value) {
        let strange = words.iter().find(|w| !TRIGGERS.contains(&w.as_str()));
        if let Some(word) = strange {
            return Err(format!("Envoy Gateway has no trigger `{word}`: write it in an EnvoyPatchPolicy"));
        }
    }
    if setting == Setting::BackOffMax && value.is_some() {
        let back_off = ["retry", "perRetry", "backOff"];
        let mut map = spec;
        for key in back_off {
            map = cx.editor.enter(map, key)?;
        }
        if !cx.editor.has(map, "baseInterval") {
            // Envoy refuses a back-off without its base.
            let base = Single::text(duration(defaults::RETRY_BASE_INTERVAL.0, N));
            cx.editor.set(map, "baseInterval", base, N)?;
        }
    }
    field(cx, spec, setting, value)
}

/// What `triggers` takes.
const TRIGGERS: [&str; 13] = [
    "5xx",
    "gateway-error",
    "reset",
    "reset-before-request",
    "connect-failure",
    "retriable-4xx",
    "refused-stream",
    "retriable-status-codes",
    "cancelled",
    "deadline-exceeded",
    "internal",
    "resource-exhausted",
    "unavailable",
];

fn field(cx: &mut Cx<'_, '_>, spec: At, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
    let Some(at) = of_policy(setting) else {
        return Err(format!(
            "Envoy Gateway cannot express {}: write it in an EnvoyPatchPolicy",
            name(setting)
        ));
    };
    put(cx, spec, at, value)
}

fn switch(
    cx: &mut Cx<'_, '_>,
    spec: At,
    above: &[&str],
    block: &str,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    let Some(map) = down(cx, spec, above, value.is_some())? else { return Ok(()) };
    super::envoy_cluster::switch(cx, map, block, value)
}

fn put(cx: &mut Cx<'_, '_>, spec: At, (above, name, form): Where, value: Wanted<'_>) -> Result<(), Refused> {
    let Some(map) = down(cx, spec, above, value.is_some())? else { return Ok(()) };
    write(cx.editor, map, name, value, (form, N))
}

fn down(cx: &mut Cx<'_, '_>, from: At, keys: &[&str], creates: bool) -> Result<Option<At>, Refused> {
    let mut map = from;
    for key in keys {
        map = if creates {
            cx.editor.enter(map, key)?
        } else {
            match cx.editor.below(map, key)? {
                Some(below) => below,
                None => return Ok(None),
            }
        };
    }
    Ok(Some(map))
}

#[cfg(test)]
mod tests {
    use crate::engine::audit::Setting as S;
    use crate::engine::audit::edit::settings::tests::{count, made, ms, percent, rows, words};
    use crate::engine::read::config::RoutingPriority::{Default, High};

    #[test]
    fn backend_traffic_policies() {
        const POLICY: &str = "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: a}\nspec:\n  targetRefs: [{kind: HTTPRoute, name: a}]\n";
        let with = |more: &str| format!("{POLICY}{more}");
        rows(&[
            (
                POLICY,
                S::MaxRequests(Default),
                count(0),
                &with("  circuitBreaker:\n    maxParallelRequests: 0\n"),
            ),
            (
                POLICY,
                S::BudgetPercent(Default),
                percent(12.5),
                &with(
                    "  circuitBreaker:\n    retryBudget:\n      percent: {numerator: 125, denominator: 1000}\n",
                ),
            ),
            (
                &with("  circuitBreaker: {retryBudget: {percent: {numerator: 20}}}\n"),
                S::BudgetPercent(Default),
                percent(25.0),
                &with("  circuitBreaker: {retryBudget: {percent: {numerator: 25}}}\n"),
            ),
            (
                POLICY,
                S::RouteTimeout,
                ms(1500.0),
                &with("  timeout:\n    http:\n      requestTimeout: 1500ms\n"),
            ),
            (
                POLICY,
                S::RetryOn,
                words(&["reset"]),
                &with("  retry:\n    retryOn:\n      triggers: [reset]\n"),
            ),
            (
                POLICY,
                S::BackOffMax,
                ms(1000.0),
                &with(
                    "  retry:\n    perRetry:\n      backOff:\n        baseInterval: 25ms\n        maxInterval: 1s\n",
                ),
            ),
        ]);
        for (setting, value) in [
            (S::MaxRequests(High), count(5)),
            (S::MaxEjectionPercent, count(0)),
            (S::RetryOn, words(&["retriable-headers"])),
        ] {
            assert!(made(POLICY, &[(0, setting, value)]).is_err(), "{setting:?}");
        }
    }
}
