//! The parts of a run, and how it recovered from its faults.

use super::{Before, Fault, Nanos, Recovery};
use std::ops::Range;

/// Recovered is what serves this share of before.
const ENOUGH: f64 = 0.99;
/// A span is judged only with about so many requests in it.
const REQUESTS_A_SPAN: f64 = 100.0;
/// The longest span, in seconds: with fewer than ten requests a second it holds fewer.
const LONGEST_S: f64 = 10.0;
/// What chance does less often than once in 100,000 spans is no chance: `-ln 1e-5`.
const BEYOND_CHANCE: f64 = 11.512_925_464_970_229;

/// Before, during and after the faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Where counting begins: the warm-up.
    pub start: Nanos,
    /// The first fault's start.
    pub from: Nanos,
    /// The last fault's end.
    pub to: Nanos,
    /// The end of the arrivals.
    pub end: Nanos,
}

impl Parts {
    /// `None` without a fault. What lies outside of the counted run is cut off.
    pub(crate) fn of(faults: &[Fault], warm_up: Nanos, duration: Nanos) -> Option<Self> {
        let from = faults.iter().map(|f| f.from).min()?;
        let to = faults.iter().map(|f| f.to).max()?;
        let start = warm_up.min(duration);
        let from = from.clamp(start, duration);
        Some(Self { start, from, to: to.clamp(from, duration), end: duration })
    }

    /// The part in which something arrives.
    #[inline]
    pub(crate) fn at(&self, arrival: Nanos) -> Before {
        if arrival < self.from {
            Before::Before
        } else if arrival < self.to {
            Before::During
        } else {
            Before::After
        }
    }

    /// From and to of a part.
    pub(crate) fn bounds(&self, part: Before) -> (Nanos, Nanos) {
        match part {
            Before::Before => (self.start, self.from),
            Before::During => (self.from, self.to),
            Before::After => (self.to, self.end),
        }
    }
}

/// Requests in fine steps of time, by their arrival; a request is counted once it has ended.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    width: Nanos,
    counts: Vec<Counts>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    ended: u64,
    served: u64,
}

impl Steps {
    /// Steps of that width for arrivals up to `duration`.
    pub(crate) fn new(width: Nanos, duration: Nanos) -> Self {
        let width = width.max(Nanos(1));
        #[allow(clippy::cast_possible_truncation, reason = "as many as fit in memory")]
        let n = duration.0.div_ceil(width.0) as usize;
        Self { width, counts: vec![Counts::default(); n] }
    }

    /// A request has ended.
    #[inline]
    pub(crate) fn record(&mut self, arrival: Nanos, served: bool) {
        #[allow(clippy::cast_possible_truncation, reason = "an index")]
        if let Some(step) = self.counts.get_mut((arrival.0 / self.width.0) as usize) {
            step.ended += 1;
            step.served += u64::from(served);
        }
    }

    /// How the run recovered.
    ///
    /// # Formula
    ///
    /// `g` is the share served before the faults (1 if nothing arrived before). A span of time is
    /// *down* if it serves less than 99 % of `g` **and** chance does not explain it: with `n`
    /// requests, of which `k` failed where `λ = n (1 - g')` are usual, if
    /// `k ln(k / λ) - (k - λ) > ln 100,000`. That is Chernoff's bound on a Poisson count, so chance
    /// alone is below 1 in 100,000 for every span; `g'` is `g` with one failure more, because a short
    /// time before without a failure does not prove that there are none.
    /// Spans slide in steps and are a second long, or as long as a hundred requests took before, at
    /// most ten seconds: then half of few requests is seen, and one of few is not.
    /// A span in which nothing arrived is what the one before it was.
    ///
    /// It has recovered at the start of the first span from which on no span is down.
    pub(crate) fn recovery(&self, parts: &Parts) -> Recovery {
        let before = self.sum(self.step(parts.start), self.step(parts.from));
        let judge = Judge::of(before, parts.from.since(parts.start));
        let span = self.span(before, parts.from.since(parts.start));
        let (from, to, end) = (self.step(parts.from), self.step(parts.to), self.counts.len());
        let normal = Verdict { share: judge.goodput, down: false };
        let verdicts = self.slide(&judge, span, from..end, normal);
        let hurt = verdicts.iter().any(|v| v.down);
        let secs = |steps: usize| steps as f64 * self.width.as_secs();
        let during_s = up_from(&self.slide(&judge, span, from..to, normal)).map(secs);
        let at_end = verdicts.get(..to - from).unwrap_or(&verdicts).last().copied().unwrap_or(normal);
        let after = self.slide(&judge, span, to..end, at_end);
        // A fault that lasts to the end of the run leaves nothing after it.
        let after_s = if after.is_empty() { during_s.map(|_| 0.0) } else { up_from(&after).map(secs) };
        Recovery {
            goodput_before: judge.goodput,
            goodput_lowest: verdicts.iter().map(|v| v.share).fold(1.0, f64::min),
            during_s,
            after_s,
            hurt,
            lost_s: if hurt { self.lost(&judge, from, end) } else { 0.0 },
        }
    }

    fn step(&self, at: Nanos) -> usize {
        #[allow(clippy::cast_possible_truncation, reason = "an index")]
        let step = at.0.div_ceil(self.width.0) as usize;
        step.min(self.counts.len())
    }

    fn sum(&self, from: usize, to: usize) -> Counts {
        let add = |a: Counts, b: &Counts| Counts { ended: a.ended + b.ended, served: a.served + b.served };
        self.counts.get(from..to).unwrap_or_default().iter().fold(Counts::default(), add)
    }

    /// Steps a span.
    fn span(&self, before: Counts, time: Nanos) -> usize {
        let rate = before.ended as f64 / time.as_secs().max(self.width.as_secs());
        let secs = if rate > 0.0 { (REQUESTS_A_SPAN / rate).clamp(1.0, LONGEST_S) } else { 1.0 };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most ten seconds")]
        let steps = libm::ceil(secs / self.width.as_secs()) as usize;
        steps.max(1)
    }

    /// The verdict on every span that lies within these steps, of which there is one for each step
    /// it can begin at; where there are fewer steps than a span, one on all of them. `before` holds
    /// until something has arrived.
    fn slide(&self, judge: &Judge, span: usize, steps: Range<usize>, before: Verdict) -> Vec<Verdict> {
        if steps.is_empty() {
            return Vec::new();
        }
        let last = steps.end.saturating_sub(span).max(steps.start);
        let verdicts = (steps.start..=last).scan(before, |verdict, start| {
            let counts = self.sum(start, (start + span).min(steps.end));
            if counts.ended > 0 {
                *verdict = judge.verdict(counts);
            }
            Some(*verdict)
        });
        verdicts.collect()
    }

    /// Served requests that were missing, in seconds of what was served before.
    fn lost(&self, judge: &Judge, from: usize, end: usize) -> f64 {
        let counts = self.sum(from, end);
        let missing = judge.goodput * counts.ended as f64 - counts.served as f64;
        if judge.served_a_second > 0.0 { (missing / judge.served_a_second).max(0.0) } else { 0.0 }
    }
}

/// The index from which on none is down; `None` if the last one is.
fn up_from(verdicts: &[Verdict]) -> Option<usize> {
    let up = verdicts.iter().rposition(|v| v.down).map_or(0, |last| last + 1);
    (up < verdicts.len()).then_some(up)
}

#[derive(Clone, Copy, Debug)]
struct Verdict {
    share: f64,
    down: bool,
}

/// What is normal.
#[derive(Clone, Copy, Debug)]
struct Judge {
    goodput: f64,
    /// Failures a request that chance may bring.
    usual: f64,
    served_a_second: f64,
}

impl Judge {
    fn of(before: Counts, time: Nanos) -> Self {
        let (ended, served) = (before.ended as f64, before.served as f64);
        let goodput = if before.ended > 0 { served / ended } else { 1.0 };
        let secs = time.as_secs();
        Self {
            goodput,
            usual: if before.ended > 0 { (ended - served + 1.0) / (ended + 1.0) } else { 0.0 },
            served_a_second: if secs > 0.0 { served / secs } else { 0.0 },
        }
    }

    fn verdict(&self, counts: Counts) -> Verdict {
        let (n, served) = (counts.ended as f64, counts.served as f64);
        let (failed, usual) = (n - served, n * self.usual);
        let short = served < ENOUGH * self.goodput * n;
        Verdict { share: served / n, down: short && beyond_chance(failed, usual) }
    }
}

/// Whether `k` events are too many for a Poisson count with mean `usual`.
fn beyond_chance(k: f64, usual: f64) -> bool {
    if usual <= 0.0 {
        return k > 0.0;
    }
    k > usual && k * libm::log(k / usual) - (k - usual) > BEYOND_CHANCE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sim::FaultKind;
    use crate::engine::sim::rng::{Purpose, Stream};

    fn secs(s: f64) -> Nanos {
        Nanos::from_secs(s)
    }

    /// Thirty seconds at `rate`, each request served with the probability of its moment.
    fn run(rate: f64, served: impl Fn(f64) -> f64) -> Recovery {
        let fault = FaultKind::Host5xx.fault(secs(10.0), secs(20.0), 1, 1);
        let parts = Parts::of(&[fault], Nanos::ZERO, secs(30.0)).unwrap();
        let mut steps = Steps::new(secs(0.1), secs(30.0));
        let mut stream = Stream::new(8, Purpose::Failure, 0);
        let mut now = Nanos::ZERO;
        loop {
            now = now.after(stream.exponential(1e9 / rate));
            if now >= secs(30.0) {
                return steps.recovery(&parts);
            }
            steps.record(now, stream.unit() < served(now.as_secs()));
        }
    }

    fn near(got: Option<f64>, want: f64) -> bool {
        got.is_some_and(|got| (got - want).abs() <= 0.2)
    }

    #[test]
    fn parts_are_cut_to_the_run() {
        let fault = |from, to| FaultKind::Host5xx.fault(secs(from), secs(to), 1, 1);
        let parts = Parts::of(&[fault(12.0, 14.0), fault(5.0, 13.0)], secs(2.0), secs(13.5)).unwrap();
        assert_eq!(parts.bounds(Before::Before), (secs(2.0), secs(5.0)));
        assert_eq!(parts.bounds(Before::During), (secs(5.0), secs(13.5)));
        assert_eq!(parts.at(secs(5.0)), Before::During);
        assert_eq!(Parts::of(&[], Nanos::ZERO, secs(1.0)), None);
        let late = Parts::of(&[fault(20.0, 30.0)], Nanos::ZERO, secs(10.0)).unwrap();
        assert_eq!((late.from, late.to), (secs(10.0), secs(10.0)));
    }

    #[test]
    fn without_harm_there_is_nothing_to_recover_from() {
        // A share of failures that is always there is no harm, however few the requests.
        for rate in [2.0, 20.0, 500.0, 20_000.0] {
            for served in [1.0, 0.97] {
                let recovery = run(rate, |_| served);
                assert!(!recovery.hurt, "{rate} a second, {served}: {recovery:?}");
                assert_eq!((recovery.during_s, recovery.after_s), (Some(0.0), Some(0.0)));
                assert!(recovery.lost_s.abs() < f64::EPSILON);
            }
        }
    }

    #[test]
    fn it_recovers_when_the_fault_ends() {
        for rate in [20.0, 500.0, 20_000.0] {
            let recovery = run(rate, |t| if (10.0..20.0).contains(&t) { 0.5 } else { 1.0 });
            assert!(recovery.hurt);
            assert_eq!(recovery.during_s, None, "{rate}");
            assert!(near(recovery.after_s, 0.0), "{rate}: {recovery:?}");
            // Three standard errors: half of ten seconds failed, in seconds of the ten before.
            let error = 5.0 * 3.0 * f64::sqrt(0.3 / rate);
            assert!((recovery.lost_s - 5.0).abs() < error, "{rate}: {recovery:?}");
            assert!(recovery.goodput_lowest < 0.55);
        }
    }

    #[test]
    fn it_recovers_some_time_after_the_fault() {
        for rate in [100.0, 500.0, 20_000.0] {
            let recovery = run(rate, |t| if (10.0..23.2).contains(&t) { 0.3 } else { 0.995 });
            assert!(near(recovery.after_s, 3.2), "{rate}: {recovery:?}");
            assert!((recovery.goodput_before - 0.995).abs() < 0.01);
        }
    }

    #[test]
    fn it_recovers_within_the_fault() {
        for rate in [100.0, 500.0, 20_000.0] {
            let recovery = run(rate, |t| if (10.0..12.5).contains(&t) { 0.6 } else { 1.0 });
            assert!(near(recovery.during_s, 2.5), "{rate}: {recovery:?}");
            assert_eq!(recovery.after_s, Some(0.0));
            assert!(recovery.hurt);
        }
    }

    #[test]
    fn it_stays_down() {
        for rate in [5.0, 500.0, 20_000.0] {
            let recovery = run(rate, |t| if t >= 10.0 { 0.2 } else { 1.0 });
            assert_eq!((recovery.during_s, recovery.after_s), (None, None), "{rate}");
        }
    }

    #[test]
    fn a_later_fall_counts() {
        let recovery = run(2_000.0, |t| if (10.0..15.0).contains(&t) || t > 28.0 { 0.5 } else { 1.0 });
        assert!(near(recovery.during_s, 5.0));
        assert_eq!(recovery.after_s, None);
    }

    #[test]
    fn a_permanent_loss_of_two_percent_is_down_where_it_can_be_told() {
        let served = |t: f64| if t >= 10.0 { 0.975 } else { 1.0 };
        assert_eq!(run(20_000.0, served).after_s, None);
        // Half a percent is within the 99 %.
        let recovery = run(20_000.0, |t: f64| if t >= 10.0 { 0.995 } else { 1.0 });
        assert!(!recovery.hurt);
    }

    #[test]
    fn silence_is_what_it_was_before() {
        let fault = FaultKind::Partition.fault(secs(10.0), secs(20.0), 1, 1);
        let parts = Parts::of(&[fault], Nanos::ZERO, secs(30.0)).unwrap();
        let mut steps = Steps::new(secs(0.1), secs(30.0));
        // A closed loop whose callers all hang from the fault on.
        (0..1_200).for_each(|n| steps.record(secs(f64::from(n) * 0.01), n < 1_000));
        assert_eq!(steps.recovery(&parts).after_s, None);
    }

    #[test]
    fn a_run_without_a_time_before_takes_everything_for_normal() {
        let fault = FaultKind::Host5xx.fault(Nanos::ZERO, secs(1.0), 1, 1);
        let parts = Parts::of(&[fault], Nanos::ZERO, secs(5.0)).unwrap();
        let mut steps = Steps::new(secs(0.1), secs(5.0));
        (0..500).for_each(|n| steps.record(secs(f64::from(n) * 0.01), n >= 100));
        let recovery = steps.recovery(&parts);
        assert_eq!((recovery.goodput_before, recovery.after_s), (1.0, Some(0.0)));
        assert!(recovery.hurt);
    }
}
