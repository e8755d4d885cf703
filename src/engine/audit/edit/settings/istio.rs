//! Istio's `DestinationRule` and `VirtualService`.
//!
//! Zero means "not set" in most of their fields, so that a limit of zero cannot be written.

use super::{Cx, Wanted, name};
use crate::engine::audit::edit::form::{Form, write};
use crate::engine::audit::edit::plan::{At, Refused};
use crate::engine::audit::edit::scalar::Single;
use crate::engine::audit::{Setting, Value};
use crate::engine::envoy::defaults;
use crate::engine::read::Place;
use crate::engine::read::config::{ClusterConfig, RouteConfig, RoutingPriority};
use crate::engine::read::duration::go_duration;
use crate::engine::read::scalar::Notation;
use crate::engine::units::Millis;

const GO: Notation = Notation::Go;

/// A field of a `DestinationRule`.
struct Field {
    /// The block of the policy: what a subset replaces whole.
    block: &'static str,
    /// The map within it.
    within: Option<&'static str>,
    name: &'static str,
    form: Form,
    /// Zero counts as a value.
    takes_zero: bool,
}

fn field(setting: Setting) -> Option<Field> {
    use RoutingPriority::Default;
    use Setting as S;
    let pool = |within, field, form| {
        Some(Field { block: "connectionPool", within: Some(within), name: field, form, takes_zero: false })
    };
    let outlier = |field, form| {
        let takes_zero = matches!(form, Form::Count | Form::Flag) && field != "maxEjectionPercent";
        Some(Field { block: "outlierDetection", within: None, name: field, form, takes_zero })
    };
    let budget = |field| {
        let takes_zero = field == "percent";
        Some(Field { block: "retryBudget", within: None, name: field, form: Form::Count, takes_zero })
    };
    match setting {
        S::MaxConnections(Default) => pool("tcp", "maxConnections", Form::Count),
        S::ConnectTimeout => pool("tcp", "connectTimeout", Form::Duration),
        S::MaxPendingRequests(Default) => pool("http", "http1MaxPendingRequests", Form::Count),
        S::MaxRequests(Default) => pool("http", "http2MaxRequests", Form::Count),
        S::MaxRetries(Default) => pool("http", "maxRetries", Form::Count),
        S::PoolIdleTimeout => pool("http", "idleTimeout", Form::Duration),
        S::MaxRequestsPerConnection => pool("http", "maxRequestsPerConnection", Form::Count),
        S::MaxConcurrentStreams => pool("http", "maxConcurrentStreams", Form::Count),
        S::BudgetPercent(Default) => budget("percent"),
        S::MinRetryConcurrency(Default) => budget("minRetryConcurrency"),
        S::Consecutive5xx => outlier("consecutive5xxErrors", Form::Count),
        S::ConsecutiveGatewayFailure => outlier("consecutiveGatewayErrors", Form::Count),
        S::ConsecutiveLocalOriginFailure => outlier("consecutiveLocalOriginFailures", Form::Count),
        S::OutlierInterval => outlier("interval", Form::Duration),
        S::BaseEjectionTime => outlier("baseEjectionTime", Form::Duration),
        S::MaxEjectionPercent => outlier("maxEjectionPercent", Form::Count),
        S::SplitExternalLocalOriginErrors => outlier("splitExternalLocalOriginErrors", Form::Flag),
        S::HealthyPanicThreshold => outlier("minHealthPercent", Form::Count),
        _ => None,
    }
}

/// Enters a setting of a `DestinationRule` or of a `Sidecar`.
pub fn cluster(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    use Setting as S;
    let block = match setting {
        S::RetryBudget(RoutingPriority::Default) => Some("retryBudget"),
        S::OutlierDetection => Some("outlierDetection"),
        _ => None,
    };
    if let Some(block) = block {
        return whole_block(cx, cluster, block, value);
    }
    if matches!(setting, S::EnforcingConsecutive5xx | S::EnforcingConsecutiveGatewayFailure) {
        return enforcing(cx, cluster, setting, value);
    }
    if matches!(setting, S::EnforcingSuccessRate | S::EnforcingLocalOriginSuccessRate) && is_zero(value) {
        return Ok(());
    }
    let Some(field) = field(setting) else {
        return Err(format!("Istio cannot express {}: write it in an EnvoyFilter", name(setting)));
    };
    if is_zero(value) && !field.takes_zero {
        return Err(format!("to Istio a {} of zero is not set: write it in an EnvoyFilter", name(setting)));
    }
    let map = policy_block(cx, cluster, field.block, value.is_some())?;
    let map = match (map, field.within) {
        (Some(map), Some(within)) if value.is_some() => Some(cx.editor.enter(map, within)?),
        (Some(map), Some(within)) => cx.editor.below(map, within)?,
        (map, None) => map,
        (None, _) => None,
    };
    let Some(map) = map else { return Ok(()) };
    // The older name, where the text has only that.
    let is_old = setting == S::ConsecutiveGatewayFailure
        && cx.editor.has(map, "consecutiveErrors")
        && !cx.editor.has(map, field.name);
    let name = if is_old { "consecutiveErrors" } else { field.name };
    write(cx.editor, map, name, value, (field.form, GO))
}

fn is_zero(value: Wanted<'_>) -> bool {
    match value {
        Some(Value::Count(n)) => *n == 0,
        Some(Value::Duration(d)) => d.0 <= 0.0,
        Some(Value::Percent(p)) => p.0 <= 0.0,
        _ => false,
    }
}

fn whole_block(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    block: &str,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    match value {
        Some(Value::Flag(true)) => policy_block(cx, cluster, block, true).map(|_| ()),
        None | Some(Value::Flag(false)) => {
            let policy = policy(cx, cluster, false)?;
            match (policy, inherited(cluster, block)) {
                (Some(policy), _) if cx.editor.has(policy, block) => cx.editor.clear(policy, block),
                (_, Some(place)) if is_about_all(cx, block, place) => cx.editor.remove_at(place),
                (_, Some(_)) => Err(format!(
                    "`{block}` is inherited from the host's policy, and a subset cannot leave it out"
                )),
                _ => Ok(()),
            }
        }
        Some(_) => Err(format!("`{block}` is a block and has no single value")),
    }
}

/// Istio enforces a kind of error fully if it has a number, and not at all if that is zero.
fn enforcing(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    const EVERY: u64 = 5;
    let of = if setting == Setting::EnforcingConsecutive5xx {
        Setting::Consecutive5xx
    } else {
        Setting::ConsecutiveGatewayFailure
    };
    let Some(share) = value else { return self::cluster(cx, cluster, of, None) };
    let counts = |outlier: &crate::engine::read::config::OutlierDetection| {
        let of_kind = if of == Setting::Consecutive5xx {
            &outlier.consecutive_5xx
        } else {
            &outlier.consecutive_gateway_failure
        };
        of_kind.as_ref().is_some_and(|n| n.value > 0)
    };
    match share {
        _ if is_zero(value) => self::cluster(cx, cluster, of, Some(&Value::Count(0))),
        Value::Count(100) if cluster.outlier_detection.as_ref().is_some_and(counts) => Ok(()),
        Value::Count(100) => self::cluster(cx, cluster, of, Some(&Value::Count(EVERY))),
        _ => Err("Istio enforces all or nothing: write another share in an EnvoyFilter".to_owned()),
    }
}

/// The policy of a host, a subset or a port.
fn policy(cx: &mut Cx<'_, '_>, cluster: &ClusterConfig, creates: bool) -> Result<Option<At>, Refused> {
    let block = cx.block(&cluster.origin)?;
    let path = &cluster.origin.block.path;
    let last = path.rsplit('.').next().unwrap_or_default();
    let is_policy = last == "trafficPolicy" || last.starts_with("portLevelSettings[");
    match (is_policy, creates) {
        (true, _) => Ok(Some(block)),
        (false, true) => cx.editor.enter(block, "trafficPolicy").map(Some),
        (false, false) => cx.editor.below(block, "trafficPolicy"),
    }
}

/// Where a block stands that a subset has from its host.
fn inherited<'c>(cluster: &'c ClusterConfig, block: &str) -> Option<&'c Place> {
    let place = match block {
        "connectionPool" => cluster.circuit_breakers.as_ref(),
        "outlierDetection" => cluster.outlier_detection.as_ref().map(|o| &o.block),
        _ => cluster.thresholds.first().and_then(|t| t.retry_budget.as_ref()).map(|b| &b.block),
    };
    place.filter(|p| !p.path.starts_with(cluster.origin.block.path.as_str()))
}

/// A block of the policy, ready to be written into: that of the host if the finding is about
/// everyone who has it from there, else a copy.
fn policy_block(
    cx: &mut Cx<'_, '_>,
    cluster: &ClusterConfig,
    block: &str,
    creates: bool,
) -> Result<Option<At>, Refused> {
    if cluster.origin.kind == "Sidecar" {
        let pool = cx.block(&cluster.origin)?;
        return if block == "connectionPool" {
            Ok(Some(pool))
        } else {
            Err("a Sidecar holds only connection pools".to_owned())
        };
    }
    let is_port = cluster.origin.block.path.contains("portLevelSettings[");
    if is_port && block == "retryBudget" {
        return Err("a retry budget is not a matter of ports: write it in the policy of the host".to_owned());
    }
    let own = policy(cx, cluster, false)?;
    if let Some(own) = own
        && let Some(there) = cx.editor.below(own, block)?
    {
        return Ok(Some(there));
    }
    if let Some(place) = inherited(cluster, block) {
        if is_about_all(cx, block, place) {
            return cx.block_at(place).map(Some);
        }
        let at = cx.editor.locate(place)?;
        let copy = cx.editor.copy_of(at)?;
        let Some(policy) = policy(cx, cluster, true)? else { return Ok(None) };
        cx.editor.put(policy, block, copy)?;
        return Ok(Some(At::New(copy)));
    }
    let Some(policy) = policy(cx, cluster, creates)? else { return Ok(None) };
    if creates { cx.editor.enter(policy, block).map(Some) } else { cx.editor.below(policy, block) }
}

/// Whether the finding is about everyone whose policy has the block at a place.
fn is_about_all(cx: &Cx<'_, '_>, block: &str, place: &Place) -> bool {
    let has = |c: &ClusterConfig| inherited(c, block) == Some(place) || owns(c, block, place);
    let concerned = cx.clusters();
    let clusters = &cx.configuration().clusters;
    (0..clusters.len()).filter(|at| has(&clusters[*at])).all(|at| concerned.contains(&at))
}

fn owns(cluster: &ClusterConfig, block: &str, place: &Place) -> bool {
    let own = match block {
        "connectionPool" => cluster.circuit_breakers.as_ref(),
        "outlierDetection" => cluster.outlier_detection.as_ref().map(|o| &o.block),
        _ => cluster.thresholds.first().and_then(|t| t.retry_budget.as_ref()).map(|b| &b.block),
    };
    own == Some(place)
}

/// Retries of Istio where the block does not say how many: without a number the block is none.
const ATTEMPTS: u32 = 2;

/// Enters a setting of a `VirtualService`.
pub fn route(
    cx: &mut Cx<'_, '_>,
    route: &RouteConfig,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    use Setting as S;
    let http = cx.block(&route.origin)?;
    if setting == S::RouteTimeout {
        // Off is what holds without the field.
        let value = value.filter(|v| !matches!(v, Value::Duration(Millis(d)) if *d <= 0.0));
        return write(cx.editor, http, "timeout", value, (Form::Duration, GO));
    }
    if setting == S::RetryPolicy && value.is_none_or(|v| *v == Value::Flag(false)) {
        return cx.editor.clear(http, "retries");
    }
    if setting == S::RetriableStatusCodes {
        return status_codes(cx, route, http, value);
    }
    if setting == S::BackOffMax && follows(cx, http, value) {
        return Ok(());
    }
    let (field, form) = match setting {
        S::RetryPolicy => ("", Form::Count),
        S::NumRetries => ("attempts", Form::Count),
        S::PerTryTimeout => ("perTryTimeout", Form::Duration),
        S::RetryOn => ("retryOn", Form::Comma),
        S::BackOffBase => ("backoff", Form::Duration),
        S::PreviousHosts => ("retryIgnorePreviousHosts", Form::Flag),
        _ => return Err(format!("Istio cannot express {}: write it in an EnvoyFilter", name(setting))),
    };
    let Some(retries) = retries(cx, http, value.is_some())? else { return Ok(()) };
    if field.is_empty() {
        return Ok(());
    }
    let flag = Value::Flag(true);
    let value =
        value.map(|v| if setting == S::PreviousHosts && *v != Value::Flag(false) { &flag } else { v });
    write(cx.editor, retries, field, value, (form, GO))
}

/// Whether a bound of the back-off is what Istio makes of its base: ten times as much.
fn follows(cx: &Cx<'_, '_>, http: At, value: Wanted<'_>) -> bool {
    let Some(Value::Duration(max)) = value else { return true };
    let retries = cx.editor.get(http, "retries");
    let base = retries.and_then(|r| cx.editor.text_of(r, "backoff")).and_then(|text| go_duration(&text));
    let base = base.unwrap_or(defaults::RETRY_BASE_INTERVAL.0);
    (base.0 * defaults::RETRY_MAX_INTERVAL_BASES - max.0).abs() < 1.0
}

/// The block of retries; a new one keeps the number that holds without it.
fn retries(cx: &mut Cx<'_, '_>, http: At, creates: bool) -> Result<Option<At>, Refused> {
    if let Some(there) = cx.editor.below(http, "retries")? {
        return Ok(Some(there));
    }
    if !creates {
        return Ok(None);
    }
    let retries = cx.editor.enter(http, "retries")?;
    cx.editor.set(retries, "attempts", Single::bare(ATTEMPTS), GO)?;
    Ok(Some(retries))
}

/// Codes stand among the words of `retryOn`.
fn status_codes(
    cx: &mut Cx<'_, '_>,
    route: &RouteConfig,
    http: At,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    let codes = match value {
        Some(Value::Numbers(codes)) => codes.iter().map(u32::to_string).collect(),
        None => Vec::new(),
        Some(_) => return Err("the fix has a value of another kind than the field".to_owned()),
    };
    let Some(retries) = retries(cx, http, value.is_some())? else { return Ok(()) };
    let written = route.retry_policy.as_ref().and_then(|p| p.retry_on.as_ref());
    let mut words: Vec<String> = match (cx.editor.text_of(retries, "retryOn"), written) {
        (Some(text), _) => crate::engine::read::words(&text),
        (None, Some(words)) => words.value.clone(),
        (None, None) => DEFAULT_WORDS.map(str::to_owned).to_vec(),
    };
    words.retain(|w| w.parse::<u32>().is_err() && w != "retriable-status-codes");
    words.extend(codes);
    write(cx.editor, retries, "retryOn", Some(&Value::Words(words)), (Form::Comma, GO))
}

/// What Istio retries on where the block does not say.
const DEFAULT_WORDS: [&str; 4] = ["connect-failure", "refused-stream", "unavailable", "cancelled"];

#[cfg(test)]
mod tests {
    use crate::engine::audit::edit::settings::tests::{count, made, ms, rows};
    use crate::engine::audit::{Setting as S, Value};
    use crate::engine::read::config::RoutingPriority::{Default, High};

    const RULE: &str =
        "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: a}\nspec:\n  host: a\n";

    #[test]
    fn destination_rules() {
        let with = |policy: &str| format!("{RULE}  trafficPolicy:\n{policy}");
        rows(&[
            (
                RULE,
                S::MaxRequests(Default),
                count(5),
                &with("    connectionPool:\n      http:\n        http2MaxRequests: 5\n"),
            ),
            (
                RULE,
                S::ConnectTimeout,
                ms(250.0),
                &with("    connectionPool:\n      tcp:\n        connectTimeout: 250ms\n"),
            ),
            (
                &with("    connectionPool: {tcp: {maxConnections: \"7\"}}\n"),
                S::MaxConnections(Default),
                count(5),
                &with("    connectionPool: {tcp: {maxConnections: 5}}\n"),
            ),
            (
                &with("    outlierDetection:\n      consecutiveErrors: 7\n"),
                S::ConsecutiveGatewayFailure,
                count(5),
                &with("    outlierDetection:\n      consecutiveErrors: 5\n"),
            ),
            (
                &with("    outlierDetection: {interval: 1m}\n"),
                S::OutlierInterval,
                ms(5000.0),
                &with("    outlierDetection: {interval: 5s}\n"),
            ),
            (
                &with("    outlierDetection: {interval: 1m}\n"),
                S::EnforcingConsecutive5xx,
                count(0),
                &with("    outlierDetection: {interval: 1m, consecutive5xxErrors: 0}\n"),
            ),
        ]);
        for (setting, value, word) in [
            (S::MaxRequests(Default), count(0), "zero"),
            (S::MaxRequests(High), count(5), "EnvoyFilter"),
            (S::MaxEjectionTime, ms(5.0), "EnvoyFilter"),
            (S::MinRetryConcurrency(Default), count(0), "zero"),
        ] {
            let why = made(RULE, &[(0, setting, value)]).unwrap_err();
            assert!(why.contains(word), "{setting:?}: {why}");
        }
    }

    #[test]
    fn a_subset_gets_a_copy_of_what_it_has_from_its_host() {
        let text = |more: &str| {
            format!(
                "{RULE}  trafficPolicy:\n    connectionPool:\n      tcp: {{maxConnections: 7}}\n  subsets:\n  - name: v1\n    labels: {{v: a}}\n{more}"
            )
        };
        assert_eq!(
            made(&text(""), &[(1, S::MaxRequests(Default), count(5))]),
            Ok(text(
                "    trafficPolicy:\n      connectionPool:\n        tcp:\n          maxConnections: 7\n        http:\n          http2MaxRequests: 5\n"
            ))
        );
    }

    const SERVICE: &str = "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: a}\nspec:\n  hosts: [a]\n  http:\n  - route:\n    - destination: {host: a}\n";

    #[test]
    fn virtual_services() {
        let with = |more: &str| format!("{SERVICE}{more}");
        rows(&[
            (SERVICE, S::RouteTimeout, ms(1500.0), &with("    timeout: 1500ms\n")),
            (&with("    timeout: 1s\n"), S::RouteTimeout, ms(0.0), SERVICE),
            (SERVICE, S::NumRetries, count(0), &with("    retries:\n      attempts: 0\n")),
            (
                SERVICE,
                S::PerTryTimeout,
                ms(250.0),
                &with("    retries:\n      attempts: 2\n      perTryTimeout: 250ms\n"),
            ),
            (
                &with("    retries: {attempts: 3, retryOn: \"5xx,503\"}\n"),
                S::RetriableStatusCodes,
                Some(Value::Numbers(vec![504])),
                &with("    retries: {attempts: 3, retryOn: \"5xx,504\"}\n"),
            ),
        ]);
        assert!(made(SERVICE, &[(0, S::BackOffMax, ms(5.0))]).unwrap_err().contains("EnvoyFilter"));
    }
}
