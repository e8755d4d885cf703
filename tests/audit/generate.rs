//! Bad configurations of Envoy, made from a number: whole bootstraps that Envoy accepts, with limits,
//! timeouts, retries and outlier detection as careless as they come, in every style of writing.

use std::fmt::Write as _;

/// A configuration and what is said of its traffic.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The text.
    pub text: String,
    /// `rps=500 mean=40`, or less, or nothing.
    pub asked: String,
}

/// A small generator (SplitMix64): the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("smaller than a usize")
    }

    /// True once in `n` times.
    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// A value of a configuration.
#[derive(Clone, Debug)]
enum Y {
    Bare(String),
    Text(String),
    Map(Vec<(String, Y)>),
    List(Vec<Y>),
}

fn bare(value: impl std::fmt::Display) -> Y {
    Y::Bare(format!("{value}"))
}

fn text(value: &str) -> Y {
    Y::Text(value.to_owned())
}

fn map<const N: usize>(entries: [(&str, Y); N]) -> Y {
    Y::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Entries that are there with a probability of one half, or of one in `n`.
struct Fields<'r> {
    random: &'r mut Random,
    entries: Vec<(String, Y)>,
}

impl<'r> Fields<'r> {
    fn new(random: &'r mut Random) -> Self {
        Self { random, entries: Vec::new() }
    }

    fn maybe(&mut self, n: usize, key: &str, value: impl FnOnce(&mut Random) -> Y) -> &mut Self {
        if self.random.once_in(n) {
            let value = value(self.random);
            self.entries.push((key.to_owned(), value));
        }
        self
    }

    fn map(&mut self) -> Y {
        Y::Map(std::mem::take(&mut self.entries))
    }
}

const COUNTS: &[u64] = &[0, 1, 2, 3, 5, 20, 60, 100, 300, 1024, 4000, 100_000, 4_294_967_295];
const DURATIONS: &[&str] =
    &["0.001s", "0.02s", "0.1s", "0.25s", "0.5s", "1s", "2.5s", "5s", "15s", "60s", "300s", "3600s"];
const PERCENTS: &[u64] = &[0, 1, 9, 10, 20, 34, 50, 99, 100];

fn count(r: &mut Random) -> Y {
    bare(*r.pick(COUNTS))
}

fn positive(r: &mut Random) -> Y {
    duration(r, DURATIONS)
}

fn timeout(r: &mut Random) -> Y {
    if r.once_in(6) { text("0s") } else { positive(r) }
}

fn duration(r: &mut Random, of: &[&str]) -> Y {
    let chosen = *r.pick(of);
    match chosen.trim_end_matches('s').parse::<u64>() {
        Ok(seconds) if r.once_in(8) => map([("seconds", bare(seconds))]),
        _ => text(chosen),
    }
}

fn percent(r: &mut Random) -> Y {
    bare(*r.pick(PERCENTS))
}

fn flag(r: &mut Random) -> Y {
    bare(r.once_in(2))
}

fn message(r: &mut Random) -> Y {
    map([("value", percent(r))])
}

fn thresholds(r: &mut Random, priority: Option<&str>) -> Y {
    let mut f = Fields::new(r);
    if let Some(priority) = priority {
        f.entries.push(("priority".to_owned(), text(priority)));
    }
    f.maybe(2, "max_connections", count)
        .maybe(2, "max_pending_requests", count)
        .maybe(2, "max_requests", count)
        .maybe(2, "max_retries", count)
        .maybe(12, "max_connection_pools", count)
        .maybe(4, "track_remaining", flag)
        .maybe(3, "retry_budget", |r| {
            Fields::new(r).maybe(2, "budget_percent", message).maybe(2, "min_retry_concurrency", count).map()
        })
        .map()
}

fn breakers(r: &mut Random) -> Y {
    let mut entries = Vec::new();
    for _ in 0..r.below(4) {
        let priority = *r.pick(&[None, None, Some("DEFAULT"), Some("HIGH"), Some("high")]);
        entries.push(thresholds(r, priority));
    }
    let list = if entries.len() == 1 && r.once_in(3) { entries.remove(0) } else { Y::List(entries) };
    let mut f = Fields::new(r);
    f.entries.push(("thresholds".to_owned(), list));
    f.maybe(6, "per_host_thresholds", |r| Y::List(vec![map([("max_connections", count(r))])]));
    if f.random.once_in(12) { Y::Map(Vec::new()) } else { f.map() }
}

fn outlier(r: &mut Random) -> Y {
    let long = &["600s", "3600s"];
    Fields::new(r)
        .maybe(2, "consecutive_5xx", |r| bare(*r.pick(&[0, 1, 3, 5, 100])))
        .maybe(3, "consecutive_gateway_failure", |r| bare(*r.pick(&[0, 1, 3, 5])))
        .maybe(4, "consecutive_local_origin_failure", |r| bare(*r.pick(&[0, 1, 5])))
        .maybe(4, "enforcing_consecutive_5xx", percent)
        .maybe(4, "enforcing_consecutive_gateway_failure", percent)
        .maybe(6, "enforcing_success_rate", percent)
        .maybe(8, "enforcing_failure_percentage", percent)
        .maybe(2, "interval", positive)
        .maybe(2, "base_ejection_time", |r| duration(r, &["0.5s", "5s", "30s", "180s"]))
        .maybe(6, "max_ejection_time", |r| duration(r, long))
        .maybe(6, "max_ejection_time_jitter", timeout)
        .maybe(2, "max_ejection_percent", percent)
        .maybe(6, "success_rate_minimum_hosts", |r| bare(*r.pick(&[1, 3, 5, 50])))
        .maybe(5, "split_external_local_origin_errors", flag)
        .maybe(6, "always_eject_one_host", flag)
        .map()
}

const TYPED: &str = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions";

fn streams(r: &mut Random) -> Y {
    Fields::new(r)
        .maybe(2, "max_concurrent_streams", |r| bare(*r.pick(&[1, 10, 100, 2_147_483_647_u64])))
        .map()
}

fn common(r: &mut Random) -> Y {
    Fields::new(r)
        .maybe(2, "idle_timeout", timeout)
        .maybe(3, "max_requests_per_connection", |r| bare(*r.pick(&[0, 1, 10, 1000])))
        .map()
}

fn options(r: &mut Random, into: &mut Vec<(String, Y)>) {
    match r.below(5) {
        0 => {
            let http2 = r.once_in(2);
            let protocol = if http2 {
                map([("http2_protocol_options", streams(r))])
            } else {
                map([("http_protocol_options", Y::Map(Vec::new()))])
            };
            let mut f = Fields::new(r);
            f.entries.push(("@type".to_owned(), text(&format!("type.googleapis.com/{TYPED}"))));
            f.maybe(2, "common_http_protocol_options", common);
            f.entries.push(("explicit_http_config".to_owned(), protocol));
            f.maybe(10, "retry_policy", retry_policy);
            let typed = f.map();
            into.push(("typed_extension_protocol_options".to_owned(), map([(TYPED, typed)])));
        }
        1 => {
            let mut f = Fields::new(r);
            f.maybe(2, "http2_protocol_options", streams);
            // Envoy takes only one of the two.
            if f.random.once_in(3) {
                f.maybe(1, "max_requests_per_connection", |r| bare(*r.pick(&[1, 100])));
            } else {
                f.maybe(2, "common_http_protocol_options", common);
            }
            into.append(&mut f.entries);
        }
        _ => {}
    }
}

fn cluster(r: &mut Random, name: &str) -> Y {
    let hosts = *r.pick(&[1, 1, 2, 3, 4, 10]);
    let endpoint = |n: usize| {
        let socket = map([("address", text(&format!("127.0.0.{n}"))), ("port_value", bare(8080))]);
        map([("endpoint", map([("address", map([("socket_address", socket)]))]))])
    };
    let endpoints = Y::List((1..=hosts).map(endpoint).collect());
    let assignment =
        map([("cluster_name", text(name)), ("endpoints", Y::List(vec![map([("lb_endpoints", endpoints)])]))]);
    let mut f = Fields::new(r);
    f.entries.push(("name".to_owned(), text(name)));
    f.entries.push(("type".to_owned(), text("STATIC")));
    f.maybe(2, "connect_timeout", positive)
        .maybe(2, "circuit_breakers", breakers)
        .maybe(2, "outlier_detection", outlier)
        .maybe(5, "common_lb_config", |r| {
            Fields::new(r)
                .maybe(2, "healthy_panic_threshold", message)
                .maybe(3, "update_merge_window", timeout)
                .map()
        });
    let mut entries = std::mem::take(&mut f.entries);
    options(r, &mut entries);
    entries.push(("load_assignment".to_owned(), assignment));
    Y::Map(entries)
}

const WORDS: &[&str] = &[
    "5xx",
    "gateway-error",
    "reset",
    "connect-failure",
    "refused-stream",
    "retriable-4xx",
    "retriable-status-codes",
    "retriable-headers",
    "envoy-ratelimited",
    "cancelled",
    "unavailable",
    "deadline-exceeded",
    "5XX",
    "conect-failure",
];

fn retry_policy(r: &mut Random) -> Y {
    const PREVIOUS: &str =
        "type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate";
    let mut f = Fields::new(r);
    if !f.random.once_in(5) {
        let words: Vec<&str> = (0..=f.random.below(4)).map(|_| *f.random.pick(WORDS)).collect();
        let comma = *f.random.pick(&[",", ", "]);
        f.entries.push(("retry_on".to_owned(), text(&words.join(comma))));
    }
    f.maybe(2, "num_retries", |r| bare(*r.pick(&[0, 1, 2, 3, 10, 100])))
        .maybe(2, "per_try_timeout", timeout)
        .maybe(6, "per_try_idle_timeout", timeout)
        .maybe(4, "retriable_status_codes", |r| Y::List(vec![bare(*r.pick(&[409, 429, 500, 503, 504, 99]))]))
        .maybe(3, "retry_back_off", |r| {
            let base = *r.pick(&["0.001s", "0.025s", "0.1s", "1s"]);
            let mut f = Fields::new(r);
            f.entries.push(("base_interval".to_owned(), text(base)));
            f.maybe(2, "max_interval", |r| text(r.pick::<&str>(&["1s", "10s", "60s"]))).map()
        })
        .maybe(6, "retry_host_predicate", |_| {
            let config = map([("@type", text(PREVIOUS))]);
            Y::List(vec![map([
                ("name", text("envoy.retry_host_predicates.previous_hosts")),
                ("typed_config", config),
            ])])
        })
        .maybe(6, "host_selection_retry_max_attempts", |r| bare(*r.pick(&[0, 1, 3, 100])))
        .map()
}

fn hedge(r: &mut Random) -> Y {
    Fields::new(r).maybe(1, "hedge_on_per_try_timeout", flag).maybe(4, "initial_requests", |_| bare(2)).map()
}

fn route(r: &mut Random, cluster: &str, prefix: &str) -> Y {
    let mut f = Fields::new(r);
    f.entries.push(("cluster".to_owned(), text(cluster)));
    f.maybe(2, "timeout", timeout)
        .maybe(4, "idle_timeout", timeout)
        .maybe(6, "priority", |r| text(r.pick::<&str>(&["HIGH", "DEFAULT"])))
        .maybe(2, "retry_policy", retry_policy)
        .maybe(8, "hedge_policy", hedge)
        .maybe(6, "max_stream_duration", |r| {
            Fields::new(r)
                .maybe(2, "max_stream_duration", timeout)
                .maybe(3, "grpc_timeout_header_max", timeout)
                .maybe(4, "grpc_timeout_header_offset", timeout)
                .map()
        });
    let action = f.map();
    let mut f = Fields::new(r);
    f.entries.push(("match".to_owned(), map([("prefix", text(prefix))])));
    f.entries.push(("route".to_owned(), action));
    f.maybe(8, "request_body_buffer_limit", |r| bare(*r.pick(&[0, 1024, 1_048_576]))).map()
}

fn host(r: &mut Random, at: usize, clusters: &[String]) -> Y {
    let mut routes = Vec::new();
    let n = 1 + r.below(3);
    for i in 0..n {
        let prefix = if i + 1 == n { "/".to_owned() } else { format!("/{i}") };
        let cluster = r.pick(clusters).clone();
        routes.push(route(r, &cluster, &prefix));
    }
    let mut f = Fields::new(r);
    f.entries.push(("name".to_owned(), text(&format!("host-{at}"))));
    f.entries.push(("domains".to_owned(), Y::List(vec![text(&format!("h{at}.example"))])));
    f.maybe(3, "retry_policy", retry_policy).maybe(10, "hedge_policy", hedge);
    f.entries.push(("routes".to_owned(), Y::List(routes)));
    f.map()
}

fn listener(r: &mut Random, clusters: &[String]) -> Y {
    let hosts = (0..=r.below(2)).map(|at| host(r, at, clusters)).collect();
    let router = Fields::new(r).maybe(6, "respect_expected_rq_timeout", flag).map();
    let Y::Map(router) = router else { unreachable!("it is a map") };
    let http = "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router";
    let mut config = vec![("@type".to_owned(), text(http))];
    config.extend(router);
    let mut f = Fields::new(r);
    let manager = "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager";
    f.entries.push(("@type".to_owned(), text(manager)));
    f.entries.push(("stat_prefix".to_owned(), text("ingress")));
    f.maybe(3, "stream_idle_timeout", timeout).maybe(8, "request_timeout", timeout);
    f.entries.push((
        "route_config".to_owned(),
        map([("name", text("routes")), ("virtual_hosts", Y::List(hosts))]),
    ));
    let filter = map([("name", text("envoy.filters.http.router")), ("typed_config", Y::Map(config))]);
    f.entries.push(("http_filters".to_owned(), Y::List(vec![filter])));
    let manager = f.map();
    let network =
        map([("name", text("envoy.filters.network.http_connection_manager")), ("typed_config", manager)]);
    map([
        ("name", text("ingress")),
        ("address", address()),
        ("filter_chains", Y::List(vec![map([("filters", Y::List(vec![network]))])])),
    ])
}

fn address() -> Y {
    map([("socket_address", map([("address", text("127.0.0.1")), ("port_value", bare(0))]))])
}

fn runtime(r: &mut Random, clusters: &[String]) -> Y {
    let mut values = Vec::new();
    for _ in 0..=r.below(2) {
        let cluster = r.pick(clusters);
        let field = *r.pick(&["max_requests", "max_connections", "max_retries", "max_pending_requests"]);
        let priority = *r.pick(&["default", "default", "high"]);
        let key = format!("circuit_breakers.{cluster}.{priority}.{field}");
        if values.iter().all(|(k, _)| *k != key) {
            values.push((key, bare(*r.pick(&[0, 1, 50, 5000]))));
        }
    }
    let layer = map([("name", text("static")), ("static_layer", Y::Map(values))]);
    map([("layers", Y::List(vec![layer]))])
}

fn asked(r: &mut Random) -> String {
    let mut out = String::new();
    let full = !r.once_in(3);
    if full {
        let p50 = *r.pick(&[2.0, 10.0, 40.0, 100.0, 400.0]);
        let _ = write!(out, "rps={} ", r.pick(&[1.0, 20.0, 300.0, 5_000.0]));
        match r.below(3) {
            0 => {
                let _ = write!(out, "mean={p50} ");
            }
            1 => {
                let _ = write!(out, "p50={p50} p99={} ", p50 * 4.0);
            }
            _ => {
                let _ = write!(out, "p50={p50} p95={} p999={} ", p50 * 2.0, p50 * 9.0);
            }
        }
    }
    let choices: &[(&str, &[&str])] = &[
        ("clients", &["1", "3", "40"]),
        ("workers", &["1", "2", "8"]),
        ("protocol", &["http1", "http2", "grpc"]),
        ("idempotent", &["true", "false"]),
        ("error_rate", &["0", "0.01", "0.3"]),
        ("host_concurrency", &["8", "200"]),
        ("upstream_keepalive_s", &["5", "60"]),
        ("high_priority_share", &["0", "0.3"]),
        ("retry_overhead", &["0", "0.2"]),
        ("slowdown", &["1", "3"]),
        ("envoy_version", &["1.34", "1.37", "1.40"]),
        ("burst", &["1", "2"]),
    ];
    for (key, values) in choices {
        if r.once_in(if full { 3 } else { 6 }) {
            let _ = write!(out, "{key}={} ", r.pick(values));
        }
    }
    out
}

/// The configuration of a number; `clusters` at most.
pub fn generated(seed: u64, clusters: usize) -> Generated {
    from(seed, clusters, 0)
}

/// The same with slips of the pen, which Envoy refuses.
pub fn with_slips(seed: u64) -> Generated {
    from(seed, 2, 12)
}

/// One of so many fields has a slip in it; none if it is zero.
fn from(seed: u64, clusters: usize, slips: usize) -> Generated {
    let mut r = Random(seed);
    let names: Vec<String> = (0..=r.below(clusters)).map(|at| format!("shop-{at}")).collect();
    let all = names.iter().map(|name| cluster(&mut r, name)).collect();
    let resources = map([("listeners", Y::List(vec![listener(&mut r, &names)])), ("clusters", Y::List(all))]);
    let mut entries =
        vec![("admin".to_owned(), map([("address", address())])), ("static_resources".to_owned(), resources)];
    if r.once_in(6) {
        entries.push(("layered_runtime".to_owned(), runtime(&mut r, &names)));
    }
    let asked = asked(&mut r);
    let mut whole = Y::Map(entries);
    if slips > 0 {
        slip(&mut r, &mut whole, slips);
    }
    Generated { text: Print::new(&mut r).whole(&whole), asked }
}

/// Slips of the pen: units, bare percentages, letters left out.
fn slip(r: &mut Random, value: &mut Y, n: usize) {
    match value {
        Y::Map(entries) => {
            for (key, value) in entries {
                if r.once_in(n) {
                    match (key.as_str(), &*value) {
                        (_, Y::Text(text)) if text.ends_with('s') && text.parse::<f64>().is_err() => {
                            if let Ok(seconds) = text.trim_end_matches('s').parse::<f64>() {
                                *value = Y::Text(format!("{}ms", seconds * 1000.0));
                            }
                        }
                        ("budget_percent" | "healthy_panic_threshold", Y::Map(inner)) => {
                            *value = inner.first().map_or(bare(20), |(_, percent)| percent.clone());
                        }
                        ("priority", _) => *value = text("HIHG"),
                        (name, _) if name.len() > 8 && name.contains('_') && !name.contains("config") => {
                            key.remove(3);
                        }
                        _ => {}
                    }
                }
                slip(r, value, n);
            }
        }
        Y::List(items) => items.iter_mut().for_each(|item| slip(r, item, n)),
        _ => {}
    }
}

/// A style of writing.
struct Print<'r> {
    r: &'r mut Random,
    is_json: bool,
    is_tight: bool,
    step: usize,
    dash: usize,
    flow: usize,
    quotes: usize,
    comments: usize,
    eol: &'static str,
}

impl<'r> Print<'r> {
    fn new(r: &'r mut Random) -> Self {
        let is_json = r.once_in(6);
        Self {
            is_json,
            is_tight: is_json && r.once_in(3),
            step: *r.pick(&[2, 2, 4]),
            dash: *r.pick(&[0, 0, 2]),
            flow: *r.pick(&[3, 8, 50]),
            quotes: *r.pick(&[3, 20, 200]),
            comments: *r.pick(&[4, 20, 200]),
            eol: if r.once_in(6) { "\r\n" } else { "\n" },
            r,
        }
    }

    fn whole(&mut self, value: &Y) -> String {
        let mut out = if self.r.once_in(12) { "\u{feff}".to_owned() } else { String::new() };
        if self.is_json {
            let pretty = !self.is_tight;
            out.push_str(&self.json(value, pretty.then_some(0)));
        } else {
            out.push_str(&self.block(value, 0).join(self.eol));
        }
        if !self.r.once_in(5) {
            out.push_str(self.eol);
        }
        out
    }

    fn json(&mut self, value: &Y, column: Option<usize>) -> String {
        let parts: Vec<String> = match value {
            Y::Bare(bare) if self.r.once_in(self.quotes) && bare.parse::<u64>().is_ok() => {
                return format!("\"{bare}\"");
            }
            Y::Bare(bare) => return bare.clone(),
            Y::Text(text) => return format!("\"{text}\""),
            Y::List(items) => {
                items.iter().map(|item| self.json(item, column.map(|c| c + self.step))).collect()
            }
            Y::Map(entries) => entries
                .iter()
                .map(|(key, value)| {
                    let colon = if self.is_tight { ":" } else { ": " };
                    format!("\"{key}\"{colon}{}", self.json(value, column.map(|c| c + self.step)))
                })
                .collect(),
        };
        let (open, close) = if matches!(value, Y::Map(_)) { ('{', '}') } else { ('[', ']') };
        match column.filter(|_| !parts.is_empty()) {
            Some(column) => {
                let margin = format!("{}{}", self.eol, " ".repeat(column + self.step));
                let parts = parts.join(&format!(",{margin}"));
                format!("{open}{margin}{parts}{}{}{close}", self.eol, " ".repeat(column))
            }
            None => format!("{open}{}{close}", parts.join(if self.is_tight { "," } else { ", " })),
        }
    }

    fn scalar(&mut self, value: &Y, in_flow: bool) -> String {
        match value {
            Y::Bare(bare) if self.r.once_in(self.quotes) && bare.parse::<u64>().is_ok() => {
                match self.r.below(3) {
                    0 => format!("\"{bare}\""),
                    1 => format!("'{bare}'"),
                    _ => format!("0x{:x}", bare.parse::<u64>().unwrap_or_default()),
                }
            }
            Y::Bare(bare) => bare.clone(),
            Y::Text(text) => {
                let is_plain = !(text.contains(", ") || in_flow && text.contains(','));
                match self.r.below(6) {
                    0 => format!("\"{text}\""),
                    1 => format!("'{text}'"),
                    _ if is_plain => text.clone(),
                    _ => format!("\"{text}\""),
                }
            }
            _ => self.flow(value),
        }
    }

    fn flow(&mut self, value: &Y) -> String {
        match value {
            Y::Map(entries) => {
                let parts: Vec<String> = entries
                    .iter()
                    .map(|(key, value)| format!("{}: {}", quoted(key), self.flow(value)))
                    .collect();
                let pad = if self.r.once_in(4) && !parts.is_empty() { " " } else { "" };
                format!("{{{pad}{}{pad}}}", parts.join(", "))
            }
            Y::List(items) => {
                let parts: Vec<String> = items.iter().map(|item| self.flow(item)).collect();
                format!("[{}]", parts.join(", "))
            }
            single => self.scalar(single, true),
        }
    }

    fn comment(&mut self) -> &'static str {
        if self.r.once_in(self.comments) {
            self.r.pick::<&str>(&["  # why not", " # TODO: {check}", " # - see: docs"])
        } else {
            ""
        }
    }

    fn fits(&mut self, value: &Y, column: usize) -> bool {
        match value {
            Y::Map(entries) => entries.is_empty() || column > 4 && self.r.once_in(self.flow),
            Y::List(items) => {
                let is_single = |y: &Y| !matches!(y, Y::Map(_) | Y::List(_));
                items.is_empty()
                    || items.iter().all(is_single) && self.r.once_in(2)
                    || column > 8 && self.r.once_in(self.flow)
            }
            _ => true,
        }
    }

    fn block(&mut self, value: &Y, column: usize) -> Vec<String> {
        let margin = " ".repeat(column);
        let mut lines = Vec::new();
        match value {
            Y::Map(entries) => {
                for (key, value) in entries {
                    let key = quoted(key);
                    if self.r.once_in(self.comments * 3) {
                        lines.push(format!("{margin}# about {}", key.trim_matches('"')));
                    }
                    if self.fits(value, column) {
                        let value = self.scalar(value, false);
                        lines.push(format!("{margin}{key}: {value}{}", self.comment()));
                    } else {
                        lines.push(format!("{margin}{key}:{}", self.comment()));
                        let below = if matches!(value, Y::List(_)) { self.dash } else { self.step };
                        lines.extend(self.block(value, column + below));
                    }
                }
            }
            Y::List(items) => {
                for item in items {
                    if self.fits(item, column) {
                        let item = self.scalar(item, false);
                        lines.push(format!("{margin}- {item}{}", self.comment()));
                        continue;
                    }
                    let mut below = self.block(item, column + 2);
                    // A comment may stand behind a dash, but then the first key is on a line of its own.
                    if let Some(first) = below.first_mut() {
                        *first = format!("{margin}- {}", first.trim_start());
                    }
                    lines.extend(below);
                }
            }
            single => {
                let single = self.scalar(single, false);
                lines.push(format!("{margin}{single}"));
            }
        }
        lines
    }
}

fn quoted(key: &str) -> String {
    if key.starts_with('@') { format!("\"{key}\"") } else { key.to_owned() }
}

/// A rule and a service of Istio for one host.
pub fn istio(seed: u64) -> Generated {
    let mut r = Random(seed);
    let small = |r: &mut Random| bare(*r.pick(&[0, 1, 2, 5, 20, 100, 1024, 100_000, 2_147_483_647_u64]));
    let go =
        |r: &mut Random| text(r.pick::<&str>(&["1ms", "25ms", "250ms", "1s", "2.5s", "15s", "1m", "1h5m"]));
    let pool = |r: &mut Random| {
        let mut f = Fields::new(r);
        f.maybe(2, "tcp", |r| {
            Fields::new(r).maybe(2, "maxConnections", small).maybe(2, "connectTimeout", go).map()
        });
        f.maybe(2, "http", |r| {
            let mut f = Fields::new(r);
            f.maybe(2, "http1MaxPendingRequests", small)
                .maybe(2, "http2MaxRequests", small)
                .maybe(2, "maxRetries", small)
                .maybe(4, "maxRequestsPerConnection", small)
                .maybe(3, "idleTimeout", go)
                .maybe(5, "h2UpgradePolicy", |r| text(r.pick::<&str>(&["UPGRADE", "DO_NOT_UPGRADE"])))
                .map()
        })
        .map()
    };
    let detection = |r: &mut Random| {
        let mut f = Fields::new(r);
        f.maybe(2, "consecutive5xxErrors", |r| bare(*r.pick(&[0, 1, 5, 100])))
            .maybe(3, "consecutiveGatewayErrors", |r| bare(*r.pick(&[0, 1, 5])))
            .maybe(6, "consecutiveErrors", |r| bare(*r.pick(&[1, 5])))
            .maybe(2, "interval", go)
            .maybe(2, "baseEjectionTime", go)
            .maybe(2, "maxEjectionPercent", percent)
            .maybe(4, "minHealthPercent", percent)
            .maybe(5, "splitExternalLocalOriginErrors", flag)
            .map()
    };
    let policy = |r: &mut Random| {
        let mut f = Fields::new(r);
        f.maybe(2, "connectionPool", pool).maybe(2, "outlierDetection", detection);
        f.maybe(5, "retryBudget", |r| {
            Fields::new(r).maybe(2, "percent", percent).maybe(2, "minRetryConcurrency", small).map()
        })
        .map()
    };
    let mut f = Fields::new(&mut r);
    f.entries.push(("host".to_owned(), text("shop")));
    f.maybe(1, "trafficPolicy", policy).maybe(3, "subsets", |r| {
        let mut f = Fields::new(r);
        f.entries.push(("name".to_owned(), text("v1")));
        f.entries.push(("labels".to_owned(), map([("version", text("v1"))])));
        Y::List(vec![f.maybe(2, "trafficPolicy", policy).map()])
    });
    let rule = f.map();
    let mut f = Fields::new(&mut r);
    let destination = map([("destination", map([("host", text("shop"))]))]);
    f.entries.push(("route".to_owned(), Y::List(vec![destination])));
    f.maybe(2, "timeout", go).maybe(2, "retries", |r| {
        let mut f = Fields::new(r);
        f.entries.push(("attempts".to_owned(), bare(*f.random.pick(&[0, 1, 2, 10]))));
        f.maybe(2, "perTryTimeout", go)
            .maybe(2, "retryOn", |r| {
                text(r.pick::<&str>(&["5xx", "gateway-error,connect-failure", "503,reset", "retriable-4xx"]))
            })
            .map()
    });
    let service = map([("hosts", Y::List(vec![text("shop")])), ("http", Y::List(vec![f.map()]))]);
    let resources = [("DestinationRule", rule), ("VirtualService", service)];
    let asked = asked(&mut r);
    Generated { text: kubernetes(&mut r, "networking.istio.io/v1", resources), asked }
}

/// A policy of Envoy Gateway.
pub fn gateway(seed: u64) -> Generated {
    let mut r = Random(seed);
    let of =
        |r: &mut Random| text(r.pick::<&str>(&["1ms", "25ms", "250ms", "1s", "2500ms", "15s", "1m", "1h5m"]));
    let mut f = Fields::new(&mut r);
    let target = map([
        ("group", text("gateway.networking.k8s.io")),
        ("kind", text("HTTPRoute")),
        ("name", text("shop")),
    ]);
    f.entries.push(("targetRefs".to_owned(), Y::List(vec![target])));
    f.maybe(2, "circuitBreaker", |r| {
        let mut f = Fields::new(r);
        f.maybe(2, "maxConnections", count)
            .maybe(2, "maxPendingRequests", count)
            .maybe(2, "maxParallelRequests", count)
            .maybe(2, "maxParallelRetries", count)
            .maybe(6, "perEndpoint", |r| map([("maxConnections", count(r))]))
            .maybe(4, "retryBudget", |r| {
                let percent = map([("numerator", percent(r))]);
                Fields::new(r).maybe(2, "minRetryConcurrency", count).maybe(1, "percent", |_| percent).map()
            })
            .map()
    });
    f.maybe(2, "retry", |r| {
        let mut f = Fields::new(r);
        f.maybe(2, "numRetries", |r| bare(*r.pick(&[0, 1, 2, 10])));
        f.maybe(2, "retryOn", |r| {
            let triggers =
                |r: &mut Random| Y::List(vec![text(r.pick::<&str>(&["5xx", "reset", "gateway-error"]))]);
            let mut f = Fields::new(r);
            f.maybe(2, "triggers", triggers).maybe(3, "httpStatusCodes", |_| Y::List(vec![bare(503)])).map()
        })
        .maybe(2, "perRetry", |r| {
            Fields::new(r)
                .maybe(2, "timeout", of)
                .maybe(2, "backOff", |_| map([("baseInterval", text("25ms")), ("maxInterval", text("1s"))]))
                .map()
        })
        .map()
    });
    f.maybe(2, "timeout", |r| {
        Fields::new(r)
            .maybe(2, "tcp", |r| map([("connectTimeout", of(r))]))
            .maybe(2, "http", |r| {
                Fields::new(r).maybe(2, "requestTimeout", of).maybe(3, "connectionIdleTimeout", of).map()
            })
            .map()
    });
    f.maybe(2, "healthCheck", |r| {
        let mut f = Fields::new(r);
        f.maybe(1, "passive", |r| {
            Fields::new(r)
                .maybe(2, "consecutive5XxErrors", |r| bare(*r.pick(&[0, 1, 5])))
                .maybe(3, "consecutiveGatewayErrors", |r| bare(*r.pick(&[1, 5])))
                .maybe(2, "interval", of)
                .maybe(2, "maxEjectionPercent", percent)
                .map()
        })
        .maybe(4, "panicThreshold", percent)
        .map()
    });
    let spec = f.map();
    let asked = asked(&mut r);
    Generated {
        text: kubernetes(&mut r, "gateway.envoyproxy.io/v1alpha1", [("BackendTrafficPolicy", spec)]),
        asked,
    }
}

fn kubernetes<const N: usize>(r: &mut Random, version: &str, resources: [(&str, Y); N]) -> String {
    let documents: Vec<Y> = resources
        .into_iter()
        .map(|(kind, spec)| {
            map([
                ("apiVersion", text(version)),
                ("kind", text(kind)),
                ("metadata", map([("name", text("shop"))])),
                ("spec", spec),
            ])
        })
        .collect();
    let mut print = Print::new(r);
    // A schema takes no numbers in quotes, and JSON holds one resource.
    print.quotes = 1_000_000;
    print.is_json = false;
    let eol = print.eol;
    let texts: Vec<String> = documents.iter().map(|d| print.block(d, 0).join(eol) + eol).collect();
    texts.join(&format!("---{eol}"))
}
