//! How many requests arrive when.
//!
//! The rate is constant between the edges of patterns and faults. A gap is a number of expected
//! arrivals (exponential with mean 1 for a Poisson stream, exactly 1 for a paced one) that is used
//! up at the rate of each span that it reaches into: no thinning, no waste, and exact at the edges.

use super::rng::unit;
use super::{Experiment, FaultKind, Hosts, Nanos, Pattern};

/// A surge of the rate of some proxies.
#[derive(Clone, Debug)]
struct Surge {
    from: u64,
    to: u64,
    times: f64,
    /// `None`: all of them.
    clients: Option<Hosts>,
}

/// The rate over time.
#[derive(Clone, Debug)]
pub struct Rates {
    /// Requests a nanosecond of each proxy, before patterns.
    base: f64,
    clients: u32,
    duration: u64,
    patterns: Vec<Pattern>,
    surges: Vec<Surge>,
    span: Span,
}

/// A span of constant rate, for all proxies together.
#[derive(Clone, Debug, Default)]
struct Span {
    until: u64,
    total: f64,
    /// Where proxies differ: their rates, added up.
    upto: Vec<f64>,
}

impl Rates {
    pub fn new(experiment: &Experiment) -> Self {
        let clients = experiment.fleet.simulated;
        let surges = experiment.faults.iter().filter(|f| f.kind == FaultKind::LoadSurge && f.from < f.to);
        let rate = experiment.load.rate_per_client;
        Self {
            base: if rate.is_finite() { rate.max(0.0) / Nanos::SECOND.0 as f64 } else { 0.0 },
            clients,
            duration: experiment.run.duration.0,
            patterns: experiment.load.patterns.clone(),
            surges: surges
                .map(|f| Surge {
                    from: f.from.0,
                    to: f.to.0,
                    times: f.strength.max(0.0),
                    clients: match f.clients {
                        Hosts::Count(n) if n >= clients => None,
                        ref some => Some(some.clone()),
                    },
                })
                .collect(),
            span: Span::default(),
        }
    }

    /// When the next request of all proxies together arrives, `gap` expected arrivals after `now`;
    /// `None`: not before the end.
    #[inline]
    pub fn next(&mut self, now: u64, gap: f64) -> Option<u64> {
        let (mut now, mut gap) = (now, gap);
        while now < self.duration {
            if now >= self.span.until {
                self.enter(now);
            }
            let needs = gap / self.span.total;
            let left = (self.span.until - now) as f64;
            if needs < left {
                let at = now + Nanos::rounded(needs).0;
                return (at < self.duration).then_some(at);
            }
            gap -= left * self.span.total;
            now = self.span.until;
        }
        None
    }

    /// The same for one proxy.
    pub fn next_of(&self, client: u32, now: u64, gap: f64) -> Option<u64> {
        let (mut now, mut gap) = (now, gap);
        while now < self.duration {
            let (times, until) = self.times(now, Some(client));
            let rate = self.base * times;
            let needs = gap / rate;
            let left = (until - now) as f64;
            if needs < left {
                let at = now + Nanos::rounded(needs).0;
                return (at < self.duration).then_some(at);
            }
            gap -= left * rate;
            now = until;
        }
        None
    }

    /// The proxy of a request that arrives now.
    #[inline]
    pub fn client(&self, bits: u64) -> u32 {
        if self.span.upto.is_empty() {
            #[allow(clippy::cast_possible_truncation, reason = "below a number of 32 bits")]
            return super::rng::below(bits, u64::from(self.clients)) as u32;
        }
        let at = unit(bits) * self.span.total;
        let nth = self.span.upto.partition_point(|&upto| upto <= at);
        u32::try_from(nth).unwrap_or(0).min(self.clients.saturating_sub(1))
    }

    /// Requests of all proxies that are expected to arrive.
    pub fn expected(&self) -> f64 {
        let (mut now, mut sum) = (0, 0.0);
        let mut span = self.clone();
        // Bursts of a nanosecond in a run of years: give up on exactness, not on an answer.
        for _ in 0..100_000 {
            if now >= self.duration {
                return sum;
            }
            span.enter(now);
            sum += span.span.total * (span.span.until - now) as f64;
            now = span.span.until;
        }
        if now == 0 { sum } else { sum / now as f64 * self.duration as f64 }
    }

    fn enter(&mut self, now: u64) {
        let (times, until) = self.times(now, None);
        let each = self.base * times;
        self.span.until = until;
        self.span.upto.clear();
        if !self.surges.iter().any(|s| s.clients.is_some() && s.from <= now && now < s.to) {
            self.span.total = each * f64::from(self.clients);
            return;
        }
        let mut total = 0.0;
        for client in 0..self.clients {
            total += self.base * self.times(now, Some(client)).0;
            self.span.upto.push(total);
        }
        self.span.total = total;
    }

    /// By how much the rate is multiplied now, and until when; without a proxy, what all share.
    fn times(&self, now: u64, client: Option<u32>) -> (f64, u64) {
        let mut times = 1.0;
        let mut until = self.duration;
        let mut between = |from: u64, to: u64, by: f64| {
            if now < from {
                until = until.min(from);
            } else if now < to {
                until = until.min(to);
                times *= by;
            }
        };
        for pattern in &self.patterns {
            match *pattern {
                Pattern::Surge { from, to, times } => between(from.0, to.0, times.max(0.0)),
                Pattern::Step { at, times } => between(at.0, u64::MAX, times.max(0.0)),
                Pattern::Burst { every, length, times } if every.0 > 0 => {
                    let start = now - now % every.0;
                    let end = start.saturating_add(length.0.min(every.0));
                    between(start, end, times.max(0.0));
                    between(start.saturating_add(every.0), u64::MAX, 1.0);
                }
                Pattern::Burst { .. } => {}
            }
        }
        for surge in &self.surges {
            let hit = match (&surge.clients, client) {
                (None, _) => true,
                (Some(clients), Some(client)) => clients.has(client),
                (Some(_), None) => false,
            };
            between(surge.from, surge.to, if hit { surge.times } else { 1.0 });
        }
        (times, until)
    }
}

#[cfg(test)]
#[path = "rates_tests.rs"]
mod tests;
