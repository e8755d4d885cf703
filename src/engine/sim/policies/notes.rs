//! What a configuration says and the simulator does not play, in words for the person.

use super::pasted::{balancing, multiplexes};
use crate::engine::analysis::Analysis;
use crate::engine::read::config::{
    ClusterConfig, Configuration, RetryPolicy, RouteConfig, RoutingPriority, UpstreamProtocol,
};
use crate::engine::read::effective::governing_retry_policy;
use crate::engine::sim::Balancing;
use crate::engine::units::display;

/// What was picked from a configuration.
pub struct Read<'a> {
    /// The whole of it.
    pub text: &'a Configuration,
    /// The cluster that the scenario names.
    pub wanted: &'a str,
    /// The cluster that is played.
    pub cluster: &'a ClusterConfig,
    /// Whether it is one of the text.
    pub has_cluster: bool,
    /// The route that is played.
    pub route: Option<&'a RouteConfig>,
    /// Routes to the cluster that say something else.
    pub others: usize,
    /// The scenario.
    pub analysis: &'a Analysis,
}

/// Whether a name stands for the wanted one: the same, or a host of a mesh whose first labels it is.
pub fn is_named(name: &str, wanted: &str) -> bool {
    let host = name.rsplit('|').next().unwrap_or(name);
    name == wanted || host.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Every note, most important first.
pub fn of(read: &Read<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    picked(read, &mut notes);
    connections(read, &mut notes);
    cluster(read.cluster, &mut notes);
    if let Some(route) = read.route {
        of_route(route, &mut notes);
    }
    let absent = RouteConfig::default();
    let version = read.analysis.scenario.envoy_version;
    if let Some(policy) = governing_retry_policy(read.route.unwrap_or(&absent), Some(read.cluster), version) {
        of_retry(policy, &mut notes);
    }
    notes
}

fn picked(read: &Read<'_>, notes: &mut Vec<String>) {
    let name = read.cluster.name.as_ref().map_or("", |n| n.value.as_str());
    let shown = if name.is_empty() { "a cluster without a name".to_owned() } else { format!("“{name}”") };
    if !read.has_cluster {
        notes.push("the text has no cluster: limits and connections are the program's defaults".to_owned());
    } else if read.text.clusters.len() > 1 && !is_named(name, read.wanted) {
        let why = match read.wanted {
            "" => "no name is given".to_owned(),
            wanted => format!("no cluster of the text is named “{wanted}”"),
        };
        let n = display::count(read.text.clusters.len() as f64);
        notes.push(format!("{why}: {shown} is played, one of {n}"));
    }
    if let Some(subset) = &read.cluster.subset {
        notes.push(format!("subset “{}” of {shown} is played, for all hosts", subset.value));
    }
    let Some(route) = read.route else {
        notes.push(format!("no route of the text leads to {shown}: a route with defaults only is played"));
        return;
    };
    let label = route.label().unwrap_or("the first");
    if read.others > 0 {
        let n = display::plural(read.others as f64, "other route has", "other routes have");
        notes.push(format!("{n} different settings: only “{label}” is played"));
    }
    if route.priority.as_ref().is_some_and(|p| p.value == RoutingPriority::High) {
        notes.push(format!("“{label}” has priority HIGH: its limits are played for all requests"));
    }
}

fn connections(read: &Read<'_>, notes: &mut Vec<String>) {
    let scenario = read.analysis.scenario.protocol;
    let played = if multiplexes(read.cluster, read.analysis) { "HTTP/2" } else { "HTTP/1.1" };
    let written = read.cluster.protocol.as_ref().map(|p| p.value);
    let said = read.cluster.facts().protocol;
    match (written, said) {
        (Some(UpstreamProtocol::Http3), _) => notes.push("HTTP/3 is played as HTTP/2".to_owned()),
        (Some(UpstreamProtocol::Auto | UpstreamProtocol::Downstream), _) | (None, None) => {
            notes.push(format!(
                "the text leaves open what is spoken to the hosts: {played} is played, as the scenario says"
            ));
        }
        (_, Some(said)) if said.multiplexes() != scenario.multiplexes() => notes.push(format!(
            "the text speaks {played} to the hosts and the scenario {}: the text is played",
            scenario.title(),
        )),
        _ => {}
    }
    let word = read.cluster.lb_policy.as_ref().map(|w| w.value.as_str());
    let known = ["ROUND_ROBIN", "LEAST_REQUEST", "LEAST_CONN", "LEASTREQUEST", "RANDOM"];
    if let Some(word) = word.filter(|w| !known.contains(&w.to_ascii_uppercase().replace('-', "_").as_str())) {
        let instead = match balancing(read.cluster) {
            Balancing::Random => "hosts picked at random are",
            Balancing::LeastRequest { .. } => "LEAST_REQUEST is",
            Balancing::RoundRobin => "ROUND_ROBIN is",
        };
        notes.push(format!("lb_policy {word} is not played: {instead} played instead"));
    }
}

fn cluster(c: &ClusterConfig, notes: &mut Vec<String>) {
    let mut absent = |is: bool, words: &str| {
        if is {
            notes.push(format!("{words} not played"));
        }
    };
    absent(c.health_checks.as_ref().is_some_and(|n| n.value > 0), "active health checks are");
    absent(c.max_connection_duration.is_some(), "max_connection_duration is");
    absent(c.keepalive_interval.is_some(), "HTTP/2 keep-alive pings are");
    let preconnect = c.preconnect_policy.as_ref();
    let predictive = preconnect.and_then(|p| p.predictive_preconnect_ratio.as_ref());
    absent(predictive.is_some_and(|ratio| ratio.value > 1.0), "predictive_preconnect_ratio is");
    let Some(outlier) = &c.outlier_detection else { return };
    absent(outlier.error_matcher.is_some(), "error_matcher is");
    absent(outlier.error_codes.is_some(), "a list of status codes that count as errors is");
    absent(outlier.detect_degraded_hosts.as_ref().is_some_and(|d| d.value), "detect_degraded_hosts is");
}

fn of_route(route: &RouteConfig, notes: &mut Vec<String>) {
    if !route.mirrors.is_empty() {
        notes.push("mirrored requests are not played".to_owned());
    }
    if route.targets.len() > 1 {
        notes.push(format!(
            "the route shares its requests out to {} clusters: the scenario's rate is that of this one",
            display::count(route.targets.len() as f64),
        ));
    }
}

fn of_retry(policy: &RetryPolicy, notes: &mut Vec<String>) {
    let mut absent = |is: bool, words: &str| {
        if is {
            notes.push(format!("{words} not played"));
        }
    };
    let some = |n: &crate::engine::read::Setting<u32>| n.as_ref().is_some_and(|n| n.value > 0);
    absent(policy.rate_limited_retry_back_off.is_some(), "rate_limited_retry_back_off is");
    absent(some(&policy.retriable_headers), "retriable_headers are");
    absent(some(&policy.retriable_request_headers), "retriable_request_headers are");
    absent(policy.retry_priority.is_some(), "retry_priority is");
    let predicates = policy.retry_host_predicate.iter();
    for other in predicates.filter(|p| !p.value.ends_with("previous_hosts")) {
        absent(true, &format!("retry_host_predicate {} is", display::echo(&other.value)));
    }
}
