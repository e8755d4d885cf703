//! Timeout and retries of the route.
//!
//! Off is another word for each: a timeout is off when it is left out (`0s` is refused), retries only
//! when `attempts` is 0 (left out, they are Istio's two).

use super::API;
use super::model::{Destination, HttpRoute, Retries, RouteDestination, VirtualService};
use crate::engine::analysis::Analysis;
use crate::engine::dialects::names::Names;
use crate::engine::dialects::notes::{Notes, retries};
use crate::engine::dialects::resource::{Resource, Units, paragraphs};

/// Envoy's keys and where their comments go.
const PLACES: [(&str, &str); 4] = [
    ("timeout", "spec.http[0].timeout"),
    ("num_retries", ATTEMPTS),
    ("per_try_timeout", "spec.http[0].retries.perTryTimeout"),
    ("retry_on", "spec.http[0].retries.retryOn"),
];

const ATTEMPTS: &str = "spec.http[0].retries.attempts";

/// What Envoy calls the route; patches find it by that name, in every namespace.
pub fn route_name(names: &Names) -> String {
    format!("{}.{}", names.resource, names.namespace)
}

/// The service as YAML.
pub fn to_yaml(analysis: &Analysis, names: &Names) -> String {
    let destination = Destination { host: names.host.clone() };
    let route = analysis.timeouts.route_ms;
    let http = HttpRoute {
        name: route_name(names),
        route: vec![RouteDestination { destination }],
        timeout: (route.0 > 0.0).then(|| Units::new(route)),
        retries: policy(analysis),
    };
    let spec = VirtualService { hosts: vec![names.host.clone()], http: vec![http] };
    let off = "no timeout: it would cut streams, and left out it is off in Istio";
    let header = if route.0 > 0.0 { Vec::new() } else { paragraphs(&[off]) };
    Resource::new(API, "VirtualService", names, spec).to_yaml(&header, &notes(analysis).all())
}

fn policy(analysis: &Analysis) -> Retries {
    let retry = &analysis.retry;
    if !retries(analysis) {
        return Retries {
            attempts: 0,
            per_try_timeout: None,
            retry_on: None,
            backoff: None,
            retry_ignore_previous_hosts: None,
        };
    }
    Retries {
        attempts: retry.num_retries,
        per_try_timeout: analysis.timeouts.per_try_ms.map(Units::new),
        retry_on: Some(retry.retry_on.join(",")),
        backoff: Some(Units::new(retry.backoff_base_ms)),
        retry_ignore_previous_hosts: (!retry.previous_hosts).then_some(false),
    }
}

fn notes(analysis: &Analysis) -> Notes {
    if !retries(analysis) {
        let mut notes = Notes::moved(analysis, &PLACES[..1]);
        notes.say(ATTEMPTS, "retries are off; left out, Istio would retry twice");
        return notes;
    }
    let mut notes = Notes::moved(analysis, &PLACES);
    notes.add(ATTEMPTS, "retries after the first attempt, whatever the name says");
    notes.say("spec.http[0].retries.backoff", "the first wait at most; ten times that is the longest");
    notes.say(
        "spec.http[0].retries.retryIgnorePreviousHosts",
        "there is no other host; left out, Istio would look for one",
    );
    notes
}
