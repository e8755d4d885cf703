//! Clusters of a report as their stats come in, in any order.

use super::{LeftOut, Page, names};
use crate::engine::read::config::{AdminPage, ClusterReport, Histogram, Report};
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
}

impl Gathered {
    pub fn new(kind: AdminPage, page: Page<'_>) -> Self {
        let report =
            Report { page: kind, at: page.start(), uptime: None, workers: None, clusters: Vec::new() };
        Self { report, of_name: BTreeMap::new(), values: 0, full: None }
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
    pub fn stat(&mut self, cluster: &str, name: &str, value: u64, at: Place) {
        if let Some(cluster) = self.cluster(cluster, &at) {
            cluster.stats.insert(name.to_owned(), Spanned::new(value, at));
        }
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
                self.report.uptime = Some(Spanned::new(Millis::from_secs(value as f64), at.clone()));
            }
            "concurrency" => {
                self.report.workers = u32::try_from(value).ok().map(|n| Spanned::new(n, at.clone()));
            }
            _ => {}
        }
    }

    /// The report, with what did not fit.
    pub fn end(mut self, left_out: &mut Vec<LeftOut>) -> Report {
        left_out.extend(self.full.map(LeftOut::TooMany));
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
