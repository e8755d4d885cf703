//! Percentiles and the mean: of stats as they stand, of buckets by interpolation, of a log by
//! counting.

use super::field::{Field, count};
use super::{Case, Remark};
use crate::engine::params::ParamId;
use crate::engine::read::config::{AdminPage, Histogram};
use crate::engine::units::{Millis, Share, display};

/// The percentiles of a scenario, as shares.
pub const PERCENTILES: [(ParamId, f64); 6] = [
    (ParamId::P50, 0.5),
    (ParamId::P75, 0.75),
    (ParamId::P90, 0.9),
    (ParamId::P95, 0.95),
    (ParamId::P99, 0.99),
    (ParamId::P999, 0.999),
];

/// Values that lie above a percentile at least, or it is chance: with five of them, the share above
/// it is known to about a half.
const BEYOND: f64 = 5.0;

/// Fewest values that a mean is made of.
const FEWEST: u64 = 10;

/// How a distribution was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// Envoy's own quantiles.
    Quantiles {
        /// Those of the last interval.
        last: bool,
    },
    /// Buckets of Prometheus.
    Buckets,
    /// Values of a log, one a line.
    Lines,
}

/// A distribution of times.
pub struct Distribution<'h> {
    pub histogram: &'h Histogram,
    pub counted: Counted,
    /// Values in it, where that is known.
    pub n: Option<u64>,
    /// What it is called.
    pub name: String,
}

/// Latency of requests, or life of streams.
pub fn latency(case: &Case<'_>) -> Vec<Field> {
    let ids: Vec<ParamId> = if case.streams() {
        vec![ParamId::StreamMean, ParamId::StreamP99]
    } else {
        PERCENTILES.iter().map(|(id, _)| *id).chain([ParamId::Mean]).collect()
    };
    let Some(d) = distribution(case) else {
        let why = if case.sources.logs.is_empty() {
            "no text has upstream_rq_time with values: add /stats (without histogram_buckets) or /stats/prometheus"
        } else {
            "no answer of the log has a service time and neither a flag nor 5xx: add /stats"
        };
        return ids.into_iter().map(|id| Field::missing(id, why)).collect();
    };
    let field = |id: ParamId| match id {
        ParamId::Mean | ParamId::StreamMean => d.mean(id),
        ParamId::StreamP99 => d.percentile(id, 0.99),
        _ => d.percentile(id, PERCENTILES.iter().find(|(of, _)| *of == id).map_or(0.5, |(_, share)| *share)),
    };
    ids.into_iter().map(field).collect()
}

fn distribution<'c>(case: &'c Case<'_>) -> Option<Distribution<'c>> {
    let of_counters = case.counters.iter().find_map(|counters| {
        let counted = counted(counters.page, case.ask.last_interval);
        let histogram = match counted {
            Counted::Buckets => counters.cluster.latency.as_ref(),
            _ => counters.whole.latency.as_ref(),
        }?;
        let requests = (counted == Counted::Quantiles { last: false }).then(|| counters.whole.requests());
        let n = if counted == Counted::Buckets { size(histogram) } else { requests.flatten() };
        Some(Distribution { histogram, counted, n, name: "upstream_rq_time".to_owned() })
    });
    let logs = || case.sources.logs.iter().filter_map(|(_, traffic)| traffic.service_time.as_ref());
    of_counters.or_else(|| {
        let histogram = logs().max_by_key(|histogram| histogram.count)?;
        let name = "upstream service times of the log".to_owned();
        Some(Distribution { histogram, counted: Counted::Lines, n: histogram.count, name })
    })
}

/// What percentiles of several logs leave out: those of each cannot be put together.
pub fn of_logs(case: &Case<'_>) -> Option<Remark> {
    let d = distribution(case).filter(|d| d.counted == Counted::Lines)?;
    let counts = case.sources.logs.iter().filter_map(|(_, t)| t.service_time.as_ref()?.count);
    let all = counts.fold(0, u64::saturating_add);
    let n = d.n.filter(|n| *n < all)?;
    Some(Remark {
        at: Some(d.histogram.at.clone()),
        message: format!(
            "latency is that of {} of {} service times, those of the log with most of them; put the logs into one text for all",
            count(n),
            count(all)
        ),
    })
}

/// What retries do to the times: Envoy counts from the end of the request to the end of the last
/// answer, with every attempt and every wait between them.
pub fn of_retries(case: &Case<'_>) -> Option<Remark> {
    /// Below that, percentiles up to the 99th hardly feel it.
    const FEW: Share = Share(0.01);
    let counters = case.counters.iter().find(|counters| counters.cluster.latency.is_some())?;
    let retried = counters.cluster.stat("upstream_rq_retry")?;
    let requests = counters.requests().filter(|requests| requests.n > 0)?;
    let share = Share(retried.value as f64 / requests.n as f64);
    (share.0 >= FEW.0).then(|| Remark {
        at: Some(retried.at.clone()),
        message: format!(
            "{} retries on {} requests: upstream_rq_time has all attempts of a request, and the waits between them",
            count(retried.value),
            count(requests.n)
        ),
    })
}

/// How a page counts.
pub fn counted(page: AdminPage, last: bool) -> Counted {
    if page == AdminPage::Prometheus { Counted::Buckets } else { Counted::Quantiles { last } }
}

/// Values in a histogram.
pub fn size(histogram: &Histogram) -> Option<u64> {
    histogram.buckets.last().map(|bucket| bucket.count).or(histogram.count)
}

impl Distribution<'_> {
    /// A percentile as an input, or why it is not known.
    pub fn percentile(&self, id: ParamId, share: f64) -> Field {
        let word = format!("P{}", display::number(share * 100.0));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 5,000")]
        let fewest = (BEYOND / (1.0 - share)).round() as u64;
        if let Some(n) = self.n.filter(|n| *n < fewest) {
            return Field::missing(id, format!("{}: {word} needs {} or more", values(n), count(fewest)));
        }
        let field = match self.counted {
            Counted::Quantiles { last } => self.stated(id, share, &word, last),
            Counted::Buckets => self.interpolated(id, share, &word),
            Counted::Lines => self.counted_out(id, share),
        };
        // Envoy counts whole milliseconds and drops the rest.
        if field.value.as_deref() == Some("0") {
            let why = format!("{word} of {} is below the whole millisecond that Envoy counts in", self.name);
            return Field { places: field.places, ..Field::missing(id, why) };
        }
        field
    }

    fn stated(&self, id: ParamId, share: f64, word: &str, last: bool) -> Field {
        let found = self.histogram.quantiles.iter().find(|q| (q.at.0 - share).abs() < 1e-9);
        let Some(quantile) = found else {
            return Field::missing(id, format!("{} has no {word} in the text", self.name));
        };
        let when = if last { "in the last interval" } else { "since the start" };
        let Some(time) = (if last { quantile.last } else { Some(quantile.time) }) else {
            return Field::missing(id, format!("{} has no values in the last interval", self.name));
        };
        let of_text = self.histogram.at.clone();
        let value = display::input(unit_of(id, time));
        let field = Field::read(id, value, format!("{} {word} {when}", self.name), &of_text);
        let other = if last { Some(quantile.time) } else { quantile.last };
        let other_when = if last { "since the start" } else { "in the last interval" };
        let note = other.map(|other| format!("{} {other_when}", display::millis(other)));
        field.noting(note.unwrap_or_default())
    }

    fn interpolated(&self, id: ParamId, share: f64, word: &str) -> Field {
        if !is_sane(self.histogram) {
            let why = format!("buckets of {} contradict each other: several proxies in one text?", self.name);
            return Field::missing(id, why);
        }
        let bounds = self.histogram.bucket_of(Share(share));
        let time = self.histogram.quantile(Share(share));
        let (Some(b), Some(time)) = (bounds, time) else {
            return Field::missing(id, format!("{} has no buckets in the text", self.name));
        };
        let Some(to) = b.to else {
            let from = display::millis(b.from);
            return Field::missing(id, format!("{word} is beyond the last bound of the buckets, {from}"));
        };
        let (low, high) = (display::number(b.from.0), display::number(to.0));
        let substituted = format!(
            "{low} + ({high} − {low}) × ({} × {} − {}) / {}",
            display::input(share),
            count(b.all),
            count(b.under),
            count(b.inside)
        );
        let formula = "from + (to − from) × (share × all − below) / inside, linear within the bucket";
        let places = vec![self.histogram.at.clone()];
        Field::derived(id, unit_of(id, time), formula, substituted, places)
            .from(format!("{} {word}", self.name))
            .noting(format!("certain is only that it is between {low} and {high}\u{a0}ms"))
    }

    fn counted_out(&self, id: ParamId, share: f64) -> Field {
        let (Some(time), Some(n)) = (self.histogram.quantile(Share(share)), self.n) else {
            return Field::missing(id, format!("no {}", self.name));
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let rank = (share * n as f64 - 1e-9).ceil() as u64;
        let substituted = format!("number {} of {}", count(rank), count(n));
        let places = vec![self.histogram.at.clone()];
        Field::derived(id, unit_of(id, time), "number ⌈share × n⌉ of n in rising order", substituted, places)
            .from(format!("P{} of {}", display::number(share * 100.0), self.name))
            .noting("ends with the head of the answer: the time of the body is not in it")
    }

    fn mean(&self, id: ParamId) -> Field {
        if let Counted::Quantiles { .. } = self.counted {
            return Field::missing(id, "the page has no sum of upstream_rq_time: /stats/prometheus has");
        }
        let (Some(sum), Some(n)) = (self.histogram.sum, self.histogram.count) else {
            return Field::missing(id, format!("sum and count of {} are not in the text", self.name));
        };
        if n < FEWEST {
            return Field::missing(id, format!("{}: a mean needs {FEWEST} or more", values(n)));
        }
        let mean = Millis(sum.0 / n as f64);
        if mean.0 <= 0.0 {
            return Field::missing(id, "below the whole millisecond that Envoy counts in");
        }
        let substituted = format!("{}\u{a0}ms / {}", display::significant(sum.0, 9), count(n));
        Field::derived(id, unit_of(id, mean), "sum / count", substituted, vec![self.histogram.at.clone()])
            .from(format!("mean of {}", self.name))
    }
}

/// Streams are counted in seconds.
fn unit_of(id: ParamId, time: Millis) -> f64 {
    if matches!(id, ParamId::StreamMean | ParamId::StreamP99) { time.as_secs() } else { time.0 }
}

/// Whether buckets can be those of one proxy: each bound once, counts that do not fall.
fn is_sane(histogram: &Histogram) -> bool {
    let pairs = histogram.buckets.iter().zip(histogram.buckets.iter().skip(1));
    pairs.into_iter().all(|(a, b)| a.le != b.le && a.count <= b.count)
}

fn values(n: u64) -> String {
    if n == 1 { "one value".to_owned() } else { format!("{} values", count(n)) }
}
