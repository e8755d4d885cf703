//! Dialects whose settings are changed where they stand, and nowhere else.

use super::{Cx, Wanted, name};
use crate::engine::audit::edit::form::{Form, write_at};
use crate::engine::audit::edit::place::path;
use crate::engine::audit::edit::plan::{At, Old, Refused};
use crate::engine::audit::{Setting, Value};
use crate::engine::read::Place;
use crate::engine::read::config::Dialect;

/// Enters a setting at its place.
pub fn set(
    cx: &mut Cx<'_, '_>,
    place: Option<&Place>,
    dialect: Dialect,
    setting: Setting,
    value: Wanted<'_>,
) -> Result<(), Refused> {
    let Some(place) = place else {
        return match value {
            Some(_) => Err(absent(dialect, setting)),
            None => Ok(()),
        };
    };
    let key = place.path.rsplit(['.', '/']).next().unwrap_or_default();
    if !keys(setting).contains(&plain(key).as_str()) {
        return Err(format!("{} follows from `{key}` here and is not written by itself", name(setting)));
    }
    let Some(value) = value else { return cx.editor.remove_at(place) };
    let notation = cx.notation_at(place);
    // A JSON patch names its field by a path, and the value stands alone.
    let at = match cx.editor.locate(place) {
        Ok(at) => at,
        Err(why) => patched(cx, place).ok_or(why)?,
    };
    let form = match (Form::of(value, cx.editor.is_map(at), key), value) {
        (Form::Comma, Value::Words(_)) if !cx.editor.items(at).is_empty() && cx.editor.text(at).is_none() => {
            Form::List
        }
        (form, _) => form,
    };
    write_at(cx.editor, at, value, form, notation)
}

/// The value of a patch whose path names the field.
fn patched(cx: &Cx<'_, '_>, place: &Place) -> Option<At> {
    let whole = place.path.split_once("operation.value")?.0.to_owned() + "operation.value";
    let outlines = cx.editor.outlines.iter().enumerate().filter(|(_, o)| o.file == place.file as usize);
    for (document, outline) in outlines {
        let is_it = |slot: &usize| {
            let node = outline.slots[*slot].node;
            node.span == place.span && node.text().is_some() && path(outline, *slot) == whole
        };
        if let Some(slot) = (0..outline.slots.len()).find(is_it) {
            return Some(At::Old(Old { document, slot }));
        }
    }
    None
}

/// A key without its marks: `max-requests`, `max_requests` and `maxRequests` are one.
fn plain(key: &str) -> String {
    let key = key.split('[').next().unwrap_or(key);
    key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The keys under which the dialects write a setting by itself.
fn keys(setting: Setting) -> &'static [&'static str] {
    use Setting as S;
    match setting {
        S::MaxConnections(_) => &["maxconnections"],
        S::MaxPendingRequests(_) => &["maxpendingrequests"],
        S::MaxRequests(_) => &["maxrequests", "maxconcurrentrequests"],
        S::MaxRetries(_) => &["maxretries"],
        S::MaxConnectionPools(_) => &["maxconnectionpools"],
        S::PerHostMaxConnections => &["perhostmaxconnections"],
        S::TrackRemaining(_) => &["trackremaining"],
        S::RetryBudget(_) => &["retrybudget"],
        S::BudgetPercent(_) => &["budgetpercent", "percent"],
        S::MinRetryConcurrency(_) => &["minretryconcurrency"],
        S::ConnectTimeout => &["connecttimeout", "connecttimeoutms", "connectiontimeout"],
        S::PoolIdleTimeout => &["idletimeout", "clusteridletimeoutms", "idleconnection"],
        S::MaxRequestsPerConnection => &["maxrequestsperconnection"],
        S::MaxConcurrentStreams => &["maxconcurrentstreams"],
        S::HealthyPanicThreshold => &["healthypanicthreshold", "minhealthpercent"],
        S::UpdateMergeWindow => &["updatemergewindow"],
        S::OutlierDetection => &["outlierdetection", "passivehealthcheck"],
        S::RouteTimeout => {
            &["timeout", "timeoutms", "requesttimeout", "response", "perrequest", "localrequesttimeoutms"]
        }
        S::RouteIdleTimeout => &["idle", "idletimeout", "idletimeoutms", "streamidletimeout"],
        S::MaxStreamDuration => &["maxstreamduration"],
        S::RoutePriority => &["priority"],
        S::RetryPolicy => &["retrypolicy", "retries", "http"],
        S::RetryOn => &["retryon"],
        S::NumRetries => &["numretries", "count", "maxretries", "attempts"],
        S::PerTryTimeout => &["pertrytimeout", "perretrytimeout"],
        S::BackOffBase => &["baseinterval"],
        S::BackOffMax => &["maxinterval"],
        S::RetriableStatusCodes => &["retriablestatuscodes", "retryonstatuscodes"],
        _ => of_outlier(setting),
    }
}

fn of_outlier(setting: Setting) -> &'static [&'static str] {
    use Setting as S;
    match setting {
        S::Consecutive5xx => &["consecutive5xx", "maxfailures", "maxservererrors", "consecutive"],
        S::ConsecutiveGatewayFailure => &["consecutivegatewayfailure", "consecutive"],
        S::ConsecutiveLocalOriginFailure => &["consecutivelocaloriginfailure", "consecutive"],
        S::EnforcingConsecutive5xx => &["enforcingconsecutive5xx"],
        S::EnforcingConsecutiveGatewayFailure => &["enforcingconsecutivegatewayfailure"],
        S::EnforcingConsecutiveLocalOriginFailure => &["enforcingconsecutivelocaloriginfailure"],
        S::EnforcingSuccessRate => &["enforcingsuccessrate"],
        S::EnforcingLocalOriginSuccessRate => &["enforcinglocaloriginsuccessrate"],
        S::EnforcingFailurePercentage => &["enforcingfailurepercentage"],
        S::OutlierInterval => &["interval"],
        S::BaseEjectionTime => &["baseejectiontime", "baseejectionduration"],
        S::MaxEjectionTime => &["maxejectiontime"],
        S::MaxEjectionTimeJitter => &["maxejectiontimejitter"],
        S::MaxEjectionPercent => &["maxejectionpercent"],
        S::AlwaysEjectOneHost => &["alwaysejectonehost"],
        S::SplitExternalLocalOriginErrors => {
            &["splitexternallocaloriginerrors", "splitexternalandlocalerrors"]
        }
        S::SuccessRateMinimumHosts => &["successrateminimumhosts", "minimumhosts"],
        S::SuccessRateRequestVolume => &["successraterequestvolume"],
        _ => &[],
    }
}

/// Why a setting that is not written is not added, and where it would be.
fn absent(dialect: Dialect, setting: Setting) -> Refused {
    use Setting as S;
    let name = name(setting);
    let is_limit = matches!(
        setting,
        S::MaxConnections(_) | S::MaxPendingRequests(_) | S::MaxRequests(_) | S::MaxRetries(_)
    );
    let is_route = super::level(setting) == super::Level::Route;
    let place = match dialect {
        Dialect::Contour if is_limit => {
            "an annotation of the Service: projectcontour.io/max-connections and the like"
        }
        Dialect::Contour if is_route => "`timeoutPolicy` or `retryPolicy` of the HTTPProxy",
        Dialect::Emissary => "the Mapping, or in an Ambassador module for all of them",
        Dialect::Consul if is_limit => "`upstreamConfig.defaults.limits` of the ServiceDefaults",
        Dialect::Consul if is_route => "a ServiceRouter",
        Dialect::Consul => "`upstreamConfig.defaults` of the ServiceDefaults",
        Dialect::Kuma if is_limit => "`connectionLimits` of a MeshCircuitBreaker",
        Dialect::Kuma if is_route => "a MeshTimeout or a MeshRetry",
        Dialect::Kuma => "a MeshCircuitBreaker",
        Dialect::Gloo if is_route => "`options` of the route",
        Dialect::Gloo => "the Upstream",
        Dialect::AppMesh if is_route => "the route of the VirtualRouter",
        Dialect::AppMesh => "the listener of the VirtualNode",
        Dialect::EnvoyGateway => "a JSON patch of its own",
        _ => return format!("{} has no place for {name} in this text", dialect.title()),
    };
    format!("{name} is not written; in {} it goes into {place}", dialect.title())
}

#[cfg(test)]
mod tests {
    use crate::engine::audit::Setting as S;
    use crate::engine::audit::edit::settings::tests::{count, made, ms, rows};
    use crate::engine::read::config::RoutingPriority::Default;

    #[test]
    fn other_dialects_are_changed_where_they_say_it() {
        let mapping = |timeout: &str| {
            format!(
                "apiVersion: getambassador.io/v3alpha1\nkind: Mapping\nmetadata: {{name: a}}\nspec:\n  prefix: /\n  service: a\n  timeout_ms: {timeout}\n  circuit_breakers:\n  - max_requests: 5\n"
            )
        };
        rows(&[
            (&mapping("3000"), S::RouteTimeout, ms(1500.0), &mapping("1500")),
            (&mapping("3000"), S::MaxRequests(Default), count(9), &mapping("3000").replace(": 5", ": 9")),
        ]);
        let why = made(&mapping("1"), &[(0, S::MaxConnections(Default), count(5))]).unwrap_err();
        assert!(why.contains("Emissary") && why.contains("Mapping"), "{why}");
        let service = |n: &str| {
            format!(
                "apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n  annotations:\n    projectcontour.io/max-requests: {n}\n"
            )
        };
        rows(&[(&service("'50'"), S::MaxRequests(Default), count(9), &service("'9'"))]);
    }
}
