//! Distributions of times as Envoy reports them.

use crate::engine::read::Place;
use crate::engine::units::{Millis, Share};
use serde::{Deserialize, Serialize};

/// A distribution of times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Where it stands.
    pub at: Place,
    /// Quantiles since the start, in rising order.
    pub quantiles: Vec<Quantile>,
    /// Values in it.
    pub count: Option<u64>,
    /// Their sum.
    pub sum: Option<Millis>,
    /// Cumulative counts, in rising order.
    pub buckets: Vec<Bucket>,
}

/// A quantile of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// Which: 0.99.
    pub at: Share,
    /// Its time.
    pub time: Millis,
    /// Its time within the last interval of stats, where that had values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Millis>,
}

/// How many values are no larger than a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bucket {
    /// The bound; none is infinity.
    pub le: Option<Millis>,
    /// Values.
    pub count: u64,
}

/// A bucket between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lower bound.
    pub from: Millis,
    /// The upper bound; none is infinity.
    pub to: Option<Millis>,
    /// Values at or below the lower bound.
    pub under: u64,
    /// Values within.
    pub inside: u64,
    /// Values in all buckets.
    pub all: u64,
}

impl Histogram {
    /// The mean, where sum and count are known.
    pub fn mean(&self) -> Option<Millis> {
        let count = self.count.filter(|count| *count > 0)?;
        #[allow(clippy::cast_precision_loss, reason = "a count of requests")]
        Some(Millis(self.sum?.0 / count as f64))
    }

    /// A quantile: as reported, else linear within its bucket, the way `histogram_quantile` does it.
    pub fn quantile(&self, at: Share) -> Option<Millis> {
        let same = |q: &&Quantile| (q.at.0 - at.0).abs() < 1e-9;
        self.quantiles.iter().find(same).map(|q| q.time).or_else(|| self.interpolated(at))
    }

    #[allow(clippy::cast_precision_loss, reason = "counts of requests")]
    fn interpolated(&self, at: Share) -> Option<Millis> {
        let found = self.bucket_of(at)?;
        let Bounds { from, to, under, inside, all } = found;
        // Beyond the last bound nothing is known but that bound.
        let to = to.unwrap_or(from);
        let part = if inside > 0 { (at.0 * all as f64 - under as f64) / inside as f64 } else { 1.0 };
        Some(Millis(from.0 + (to.0 - from.0) * part))
    }

    /// The bucket that a quantile lies in.
    #[allow(clippy::cast_precision_loss, reason = "counts of requests")]
    pub fn bucket_of(&self, at: Share) -> Option<Bounds> {
        let all = self.buckets.last().map(|bucket| bucket.count).filter(|count| *count > 0)?;
        let rank = at.0 * all as f64;
        let found = self.buckets.iter().position(|bucket| bucket.count as f64 >= rank)?;
        let below = found.checked_sub(1).and_then(|before| self.buckets.get(before));
        let (from, under) = below.map_or((Millis(0.0), 0), |b| (b.le.unwrap_or(Millis(0.0)), b.count));
        let bucket = self.buckets.get(found)?;
        Some(Bounds { from, to: bucket.le, under, inside: bucket.count.saturating_sub(under), all })
    }
}
