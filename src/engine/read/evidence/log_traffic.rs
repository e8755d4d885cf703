//! What a log says of the traffic of each cluster: how many requests, over how long, how slow.

use super::access_log::Entry;
use crate::engine::read::Place;
use crate::engine::read::config::{Histogram, LogTraffic, Quantile};
use crate::engine::units::{Millis, Share};
use std::collections::BTreeMap;

/// Clusters of a log that are kept.
const MAX_CLUSTERS: usize = 1_000;

/// The quantiles that a scenario asks for.
const ASKED: [f64; 6] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.999];

/// Requests as their lines come in.
#[derive(Default)]
pub struct Gathering {
    of_cluster: BTreeMap<Option<String>, usize>,
    traffic: Vec<(LogTraffic, Times)>,
}

/// Times of the lines of a cluster.
#[derive(Default)]
struct Times {
    /// When they started, in milliseconds since 1970.
    starts: Vec<f64>,
    /// How long they took, in milliseconds.
    service: Vec<f64>,
}

impl Gathering {
    /// Adds a line; connections that carried no request are none of it.
    pub fn add(&mut self, entry: &Entry, at: impl FnOnce() -> Place) {
        if entry.tcp {
            return;
        }
        let known = self.of_cluster.get(&entry.cluster).copied();
        let index = match known {
            Some(index) => index,
            None if self.traffic.len() >= MAX_CLUSTERS => return,
            None => {
                self.of_cluster.insert(entry.cluster.clone(), self.traffic.len());
                let new = LogTraffic { cluster: entry.cluster.clone(), at: at(), ..LogTraffic::default() };
                self.traffic.push((new, Times::default()));
                self.traffic.len() - 1
            }
        };
        let Some((traffic, times)) = self.traffic.get_mut(index) else { return };
        traffic.requests += 1;
        traffic.first = [traffic.first, entry.start].into_iter().flatten().reduce(Millis::min);
        traffic.last = [traffic.last, entry.start].into_iter().flatten().reduce(Millis::max);
        times.starts.extend(entry.start.map(|start| start.0));
        let is_answered = entry.host && entry.status > 0;
        let has_failed = entry.status >= 500;
        traffic.attempted += u64::from(is_answered);
        traffic.failed += u64::from(is_answered && has_failed);
        if is_answered && !has_failed && entry.flags.is_empty() {
            times.service.extend(entry.service_time.map(|time| time.0));
        }
    }

    /// Everything, by cluster.
    pub fn end(self) -> Vec<LogTraffic> {
        let settled = self.traffic.into_iter().map(|(traffic, times)| {
            let service_time = distribution(times.service, &traffic.at);
            LogTraffic { service_time, gap: gap(times.starts), ..traffic }
        });
        settled.collect()
    }
}

/// The longest time without a start, where it dwarfs the rest.
fn gap(mut starts: Vec<f64>) -> Option<[Millis; 2]> {
    /// With fewer, chance leaves such gaps.
    const FEWEST: usize = 12;
    starts.sort_by(f64::total_cmp);
    let whole = starts.last()? - starts.first()?;
    let pairs = starts.iter().zip(starts.iter().skip(1));
    let (from, to) = pairs.max_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0)))?;
    let length = to - from;
    let is_one = starts.len() >= FEWEST && length > 0.0 && length >= LogTraffic::ALONE * (whole - length);
    is_one.then_some([Millis(*from), Millis(*to)])
}

/// The quantiles of all values: the smallest that at least that share does not exceed.
fn distribution(mut times: Vec<f64>, at: &Place) -> Option<Histogram> {
    times.sort_by(f64::total_cmp);
    let n = times.len();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
    let rank = |share: f64| (share * n as f64 - 1e-9).ceil().max(1.0) as usize;
    let quantile = |share: f64| {
        let time = Millis(*times.get(rank(share) - 1)?);
        Some(Quantile { at: Share(share), time, last: None })
    };
    (n > 0).then(|| Histogram {
        at: at.clone(),
        quantiles: ASKED.into_iter().filter_map(quantile).collect(),
        count: Some(n as u64),
        sum: Some(Millis(times.iter().sum())),
        buckets: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::distribution;
    use crate::engine::read::Place;
    use crate::engine::units::Share;

    #[test]
    fn quantiles_are_values_of_the_log() {
        // 1 to 200: half of them are 100 or less, 198 of them (99 of 100) are 198 or less.
        let h = distribution((1..=200).rev().map(f64::from).collect(), &Place::default()).unwrap();
        let at = |share: f64| h.quantile(Share(share)).map(|time| time.0);
        assert_eq!([at(0.5), at(0.95), at(0.99), at(0.999)], [100.0, 190.0, 198.0, 200.0].map(Some));
        assert_eq!(h.mean().map(|mean| mean.0), Some(100.5));
        assert!(distribution(Vec::new(), &Place::default()).is_none());
    }
}
