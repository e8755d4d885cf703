//! Why each setting has its value, in a few words above it.
//!
//! Every number here is in the analysis or the scenario already; the full derivations are too long
//! for a configuration and stand in the analysis.

use crate::engine::analysis::{Analysis, Priority, Threshold};
use crate::engine::envoy::emit::Comment;
use crate::engine::scenario::Scenario;
use crate::engine::units::{Millis, Share, display};

/// Where the parts stand in a document.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Path of the cluster.
    pub cluster: &'static str,
    /// Path of the route.
    pub route: &'static str,
}

impl Places {
    /// In [`Fragments`](crate::engine::envoy::model::Fragments).
    pub const FRAGMENTS: Self = Self { cluster: "clusters[0]", route: "routes[0]" };

    /// In a [`Bootstrap`](crate::engine::envoy::model::Bootstrap).
    pub const BOOTSTRAP: Self = Self {
        cluster: "static_resources.clusters[0]",
        route: "static_resources.listeners[0].filter_chains[0].filters[0].typed_config\
                .route_config.virtual_hosts[0].routes[0]",
    };
}

/// The comments of cluster and route.
pub fn comments(analysis: &Analysis, places: Places) -> Vec<Comment> {
    let mut notes = Vec::new();
    notes.extend(prefixed(places.cluster, cluster(analysis)));
    for (index, threshold) in analysis.thresholds.iter().enumerate() {
        let entry = format!("{}.circuit_breakers.thresholds[{index}]", places.cluster);
        notes.extend(prefixed(&entry, thresholds(analysis, threshold)));
    }
    notes.extend(prefixed(&format!("{}.outlier_detection", places.cluster), outlier(analysis)));
    notes.extend(prefixed(&format!("{}.route", places.route), route(analysis)));
    notes.extend(prefixed(&format!("{}.route.retry_policy", places.route), retry(analysis)));
    notes
}

/// A key below some place, and the words above it.
type Note = (&'static str, String);

fn prefixed(place: &str, notes: Vec<Note>) -> Vec<Comment> {
    let comments = notes.into_iter().map(|(key, text)| Comment::new(format!("{place}.{key}"), text));
    comments.collect()
}

fn cluster(analysis: &Analysis) -> Vec<Note> {
    const OPTIONS: &str = "typed_extension_protocol_options";
    const CONNECTIONS: &str = "typed_extension_protocol_options\
        .envoy.extensions.upstreams.http.v3.HttpProtocolOptions.common_http_protocol_options";
    let s = &analysis.scenario;
    let set_up = format!("TCP + TLS set-up takes {}", display::millis(s.connect_ms));
    let mut notes = vec![("connect_timeout", set_up), (CONNECTIONS, keep_alive(analysis))];
    if analysis.outlier.is_none() {
        let because = analysis.ejection.off_because.as_deref().unwrap_or("no host can be spared");
        notes.push((OPTIONS, format!("no outlier detection: {because}")));
    }
    notes
}

fn keep_alive(analysis: &Analysis) -> String {
    let idle = analysis.timeouts.pool_idle_ms;
    match analysis.scenario.upstream_keepalive_s.map(Millis::from_secs) {
        None => format!("server keep-alive unknown, {} assumed", display::millis(idle)),
        Some(server) => format!("below the server's keep-alive of {}", display::millis(server)),
    }
}

fn thresholds(analysis: &Analysis, threshold: &Threshold) -> Vec<Note> {
    let s = &analysis.scenario;
    let is_default = threshold.priority == Priority::Default;
    let fleet = |each: u32| display::count(f64::from(each) * f64::from(s.clients));
    let requests =
        if is_default { window(analysis) } else { format!("fleet {}", fleet(threshold.max_requests)) };
    let mut notes = vec![
        ("max_requests", requests),
        ("max_connections", connections(s, threshold)),
        ("max_pending_requests", pending(analysis, threshold)),
    ];
    notes.extend(retry_budget(analysis, threshold));
    if !is_default {
        notes.push(("priority", "counts routes with priority: HIGH only".to_owned()));
    }
    notes
}

/// What decided: the cold start, or what drains in time.
fn pending(analysis: &Analysis, threshold: &Threshold) -> String {
    let key = if threshold.priority == Priority::Default { "default" } else { "high" };
    let bound = |part: &str| analysis.number(&format!("{key}.max_pending_requests.{part}"))?.value;
    match (bound("needed"), bound("useful")) {
        (Some(needed), Some(useful)) if useful < needed && useful < 1.0 => {
            "none drains before the deadline; a pool needs one to open".to_owned()
        }
        (Some(needed), Some(useful)) if useful < needed => {
            let wanted = display::count(needed);
            format!("all that drains before the deadline; a cold start queues {wanted}")
        }
        _ => format!("arrivals during one {} connect", display::millis(analysis.scenario.connect_ms)),
    }
}

/// The budget stands in the configuration also where the route retries nothing.
fn retry_budget(analysis: &Analysis, threshold: &Threshold) -> Vec<Note> {
    const PERCENT: &str = "retry_budget.budget_percent";
    let s = &analysis.scenario;
    if analysis.retry.num_retries == 0 {
        return vec![(PERCENT, "retries are off".to_owned())];
    }
    let added = display::share(Share(s.retry_overhead));
    let at_once = f64::from(s.clients) * f64::from(threshold.retry_budget.min_retry_concurrency);
    let retries = format!(
        "× {} = {} at once",
        display::plural(f64::from(s.clients), "proxy", "proxies"),
        display::quantity(at_once, "retries"),
    );
    vec![
        (PERCENT, format!("{added} on top of first attempts")),
        ("retry_budget.min_retry_concurrency", retries),
    ]
}

/// Floor, ceiling and the sum over the fleet; the trap first where there is one.
fn window(analysis: &Analysis) -> String {
    let (window, forecast) = (&analysis.window, &analysis.forecast);
    let count = |limit: u32| display::count(f64::from(limit));
    let fleet = display::count(forecast.fleet_max_requests as f64);
    let Some(ceiling) = window.ceiling else {
        return format!("floor {}, ceiling unknown; fleet {fleet}", count(window.floor));
    };
    let survive = forecast.hosts_survive.map_or_else(String::new, |n| format!(" of {}", display::number(n)));
    let trap = if window.is_shut() { "TRAP, no value serves and protects: " } else { "" };
    format!("{trap}floor {}, ceiling {}; fleet {fleet}{survive}", count(window.floor), count(ceiling))
}

/// What makes up the connections: pools, connections of each, and the overlap of a drain.
fn connections(s: &Scenario, threshold: &Threshold) -> String {
    let pools = format!(
        "{} × {}",
        display::plural(f64::from(s.workers), "worker", "workers"),
        display::plural(f64::from(s.hosts), "host", "hosts"),
    );
    let per_pool = u64::from(threshold.max_connections) / (2 * s.n_pools()).max(1);
    if !s.protocol.multiplexes() {
        format!("one a request, idle ones in {pools}")
    } else if per_pool > 1 {
        format!("{pools} × {}, twice in a drain", display::count(per_pool as f64))
    } else {
        format!("{pools}, twice in a drain")
    }
}

fn outlier(analysis: &Analysis) -> Vec<Note> {
    let ejection = &analysis.ejection;
    let hosts = format!(
        "{} of {} may go",
        display::count(f64::from(ejection.hosts)),
        display::plural(f64::from(analysis.scenario.hosts), "host", "hosts"),
    );
    let by_percentage =
        analysis.outlier.as_ref().is_none_or(|detection| detection.always_eject_one_host.is_none());
    let mut notes = if by_percentage {
        vec![("max_ejection_percent", hosts)]
    } else {
        vec![("always_eject_one_host", format!("{hosts}, which is no whole percentage"))]
    };
    if let Some(time) = ejection.detection_ms {
        notes.push((
            "consecutive_gateway_failure",
            format!("finds a dead host in {}", display::duration(time)),
        ));
    }
    notes
}

fn route(analysis: &Analysis) -> Vec<Note> {
    let (s, timeouts) = (&analysis.scenario, &analysis.timeouts);
    let life = if timeouts.grpc_timeout_header_max_ms.is_some() {
        "a caller's grpc-timeout may shorten, not extend"
    } else {
        "the longest life of a stream"
    };
    let hanging =
        if analysis.hanging_hosts_stay() { "; counts for no host, so one that hangs stays in" } else { "" };
    let mut notes = vec![
        ("timeout", route_timeout(analysis)),
        ("idle_timeout", "ends a stream on which nothing moves".to_owned()),
        ("max_stream_duration", life.to_owned() + hanging),
    ];
    if s.high_priority_share.0 > 0.0 {
        notes.push((
            "cluster",
            format!(
                "{} of the traffic: add priority: HIGH to its routes",
                display::share(s.high_priority_share)
            ),
        ));
    }
    notes
}

fn route_timeout(analysis: &Analysis) -> String {
    let timeouts = &analysis.timeouts;
    match timeouts.deadline_ms {
        _ if timeouts.route_ms.0 <= 0.0 => "off: it would cut streams".to_owned(),
        Some(deadline) => {
            let margin = deadline - timeouts.route_ms;
            format!("deadline {}, less {}", display::millis(deadline), display::millis(margin))
        }
        None => "all attempts together".to_owned(),
    }
}

fn retry(analysis: &Analysis) -> Vec<Note> {
    let s = &analysis.scenario;
    let safe = if s.idempotent { "safe to run twice" } else { "only what was never sent" };
    let outage = display::quantity(analysis.retry.amplification_cap, "attempts");
    let mut notes = vec![
        ("retry_on", safe.to_owned()),
        ("num_retries", format!("at most {outage} each in an outage")),
        ("retry_host_predicate", "not the host that failed".to_owned()),
    ];
    if let Some(cut) = analysis.forecast.cut_by_per_try {
        let p999 = display::millis(analysis.latency.p999_ms);
        notes.push((
            "per_try_timeout",
            format!("p99.9 is {p999}; cuts {} of good tries", display::share(cut)),
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::{Places, comments};
    use crate::engine::analyze;
    use crate::engine::rules::tests::scenario;

    #[track_caller]
    fn pending(changes: &str) -> String {
        let analysis = analyze(&scenario(changes)).unwrap_or_else(|problems| panic!("{problems:?}"));
        let notes = comments(&analysis, Places::FRAGMENTS);
        let of = |c: &&super::Comment| c.path.ends_with("thresholds[0].max_pending_requests");
        notes.iter().find(of).expect("the setting has a comment").text.clone()
    }

    #[test]
    fn the_queue_names_the_bound_that_decided() {
        assert_eq!(
            pending("connect_ms=100 idempotent=false deadline_ms=261"),
            "arrivals during one 100\u{a0}ms connect"
        );
        assert_eq!(
            pending("connect_ms=100 idempotent=false deadline_ms=260"),
            "all that drains before the deadline; a cold start queues 83"
        );
    }
}
