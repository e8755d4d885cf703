//! Counters of a cluster and what they cover: everything since the start of the proxy, or what came
//! between two moments of it.

use super::Remark;
use super::field::count;
use super::latency::size;
use super::rate::seconds;
use super::sources::{Sources, page};
use crate::engine::read::config::{AdminPage, Bucket, ClusterReport, Histogram, Report};
use crate::engine::read::{Place, Spanned};
use crate::engine::units::{Millis, display};
use std::borrow::Cow;

/// Shortest time by `server.uptime` that a rate is made of. Envoy renews that gauge with every flush
/// of stats, five seconds apart by default, in whole seconds, while counters go on (measured on
/// 1.40): over a minute, a rate is off by a tenth at most.
pub const SHORTEST_BY_STATS: Millis = Millis(60_000.0);

/// Shortest time by a clock of whole seconds that a rate is made of: over ten of them, it is off by a
/// tenth at most.
pub const SHORTEST: Millis = Millis(10_000.0);

/// How long a proxy has been running.
#[derive(Clone, Debug)]
pub struct Uptime {
    pub length: Spanned<Millis>,
    /// Whether it is that of the moment: by `/server_info`, and not by a gauge.
    pub is_live: bool,
}

impl Uptime {
    /// Whether a rate may be made of it.
    pub fn is_enough(&self) -> bool {
        self.length.value >= self.shortest()
    }

    /// The shortest that a rate may be made of.
    pub fn shortest(&self) -> Millis {
        if self.is_live { SHORTEST } else { SHORTEST_BY_STATS }
    }

    /// What it is called.
    pub fn word(&self) -> &'static str {
        if self.is_live { "uptime of /server_info" } else { "server.uptime" }
    }
}

/// Counters of one kind of page.
pub struct Counters<'c> {
    pub page: AdminPage,
    /// The cluster as the newest page has it, everything since the start.
    pub whole: &'c ClusterReport,
    /// The counters of `span`.
    pub cluster: Cow<'c, ClusterReport>,
    /// What they cover.
    pub span: Span,
}

/// What counters cover.
pub enum Span {
    /// Everything since the start of the proxy.
    SinceStart(Uptime),
    /// What came between two moments of one proxy.
    Between(Millis, [Place; 2]),
    /// Nobody says.
    Unknown,
}

impl Span {
    /// Its length, where it is known and long enough.
    pub fn length(&self) -> Option<Millis> {
        match self {
            Self::SinceStart(uptime) => uptime.is_enough().then_some(uptime.length.value),
            Self::Between(length, _) => Some(*length),
            Self::Unknown => None,
        }
    }

    /// What it is called in a formula.
    pub fn word(&self) -> &'static str {
        match self {
            Self::SinceStart(uptime) => uptime.word(),
            Self::Between(..) => "difference of server.uptime",
            Self::Unknown => "a time that is not known",
        }
    }

    pub fn places(&self) -> Vec<Place> {
        match self {
            Self::SinceStart(uptime) => vec![uptime.length.at.clone()],
            Self::Between(_, places) => places.to_vec(),
            Self::Unknown => Vec::new(),
        }
    }
}

/// The counters of every kind of page, the finest first.
pub fn all<'c>(sources: &Sources<'c>, notes: &mut Vec<Remark>) -> Vec<Counters<'c>> {
    let kinds = [AdminPage::Stats, AdminPage::StatsJson, AdminPage::Prometheus];
    kinds.into_iter().filter_map(|kind| of_kind(sources, kind, notes)).collect()
}

fn of_kind<'c>(sources: &Sources<'c>, kind: AdminPage, notes: &mut Vec<Remark>) -> Option<Counters<'c>> {
    // The order in which a person names texts is their order in time.
    let pages: Vec<(&Report, &ClusterReport)> =
        sources.reports.iter().filter(|(report, _)| report.page == kind).copied().collect();
    let (report, whole) = *pages.last()?;
    let (earliest, before) = *pages.first()?;
    let alone = |span| Counters { page: kind, whole, cluster: Cow::Borrowed(whole), span };
    if pages.len() > 1 {
        let apart = pages.iter().zip(pages.iter().skip(1)).find_map(|(a, b)| grows(*a, *b).err());
        match apart.map_or_else(|| between(earliest, report), Err) {
            Ok(span) => {
                let cluster = Cow::Owned(difference(before, whole));
                return Some(Counters { page: kind, whole, cluster, span });
            }
            Err(why) => {
                let message = format!(
                    "{} texts of {} are no moments of one proxy in the order they are named: {why}; the one here counts, with everything since its start",
                    pages.len(),
                    page(kind)
                );
                notes.push(Remark { at: Some(report.at.clone()), message });
            }
        }
    }
    Some(alone(sources.uptime(report).map_or(Span::Unknown, Span::SinceStart)))
}

/// The time between two reports of one proxy, or why there is none.
fn between(earlier: &Report, later: &Report) -> Result<Span, String> {
    let (Some(from), Some(to)) = (&earlier.uptime, &later.uptime) else {
        return Err("server.uptime is not in both".to_owned());
    };
    let length = Millis(to.value.0 - from.value.0);
    if length < SHORTEST_BY_STATS {
        let (apart, needed) = (display::millis(length), display::millis(SHORTEST_BY_STATS));
        return Err(format!("they are {apart} apart by server.uptime, and {needed} are needed"));
    }
    Ok(Span::Between(length, [to.at.clone(), from.at.clone()]))
}

/// Whether a report can be a later one of the same proxy: uptime and counters only grow until a
/// proxy starts again.
fn grows(
    (earlier, before): (&Report, &ClusterReport),
    (later, after): (&Report, &ClusterReport),
) -> Result<(), String> {
    if let (Some(from), Some(to)) = (&earlier.uptime, &later.uptime)
        && to.value < from.value
    {
        let (from, to) = (seconds(from.value), seconds(to.value));
        return Err(format!(
            "server.uptime falls from {from} to {to}, so it started again or is another one"
        ));
    }
    let values = |of: Option<&Histogram>| of.and_then(size).unwrap_or(0);
    let (n_before, n_after) = (values(before.latency.as_ref()), values(after.latency.as_ref()));
    if n_after < n_before {
        return Err(format!(
            "values of upstream_rq_time fall from {} to {}",
            count(n_before),
            count(n_after)
        ));
    }
    let counters = before.stats.iter().filter(|(name, _)| is_counter(name));
    for (name, count_before) in counters {
        let count_after = after.count(name);
        if count_after < count_before.value {
            return Err(format!("{name} falls from {} to {}", count(count_before.value), count(count_after)));
        }
    }
    Ok(())
}

/// Whether a stat only grows; the others are what is at the moment.
fn is_counter(name: &str) -> bool {
    name.starts_with("upstream_") && !name.ends_with("_active")
}

/// What came between two reports.
fn difference(before: &ClusterReport, after: &ClusterReport) -> ClusterReport {
    let mut cluster = after.clone();
    for (name, stat) in cluster.stats.iter_mut().filter(|(name, _)| is_counter(name)) {
        stat.value = stat.value.saturating_sub(before.count(name));
    }
    cluster.latency = histogram(before.latency.as_ref(), after.latency.as_ref());
    cluster.connect = histogram(before.connect.as_ref(), after.connect.as_ref());
    cluster
}

/// What came into a histogram between two moments, where buckets tell; quantiles cannot be
/// subtracted and stay what they are since the start.
fn histogram(before: Option<&Histogram>, after: Option<&Histogram>) -> Option<Histogram> {
    let after = after?;
    let Some(before) = before.filter(|before| before.buckets.len() == after.buckets.len()) else {
        return Some(after.clone());
    };
    let less = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_sub(b.unwrap_or(0)));
    let bucket = |(a, b): (&Bucket, &Bucket)| Bucket { le: a.le, count: a.count.saturating_sub(b.count) };
    Some(Histogram {
        count: less(after.count, before.count),
        sum: after.sum.map(|sum| Millis((sum.0 - before.sum.map_or(0.0, |b| b.0)).max(0.0))),
        buckets: after.buckets.iter().zip(&before.buckets).map(bucket).collect(),
        ..after.clone()
    })
}

/// Requests that were answered.
pub struct Requests {
    pub n: u64,
    /// What was counted.
    pub word: &'static str,
    /// The same with its values put in.
    pub numbers: String,
    pub places: Vec<Place>,
    /// Whether answers were counted, and not attempts.
    pub are_answers: bool,
}

impl Counters<'_> {
    /// Requests that were answered, by the proxy itself too.
    pub fn requests(&self) -> Option<Requests> {
        let n = self.cluster.requests()?;
        let at = |name: &str| self.cluster.stat(name).map(|stat| stat.at.clone());
        let of =
            |word, places: Vec<Place>| Requests { n, word, numbers: count(n), places, are_answers: true };
        if let Some(at) = at("upstream_rq_completed") {
            return Some(of("upstream_rq_completed", vec![at]));
        }
        let classes = ["1xx", "2xx", "3xx", "4xx", "5xx"].map(|class| at(&format!("upstream_rq_{class}")));
        let classes: Vec<Place> = classes.into_iter().flatten().collect();
        if !classes.is_empty() {
            return Some(of("sum of upstream_rq_xx", classes));
        }
        let total = self.cluster.count("upstream_rq_total");
        let (refused, retries) = (self.cluster.refused(), self.cluster.count("upstream_rq_retry"));
        let numbers = format!("({} + {} − {})", count(total), count(refused), count(retries));
        let word = "(upstream_rq_total + refused − upstream_rq_retry)";
        let names = ["upstream_rq_total", "upstream_rq_pending_overflow", "upstream_rq_active_overflow"];
        let places = names.into_iter().filter_map(at).collect();
        Some(Requests { numbers, are_answers: false, ..of(word, places) })
    }
}
