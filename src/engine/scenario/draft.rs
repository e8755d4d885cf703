//! Text to scenario, with all problems at once.
//!
//! The form is a draft, a command line is a draft, a permalink is a draft: raw texts by input.
//! [`Draft::check`] is the only place where a text becomes a value. Nothing is clamped, nothing
//! that was typed is lost.

use super::problem::{self, Problem};
use super::{EnvoyVersion, LatencyPoints, Protocol, Scenario, StreamDuration};
use crate::engine::latency::{Point, mean_lower_bound};
use crate::engine::params::{Default as ParamDefault, ENVOY_VERSIONS, Kind, Param, ParamId, param};
use crate::engine::units::display::{self, echo};
use crate::engine::units::{Millis, Rate, Share, parse};

/// The raw texts of the inputs; an input that is missing or blank counts as its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// Sorted by input; a list, since a tree of thirty texts would cost the page more than it saves.
    texts: Vec<(ParamId, String)>,
}

impl Draft {
    /// The text of an input, empty when it was left alone.
    pub fn get(&self, id: ParamId) -> &str {
        self.texts.iter().find(|(of, _)| *of == id).map_or("", |(_, text)| text.as_str())
    }

    /// Sets the text of an input; a blank text means its default.
    pub fn set(&mut self, id: ParamId, text: impl Into<String>) {
        let text = text.into();
        self.texts.retain(|(of, _)| *of != id);
        if !text.trim().is_empty() {
            let place = self.texts.iter().take_while(|(of, _)| *of < id).count();
            self.texts.insert(place, (id, text));
        }
    }

    /// The inputs that have a text, in the order of the form.
    pub fn entries(&self) -> impl Iterator<Item = (ParamId, &str)> {
        self.texts.iter().map(|(id, text)| (*id, text.as_str()))
    }

    /// The draft that gives this scenario: only what differs from the defaults.
    pub fn of(scenario: &Scenario) -> Self {
        let mut draft = Self::default();
        let s = scenario;
        let defaults = |id: ParamId, value: f64| match param(id).default {
            ParamDefault::Number(default) => default.to_bits() == value.to_bits(),
            _ => false,
        };
        let mut number = |id: ParamId, value: Option<f64>| {
            if let Some(value) = value.filter(|value| !defaults(id, *value)) {
                draft.set(id, display::input(value));
            }
        };
        number(ParamId::Rps, Some(s.rps.0));
        let l = &s.latency_ms;
        for (id, at) in [
            (ParamId::P50, l.p50),
            (ParamId::P75, l.p75),
            (ParamId::P90, l.p90),
            (ParamId::P95, l.p95),
            (ParamId::P99, l.p99),
            (ParamId::P999, l.p999),
            (ParamId::Mean, l.mean),
            (ParamId::DeadlineMs, s.deadline_ms),
            (ParamId::ConnectMs, Some(s.connect_ms)),
        ] {
            number(id, at.map(|ms| ms.0));
        }
        let stream = s.stream_duration_s.as_ref();
        number(ParamId::StreamMean, stream.and_then(|d| d.mean));
        number(ParamId::StreamP99, stream.and_then(|d| d.p99));
        number(ParamId::Clients, Some(f64::from(s.clients)));
        number(ParamId::Workers, Some(f64::from(s.workers)));
        number(ParamId::Hosts, Some(f64::from(s.hosts)));
        number(ParamId::HostConcurrency, s.host_concurrency);
        let lost_differs = s.hosts_lost != default_hosts_lost(s.hosts);
        number(ParamId::HostsLost, lost_differs.then(|| f64::from(s.hosts_lost)));
        number(ParamId::Burst, Some(s.burst));
        number(ParamId::Skew, Some(s.skew));
        number(ParamId::Slowdown, Some(s.slowdown));
        number(ParamId::ShedTarget, Some(s.shed_target.0));
        number(ParamId::ErrorRate, Some(s.error_rate.0));
        number(ParamId::RetryOverhead, Some(s.retry_overhead));
        number(ParamId::HighPriorityShare, Some(s.high_priority_share.0));
        number(ParamId::UpstreamKeepaliveS, s.upstream_keepalive_s);
        number(ParamId::RetryingHops, Some(f64::from(s.retrying_hops)));
        let mut word = |id: ParamId, text: String| {
            if !matches!(param(id).default, ParamDefault::Word(default) if default == text) {
                draft.set(id, text);
            }
        };
        word(ParamId::Name, s.name.clone());
        word(ParamId::Protocol, s.protocol.as_str().to_owned());
        word(ParamId::Idempotent, s.idempotent.to_string());
        word(ParamId::EnvoyVersion, s.envoy_version.to_string());
        draft
    }

    /// The scenario, or everything that is wrong with the draft.
    ///
    /// # Errors
    ///
    /// One [`Problem`] for every input that cannot be read, is out of range or contradicts
    /// another, in the order of the form.
    pub fn check(&self) -> Result<Scenario, Vec<Problem>> {
        let mut reader = Reader { draft: self, problems: Vec::new() };
        let scenario = reader.scenario();
        if reader.problems.is_empty() {
            return Ok(scenario);
        }
        reader
            .problems
            .sort_by_key(|p| crate::engine::params::PARAMS.iter().position(|row| row.key == p.field));
        Err(reader.problems)
    }
}

/// Hosts that may be down when nobody says otherwise.
fn default_hosts_lost(hosts: u32) -> u32 {
    u32::from(hosts > 1)
}

struct Reader<'a> {
    draft: &'a Draft,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    /// The scenario, with zeros for what is wrong: no field may keep the others from being checked.
    fn scenario(&mut self) -> Scenario {
        let protocol = self.protocol();
        let latency_ms = self.latency();
        let stream = self.stream();
        self.require_service_time(protocol, &latency_ms, &stream);
        let hosts = self.whole(ParamId::Hosts);
        let hosts_lost = self.hosts_lost(hosts);
        Scenario {
            name: self.name(),
            protocol: protocol.unwrap_or(Protocol::Http2),
            rps: Rate(self.number(ParamId::Rps).unwrap_or_default()),
            latency_ms,
            stream_duration_s: (stream != StreamDuration::default()).then_some(stream),
            clients: self.whole(ParamId::Clients).unwrap_or_default(),
            workers: self.whole(ParamId::Workers).unwrap_or_default(),
            hosts: hosts.unwrap_or_default(),
            host_concurrency: self.number(ParamId::HostConcurrency),
            hosts_lost: hosts_lost.unwrap_or_default(),
            burst: self.number(ParamId::Burst).unwrap_or_default(),
            skew: self.number(ParamId::Skew).unwrap_or_default(),
            slowdown: self.number(ParamId::Slowdown).unwrap_or_default(),
            shed_target: Share(self.number(ParamId::ShedTarget).unwrap_or_default()),
            deadline_ms: self.number(ParamId::DeadlineMs).map(Millis),
            connect_ms: Millis(self.number(ParamId::ConnectMs).unwrap_or_default()),
            idempotent: self.flag(ParamId::Idempotent),
            error_rate: Share(self.number(ParamId::ErrorRate).unwrap_or_default()),
            retry_overhead: self.number(ParamId::RetryOverhead).unwrap_or_default(),
            high_priority_share: Share(self.number(ParamId::HighPriorityShare).unwrap_or_default()),
            upstream_keepalive_s: self.number(ParamId::UpstreamKeepaliveS),
            retrying_hops: self.whole(ParamId::RetryingHops).unwrap_or_default(),
            envoy_version: self.version(),
        }
    }

    /// A number within its range; `None` when absent or wrong (then a problem is noted).
    fn number(&mut self, id: ParamId) -> Option<f64> {
        let p = param(id);
        let text = self.draft.get(id).trim();
        if text.is_empty() {
            return match p.default {
                ParamDefault::Number(value) => Some(value),
                ParamDefault::Required => {
                    self.problems.push(Problem::missing(p));
                    None
                }
                _ => None,
            };
        }
        let found = read_number(p, text);
        found.map_err(|problem| self.problems.push(problem)).ok()
    }

    fn whole(&mut self, id: ParamId) -> Option<u32> {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "every range of a whole number in the table lies within u32"
        )]
        self.number(id).map(|value| value as u32)
    }

    fn name(&mut self) -> String {
        let p = param(ParamId::Name);
        let text = self.draft.get(ParamId::Name).trim();
        let Kind::Text { max_chars } = p.kind else { return text.to_owned() };
        if text.chars().count() > max_chars {
            let message =
                format!("The name has {} characters. Allowed: up to {max_chars}.", text.chars().count());
            self.problems.push(Problem::new(p.id, &echo(text), message));
        }
        if text.chars().any(is_invisible) {
            let message =
                "The name has a line break or another character that cannot be seen. Remove it.".to_owned();
            self.problems.push(Problem::new(p.id, &echo(text), message));
        }
        match p.default {
            ParamDefault::Word(word) if text.is_empty() => word.to_owned(),
            _ => text.to_owned(),
        }
    }

    fn choice(&mut self, id: ParamId) -> Option<String> {
        let p = param(id);
        let text = self.draft.get(id).trim();
        match (p.kind, p.default) {
            (Kind::Choice(_), ParamDefault::Word(word)) if text.is_empty() => Some(word.to_owned()),
            (Kind::Choice(words), _) if !words.contains(&text) => {
                self.problems.push(Problem::not_a_choice(p, &echo(text), words));
                None
            }
            _ => Some(text.to_owned()),
        }
    }

    fn protocol(&mut self) -> Option<Protocol> {
        self.choice(ParamId::Protocol).map(|word| match word.as_str() {
            "http1" => Protocol::Http1,
            "grpc" => Protocol::Grpc,
            "grpc_stream" => Protocol::GrpcStream,
            _ => Protocol::Http2,
        })
    }

    fn version(&mut self) -> EnvoyVersion {
        let p = param(ParamId::EnvoyVersion);
        let text = self.draft.get(p.id).trim();
        if let (Kind::Choice(words), Some((near, is_same))) = (p.kind, nearest_version(text))
            && near != text
        {
            self.problems.push(Problem::not_a_version(p, &echo(text), near, is_same, words));
            return EnvoyVersion::NEWEST;
        }
        self.choice(p.id)
            .and_then(|word| word.strip_prefix("1.").and_then(|minor| minor.parse().ok()))
            .map_or(EnvoyVersion::NEWEST, EnvoyVersion::minor)
    }

    fn flag(&mut self, id: ParamId) -> bool {
        let text = self.draft.get(id).trim().to_ascii_lowercase();
        match text.as_str() {
            "true" | "yes" | "on" | "1" => true,
            "" | "false" | "no" | "off" | "0" => false,
            _ => {
                self.problems.push(Problem::not_a_choice(param(id), &echo(&text), &["true", "false"]));
                false
            }
        }
    }

    fn hosts_lost(&mut self, hosts: Option<u32>) -> Option<u32> {
        let given = self.whole(ParamId::HostsLost);
        let text = self.draft.get(ParamId::HostsLost).trim();
        if text.is_empty() {
            return hosts.map(default_hosts_lost);
        }
        let (lost, hosts) = (given?, hosts?);
        if lost >= hosts {
            let message = format!(
                "{} of {} leaves no host. Allowed here: 0 to {}.",
                display::count(f64::from(lost)),
                display::count(f64::from(hosts)),
                display::count(f64::from(hosts - 1)),
            );
            self.problems.push(Problem::new(ParamId::HostsLost, text, message));
            return None;
        }
        Some(lost)
    }

    fn latency(&mut self) -> LatencyPoints {
        let mut ms = |id| self.number(id).map(Millis);
        let points = LatencyPoints {
            p50: ms(ParamId::P50),
            p75: ms(ParamId::P75),
            p90: ms(ParamId::P90),
            p95: ms(ParamId::P95),
            p99: ms(ParamId::P99),
            p999: ms(ParamId::P999),
            mean: ms(ParamId::Mean),
        };
        self.check_percentiles(&points);
        points
    }

    fn check_percentiles(&mut self, points: &LatencyPoints) {
        let given = points.percentiles();
        let n_before = self.problems.len();
        for pair in given.windows(2) {
            let &[(_, earlier, t0), (_, later, t1)] = pair else { continue };
            if t1 < t0 {
                // Either may be the wrong one, so both are marked.
                for (this, how, other) in
                    [((earlier, t0), "above", (later, t1)), ((later, t1), "below", (earlier, t0))]
                {
                    let id = percentile_id(this.0);
                    let problem = problem::decreasing(this, how, other, id, self.draft.get(id));
                    self.problems.push(problem);
                }
            }
        }
        if let (Some(mean), true) = (points.mean, self.problems.len() == n_before) {
            let given: Vec<Point> = given.iter().map(|&(quantile, _, at)| Point { quantile, at }).collect();
            self.check_mean(ParamId::Mean, mean, mean_lower_bound(&given), "percentiles");
        }
    }

    fn check_mean(&mut self, id: ParamId, mean: Millis, low: Millis, what: &str) {
        // A mean that sits on its bound may be off by rounding in the last digits typed.
        const SLACK: f64 = 1.0 - 1e-9;
        if mean.0 < low.0 * SLACK {
            let p = param(id);
            let unit = p.unit_label;
            let per = if unit == "s" { 1000.0 } else { 1.0 };
            let message = format!(
                "A mean of {}{nbsp}{unit} is impossible with these {what}: they alone put it at {}{nbsp}{unit} or more. Correct the mean or a percentile.",
                display::number(mean.0 / per),
                display::number(low.0 / per),
                nbsp = display::NBSP,
            );
            let text = self.draft.get(id).to_owned();
            self.problems.push(Problem::new(id, &text, message));
        }
    }

    fn stream(&mut self) -> StreamDuration {
        let stream =
            StreamDuration { mean: self.number(ParamId::StreamMean), p99: self.number(ParamId::StreamP99) };
        if let (Some(mean), Some(p99)) = (stream.mean, stream.p99) {
            let low = mean_lower_bound(&[Point { quantile: 0.99, at: Millis::from_secs(p99) }]);
            self.check_mean(ParamId::StreamMean, Millis::from_secs(mean), low, "percentiles");
        }
        stream
    }

    /// Little's law needs a time in service: a latency, or the life of a stream.
    fn require_service_time(
        &mut self,
        protocol: Option<Protocol>,
        latency: &LatencyPoints,
        stream: &StreamDuration,
    ) {
        let Some(protocol) = protocol else { return };
        let typed = |ids: &[ParamId]| ids.iter().any(|id| !self.draft.get(*id).trim().is_empty());
        if protocol.streams() {
            // A text that could not be read has its own problem already.
            if *stream == StreamDuration::default() && !typed(&[ParamId::StreamMean, ParamId::StreamP99]) {
                let message =
                    "The life of a stream is missing. Enter its mean or its p99 in seconds.".to_owned();
                self.problems.push(Problem::new(ParamId::StreamMean, "", message));
            }
        } else if latency.is_empty() && !typed(&LATENCY_IDS) {
            let message = "Latency is missing. Enter one of p50, p75, p90, p95, p99, p99.9 or the mean, in milliseconds.".to_owned();
            self.problems.push(Problem::new(ParamId::P50, "", message));
        }
    }
}

const LATENCY_IDS: [ParamId; 7] =
    [ParamId::P50, ParamId::P75, ParamId::P90, ParamId::P95, ParamId::P99, ParamId::P999, ParamId::Mean];

fn percentile_id(name: &str) -> ParamId {
    match name {
        "p75" => ParamId::P75,
        "p90" => ParamId::P90,
        "p95" => ParamId::P95,
        "p99" => ParamId::P99,
        "p99.9" => ParamId::P999,
        _ => ParamId::P50,
    }
}

fn read_number(p: &Param, text: &str) -> Result<f64, Problem> {
    let shown = echo(text);
    let value = parse::number(text, p.unit).map_err(|why| Problem::not_a_number(p, &shown, why))?;
    match p.kind {
        Kind::Number(range) if !range.contains(value) => Err(Problem::out_of_range(p, &shown)),
        Kind::Whole(range) if !range.contains(value) => Err(Problem::out_of_range(p, &shown)),
        Kind::Whole(_) if value.fract() != 0.0 => Err(Problem::not_whole(p, &shown)),
        _ => Ok(value),
    }
}

/// The known version that a text stands for or is nearest to, and whether it is the same one:
/// `v1.33` and `1.33.2` are 1.33, and `1.4` is 1.40 without its zero.
pub fn nearest_version(text: &str) -> Option<(&'static str, bool)> {
    let numbers = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    let mut numbers = numbers.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (major, minor) = (numbers.next()?.ok()?, numbers.next().and_then(Result::ok).unwrap_or(0));
    let same = [format!("{major}.{minor}"), format!("{major}.{minor}0")];
    if let Some(word) = ENVOY_VERSIONS.iter().find(|word| same.iter().any(|same| same == *word)) {
        return Some((word, true));
    }
    let is_newer = (major, minor) > (1, EnvoyVersion::NEWEST.minor.into());
    let end = if is_newer { ENVOY_VERSIONS.last() } else { ENVOY_VERSIONS.first() };
    end.map(|word| (*word, false))
}

/// Control characters, and those that hide or reorder text: a name must be what it looks like.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
