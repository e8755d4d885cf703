//! A host: how many it serves at once, and how it gets slower.

use std::collections::VecDeque;

/// What a host is doing. Attempts are known by numbers that their owner chooses.
///
/// Where each simulated proxy stands for `weight` proxies, so does each attempt: it counts `weight`
/// times in what is in flight, and takes `weight` slots. Slots are whole, so the simulated attempts
/// get `slots / weight` of them, to the nearest whole number and at least one.
#[derive(Clone, Debug)]
pub(crate) struct HostState {
    /// Simulated attempts served at once.
    slots: u32,
    knee: f64,
    weight: f64,
    in_service: u32,
    waiting: VecDeque<u32>,
}

impl HostState {
    pub(crate) fn new(slots: Option<u32>, knee: Option<f64>, weight: f64) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates in range")]
        let share = |n: u32| (libm::round(f64::from(n) / weight) as u32).max(1);
        Self {
            slots: slots.map_or(u32::MAX, share),
            knee: knee.unwrap_or(f64::INFINITY),
            weight,
            in_service: 0,
            waiting: VecDeque::new(),
        }
    }

    /// An attempt arrives. `Some`: its service begins now and takes so many times as long as it
    /// would alone; `None`: it waits for a slot.
    #[inline]
    pub(crate) fn arrive(&mut self, attempt: u32) -> Option<f64> {
        if self.in_service < self.slots {
            self.in_service += 1;
            Some(self.slowdown())
        } else {
            self.waiting.push_back(attempt);
            None
        }
    }

    /// An attempt in service has ended. `Some`: the one that waited longest begins now, that many
    /// times as slow as alone.
    #[inline]
    pub(crate) fn end(&mut self) -> Option<(u32, f64)> {
        self.in_service = self.in_service.saturating_sub(1);
        let next = self.waiting.pop_front()?;
        self.in_service += 1;
        Some((next, self.slowdown()))
    }

    /// Everything at the host is gone: it has stopped.
    pub(crate) fn clear(&mut self) {
        self.in_service = 0;
        self.waiting.clear();
    }

    /// Requests at the host, in service and waiting, of all proxies.
    #[inline]
    pub(crate) fn in_flight(&self) -> f64 {
        (f64::from(self.in_service) + self.waiting.len() as f64) * self.weight
    }

    /// `(n / knee)^2` where `n > knee`, `n` the requests at the host, the one that begins included.
    #[inline]
    fn slowdown(&self) -> f64 {
        let n = self.in_flight();
        if n > self.knee { (n / self.knee) * (n / self.knee) } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_slots_all_are_served_at_once() {
        let mut host = HostState::new(None, None, 1.0);
        for attempt in 0..1_000 {
            assert_eq!(host.arrive(attempt), Some(1.0));
        }
        assert_eq!(host.in_flight().to_bits(), 1_000_f64.to_bits());
    }

    #[test]
    fn slots_are_given_in_the_order_of_arrival() {
        let mut host = HostState::new(Some(2), None, 1.0);
        assert_eq!((host.arrive(10), host.arrive(11)), (Some(1.0), Some(1.0)));
        for waiting in 12..15 {
            assert_eq!(host.arrive(waiting), None);
        }
        assert_eq!(host.end(), Some((12, 1.0)));
        assert_eq!(host.end(), Some((13, 1.0)));
        assert_eq!(host.end(), Some((14, 1.0)));
        assert_eq!((host.end(), host.end()), (None, None));
        assert!(host.in_flight() < 0.5);
    }

    #[test]
    fn beyond_the_knee_it_gets_slower_by_the_square() {
        let mut host = HostState::new(None, Some(2.0), 1.0);
        let slow: Vec<_> = (0..4).map(|n| host.arrive(n)).collect();
        assert_eq!(slow, [Some(1.0), Some(1.0), Some(2.25), Some(4.0)]);
    }

    #[test]
    fn what_waits_is_in_flight_too() {
        let mut host = HostState::new(Some(1), Some(2.0), 1.0);
        assert_eq!(host.arrive(0), Some(1.0));
        for n in 1..4 {
            assert_eq!(host.arrive(n), None);
        }
        // Three are there when the next begins.
        assert_eq!(host.end(), Some((1, 2.25)));
    }

    #[test]
    fn a_proxy_that_stands_for_ten_weighs_ten() {
        let mut host = HostState::new(Some(40), Some(20.0), 10.0);
        assert_eq!((host.arrive(0), host.arrive(1)), (Some(1.0), Some(1.0)));
        assert_eq!((host.arrive(2), host.arrive(3)), (Some(2.25), Some(4.0)));
        assert_eq!(host.arrive(4), None);
        assert_eq!(HostState::new(Some(3), None, 10.0).arrive(0), Some(1.0));
    }
}
