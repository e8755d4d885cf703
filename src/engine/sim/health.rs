//! Which hosts the workers of a proxy pick from.

use super::{Nanos, Policy};
use std::collections::BTreeMap;

/// `overprovisioning_factor` in percent: Envoy looks at panic only where this much of the available
/// share is below everything.
const OVERPROVISIONING: u64 = 140;

/// The health of hosts as the workers of one proxy see it: later than its outlier detector.
///
/// The first change reaches the workers at once. One within `update_merge_window` after the last
/// that reached them waits that long, and all that come meanwhile wait with it.
///
/// Source: envoyproxy/envoy, `ClusterManagerImpl::scheduleUpdate` in
/// `source/common/upstream/cluster_manager_impl.cc`; measured on 1.40: of three bad hosts with a
/// threshold of 1 and a request every 20 ms came 32 errors with the default window, 3 without one.
#[derive(Clone, Debug)]
pub(crate) struct HealthView {
    n_hosts: u32,
    /// Hosts that workers avoid, in order.
    avoided: Vec<u32>,
    /// Changes that workers do not know yet.
    waiting: BTreeMap<u32, bool>,
    /// When workers were last told.
    told: Option<Nanos>,
    due: Nanos,
    window: Nanos,
    threshold: f64,
    fail_in_panic: bool,
    candidates: Candidates,
}

/// What a pick is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Candidates {
    /// The available hosts, of which there is at least one.
    Available,
    /// All hosts: panic.
    All,
    /// Nobody: panic with `fail_traffic_on_panic`.
    FailInPanic,
    /// Nobody is available, and panic is off.
    Nobody,
}

impl HealthView {
    pub(crate) fn new(policy: &Policy, n_hosts: u32) -> Self {
        let mut view = Self {
            n_hosts,
            avoided: Vec::new(),
            waiting: BTreeMap::new(),
            told: None,
            due: Nanos::NEVER,
            window: policy.update_merge_window,
            // Envoy rounds the percentage to a whole number.
            threshold: libm::round(policy.healthy_panic_threshold).clamp(0.0, 100.0),
            fail_in_panic: policy.fail_traffic_on_panic,
            candidates: Candidates::Nobody,
        };
        view.candidates = view.judge();
        view
    }

    /// The detector says that a host is healthy or not.
    pub(crate) fn note(&mut self, now: Nanos, host: u32, healthy: bool) {
        self.waiting.insert(host, healthy);
        let outside = self.told.is_none_or(|told| now.since(told) > self.window);
        if outside || self.window == Nanos::ZERO {
            self.flush(now);
        } else if self.due == Nanos::NEVER {
            self.due = now.after(self.window);
        }
    }

    /// When [`Self::flush`] is to be called; [`Nanos::NEVER`] if nothing waits.
    pub(crate) fn due(&self) -> Nanos {
        self.due
    }

    /// Tells the workers all that waits.
    pub(crate) fn flush(&mut self, now: Nanos) {
        for (host, healthy) in std::mem::take(&mut self.waiting) {
            match (self.avoided.binary_search(&host), healthy) {
                (Ok(at), true) => drop(self.avoided.remove(at)),
                (Err(at), false) => self.avoided.insert(at, host),
                _ => {}
            }
        }
        self.told = Some(now);
        self.due = Nanos::NEVER;
        self.candidates = self.judge();
    }

    /// Hosts there are.
    pub(crate) fn n_hosts(&self) -> u32 {
        self.n_hosts
    }

    /// Hosts that workers take for available.
    pub(crate) fn n_available(&self) -> u32 {
        self.n_hosts - u32::try_from(self.avoided.len()).unwrap_or(self.n_hosts).min(self.n_hosts)
    }

    /// What a pick is made from at the moment.
    #[inline]
    pub(crate) fn candidates(&self) -> Candidates {
        self.candidates
    }

    /// The `k`-th available host, counted from 0, in the order of all hosts.
    #[inline]
    pub(crate) fn nth_available(&self, k: u32) -> u32 {
        if self.avoided.is_empty() {
            return k;
        }
        // Avoided host number i has avoided[i] - i available ones before it; as many are passed as
        // have no more than k.
        let (mut low, mut high) = (0, self.avoided.len());
        while low < high {
            let mid = low.midpoint(high);
            if self.avoided[mid] as usize - mid <= k as usize {
                low = mid + 1;
            } else {
                high = mid;
            }
        }
        #[allow(clippy::cast_possible_truncation, reason = "an index of a host")]
        {
            k + low as u32
        }
    }

    /// Panic: `100 · available / all < threshold`, but never where 1.4 times the available share
    /// covers everything.
    ///
    /// Source: envoyproxy/envoy, `LoadBalancerBase::recalculatePerPriorityPanic`; measured on 1.40
    /// with four hosts: two ejected, no panic at 50; three, panic; three at 25, none.
    fn judge(&self) -> Candidates {
        let (available, all) = (u64::from(self.n_available()), u64::from(self.n_hosts));
        let covered = available * OVERPROVISIONING >= all * 100;
        let percent = if all == 0 { 0.0 } else { 100.0 * available as f64 / all as f64 };
        if all == 0 {
            Candidates::Nobody
        } else if !covered && percent < self.threshold {
            if self.fail_in_panic { Candidates::FailInPanic } else { Candidates::All }
        } else if available > 0 {
            Candidates::Available
        } else {
            Candidates::Nobody
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sim::balance::Balancer;
    use crate::engine::sim::outlier::{Detector, Outcome};
    use crate::engine::sim::{Balancing, testing};

    fn at(ms: u64) -> Nanos {
        Nanos(ms * Nanos::MILLI.0)
    }

    fn view(n_hosts: u32, threshold: f64) -> HealthView {
        HealthView::new(&Policy { healthy_panic_threshold: threshold, ..testing::policy() }, n_hosts)
    }

    /// Ejects hosts far apart, so that the workers know of each at once.
    fn eject(view: &mut HealthView, hosts: std::ops::Range<u32>) {
        for host in hosts {
            view.note(at(10_000 * u64::from(host + 1)), host, false);
        }
    }

    #[test]
    fn panic_is_strictly_below_the_threshold() {
        // Measured with four hosts.
        for (threshold, n_ejected, want) in [
            (50.0, 2, Candidates::Available),
            (50.0, 3, Candidates::All),
            (25.0, 3, Candidates::Available),
            (25.0, 4, Candidates::All),
            (0.0, 3, Candidates::Available),
            (0.0, 4, Candidates::Nobody),
        ] {
            let mut view = view(4, threshold);
            eject(&mut view, 0..n_ejected);
            assert_eq!(view.candidates(), want, "{n_ejected} of 4 at {threshold}");
            assert_eq!(view.n_available(), 4 - n_ejected);
        }
    }

    #[test]
    fn the_only_host_gets_traffic_through_panic() {
        let mut view = view(1, 50.0);
        eject(&mut view, 0..1);
        assert_eq!(view.candidates(), Candidates::All);
    }

    #[test]
    fn traffic_can_fail_in_a_panic() {
        let policy = Policy { fail_traffic_on_panic: true, ..testing::policy() };
        let mut view = HealthView::new(&policy, 4);
        eject(&mut view, 0..3);
        assert_eq!(view.candidates(), Candidates::FailInPanic);
    }

    #[test]
    fn a_high_threshold_waits_until_the_overprovisioning_is_used_up() {
        // 3 of 4 are 75 %, times 1.4 more than everything; 2 of 4 are not.
        let mut view = view(4, 100.0);
        eject(&mut view, 0..1);
        assert_eq!(view.candidates(), Candidates::Available);
        eject(&mut view, 1..2);
        assert_eq!(view.candidates(), Candidates::All);
    }

    #[test]
    fn available_hosts_are_found_among_the_avoided() {
        let mut view = view(10, 0.0);
        for host in [0, 3, 4, 9] {
            view.note(at(5_000 * u64::from(host + 1)), host, false);
        }
        let available: Vec<u32> = (0..view.n_available()).map(|k| view.nth_available(k)).collect();
        assert_eq!(available, [1, 2, 5, 6, 7, 8]);
        view.note(at(90_000), 4, true);
        let available: Vec<u32> = (0..view.n_available()).map(|k| view.nth_available(k)).collect();
        assert_eq!(available, [1, 2, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn the_first_change_is_instant_and_those_within_the_window_wait_for_each_other() {
        let mut view = view(10, 0.0);
        view.note(at(0), 0, false);
        assert_eq!((view.n_available(), view.due()), (9, Nanos::NEVER));
        view.note(at(300), 1, false);
        view.note(at(700), 2, false);
        assert_eq!((view.n_available(), view.due()), (9, at(1_300)));
        view.flush(at(1_300));
        assert_eq!((view.n_available(), view.due()), (7, Nanos::NEVER));
        // A second after the flush is still within; later is not.
        view.note(at(2_300), 3, false);
        assert_eq!((view.n_available(), view.due()), (7, at(3_300)));
        view.flush(at(3_300));
        view.note(at(4_301), 3, true);
        assert_eq!((view.n_available(), view.due()), (7, Nanos::NEVER));
    }

    #[test]
    fn what_changes_back_while_it_waits_was_never_seen() {
        let mut view = view(10, 0.0);
        view.note(at(0), 0, false);
        view.note(at(1), 1, false);
        view.note(at(2), 1, true);
        view.flush(view.due());
        assert_eq!(view.n_available(), 9);
    }

    /// Errors of three bad hosts in front of a good one, threshold 1, a request every 20 ms.
    fn errors(window: Nanos) -> u32 {
        let policy =
            Policy { update_merge_window: window, healthy_panic_threshold: 0.0, ..testing::policy() };
        let config = crate::engine::sim::Outlier {
            consecutive_5xx: 1,
            max_ejection_percent: 100,
            ..testing::outlier()
        };
        let (mut view, mut detector) = (HealthView::new(&policy, 4), Detector::new(&config, 4, 1, 0));
        let mut balancer = Balancer::new(Balancing::RoundRobin, 1, 0);
        let mut n_errors = 0;
        for now in (0..9_900).step_by(20).map(at) {
            if view.due() <= now {
                view.flush(view.due());
            }
            let host = balancer.pick(&view, |_| 0, &[], 0).host.expect("one is healthy");
            if host < 3 {
                n_errors += 1;
                detector.report(now, host, Outcome::Status(503));
            }
            for (host, ejected) in detector.drain_changes() {
                view.note(now, host, !ejected);
            }
        }
        n_errors
    }

    #[test]
    fn late_news_cost_tens_of_errors() {
        assert_eq!(errors(Nanos::ZERO), 3);
        // Measured: 32, with requests a little more than 20 ms apart.
        let n = errors(Nanos::SECOND);
        assert!((31..=35).contains(&n), "{n}");
    }
}
