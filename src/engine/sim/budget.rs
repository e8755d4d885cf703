//! What limits retries: `max_retries`, or a budget.

use super::{Budget, Nanos, RetryLimit};

/// Parts of `budget_interval` in which started requests are counted.
const N_SLOTS: u64 = N_TENTHS as u64;
const N_TENTHS: usize = 10;

/// The retries of one priority in one proxy.
///
/// A retry is outstanding from the moment it is scheduled (its back-off included) to the response
/// headers of the retried attempt; who holds one calls [`Self::take`] and [`Self::release`].
#[derive(Clone, Debug)]
pub(crate) struct Retries {
    limit: RetryLimit,
    outstanding: u32,
    started: Option<Started>,
}

impl Retries {
    pub(crate) fn new(limit: RetryLimit) -> Self {
        let started = match limit {
            RetryLimit::Budget(b) if b.budget_interval > Nanos::ZERO => Some(Started::new(b.budget_interval)),
            _ => None,
        };
        Self { limit, outstanding: 0, started }
    }

    /// Whether one more may be scheduled now; `active` and `pending` are the requests of the
    /// priority, the failing attempt included (it still holds its place when this is asked).
    pub(crate) fn admits(&mut self, now: Nanos, active: u64, pending: u64) -> bool {
        let allowed = match self.limit {
            RetryLimit::MaxRetries(max) => u64::from(max),
            RetryLimit::Budget(budget) => {
                let base = match &mut self.started {
                    Some(started) => started.within(now),
                    None => active + pending,
                };
                allowed(&budget, base)
            }
        };
        u64::from(self.outstanding) < allowed
    }

    /// A retry is scheduled.
    pub(crate) fn take(&mut self) {
        self.outstanding += 1;
    }

    /// Its attempt has its response headers, or has ended.
    pub(crate) fn release(&mut self) {
        self.outstanding = self.outstanding.saturating_sub(1);
    }

    /// An attempt was attached to a connection, first ones and retries alike.
    pub(crate) fn on_attached(&mut self, now: Nanos) {
        if let Some(started) = &mut self.started {
            started.add(now);
        }
    }

    /// How many are outstanding.
    #[cfg(test)]
    pub(crate) fn outstanding(&self) -> u32 {
        self.outstanding
    }
}

/// How many retries may be outstanding: `max(⌊percent / 100 · base⌋, min_retry_concurrency)`.
///
/// Source: envoyproxy/envoy, `source/common/upstream/resource_manager_impl.h`; measured on 1.40.
fn allowed(budget: &Budget, base: u64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "Envoy cuts; never negative")]
    let share = (budget.budget_percent / 100.0 * base as f64) as u64;
    share.max(u64::from(budget.min_retry_concurrency))
}

/// Requests started within about the last interval: those of the current tenth of it and of the
/// nine before.
#[derive(Clone, Debug)]
struct Started {
    slot: Nanos,
    counts: [u64; N_TENTHS],
    /// The tenth that `now` was in at the last look, counted from the start.
    current: u64,
}

impl Started {
    fn new(interval: Nanos) -> Self {
        Self { slot: Nanos((interval.0 / N_SLOTS).max(1)), counts: [0; N_TENTHS], current: 0 }
    }

    fn add(&mut self, now: Nanos) {
        self.advance(now);
        self.counts[Self::index(self.current)] += 1;
    }

    fn within(&mut self, now: Nanos) -> u64 {
        self.advance(now);
        self.counts.iter().sum()
    }

    /// Clears the tenths that have passed since the last look.
    fn advance(&mut self, now: Nanos) {
        let slot = now.0 / self.slot.0;
        let passed = slot.saturating_sub(self.current).min(N_SLOTS);
        for back in 0..passed {
            self.counts[Self::index(slot - back)] = 0;
        }
        self.current = self.current.max(slot);
    }

    fn index(slot: u64) -> usize {
        (slot % N_SLOTS) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(budget_percent: f64, min_retry_concurrency: u32, interval_s: u64) -> Retries {
        Retries::new(RetryLimit::Budget(Budget {
            budget_percent,
            min_retry_concurrency,
            budget_interval: Nanos(interval_s * Nanos::SECOND.0),
        }))
    }

    #[test]
    fn max_retries_is_a_number_at_once() {
        let mut retries = Retries::new(RetryLimit::MaxRetries(1));
        assert!(retries.admits(Nanos::ZERO, 1, 0));
        retries.take();
        assert!(!retries.admits(Nanos::ZERO, 1000, 0));
        retries.release();
        assert!(retries.admits(Nanos::ZERO, 1, 0));
        assert!(!Retries::new(RetryLimit::MaxRetries(0)).admits(Nanos::ZERO, 1, 0));
    }

    #[test]
    fn a_lone_request_may_retry_because_its_own_failure_is_still_in_the_base() {
        assert!(budget(100.0, 0, 0).admits(Nanos::ZERO, 1, 0));
    }

    #[test]
    fn half_of_three_is_one() {
        // Measured: 50 %, floor 0, three parallel failures: one retried.
        let mut retries = budget(50.0, 0, 0);
        let mut n = 0;
        for active in (1..=3).rev() {
            if retries.admits(Nanos::ZERO, active, 0) {
                retries.take();
                n += 1;
            }
        }
        assert_eq!(n, 1);
    }

    #[test]
    fn what_waits_in_back_off_shrinks_its_own_base() {
        // Measured: 100 %, floor 0, four failures 50 ms apart with long back-off: the first only.
        let mut retries = budget(100.0, 0, 0);
        let mut n = 0;
        for _ in 0..4 {
            // The earlier ones are in back-off, so neither active nor pending.
            if retries.admits(Nanos::ZERO, 1, 0) {
                retries.take();
                n += 1;
            }
        }
        assert_eq!(n, 1);
    }

    #[test]
    fn an_empty_block_is_twenty_percent_and_three() {
        // Measured: five parallel failures: three retried.
        let mut retries = budget(20.0, 3, 0);
        let admitted = (0..5)
            .filter(|_| {
                retries.admits(Nanos::ZERO, 5, 0) && {
                    retries.take();
                    true
                }
            })
            .count();
        assert_eq!(admitted, 3);
    }

    #[test]
    fn pending_requests_are_in_the_base() {
        assert!(!budget(10.0, 0, 0).admits(Nanos::ZERO, 9, 0));
        assert!(budget(10.0, 0, 0).admits(Nanos::ZERO, 9, 1));
    }

    #[test]
    fn an_interval_looks_at_what_was_started() {
        // Measured: 10 %, floor 0, 5 s: a lone failure is retried after twenty good requests, not
        // before them and not after 6.5 s without any.
        let at = |ms: u64| Nanos(ms * Nanos::MILLI.0);
        let mut retries = budget(10.0, 0, 5);
        retries.on_attached(at(0));
        assert!(!retries.admits(at(1), 1, 0));
        for n in 0..20 {
            retries.on_attached(at(10 + 10 * n));
        }
        retries.on_attached(at(300));
        assert!(retries.admits(at(301), 1, 0));
        retries.on_attached(at(6_800));
        assert!(!retries.admits(at(6_801), 1, 0));
    }

    /// Measured on 1.40.0 (10%, minimum 0, 5 s): after 7.0, 7.1, … 7.5 s of 100 good requests a second,
    /// 100 at once failed, and 55, 56, 57, 58, 54, 55 of them were retried (there a tenth ended just
    /// before the fifth). So the base runs from 4.5 to 5 s of requests and falls back as a tenth ends.
    #[test]
    fn the_base_is_nine_tenths_and_what_has_passed_of_the_tenth() {
        let retried = |good: u64| {
            let mut retries = budget(10.0, 0, 5);
            (0..good).for_each(|n| retries.on_attached(Nanos(n * 10 * Nanos::MILLI.0)));
            let now = Nanos(good * 10 * Nanos::MILLI.0);
            (0..100).for_each(|_| retries.on_attached(now));
            for _ in 0..100 {
                if retries.admits(now, 0, 0) {
                    retries.take();
                }
            }
            retries.outstanding()
        };
        assert_eq!([700, 710, 720, 730, 740, 750].map(retried), [55, 56, 57, 58, 59, 55]);
    }
}
