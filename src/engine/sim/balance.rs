//! How a worker picks a host.

use super::Balancing;
use super::health::{Candidates, HealthView};
use super::rng::{Purpose, Stream, below};

/// The load balancer of one worker.
#[derive(Clone, Debug)]
pub(crate) struct Balancer {
    balancing: Balancing,
    /// Round robin among the available hosts, and among all of them in a panic: Envoy keeps an
    /// index for each.
    next: [u64; 2],
    stream: Stream,
}

/// A pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pick {
    /// `None`: 503 UH.
    pub host: Option<u32>,
    /// Picks that were made in a panic (`lb_healthy_panic`), re-picks included.
    pub panics: u32,
}

impl Balancer {
    /// `worker` is a number of its own for every worker of every proxy.
    pub(crate) fn new(balancing: Balancing, seed: u64, worker: u64) -> Self {
        let mut stream = Stream::new(seed, Purpose::Balancing, worker);
        // Envoy starts all of a worker's indices at the same random number.
        let start = stream.bits() >> 1;
        Self { balancing, next: [start; 2], stream }
    }

    /// A host for an attempt. `active` tells the requests that the proxy has in flight at a host;
    /// a host in `avoid` is picked again, up to `n_repicks` times, then the last pick holds.
    ///
    /// # Source
    ///
    /// envoyproxy/envoy, `LoadBalancerBase::chooseHost`; measured on 1.40: a cluster of one host
    /// still gets all attempts.
    #[inline]
    pub(crate) fn pick(
        &mut self,
        view: &HealthView,
        active: impl Fn(u32) -> u32,
        avoid: &[u32],
        n_repicks: u32,
    ) -> Pick {
        let mut pick = self.pick_once(view, &active);
        let mut n_left = n_repicks;
        while n_left > 0 && pick.host.is_some_and(|host| avoid.contains(&host)) {
            let again = self.pick_once(view, &active);
            pick = Pick { host: again.host, panics: pick.panics + again.panics };
            n_left -= 1;
        }
        pick
    }

    #[inline]
    fn pick_once(&mut self, view: &HealthView, active: &impl Fn(u32) -> u32) -> Pick {
        match view.candidates() {
            Candidates::Available => {
                let host = self.among(0, view.n_available(), active, |k| view.nth_available(k));
                Pick { host: Some(host), panics: 0 }
            }
            Candidates::All => {
                let host = self.among(1, view.n_hosts(), active, |k| k);
                Pick { host: Some(host), panics: 1 }
            }
            Candidates::FailInPanic => Pick { host: None, panics: 1 },
            Candidates::Nobody => Pick { host: None, panics: 0 },
        }
    }

    /// One of `n` hosts (at least one), of which `nth` tells the `k`-th.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "below n, which is 32 bits")]
    fn among(&mut self, index: usize, n: u32, active: &impl Fn(u32) -> u32, nth: impl Fn(u32) -> u32) -> u32 {
        match self.balancing {
            Balancing::RoundRobin => {
                let k = self.next[index] % u64::from(n);
                self.next[index] += 1;
                nth(k as u32)
            }
            Balancing::Random => nth(below(self.stream.bits(), u64::from(n)) as u32),
            Balancing::LeastRequest { choices } => {
                let mut best = nth(below(self.stream.bits(), u64::from(n)) as u32);
                // With replacement, and the first of equals stays: as Envoy does.
                for _ in 1..choices.max(1) {
                    let other = nth(below(self.stream.bits(), u64::from(n)) as u32);
                    if active(other) < active(best) {
                        best = other;
                    }
                }
                best
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sim::{Nanos, Policy, testing};

    fn view(n_hosts: u32, ejected: &[u32]) -> HealthView {
        let policy =
            Policy { healthy_panic_threshold: 50.0, update_merge_window: Nanos::ZERO, ..testing::policy() };
        let mut view = HealthView::new(&policy, n_hosts);
        for &host in ejected {
            view.note(Nanos::ZERO, host, false);
        }
        view
    }

    fn picks(balancing: Balancing, view: &HealthView, n: usize) -> Vec<u32> {
        let mut balancer = Balancer::new(balancing, 1, 0);
        (0..n).map(|_| balancer.pick(view, |_| 0, &[], 0).host.expect("somebody is there")).collect()
    }

    #[test]
    fn round_robin_goes_round_from_a_start_of_its_own() {
        let view = view(5, &[]);
        let order = picks(Balancing::RoundRobin, &view, 10);
        for pair in order.windows(2) {
            assert_eq!(pair[1], (pair[0] + 1) % 5, "{order:?}");
        }
        let start = |worker| Balancer::new(Balancing::RoundRobin, 1, worker).pick(&view, |_| 0, &[], 0).host;
        let starts: std::collections::BTreeSet<_> = (0..50).map(start).collect();
        assert_eq!(starts.len(), 5, "fifty workers start at every host");
    }

    #[test]
    fn ejected_hosts_are_left_out_and_panic_takes_all() {
        for balancing in [Balancing::RoundRobin, Balancing::Random, Balancing::LeastRequest { choices: 2 }] {
            let some = picks(balancing, &view(5, &[1, 3]), 300);
            assert!(some.iter().all(|host| [0, 2, 4].contains(host)));
            let panic = picks(balancing, &view(5, &[1, 3, 4]), 300);
            assert!((0..5).all(|host| panic.contains(&host)));
        }
        let mut balancer = Balancer::new(Balancing::RoundRobin, 1, 0);
        assert_eq!(balancer.pick(&view(4, &[0, 1, 2]), |_| 0, &[], 0).panics, 1);
        assert_eq!(balancer.pick(&view(4, &[0, 1]), |_| 0, &[], 0).panics, 0);
    }

    #[test]
    fn nobody_is_picked_where_panic_is_off_and_all_are_out() {
        let policy =
            Policy { healthy_panic_threshold: 0.0, update_merge_window: Nanos::ZERO, ..testing::policy() };
        let mut view = HealthView::new(&policy, 2);
        (0..2).for_each(|host| view.note(Nanos::ZERO, host, false));
        let pick = Balancer::new(Balancing::Random, 1, 0).pick(&view, |_| 0, &[0, 1], 5);
        assert_eq!(pick, Pick { host: None, panics: 0 });
    }

    #[test]
    fn of_two_choices_the_busier_is_taken_only_if_picked_twice() {
        let view = view(4, &[]);
        let mut balancer = Balancer::new(Balancing::LeastRequest { choices: 2 }, 7, 0);
        let active = |host| [9, 5, 5, 0][host as usize];
        let mut counts = [0_u32; 4];
        for _ in 0..16_000 {
            counts[balancer.pick(&view, active, &[], 0).host.expect("all are there") as usize] += 1;
        }
        // Of 16 pairs: the busiest 1, the idle one 7, the others 4 each.
        for (got, want) in counts.iter().zip([1_000.0, 4_000.0, 4_000.0, 7_000.0]) {
            let sigma = f64::sqrt(want * (1.0 - want / 16_000.0));
            assert!((f64::from(*got) - want).abs() < 4.0 * sigma, "{counts:?}");
        }
    }

    #[test]
    fn a_retry_goes_to_the_other_host_of_two() {
        // Measured: six of six.
        let mut balancer = Balancer::new(Balancing::RoundRobin, 1, 0);
        for _ in 0..6 {
            let view = view(2, &[]);
            let first = balancer.pick(&view, |_| 0, &[], 0).host.expect("two are there");
            let retry = balancer.pick(&view, |_| 0, &[first], 1).host.expect("two are there");
            assert_ne!(first, retry);
        }
    }

    #[test]
    fn after_the_re_picks_the_last_pick_is_used_anyway() {
        let mut balancer = Balancer::new(Balancing::Random, 1, 0);
        assert_eq!(balancer.pick(&view(1, &[]), |_| 0, &[0], 3).host, Some(0));
        let again = (0..8_000).filter(|_| balancer.pick(&view(2, &[]), |_| 0, &[0], 2).host == Some(0));
        // Three picks in a row: one in eight.
        let n = again.count() as f64;
        assert!((n - 1_000.0).abs() < 4.0 * f64::sqrt(875.0), "{n}");
    }
}
