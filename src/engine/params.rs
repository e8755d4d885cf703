//! The one table of inputs: id, label, unit, range, default, help and source of every field.
//!
//! Form, command line, error messages, documentation and test generators are derived from it, so
//! that a range or a default is written once. A range is checked by the scenario draft and
//! by nobody else.

use std::fmt;

/// Identifies an input everywhere: form id, command-line flag, permalink key, error message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is described by its row in the table")]
pub enum ParamId {
    Name,
    Protocol,
    Rps,
    P50,
    P75,
    P90,
    P95,
    P99,
    P999,
    Mean,
    StreamMean,
    StreamP99,
    Clients,
    Workers,
    Hosts,
    HostConcurrency,
    HostsLost,
    Burst,
    Skew,
    Slowdown,
    ShedTarget,
    DeadlineMs,
    ConnectMs,
    Idempotent,
    ErrorRate,
    RetryOverhead,
    HighPriorityShare,
    UpstreamKeepaliveS,
    RetryingHops,
    EnvoyVersion,
}

/// What kind of text an input takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Free text, up to that many characters.
    Text {
        /// Longest text accepted.
        max_chars: usize,
    },
    /// One of a closed list of words.
    Choice(&'static [&'static str]),
    /// Yes or no.
    Flag,
    /// A number of requests, hosts and the like: no fraction.
    Whole(Range),
    /// A number with a fraction.
    Number(Range),
}

/// Allowed values of a number, in the unit of the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Whether `min` itself is excluded.
    pub above_min: bool,
}

impl Range {
    /// Whether `value` is allowed; no range contains NaN.
    pub fn contains(self, value: f64) -> bool {
        let low = if self.above_min { value > self.min } else { value >= self.min };
        low && value <= self.max
    }
}

/// What an input counts as when it is left empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// The scenario is incomplete without it.
    Required,
    /// Nothing is assumed; what depends on it is left out.
    Absent,
    /// This number.
    Number(f64),
    /// This word.
    Word(&'static str),
    /// Derived from other inputs, as the sentence says.
    Derived(&'static str),
}

/// How a number is read and written: decides which suffixes are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// No unit.
    None,
    /// Requests per second.
    PerSecond,
    /// Milliseconds.
    Ms,
    /// Seconds.
    S,
    /// A share, 0 to 1; `5%` is understood.
    Share,
    /// A multiple.
    Times,
    /// A count of things, named by the label.
    Count,
}

/// The group of the form an input belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the headings")]
pub enum Group {
    Traffic,
    Clients,
    Upstream,
    Margins,
    More,
}

/// One input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Who it is.
    pub id: ParamId,
    /// Form id, permalink key; the command-line flag has dashes for underscores.
    pub key: &'static str,
    /// Where it lives in the scenario JSON: one key, or two for a nested object.
    pub path: &'static [&'static str],
    /// Group of the form.
    pub group: Group,
    /// Label in the form.
    pub label: &'static str,
    /// Unit beside the input.
    pub unit_label: &'static str,
    /// How its number is read and written.
    pub unit: Unit,
    /// What it takes.
    pub kind: Kind,
    /// What it counts as when empty.
    pub default: Default,
    /// What it means, in a sentence or two.
    pub help: &'static str,
    /// Why the default and the range are what they are.
    pub source: &'static str,
}

const fn above(min: f64, max: f64) -> Range {
    Range { min, max, above_min: true }
}

const fn within(min: f64, max: f64) -> Range {
    Range { min, max, above_min: false }
}

/// The versions of Envoy whose fields and counters are known, newest last.
pub const ENVOY_VERSIONS: &[&str] =
    &["1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37", "1.38", "1.39", "1.40"];

/// The protocols, as scenario JSON spells them.
pub const PROTOCOLS: &[&str] = &["http1", "http2", "grpc", "grpc_stream"];

/// From a nanosecond on: what is shorter has no place in the formulas.
const LATENCY: Range = within(1e-6, 1e8);
const DURATION_S: Range = within(1e-6, 1e7);
const OUR_CHOICE: &str = "our choice: wide enough for every real service";

const fn percentile(
    id: ParamId,
    key: &'static str,
    path: &'static [&'static str],
    label: &'static str,
) -> Param {
    Param {
        id,
        key,
        path,
        group: Group::Traffic,
        label,
        unit_label: "ms",
        unit: Unit::Ms,
        kind: Kind::Number(LATENCY),
        default: Default::Absent,
        help: "Time until the upstream's response is complete, at the normal peak, as the proxies see it. \
               One percentile is enough; two or more give the shape.",
        source: OUR_CHOICE,
    }
}

/// Every input, in the order of the form.
pub static PARAMS: &[Param] = &[
    Param {
        id: ParamId::Name,
        key: "name",
        path: &["name"],
        group: Group::Traffic,
        label: "Service",
        unit_label: "",
        unit: Unit::None,
        kind: Kind::Text { max_chars: 120 },
        default: Default::Word("my-service"),
        help: "Name of the cluster in the output.",
        source: "envoy: config.cluster.v3.Cluster.name",
    },
    Param {
        id: ParamId::Protocol,
        key: "protocol",
        path: &["protocol"],
        group: Group::Traffic,
        label: "Protocol",
        unit_label: "",
        unit: Unit::None,
        kind: Kind::Choice(PROTOCOLS),
        default: Default::Word("http2"),
        help: "What the proxies speak to the upstream. grpc_stream is for long-lived streams and WebSockets.",
        source: "our choice: HTTP/2 is what meshes speak between proxies",
    },
    Param {
        id: ParamId::Rps,
        key: "rps",
        path: &["rps"],
        group: Group::Traffic,
        label: "Peak rate",
        unit_label: "req/s",
        unit: Unit::PerSecond,
        kind: Kind::Number(above(0.0, 1e8)),
        default: Default::Required,
        help: "Requests per second of the whole fleet in a normal peak minute; new streams per second for grpc_stream.",
        source: OUR_CHOICE,
    },
    percentile(ParamId::P50, "p50", &["latency_ms", "p50"], "Latency p50"),
    percentile(ParamId::P75, "p75", &["latency_ms", "p75"], "Latency p75"),
    percentile(ParamId::P90, "p90", &["latency_ms", "p90"], "Latency p90"),
    percentile(ParamId::P95, "p95", &["latency_ms", "p95"], "Latency p95"),
    percentile(ParamId::P99, "p99", &["latency_ms", "p99"], "Latency p99"),
    percentile(ParamId::P999, "p999", &["latency_ms", "p999"], "Latency p99.9"),
    Param {
        id: ParamId::Mean,
        key: "mean",
        path: &["latency_ms", "mean"],
        group: Group::Traffic,
        label: "Mean latency",
        unit_label: "ms",
        unit: Unit::Ms,
        kind: Kind::Number(LATENCY),
        default: Default::Derived("the mean of a piecewise log-normal distribution through the percentiles"),
        help: "Measured mean time to the complete response. Little's law needs the mean; without it the percentiles give it.",
        source: OUR_CHOICE,
    },
    Param {
        id: ParamId::StreamMean,
        key: "stream_mean",
        path: &["stream_duration_s", "mean"],
        group: Group::Traffic,
        label: "Stream life, mean",
        unit_label: "s",
        unit: Unit::S,
        kind: Kind::Number(DURATION_S),
        default: Default::Absent,
        help: "Mean life of a stream, from the first byte of the request to the end of the response.",
        source: OUR_CHOICE,
    },
    Param {
        id: ParamId::StreamP99,
        key: "stream_p99",
        path: &["stream_duration_s", "p99"],
        group: Group::Traffic,
        label: "Stream life, p99",
        unit_label: "s",
        unit: Unit::S,
        kind: Kind::Number(DURATION_S),
        default: Default::Absent,
        help: "Ninety-nine of a hundred streams end within this time.",
        source: OUR_CHOICE,
    },
    Param {
        id: ParamId::Clients,
        key: "clients",
        path: &["clients"],
        group: Group::Clients,
        label: "Proxies",
        unit_label: "Envoys",
        unit: Unit::Count,
        kind: Kind::Whole(within(1.0, 1e6)),
        default: Default::Number(1.0),
        help: "Envoy processes that call this cluster: sidecars, gateways, edges. Every limit counts inside one of them.",
        source: "our choice: one gateway",
    },
    Param {
        id: ParamId::Workers,
        key: "workers",
        path: &["workers"],
        group: Group::Clients,
        label: "Workers each",
        unit_label: "threads",
        unit: Unit::Count,
        kind: Kind::Whole(within(1.0, 256.0)),
        default: Default::Number(2.0),
        help: "Worker threads of each proxy (--concurrency). Connection pools are per worker and host.",
        source: "istio: sidecars run two workers by default",
    },
    Param {
        id: ParamId::Hosts,
        key: "hosts",
        path: &["hosts"],
        group: Group::Upstream,
        label: "Hosts",
        unit_label: "hosts",
        unit: Unit::Count,
        kind: Kind::Whole(within(1.0, 1e5)),
        default: Default::Number(3.0),
        help: "Upstream endpoints of this cluster.",
        source: "our choice: one host in each of three zones",
    },
    Param {
        id: ParamId::HostConcurrency,
        key: "host_concurrency",
        path: &["host_concurrency"],
        group: Group::Upstream,
        label: "Each survives",
        unit_label: "in flight",
        unit: Unit::Count,
        kind: Kind::Number(above(0.0, 1e9)),
        default: Default::Absent,
        help: "Requests in flight at which one host starts to collapse. From a load test; leave it empty if unknown, and no ceiling is drawn.",
        source: OUR_CHOICE,
    },
    Param {
        id: ParamId::HostsLost,
        key: "hosts_lost",
        path: &["hosts_lost"],
        group: Group::Upstream,
        label: "Down at peak",
        unit_label: "hosts",
        unit: Unit::Count,
        kind: Kind::Whole(within(0.0, 99_999.0)),
        default: Default::Derived("1, or 0 with a single host"),
        help: "Hosts that may be down while the rest must carry the peak.",
        source: "our choice: a deploy or a failure takes one host",
    },
    Param {
        id: ParamId::Burst,
        key: "burst",
        path: &["burst"],
        group: Group::Margins,
        label: "Worst second",
        unit_label: "× rate",
        unit: Unit::Times,
        kind: Kind::Number(within(1.0, 20.0)),
        default: Default::Number(1.5),
        help: "Rate within the worst second, as a multiple of the peak rate.",
        source: "our choice: averages over a minute hide bursts of about this size",
    },
    Param {
        id: ParamId::Skew,
        key: "skew",
        path: &["skew"],
        group: Group::Margins,
        label: "Busiest proxy",
        unit_label: "× share",
        unit: Unit::Times,
        kind: Kind::Number(within(1.0, 20.0)),
        default: Default::Number(1.2),
        help: "Rate of the busiest proxy, as a multiple of its fair share.",
        source: "our choice: a fifth more than even",
    },
    Param {
        id: ParamId::Slowdown,
        key: "slowdown",
        path: &["slowdown"],
        group: Group::Margins,
        label: "Slower upstream",
        unit_label: "× latency",
        unit: Unit::Times,
        kind: Kind::Number(within(1.0, 20.0)),
        default: Default::Number(2.0),
        help: "How much slower the upstream may get before healthy traffic is refused.",
        source: "our choice: twice as slow is a bad day, not an outage",
    },
    Param {
        id: ParamId::ShedTarget,
        key: "shed_target",
        path: &["shed_target"],
        group: Group::Margins,
        label: "Tolerated refusals",
        unit_label: "share",
        unit: Unit::Share,
        kind: Kind::Number(within(1e-9, 0.1)),
        default: Default::Number(1e-4),
        help: "Share of requests that may be refused at the healthy peak. No finite limit refuses nothing.",
        source: "our choice: a tenth of a 99.9% objective",
    },
    Param {
        id: ParamId::DeadlineMs,
        key: "deadline_ms",
        path: &["deadline_ms"],
        group: Group::More,
        label: "Caller's deadline",
        unit_label: "ms",
        unit: Unit::Ms,
        kind: Kind::Number(within(20.0, 1e9)),
        default: Default::Derived("the larger of 1,000 ms and 4 × p99"),
        help: "When the caller gives up. Everything inside must end earlier.",
        source: "our choice: a second is what people wait without noticing, four times p99 leaves room for a retry",
    },
    Param {
        id: ParamId::ConnectMs,
        key: "connect_ms",
        path: &["connect_ms"],
        group: Group::More,
        label: "TCP + TLS set-up",
        unit_label: "ms",
        unit: Unit::Ms,
        kind: Kind::Number(within(0.0, 60_000.0)),
        default: Default::Number(5.0),
        help: "Time to open a connection to a host, TLS included.",
        source: "our choice: a TLS handshake within a region",
    },
    Param {
        id: ParamId::Idempotent,
        key: "idempotent",
        path: &["idempotent"],
        group: Group::More,
        label: "Safe to run twice (idempotent)",
        unit_label: "",
        unit: Unit::None,
        kind: Kind::Flag,
        default: Default::Word("false"),
        help: "May a request safely run twice? If not, only requests that never reached a host are retried.",
        source: "our choice: a payment must not be made twice because nobody was asked",
    },
    Param {
        id: ParamId::ErrorRate,
        key: "error_rate",
        path: &["error_rate"],
        group: Group::More,
        label: "Failures on a good day",
        unit_label: "share",
        unit: Unit::Share,
        kind: Kind::Number(within(0.0, 1.0)),
        default: Default::Number(0.001),
        help: "Share of attempts that fail on a good day.",
        source: "our choice: a 99.9% objective, just met",
    },
    Param {
        id: ParamId::RetryOverhead,
        key: "retry_overhead",
        path: &["retry_overhead"],
        group: Group::More,
        label: "Extra load from retries",
        unit_label: "share",
        unit: Unit::Share,
        kind: Kind::Number(within(0.0, 1.0)),
        default: Default::Number(0.25),
        help: "Extra load that retries may add when every attempt fails; 0 turns retries off.",
        source: "envoy: a retry budget of 20% is 25% on top of the first attempts",
    },
    Param {
        id: ParamId::RetryingHops,
        key: "retrying_hops",
        path: &["retrying_hops"],
        group: Group::More,
        label: "Layers that retry",
        unit_label: "layers",
        unit: Unit::Count,
        kind: Kind::Whole(within(1.0, 5.0)),
        default: Default::Number(1.0),
        help: "Layers that retry, this one included: the calling application, a gateway, a sidecar. Their attempts multiply.",
        source: "our choice: this proxy only",
    },
    Param {
        id: ParamId::HighPriorityShare,
        key: "high_priority_share",
        path: &["high_priority_share"],
        group: Group::More,
        label: "HIGH priority",
        unit_label: "share",
        unit: Unit::Share,
        kind: Kind::Number(within(0.0, 1.0)),
        default: Default::Number(0.0),
        help: "Share of the traffic on routes with priority HIGH, which has limits of its own.",
        source: "envoy: routes have priority DEFAULT unless they say otherwise",
    },
    Param {
        id: ParamId::UpstreamKeepaliveS,
        key: "upstream_keepalive_s",
        path: &["upstream_keepalive_s"],
        group: Group::More,
        label: "Server keep-alive",
        unit_label: "s",
        unit: Unit::S,
        kind: Kind::Number(within(0.01, 1e6)),
        default: Default::Absent,
        help: "The server's own keep-alive timeout. The proxy must close idle connections before the server does.",
        source: OUR_CHOICE,
    },
    Param {
        id: ParamId::EnvoyVersion,
        key: "envoy_version",
        path: &["envoy_version"],
        group: Group::More,
        label: "Envoy",
        unit_label: "",
        unit: Unit::None,
        kind: Kind::Choice(ENVOY_VERSIONS),
        default: Default::Word("1.40"),
        help: "Fields and counter names follow the version.",
        source: "the newest release measured",
    },
];

/// The row of `id`.
pub fn param(id: ParamId) -> &'static Param {
    PARAMS.iter().find(|p| p.id == id).expect("every id has a row, see the test below")
}

/// The row with that key, if any.
pub fn by_key(key: &str) -> Option<&'static Param> {
    PARAMS.iter().find(|p| p.key == key)
}

impl fmt::Display for ParamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(param(*self).key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_has_exactly_one_row() {
        let mut ids: Vec<ParamId> = PARAMS.iter().map(|p| p.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), PARAMS.len());
        // `EnvoyVersion` is the last variant.
        assert_eq!(ids.len(), ParamId::EnvoyVersion as usize + 1);
    }

    #[test]
    fn every_default_lies_in_its_range() {
        for p in PARAMS {
            match (p.kind, p.default) {
                (Kind::Number(range) | Kind::Whole(range), Default::Number(n)) => {
                    assert!(range.contains(n), "{}", p.key);
                }
                (Kind::Choice(words), Default::Word(word)) => {
                    assert!(words.contains(&word), "{}", p.key);
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_row_explains_itself() {
        for p in PARAMS {
            assert!(!p.label.is_empty() && !p.help.is_empty() && !p.source.is_empty(), "{}", p.key);
        }
    }
}
