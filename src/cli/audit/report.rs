//! What all formats share: counts, places with the names of files, and what is not known.

use crate::problems::Complaint;
use headroom::engine::audit::{Asked, Audit, Finding, rules};
use headroom::engine::params::{ParamId, param};
use headroom::engine::read::Place;
use headroom::engine::read::config::RouteConfig;
use headroom::engine::read::source::{Excerpt, Input, excerpt};
use headroom::engine::rules::Severity;
use headroom::engine::units::display::{self, NBSP};
use std::collections::BTreeMap;

/// Everything that is printed.
pub struct Report {
    /// What was found.
    pub audit: Audit,
    /// The texts.
    pub inputs: Vec<Input>,
    /// What was said of the traffic.
    pub asked: Asked,
    /// What was left out.
    pub notes: Vec<String>,
    /// The mildest finding that fails the audit.
    pub fail_on: Option<Severity>,
}

/// A place as a message names it.
pub struct Spot<'r> {
    /// Name of the file.
    pub file: &'r str,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The line, and what on it is meant.
    pub excerpt: Excerpt<'r>,
}

impl Spot<'_> {
    /// `shop.yaml:4:5`
    pub fn title(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }

    /// The column behind what is meant.
    pub fn end_column(&self) -> u32 {
        self.column.saturating_add(u32::try_from(self.excerpt.length).unwrap_or(u32::MAX))
    }
}

/// The severities, worst first.
pub const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

impl Report {
    /// Whether a finding is as bad as `--fail-on` says, or worse.
    pub fn is_failed(&self) -> bool {
        // The worst sorts first.
        self.fail_on.is_some_and(|least| self.audit.findings.iter().any(|f| f.severity <= least))
    }

    /// Findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.audit.findings.iter().filter(|f| f.severity == severity).count()
    }

    /// `2 errors, 1 warning`; `no findings`.
    pub fn counts(&self) -> String {
        let said: Vec<String> = SEVERITIES
            .iter()
            .map(|s| (self.count(*s), s.as_str()))
            .filter(|(n, _)| *n > 0)
            .map(|(n, word)| plural(n, word, &format!("{word}s")))
            .collect();
        if said.is_empty() { "no findings".to_owned() } else { said.join(", ") }
    }

    /// `84 rules checked on 3 clusters and 2 routes in 2 files`
    pub fn extent(&self) -> String {
        let c = &self.audit.configuration;
        let seen = match c.evidence.reports.len() + c.evidence.logs.len() {
            0 => String::new(),
            n => format!(", with {} of running proxies,", plural(n, "report", "reports")),
        };
        format!(
            "{} checked on {} and {}{seen} in {}",
            plural(rules::all().count(), "rule", "rules"),
            plural(c.clusters.len(), "cluster", "clusters"),
            plural(c.routes.len(), "route", "routes"),
            plural(self.inputs.len(), "file", "files"),
        )
    }

    /// The release of Envoy whose defaults and counters hold.
    pub fn envoy_version(&self) -> String {
        self.asked.facts(&self.audit.configuration, None).envoy_version.to_string()
    }

    /// Name of the file of a place.
    pub fn file(&self, place: &Place) -> &str {
        self.inputs.get(place.file as usize).map_or("", |input| input.name.as_str())
    }

    /// A place in its file.
    pub fn spot(&self, place: &Place) -> Spot<'_> {
        let text = self.inputs.get(place.file as usize).map_or("", |input| input.text.as_str());
        let span = match place.key {
            // From the key to the end of a value on the same line.
            Some(key) if place.span.line == key.line && place.span.end > key.end => {
                headroom::engine::read::Span { end: place.span.end, ..key }
            }
            Some(key) => key,
            None => place.span,
        };
        let excerpt = excerpt(text, span);
        let shown = excerpt.text.chars().count();
        let length = excerpt.length.min(shown.saturating_sub(excerpt.offset)).max(1);
        let excerpt = Excerpt { length, ..excerpt };
        Spot { file: self.file(place), line: place.line(), column: place.column(), excerpt }
    }

    /// Name of the cluster that a finding is about.
    pub fn cluster(&self, f: &Finding) -> Option<String> {
        self.cluster_name(f.cluster?)
    }

    /// Name of a cluster: with its subset and its port, where it has them.
    pub fn cluster_name(&self, index: usize) -> Option<String> {
        let cluster = self.audit.configuration.clusters.get(index)?;
        let mut name = cluster.name.as_ref()?.value.clone();
        if let Some(port) = &cluster.port {
            name = format!("{name}:{}", port.value);
        }
        if let Some(subset) = &cluster.subset {
            name = format!("{name} {}", subset.value);
        }
        Some(name)
    }

    /// Name of the route that a finding is about.
    pub fn route(&self, f: &Finding) -> Option<&str> {
        self.route_name(f.route?)
    }

    /// Name of a route, else what it matches.
    pub fn route_name(&self, index: usize) -> Option<&str> {
        self.audit.configuration.routes.get(index).and_then(route_name)
    }

    /// `cluster shop, route /`; empty if it is about neither.
    pub fn subject(&self, f: &Finding) -> String {
        let cluster = self.cluster(f).map(|name| format!("cluster {name}"));
        let route = self.route(f).map(|name| format!("route {name}"));
        let also = match f.also.len() {
            0 => None,
            1 => Some("and one more".to_owned()),
            n => Some(format!("and {n} more")),
        };
        [cluster, route, also].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Notes of the reader, each once, with its first place and how many more there are.
    pub fn reader_notes(&self) -> Vec<(&Place, &str, usize)> {
        let mut of_text: BTreeMap<&str, usize> = BTreeMap::new();
        let mut notes: Vec<(&Place, &str, usize)> = Vec::new();
        for note in &self.audit.configuration.notes {
            if let Some(at) = of_text.get(note.message.as_str()) {
                notes[*at].2 += 1;
            } else {
                of_text.insert(&note.message, notes.len());
                notes.push((&note.at, &note.message, 0));
            }
        }
        notes
    }

    /// What is not known and would sharpen the result.
    pub fn questions(&self) -> Vec<String> {
        let mut said = Vec::new();
        if !self.asked.is_complete() {
            let streams = self.asked.draft().get(ParamId::Protocol).trim() == "grpc_stream";
            let rate = self.asked.draft().get(ParamId::Rps).is_empty().then_some("--rps");
            let latency = self.lacks_latency(streams).then_some(if streams {
                "--stream-mean"
            } else {
                "--p50 with --p99 (or --mean)"
            });
            let unknown = match (rate, latency) {
                (Some(_), Some(_)) => "rate and latency are not known",
                (Some(_), None) => "the rate is not known",
                _ => "the latency is not known",
            };
            let flags: Vec<&str> = rate.into_iter().chain(latency).collect();
            said.push(format!("{unknown}: add {}, or --scenario, to get numbers", flags.join(" and ")));
        }
        let mut asks: BTreeMap<ParamId, Vec<&str>> = BTreeMap::new();
        for f in &self.audit.findings {
            let codes = f.asks.map(|id| asks.entry(id).or_default());
            if let Some(codes) = codes.filter(|codes| !codes.contains(&f.code)) {
                codes.push(f.code);
            }
        }
        said.extend(
            asks.into_iter().map(|(id, codes)| format!("{} would settle {}", flag(id), codes.join(", "))),
        );
        said
    }

    fn lacks_latency(&self, streams: bool) -> bool {
        use ParamId::{Mean, P50, P75, P90, P95, P99, P999, StreamMean, StreamP99};
        let ids: &[ParamId] =
            if streams { &[StreamMean, StreamP99] } else { &[P50, P75, P90, P95, P99, P999, Mean] };
        ids.iter().all(|id| self.asked.draft().get(*id).is_empty())
    }

    /// Why there is nothing to judge, for standard error.
    pub fn nothing_read(&self) -> Vec<Complaint> {
        const MOST: usize = 20;
        let findings = &self.audit.findings;
        let mut complaints: Vec<Complaint> = findings
            .iter()
            .take(MOST)
            .map(|f| Complaint {
                place: self.spot(&f.at).title(),
                message: format!("{}; {} ({})", f.message, f.help, f.code),
            })
            .collect();
        if let Some(more) = findings.len().checked_sub(MOST).filter(|more| *more > 0) {
            let message = format!("{more} more problems are in the answer.");
            complaints.push(Complaint { place: "…".to_owned(), message });
        }
        if complaints.is_empty() {
            let message = "The texts hold no cluster and no route. Name a configuration that has them.";
            complaints.push(Complaint { place: "FILE".to_owned(), message: message.to_owned() });
        }
        complaints
    }
}

/// The flag of an input.
pub fn flag(id: ParamId) -> String {
    format!("--{}", crate::args::flag(param(id)))
}

/// The name of a route, else what it matches.
pub fn route_name(route: &RouteConfig) -> Option<&str> {
    route.label()
}

/// A text with plain spaces, so that it can be searched.
pub fn plain(text: &str) -> String {
    text.replace(NBSP, " ")
}

fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", display::count(n as f64), if n == 1 { one } else { many })
}
