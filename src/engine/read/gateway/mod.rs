//! Envoy Gateway and the Gateway API.

mod backend_traffic_policy;
mod http_route;
mod patch_policy;
mod retry_constraint;

use super::config::{Configuration, Dialect, NoteKind, RouteConfig};
use super::field::{Field, Reader};
use super::kubernetes;
use super::scalar::Notation;

/// Routes that say nothing of their own are governed by the policy that targets them: one route, and
/// not two of which one has the defaults.
pub fn settle(config: &mut Configuration) {
    let is_policy = |r: &RouteConfig| r.origin.kind == "BackendTrafficPolicy";
    let is_bare = |r: &RouteConfig| {
        matches!(r.origin.kind.as_str(), "HTTPRoute" | "GRPCRoute")
            && r.timeout.is_none()
            && r.retry_policy.is_none()
    };
    let target = |r: &RouteConfig| r.targets.first().map(|t| t.cluster.value.clone());
    let name = |r: &RouteConfig| r.origin.name.as_ref().map(|n| n.value.clone());
    let (mut routes, mut policies) = (Vec::new(), Vec::new());
    for (at, route) in std::mem::take(&mut config.routes).into_iter().enumerate() {
        if is_policy(&route) { policies.push((at, route)) } else { routes.push((at, route)) }
    }
    routes.retain(|(_, route)| {
        let governs = |p: &RouteConfig| {
            is_bare(route) && p.origin.namespace == route.origin.namespace && target(p) == name(route)
        };
        let mut governed = false;
        for (_, policy) in policies.iter_mut().filter(|(_, p)| governs(p)) {
            governed = true;
            if policy.matches.is_none() {
                policy.matches.clone_from(&route.matches);
            }
        }
        !governed
    });
    routes.append(&mut policies);
    routes.sort_by_key(|(at, _)| *at);
    config.routes = routes.into_iter().map(|(_, route)| route).collect();
}

/// The group of what the Gateway API tries out.
const EXPERIMENTAL: &str = "gateway.networking.x-k8s.io";

/// Reads a resource; `false` if it is of another group.
pub fn resource(reader: &mut Reader, root: &Field<'_>, group: &str, kind: &str) -> bool {
    if group == EXPERIMENTAL && kind == "XBackendTrafficPolicy" {
        // Which proxy acts on it is not known; it is not a budget of Envoy's.
        kubernetes::enter(reader, root, Dialect::Kubernetes, Notation::GatewayApi, kind);
        if let Some(spec) = reader.message(root, "spec") {
            retry_constraint::read(reader, &spec);
        }
        kubernetes::partly(reader, root, "its retry budget", "session persistence");
        return true;
    }
    if !matches!(group, "gateway.envoyproxy.io" | "gateway.networking.k8s.io") {
        return false;
    }
    kubernetes::enter(reader, root, Dialect::EnvoyGateway, Notation::GatewayApi, kind);
    let Some(spec) = reader.message(root, "spec") else { return true };
    match kind {
        "BackendTrafficPolicy" => backend_traffic_policy::read(reader, &spec),
        "HTTPRoute" | "GRPCRoute" => http_route::read(reader, &spec, kind),
        "EnvoyPatchPolicy" => patch_policy::read(reader, &spec),
        _ => {
            let message = format!("a {kind} was recognized; it holds none of the settings that are audited");
            reader.note(root.place(), NoteKind::Skipped, message);
        }
    }
    true
}
