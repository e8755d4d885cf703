//! Istio: a `DestinationRule`, a `VirtualService`, and what it takes beside them.

mod destination_rule;
mod envoy_filter;
mod model;
mod servers;
mod virtual_service;

use super::names::Names;
use super::resource::{join, paragraphs};
use super::{TooLarge, lost, together};
use crate::engine::analysis::Analysis;
use crate::engine::mapping;
use std::borrow::Cow;

const API: &str = "networking.istio.io/v1";

/// The largest number of most fields: signed, of 32 bits.
const MOST: u32 = 2_147_483_647;

/// A limit as such a field holds it; [`too_large`] tells what does not fit.
fn field(limit: u32) -> u32 {
    limit.min(MOST)
}

/// The policy as resources of Istio.
pub fn to_yaml(asked: &Analysis) -> String {
    // An answer that is too large is told by `too_large`.
    let one = together(asked).unwrap_or(Cow::Borrowed(asked));
    let analysis = one.as_ref();
    let names = Names::of(&analysis.scenario.name);
    let servers = servers::servers(analysis, &names);
    let mut top = mapping::header(&asked.scenario, &asked.link);
    top.extend(paragraphs(&about(&names)));
    top.extend(lost::header("Istio's own resources", "an EnvoyFilter", &lost::in_both(asked, analysis)));
    let mut documents = vec![
        destination_rule::to_yaml(analysis, &names, servers, &top),
        virtual_service::to_yaml(analysis, &names),
    ];
    documents.extend(servers.to_yaml(analysis, &names));
    documents.extend(envoy_filter::to_yaml(analysis, &names));
    join(&documents)
}

/// What the resources are for, and what has to be put in.
fn about(names: &Names) -> Vec<String> {
    let what = if names.is_service {
        format!("Istio: for {}; put yours for them everywhere", names.about("service"))
    } else {
        format!("Istio: for the host {} outside of the mesh, which needs a ServiceEntry", names.host)
    };
    let where_to = "the rules act in the sidecars of all callers; for a gateway put gateways: [mesh, NAMESPACE/GATEWAY] above http";
    let mut lines = vec![what, where_to.to_owned()];
    if let (Some(part), None) = (&names.part, names.route) {
        lines.push(format!(
            "the rules are for every port and subset of the host, not for {part} alone: a subset needs its own trafficPolicy under subsets, a port its own under portLevelSettings; what a route says of them stays in its destination"
        ));
    }
    lines
}

/// What does not fit into Istio's fields.
pub fn too_large(analysis: &Analysis) -> Vec<TooLarge> {
    let limits = analysis.default_threshold();
    let servers = servers::servers(analysis, &Names::of(&analysis.scenario.name));
    let fields = [
        ("maxConnections", limits.max_connections.into()),
        ("http2MaxRequests", limits.max_requests.into()),
        ("http1MaxPendingRequests", limits.max_pending_requests.into()),
        ("http2MaxRequests of the Sidecar", if servers.is_needed() { servers.limit } else { 0 }),
    ];
    fields.into_iter().filter_map(|(field, needed)| TooLarge::count(field, needed, MOST)).collect()
}
