//! Clusters of a report as their stats come in, in any order.

use super::{LeftOut, Page, names};
use crate::engine::read::config::{AdminPage, ClusterReport, Histogram, Quantile, Report};
use crate::engine::read::{Place, Spanned};
use crate::engine::units::Millis;
use std::collections::BTreeMap;

/// Clusters of a report that are kept.
const MAX_CLUSTERS: usize = 5_000;

/// Counters, gauges, hosts and buckets of a report that are kept.
const MAX_VALUES: usize = 300_000;

/// A report that grows.
pub struct Gathered {
    pub report: Report,
    of_name: BTreeMap<String, usize>,
    values: usize,
    full: Option<Place>,
    /// The first thing that stands twice with different values.
    twice: Option<LeftOut>,
    /// Labels that tell proxies apart.
    proxies: BTreeMap<&'static str, (String, Place)>,
}

impl Gathered {
    pub fn new(kind: AdminPage, page: Page<'_>) -> Self {
        let report =
            Report { page: kind, at: page.start(), uptime: None, workers: None, clusters: Vec::new() };
        Self {
            report,
            of_name: BTreeMap::new(),
            values: 0,
            full: None,
            twice: None,
            proxies: BTreeMap::new(),
        }
    }

    /// The cluster of a name, for one more value at a place.
    pub fn cluster(&mut self, name: &str, at: &Place) -> Option<&mut ClusterReport> {
        let known = self.of_name.get(name).copied();
        if self.values >= MAX_VALUES || known.is_none() && self.report.clusters.len() >= MAX_CLUSTERS {
            self.full.get_or_insert_with(|| at.clone());
            return None;
        }
        self.values += 1;
        let index = known.unwrap_or_else(|| {
            self.of_name.insert(name.to_owned(), self.report.clusters.len());
            let new = ClusterReport { name: name.to_owned(), at: at.clone(), ..ClusterReport::default() };
            self.report.clusters.push(new);
            self.report.clusters.len() - 1
        });
        self.report.clusters.get_mut(index)
    }

    /// A counter or a gauge of a cluster.
    pub fn stat(&mut self, cluster: &str, name: &str, value: u64, at: &Place) {
        let Some(cluster) = self.cluster(cluster, at) else { return };
        let before = cluster.stats.insert(name.to_owned(), Spanned::new(value, at.clone()));
        if let Some(before) = before.filter(|before| before.value != value) {
            self.differs(name, &before.at, at);
        }
    }

    /// Quantiles of a histogram of a cluster.
    pub fn quantiles(&mut self, cluster: &str, name: &str, quantiles: Vec<Quantile>, at: &Place) {
        let Some(histogram) = self.histogram(cluster, name, at) else { return };
        let before = std::mem::replace(&mut histogram.quantiles, quantiles);
        let is_other = !before.is_empty() && before != histogram.quantiles;
        let first = std::mem::replace(&mut histogram.at, at.clone());
        if is_other {
            self.differs(name, &first, at);
        }
    }

    /// A proxy by a label: there may be one in a text.
    pub fn proxy(&mut self, label: &'static str, value: &str, at: &Place) {
        let (known, first) = self.proxies.entry(label).or_insert_with(|| (value.to_owned(), at.clone()));
        if known.as_str() != value {
            let first = first.clone();
            self.differs(&format!("the label {label}"), &first, at);
        }
    }

    /// Something stands twice with different values: a page of one proxy has everything once, so
    /// that there are several proxies in it, or several moments.
    pub fn differs(&mut self, what: &str, first: &Place, at: &Place) {
        self.twice.get_or_insert_with(|| {
            let why = format!("{what} has another value here than on line {}", first.line());
            LeftOut::Twice(at.clone(), why)
        });
    }

    /// Something stands twice that stands once in a page, whatever its value.
    pub fn repeats(&mut self, what: &str, first: &Place, at: &Place) {
        self.twice.get_or_insert_with(|| {
            LeftOut::Twice(at.clone(), format!("{what} stands on line {} already", first.line()))
        });
    }

    /// A histogram of a cluster, empty at first.
    pub fn histogram(&mut self, cluster: &str, name: &str, at: &Place) -> Option<&mut Histogram> {
        let cluster = self.cluster(cluster, at)?;
        let histogram = match name {
            names::LATENCY => &mut cluster.latency,
            names::CONNECT => &mut cluster.connect,
            _ => return None,
        };
        Some(histogram.get_or_insert_with(|| Histogram { at: at.clone(), ..Histogram::default() }))
    }

    /// A value of the whole server.
    pub fn server(&mut self, name: &str, value: u64, at: &Place) {
        match name {
            #[allow(clippy::cast_precision_loss, reason = "seconds")]
            "uptime" => {
                let uptime = Spanned::new(Millis::from_secs(value as f64), at.clone());
                let length = uptime.value;
                let before = self.report.uptime.replace(uptime);
                if let Some(before) = before.filter(|before| before.value != length) {
                    self.differs("server.uptime", &before.at, at);
                }
            }
            "concurrency" => {
                let workers = u32::try_from(value).ok().map(|n| Spanned::new(n, at.clone()));
                let before = std::mem::replace(&mut self.report.workers, workers);
                if let Some(before) = before.filter(|b| u64::from(b.value) != value) {
                    self.differs("server.concurrency", &before.at, at);
                }
            }
            _ => {}
        }
    }

    /// The report, with what did not fit.
    pub fn end(mut self, left_out: &mut Vec<LeftOut>) -> Report {
        left_out.extend(self.full.map(LeftOut::TooMany));
        if let Some(twice) = self.twice {
            left_out.push(twice);
            // No value can be told from those of the others.
            self.report.clusters.clear();
            self.report.uptime = None;
            self.report.workers = None;
        }
        for cluster in &mut self.report.clusters {
            for histogram in [&mut cluster.latency, &mut cluster.connect] {
                settle(histogram);
            }
        }
        self.report
    }
}

/// In rising order, and none where nothing is in it.
fn settle(histogram: &mut Option<Histogram>) {
    let Some(h) = histogram else { return };
    h.quantiles.sort_by(|a, b| a.at.0.total_cmp(&b.at.0));
    h.buckets.sort_by(|a, b| match (a.le, b.le) {
        (Some(a), Some(b)) => a.0.total_cmp(&b.0),
        (a, b) => a.is_none().cmp(&b.is_none()),
    });
    if h.quantiles.is_empty() && h.buckets.is_empty() && h.count.is_none_or(|count| count == 0) {
        *histogram = None;
    }
}

/// A count: whole, or as a float that is one.
pub fn count(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let value: f64 = text.parse().ok()?;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
        (value.is_finite() && (0.0..1.9e19).contains(&value)).then_some(value as u64)
    })
}

/// A time in milliseconds; `nan` is none.
pub fn millis(text: &str) -> Option<Millis> {
    text.trim().parse::<f64>().ok().filter(|ms| ms.is_finite() && *ms >= 0.0).map(Millis)
}
