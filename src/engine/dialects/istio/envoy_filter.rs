//! What Istio's API has no words for and Envoy's has: patches of what Istio generates.
//!
//! Only what can be merged: fields that Istio leaves out, or sets to a 0 that a number replaces.

use super::model::{
    ClusterMatch, ConfigPatch, EnvoyFilter, Match, Patch, PatchValue, RouteConfigurationMatch, RouteMatch,
    RoutePatch, VirtualHostMatch,
};
use super::virtual_service::route_name;
use crate::engine::analysis::Analysis;
use crate::engine::dialects::lost;
use crate::engine::dialects::names::Names;
use crate::engine::dialects::notes::Notes;
use crate::engine::dialects::resource::{Resource, paragraphs};
use crate::engine::envoy::model::{Duration, MaxStreamDuration};
use crate::engine::units::display;
use std::collections::BTreeMap;

/// Patches have an API version of their own.
const API: &str = "networking.istio.io/v1alpha3";
/// Here a patch acts on the callers of every namespace, as the other resources do.
const ROOT_NAMESPACE: &str = "istio-system";
const CONTEXT: &str = "SIDECAR_OUTBOUND";

/// The patches as YAML; none where the API says everything.
pub fn to_yaml(analysis: &Analysis, names: &Names) -> Option<String> {
    let patches: Vec<ConfigPatch> =
        [cluster(analysis, names), route(analysis, names)].into_iter().flatten().collect();
    if patches.is_empty() {
        return None;
    }
    let mut sentences = vec![
        "what Istio's own API cannot say; in the root namespace of the mesh, so that it acts on callers everywhere; at a gateway the context is GATEWAY".to_owned(),
    ];
    sentences.extend(without(analysis));
    let mut notes = Notes::default();
    let at = format!("spec.configPatches[{}].patch.value.route", patches.len() - 1);
    notes.say(&format!("{at}.idle_timeout"), "ends a stream on which nothing moves");
    notes.say(&format!("{at}.max_stream_duration"), "the longest life of a stream");
    let filter = EnvoyFilter { config_patches: patches };
    let resource = Resource::new(API, "EnvoyFilter", names, filter).within(ROOT_NAMESPACE);
    Some(resource.to_yaml(&paragraphs(&sentences), &notes.all()))
}

/// What a mesh goes without that refuses patches.
fn without(analysis: &Analysis) -> Vec<String> {
    let timeouts = &analysis.timeouts;
    let mut lines = Vec::new();
    if let Some(detection) = lost::sayable(analysis).filter(|d| d.enforcing_success_rate > 0) {
        lines.push(format!(
            "without it a host that fails often, but never {} times in a row, is not ejected",
            detection.consecutive_gateway_failure
        ));
    }
    if let Some(life) = timeouts.max_stream_duration_ms.filter(|_| analysis.scenario.protocol.streams()) {
        let life = display::millis(life);
        lines.push(format!(
            "without it no stream ends by itself: not after {life}, and not when it is silent"
        ));
    } else if let Some(idle) = timeouts.stream_idle_ms {
        let idle = display::millis(idle);
        lines.push(format!("without it a silent stream does not end after {idle}"));
    }
    lines
}

fn cluster(analysis: &Analysis, names: &Names) -> Option<ConfigPatch> {
    let share = lost::sayable(analysis)?.enforcing_success_rate;
    let outlier_detection = Some(BTreeMap::from([("enforcing_success_rate", share)]));
    let cluster = Some(ClusterMatch { service: names.host.clone() });
    (share > 0).then(|| ConfigPatch {
        apply_to: "CLUSTER",
        matches: Match { context: CONTEXT, cluster, route_configuration: None },
        patch: merge(PatchValue { outlier_detection, route: None }),
    })
}

fn route(analysis: &Analysis, names: &Names) -> Option<ConfigPatch> {
    let timeouts = &analysis.timeouts;
    // Of a call the route timeout is the bound; Istio looks at its grpc-timeout by itself.
    let life = timeouts.max_stream_duration_ms.filter(|_| analysis.scenario.protocol.streams());
    let idle = timeouts.stream_idle_ms;
    let patch = RoutePatch {
        idle_timeout: idle.map(Duration::in_whole_millis),
        max_stream_duration: life.map(|life| MaxStreamDuration {
            max_stream_duration: Some(Duration::in_whole_millis(life)),
            grpc_timeout_header_max: None,
        }),
    };
    let vhost = VirtualHostMatch { route: RouteMatch { name: route_name(names) } };
    (idle.is_some() || life.is_some()).then(|| ConfigPatch {
        apply_to: "HTTP_ROUTE",
        matches: Match {
            context: CONTEXT,
            cluster: None,
            route_configuration: Some(RouteConfigurationMatch { vhost }),
        },
        patch: merge(PatchValue { outlier_detection: None, route: Some(patch) }),
    })
}

fn merge(value: PatchValue) -> Patch {
    Patch { operation: "MERGE", value }
}
