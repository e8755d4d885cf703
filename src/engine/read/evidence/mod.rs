//! Evidence of running proxies: pages of Envoy's admin interface and access logs.
//!
//! A text is recognized by what is in it, never by its name. Lines that are not understood cost
//! nothing but themselves; what would be too much is counted and left out.

mod access_log;
mod clusters;
mod gather;
mod json_log;
mod log_traffic;
mod names;
mod prometheus;
mod server_info;
mod stats;
mod stats_json;
mod text_log;
mod time;

use super::config::{Effect, Evidence, ProblemKind, ReadProblem};
use super::json::offset;
use super::source::{self, problem};
use super::{Place, Span};
use std::ops::Range;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text of `/clusters`.
    Clusters,
    /// The text of `/stats`.
    Stats,
    /// The text of `/stats/prometheus`.
    Prometheus,
    /// The JSON of `/stats`.
    StatsJson,
    /// The JSON of `/server_info`.
    ServerInfo,
    /// An access log in text.
    TextLog,
    /// An access log of a JSON object a line.
    JsonLog,
}

/// A line of a text: its number from 1, its bytes, and its text without its end.
#[derive(Clone, Debug)]
struct Line<'t> {
    number: u32,
    range: Range<usize>,
    text: &'t str,
}

/// The input at hand.
#[derive(Clone, Copy, Debug)]
struct Page<'t> {
    file: u32,
    text: &'t str,
    /// Bytes of the mark at the start.
    skip: usize,
}

impl<'t> Page<'t> {
    /// Lines that are not empty.
    fn lines(self) -> impl Iterator<Item = Line<'t>> {
        let body = self.text.get(self.skip..).unwrap_or_default();
        source::lines(body).zip(1u32..).filter_map(move |(range, number)| {
            let text = body.get(range.clone())?.trim_end();
            let start = range.start + self.skip;
            (!text.is_empty()).then(|| Line { number, range: start..start + text.len(), text })
        })
    }

    fn place(&self, line: &Line<'_>) -> Place {
        let (start, end) = (offset(line.range.start), offset(line.range.end));
        let span = Span { line: line.number, column: 1, start, end };
        Place { file: self.file, span, ..Place::default() }
    }

    fn start(&self) -> Place {
        self.lines().next().map_or_else(
            || Place {
                file: self.file,
                span: Span { line: 1, column: 1, ..Span::default() },
                ..Place::default()
            },
            |line| self.place(&line),
        )
    }
}

/// Lines that decide what a text is.
const LOOKED_AT: usize = 20;

/// What a text is if it is evidence of a running Envoy and no configuration.
pub fn recognize(text: &str) -> Option<Kind> {
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).take(LOOKED_AT).collect();
    let share = |is: fn(&str) -> bool| lines.iter().filter(|l| is(l)).count() * 10 >= lines.len() * 7;
    let most = |is: fn(&str) -> bool| lines.len() > 1 && share(is);
    let first = lines.first()?;
    if first.starts_with('{') {
        return if stats_json::is_one(text) {
            Some(Kind::StatsJson)
        } else if server_info::is_one(text) {
            Some(Kind::ServerInfo)
        } else {
            share(json_log::is_line).then_some(Kind::JsonLog)
        };
    }
    if most(|l| l.contains("::") && !l.starts_with(' ')) {
        Some(Kind::Clusters)
    } else if most(|l| l.starts_with("# TYPE") || l.starts_with("# HELP") || l.starts_with("envoy_")) {
        Some(Kind::Prometheus)
    } else if most(stats::is_line) {
        Some(Kind::Stats)
    } else if share(text_log::is_line) {
        Some(Kind::TextLog)
    } else {
        None
    }
}

/// Reads one input that was recognized.
pub fn read(
    kind: Kind,
    (file, text, skip): (u32, &str, usize),
    evidence: &mut Evidence,
    problems: &mut Vec<ReadProblem>,
) {
    let page = Page { file, text, skip };
    let mut left_out = Vec::new();
    match kind {
        Kind::Clusters => evidence.reports.push(clusters::read(page, &mut left_out)),
        Kind::Stats => evidence.reports.push(stats::read(page, &mut left_out)),
        Kind::Prometheus => evidence.reports.push(prometheus::read(page, &mut left_out)),
        Kind::StatsJson => evidence.reports.push(stats_json::read(page, &mut left_out)),
        Kind::ServerInfo => evidence.servers.push(server_info::read(page, &mut left_out)),
        Kind::TextLog => evidence.logs.push(access_log::read(page, text_log::entry, &mut left_out)),
        Kind::JsonLog => evidence.logs.push(access_log::read(page, json_log::entry, &mut left_out)),
    }
    problems.extend(left_out.into_iter().map(LeftOut::problem));
}

/// What was not read, and why.
#[derive(Debug)]
enum LeftOut {
    /// A line of a log.
    Line(Place),
    /// More lines of a log, besides those that were named.
    MoreLines(Place, u64),
    /// JSON that breaks off.
    Json(Place),
    /// More clusters, hosts or stats than are kept.
    TooMany(Place),
    /// Something that a page has once stands twice, so that the whole text is left out.
    Twice(Place, String),
    /// Histograms as buckets, in a page that has quantiles otherwise.
    Buckets(Place),
}

impl LeftOut {
    fn problem(self) -> ReadProblem {
        let (at, kind, message, help) = match self {
            Self::Line(at) => (
                at,
                ProblemKind::Syntax,
                "this line of the log cannot be read".to_owned(),
                "paste whole lines in Envoy's or Istio's format, or JSON lines",
            ),
            Self::MoreLines(at, more) => (
                at,
                ProblemKind::Syntax,
                format!("{more} more lines of the log cannot be read"),
                "paste whole lines in Envoy's or Istio's format, or JSON lines",
            ),
            Self::Json(at) => (
                at,
                ProblemKind::Syntax,
                "the JSON breaks off here; what stands before it is read".to_owned(),
                "check whether the text was cut off",
            ),
            Self::TooMany(at) => (
                at,
                ProblemKind::Limit,
                "from here on there are more clusters, hosts or counters than are read".to_owned(),
                "paste those of the clusters in question, such as /stats?filter=cluster.name",
            ),
            Self::Twice(at, why) => (
                at,
                ProblemKind::Syntax,
                format!("this text is of several proxies or moments, and nothing of it is read: {why}"),
                "give each proxy and each moment as a text of its own",
            ),
            Self::Buckets(at) => (
                at,
                ProblemKind::Limit,
                "histogram buckets of /stats are not read".to_owned(),
                "give /stats without histogram_buckets",
            ),
        };
        let (file, span) = (at.file, at.span);
        problem(file, span, (kind, Effect::Unread), message, help)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, recognize};

    #[test]
    fn kinds_by_their_content() {
        for (text, kind) in [
            ("a::observability_name::a\na::added_via_api::false\n", Some(Kind::Clusters)),
            ("cluster.a.upstream_rq_total: 1\nserver.uptime: 5\n", Some(Kind::Stats)),
            ("envoy_cluster_upstream_rq_total{} 1\nenvoy_server_uptime{} 5\n", Some(Kind::Prometheus)),
            ("{\"stats\": []}", Some(Kind::StatsJson)),
            (
                "{\"version\": \"a/1.40.0/Clean/RELEASE/BoringSSL\", \"state\": \"LIVE\"}",
                Some(Kind::ServerInfo),
            ),
            ("{\"version\": \"1.40.0\", \"stats\": \"LIVE\"}", None),
            ("[2026-03-02T09:14:07Z] \"GET / HTTP/1.1\" 503 UO 0 81 0 -\n", Some(Kind::TextLog)),
            ("{\"response_code\": 503, \"response_flags\": \"UO\"}\n", Some(Kind::JsonLog)),
            ("name: a\nconnect_timeout: 1s\n", None),
            ("{\"name\": \"a\", \"connect_timeout\": \"1s\"}", None),
            ("[1, 2]", None),
            ("", None),
        ] {
            assert_eq!(recognize(text), kind, "{text}");
        }
    }
}
