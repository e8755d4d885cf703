//! Where a setting is written, dialect by dialect.

mod cluster;
mod envoy_cluster;
mod envoy_route;
mod gateway;
mod http_options;
mod istio;
mod others;
mod outlier;
mod policy;
#[cfg(test)]
mod tests;
mod written;

use super::plan::{At, Editor, Refused};
use super::style;
use crate::engine::audit::{Audit, Change, Finding, Setting, Value};
use crate::engine::read::Place;
use crate::engine::read::config::{
    ClusterConfig, Configuration, Dialect, ManagerConfig, Origin, RouteConfig,
};
use crate::engine::read::scalar::Notation;

/// A change on its way into the plan.
pub struct Cx<'c, 't> {
    /// The plan.
    pub editor: &'c mut Editor<'t>,
    /// What was found.
    pub audit: &'c Audit,
    /// The finding whose fix it is part of.
    pub finding: &'c Finding,
}

/// What becomes of a setting: a value, or nothing.
pub type Wanted<'v> = Option<&'v Value>;

/// What a setting belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Cluster,
    Route,
    Manager,
}

fn level(setting: Setting) -> Level {
    use Setting as S;
    match setting {
        S::StreamIdleTimeout | S::RespectExpectedRqTimeout => Level::Manager,
        S::RoutePriority
        | S::RouteTimeout
        | S::RouteIdleTimeout
        | S::MaxStreamDuration
        | S::GrpcTimeoutHeaderMax
        | S::GrpcTimeoutHeaderOffset
        | S::RetryPolicy
        | S::RetryOn
        | S::NumRetries
        | S::PerTryTimeout
        | S::PerTryIdleTimeout
        | S::BackOffBase
        | S::BackOffMax
        | S::RetriableStatusCodes
        | S::PreviousHosts
        | S::HedgeOnPerTryTimeout
        | S::RequestBodyBufferLimit => Level::Route,
        _ => Level::Cluster,
    }
}

impl<'c> Cx<'c, '_> {
    /// Enters a change into the plan.
    ///
    /// # Errors
    ///
    /// Why it cannot be made.
    pub fn change(&mut self, change: &Change) -> Result<(), Refused> {
        match change {
            Change::Set(setting, value) => self.setting(*setting, Some(value)),
            Change::Clear(setting) => self.setting(*setting, None),
            Change::Remove(place) => self.editor.remove_at(place),
            Change::Replace(place, value) => {
                let notation = self.notation_at(place);
                self.editor.replace_at(place, value, notation)
            }
            Change::Rename(place, key) => self.editor.rename_at(place, key),
        }
    }

    fn setting(&mut self, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
        match level(setting) {
            Level::Cluster => {
                let clusters = self.clusters();
                if clusters.is_empty() {
                    return Err("the text has no cluster that this belongs to".to_owned());
                }
                clusters.into_iter().try_for_each(|at| cluster::set(self, at, setting, value))
            }
            Level::Route => {
                let routes = self.routes();
                if routes.is_empty() {
                    return Err("the text has no route that this belongs to".to_owned());
                }
                routes.into_iter().try_for_each(|at| self.route(at, setting, value))
            }
            Level::Manager => self.manager(setting, value),
        }
    }

    fn route(&mut self, at: usize, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
        let Some(route) = self.configuration().routes.get(at) else {
            return Err("there is no such route".to_owned());
        };
        match route.origin.dialect {
            _ if is_envoys(&route.origin) => envoy_route::set(self, at, setting, value),
            Dialect::Istio => istio::route(self, route, setting, value),
            Dialect::EnvoyGateway => gateway::route(self, route, setting, value),
            dialect => {
                let place = written::route(route, setting).cloned();
                others::set(self, place.as_ref(), dialect, setting, value)
            }
        }
    }

    fn manager(&mut self, setting: Setting, value: Wanted<'_>) -> Result<(), Refused> {
        let manager = self.manager_of();
        let Some(manager) = manager else {
            return Err("the text has no connection manager that this belongs to".to_owned());
        };
        envoy_route::manager(self, manager, setting, value)
    }

    /// Everything that was read.
    pub fn configuration(&self) -> &'c Configuration {
        &self.audit.configuration
    }

    /// The finding's clusters: its own, and those that it says the very same of.
    fn clusters(&self) -> Vec<usize> {
        let own =
            self.finding.cluster.or_else(|| self.nearest(|c| c.clusters.iter().map(|c| &c.origin).collect()));
        let also = self.finding.also.iter().filter_map(|(cluster, _)| *cluster);
        distinct(own.into_iter().chain(also))
    }

    /// The finding's routes: its own and those it says the very same of, else those of its cluster.
    pub fn routes(&self) -> Vec<usize> {
        let own = self.finding.route.into_iter();
        let also = self.finding.also.iter().filter_map(|(_, route)| *route);
        let named = distinct(own.chain(also));
        if !named.is_empty() {
            return named;
        }
        let pairs = &self.configuration().pairs;
        let of_cluster = pairs.iter().filter(|p| Some(p.cluster) == self.finding.cluster).map(|p| p.route);
        let led = distinct(of_cluster);
        if led.is_empty() {
            return self.nearest(|c| c.routes.iter().map(|r| &r.origin).collect()).into_iter().collect();
        }
        led
    }

    fn manager_of(&self) -> Option<&'c ManagerConfig> {
        let c = self.configuration();
        let of_route = self.routes().first().and_then(|r| c.routes.get(*r)).and_then(|r| c.manager_of(r));
        let nearest = || self.nearest(|c| c.managers.iter().map(|m| &m.origin).collect());
        of_route.or_else(|| nearest().and_then(|at| c.managers.get(at)))
    }

    /// The smallest block of a kind around the finding.
    fn nearest(&self, of: impl Fn(&'c Configuration) -> Vec<&'c Origin>) -> Option<usize> {
        smallest(of(self.configuration()).into_iter().enumerate(), &self.finding.at)
    }

    /// How values are written at a place.
    fn notation_at(&self, place: &Place) -> Notation {
        let c = self.configuration();
        let clusters = c.clusters.iter().map(|c| &c.origin);
        let routes = c.routes.iter().map(|r| &r.origin);
        let all: Vec<&Origin> = clusters.chain(routes).collect();
        let around = smallest(all.iter().copied().enumerate(), place).map(|at| all[at]);
        let anywhere = || all.iter().copied().find(|o| o.block.file == place.file);
        around.or_else(anywhere).map_or(Notation::Proto, notation)
    }

    /// The block of a cluster or a route, ready to be written into.
    ///
    /// # Errors
    ///
    /// As [`Editor::locate`] and [`Editor::open`].
    pub fn block(&mut self, origin: &Origin) -> Result<At, Refused> {
        self.block_at(&origin.block)
    }

    /// The block at a place, ready to be written into, and new fields spelled as in it.
    ///
    /// # Errors
    ///
    /// As [`Editor::locate`] and [`Editor::open`].
    pub fn block_at(&mut self, place: &Place) -> Result<At, Refused> {
        let at = self.editor.locate(place)?;
        let camel = match at {
            At::Old(old) => style::is_camel(&self.editor.outlines[old.document], old.slot, old.slot),
            At::New(_) => false,
        };
        self.editor.is_camel = camel;
        self.editor.open(at)
    }
}

fn smallest<'o>(origins: impl Iterator<Item = (usize, &'o Origin)>, place: &Place) -> Option<usize> {
    let holds = |o: &Origin| {
        o.block.file == place.file
            && o.block.span.start <= place.span.start
            && place.span.end <= o.block.span.end
    };
    let around = origins.filter(|(_, o)| holds(o));
    around.min_by_key(|(_, o)| o.block.span.end - o.block.span.start).map(|(at, _)| at)
}

fn distinct(all: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut out = Vec::new();
    for one in all {
        if !out.contains(&one) {
            out.push(one);
        }
    }
    out
}

/// Whether what is written is Envoy's own message, whoever it is for.
fn is_envoys(origin: &Origin) -> bool {
    match origin.dialect {
        Dialect::Envoy | Dialect::Cilium => true,
        Dialect::Istio | Dialect::Consul => origin.patch.is_some(),
        _ => false,
    }
}

fn notation(origin: &Origin) -> Notation {
    match origin.dialect {
        _ if is_envoys(origin) || origin.patch.is_some() => Notation::Proto,
        Dialect::EnvoyGateway => Notation::GatewayApi,
        // Annotations are texts, whatever they hold.
        Dialect::Contour if origin.kind == "Service" => Notation::Proto,
        _ => Notation::Go,
    }
}

/// A setting in a sentence, by Envoy's name.
pub fn name(setting: Setting) -> String {
    let json = serde_json::to_value(setting).unwrap_or_default();
    let name = match &json {
        serde_json::Value::String(name) => name.clone(),
        serde_json::Value::Object(map) => map.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let (name, at) = match name.as_str() {
        "consecutive5xx" => ("consecutive_5xx", ""),
        "enforcing_consecutive5xx" => ("enforcing_consecutive_5xx", ""),
        "per_host_max_connections" => ("max_connections", " per host"),
        "pool_idle_timeout" => ("idle_timeout", " of pooled connections"),
        "outlier_interval" => ("interval", " of outlier detection"),
        "route_priority" => ("priority", " of the route"),
        "route_timeout" => ("timeout", " of the route"),
        "route_idle_timeout" => ("idle_timeout", " of the route"),
        "back_off_base" => ("base_interval", " of the back-off"),
        "back_off_max" => ("max_interval", " of the back-off"),
        "previous_hosts" => ("retry_host_predicate", ""),
        other => (other, ""),
    };
    format!("`{name}`{at}")
}

/// The cluster at an index.
fn cluster_at<'c>(cx: &Cx<'c, '_>, at: usize) -> Result<&'c ClusterConfig, Refused> {
    cx.configuration().clusters.get(at).ok_or_else(|| "there is no such cluster".to_owned())
}

/// The route at an index.
fn route_at<'c>(cx: &Cx<'c, '_>, at: usize) -> Result<&'c RouteConfig, Refused> {
    cx.configuration().routes.get(at).ok_or_else(|| "there is no such route".to_owned())
}
