//! Detection, ejection, return.

use super::counters::{Counters, Kind};
use super::monitor::{Monitors, Outcome, Rate};
use super::rates;
use crate::engine::sim::rng::{Purpose, Stream};
use crate::engine::sim::{Nanos, Outlier};
use std::collections::BTreeMap;

/// The outlier detector of a proxy process; all workers share it, other proxies do not.
///
/// Memory grows with the hosts that failed or were used since the last tick, not with all hosts.
#[derive(Clone, Debug)]
pub(crate) struct Detector {
    config: Outlier,
    n_hosts: u32,
    pub(super) monitors: Monitors,
    /// Hosts that are ejected, or were and still have a multiplier.
    ejections: BTreeMap<u32, Ejection>,
    n_ejected: u32,
    next_tick: Nanos,
    counters: Counters,
    changes: Vec<(u32, bool)>,
    enforcing: Stream,
    jitter: Stream,
}

/// The ejections of a host.
#[derive(Clone, Copy, Debug, Default)]
struct Ejection {
    /// Since when; `None`: it is back.
    since: Option<Nanos>,
    /// When it came back last.
    back: Option<Nanos>,
    /// Times `base_ejection_time`.
    multiplier: u32,
    jitter: Nanos,
}

impl Detector {
    /// `client` tells apart the random numbers of the proxies.
    pub(crate) fn new(config: &Outlier, n_hosts: u32, seed: u64, client: u64) -> Self {
        // An interval of zero would tick for ever at one moment; Envoy refuses it.
        let config = Outlier { interval: config.interval.max(Nanos::MILLI), ..config.clone() };
        Self {
            next_tick: config.interval,
            n_hosts,
            monitors: Monitors::new(n_hosts),
            ejections: BTreeMap::new(),
            n_ejected: 0,
            counters: Counters::default(),
            changes: Vec::new(),
            enforcing: Stream::new(seed, Purpose::Enforcing, client),
            jitter: Stream::new(seed, Purpose::Jitter, client),
            config,
        }
    }

    /// An attempt reports about its host.
    #[inline]
    pub(crate) fn report(&mut self, now: Nanos, host: u32, outcome: Outcome) {
        let split = self.config.split_external_local_origin_errors;
        if let Some(status) = outcome.status(split) {
            self.report_status(now, host, status);
        }
        if split && let Some(fine) = outcome.local() {
            self.report_local(now, host, fine);
        }
    }

    fn report_status(&mut self, now: Nanos, host: u32, status: u16) {
        let Some(monitor) = self.monitors.of(host) else { return };
        let failed = (500..600).contains(&status);
        monitor.external.add(!failed);
        if !failed {
            (monitor.run_5xx, monitor.run_gateway) = (0, 0);
            return;
        }
        monitor.run_gateway = if (502..=504).contains(&status) { monitor.run_gateway + 1 } else { 0 };
        monitor.run_5xx += 1;
        // Exactly at the threshold: a run that goes on at an ejected host is not detected again.
        let gateway =
            monitor.run_gateway > 0 && monitor.run_gateway == self.config.consecutive_gateway_failure;
        let server = monitor.run_5xx == self.config.consecutive_5xx;
        if gateway {
            self.on_run(now, host, Kind::ConsecutiveGatewayFailure);
        }
        if server {
            self.on_run(now, host, Kind::Consecutive5xx);
        }
    }

    fn report_local(&mut self, now: Nanos, host: u32, fine: bool) {
        let Some(monitor) = self.monitors.of(host) else { return };
        monitor.local.add(fine);
        if fine {
            monitor.run_local = 0;
            return;
        }
        monitor.run_local += 1;
        if monitor.run_local == self.config.consecutive_local_origin_failure {
            self.on_run(now, host, Kind::ConsecutiveLocalOriginFailure);
        }
    }

    /// A run has reached its threshold; it restarts, unless the host is already out.
    fn on_run(&mut self, now: Nanos, host: u32, kind: Kind) {
        if self.is_ejected(host) {
            return;
        }
        self.detect(now, host, kind);
        if let Some(monitor) = self.monitors.of(host) {
            match kind {
                Kind::Consecutive5xx => monitor.run_5xx = 0,
                Kind::ConsecutiveGatewayFailure => monitor.run_gateway = 0,
                _ => monitor.run_local = 0,
            }
        }
    }

    fn detect(&mut self, now: Nanos, host: u32, kind: Kind) {
        self.counters.on_detected(kind);
        if !self.may_eject() {
            // Before the roll: kinds that are not enforced count here too.
            self.counters.overflow += 1;
            return;
        }
        self.counters.on_allowed(kind);
        let percent = self.enforcing_percent(kind);
        if self.enforcing.below(100) < u64::from(percent) && !self.is_ejected(host) {
            self.counters.on_enforced(kind);
            self.eject(now, host);
        }
    }

    /// `100 (ejected + 1) / all <= max_ejection_percent`, or the first with `always_eject_one_host`.
    fn may_eject(&self) -> bool {
        let within = 100 * (u64::from(self.n_ejected) + 1)
            <= u64::from(self.config.max_ejection_percent.min(100)) * u64::from(self.n_hosts);
        within || (self.config.always_eject_one_host && self.n_ejected == 0)
    }

    fn enforcing_percent(&self, kind: Kind) -> u32 {
        let c = &self.config;
        match kind {
            Kind::Consecutive5xx => c.enforcing_consecutive_5xx,
            Kind::ConsecutiveGatewayFailure => c.enforcing_consecutive_gateway_failure,
            Kind::ConsecutiveLocalOriginFailure => c.enforcing_consecutive_local_origin_failure,
            Kind::SuccessRate => c.enforcing_success_rate,
            Kind::LocalOriginSuccessRate => c.enforcing_local_origin_success_rate,
            Kind::FailurePercentage => c.enforcing_failure_percentage,
            Kind::LocalOriginFailurePercentage => c.enforcing_failure_percentage_local_origin,
        }
    }

    fn eject(&mut self, now: Nanos, host: u32) {
        let c = &self.config;
        let ejection = self.ejections.entry(host).or_default();
        ejection.since = Some(now);
        // Whole milliseconds, the last included.
        let most = c.max_ejection_time_jitter.0 / Nanos::MILLI.0;
        ejection.jitter = Nanos(self.jitter.below(most + 1) * Nanos::MILLI.0);
        // The multiplier passes what the longest time can show, so it takes longer to fall.
        let longest = c.max_ejection_time.0.saturating_add(c.base_ejection_time.0);
        if u64::from(ejection.multiplier).saturating_mul(c.base_ejection_time.0) < longest {
            ejection.multiplier += 1;
        }
        self.n_ejected += 1;
        self.changes.push((host, true));
    }

    /// When [`Self::tick`] is to be called.
    pub(crate) fn next_tick(&self) -> Nanos {
        self.next_tick
    }

    /// The end of an interval: hosts return, shares are judged, multipliers fall.
    pub(crate) fn tick(&mut self, now: Nanos) {
        self.return_hosts(now);
        let rates = |rate: fn(&super::monitor::Monitor) -> Rate| -> Vec<(u32, Rate)> {
            let used = self.monitors.iter().filter(|&(host, m)| rate(m).total > 0 && !self.is_ejected(host));
            used.map(|(host, m)| (host, rate(m))).collect()
        };
        let (external, local) = (rates(|m| m.external), rates(|m| m.local));
        self.judge(now, &external, [Kind::SuccessRate, Kind::FailurePercentage]);
        // A host that has just gone for what it said is not judged for its connections as well.
        let local: Vec<_> = local.into_iter().filter(|&(host, _)| !self.is_ejected(host)).collect();
        self.judge(now, &local, [Kind::LocalOriginSuccessRate, Kind::LocalOriginFailurePercentage]);
        self.monitors.forget_rates();
        self.lower_multipliers(now);
        self.next_tick = now.after(self.config.interval);
    }

    fn judge(&mut self, now: Nanos, rates: &[(u32, Rate)], kinds: [Kind; 2]) {
        let c = &self.config;
        let least = c.success_rate_minimum_hosts.min(c.failure_percentage_minimum_hosts);
        if self.n_hosts < least {
            return;
        }
        // Both look at the same hosts, those that the first ejects included.
        let outliers = [rates::success_rate(c, rates), rates::failure_percentage(c, rates)];
        for (kind, hosts) in kinds.into_iter().zip(outliers) {
            for host in hosts {
                self.detect(now, host, kind);
            }
        }
    }

    /// Hosts whose time is over come back: `min(base · k, max) + jitter`.
    fn return_hosts(&mut self, now: Nanos) {
        let (base, max) = (self.config.base_ejection_time.0, self.config.max_ejection_time.0);
        for (&host, ejection) in &mut self.ejections {
            let Some(since) = ejection.since else { continue };
            let time = u64::from(ejection.multiplier).saturating_mul(base).min(max);
            if time.saturating_add(ejection.jitter.0) <= now.since(since).0 {
                (ejection.since, ejection.back) = (None, Some(now));
                self.n_ejected -= 1;
                self.changes.push((host, false));
                if let Some(monitor) = self.monitors.of(host) {
                    monitor.forget_runs();
                }
            }
        }
    }

    /// Hosts that have been back for an interval get one multiplier less.
    fn lower_multipliers(&mut self, now: Nanos) {
        let interval = self.config.interval;
        self.ejections.retain(|_, ejection| {
            let healthy = ejection.since.is_none();
            if healthy && ejection.back.is_some_and(|back| now.since(back) >= interval) {
                ejection.multiplier = ejection.multiplier.saturating_sub(1);
            }
            !healthy || ejection.multiplier > 0
        });
    }

    /// Hosts ejected (`true`) or returned since the last call, in order.
    pub(crate) fn drain_changes(&mut self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.changes.drain(..)
    }

    /// Hosts that are ejected.
    #[cfg(test)]
    pub(crate) fn n_ejected(&self) -> u32 {
        self.n_ejected
    }

    /// Whether a host is ejected.
    pub(crate) fn is_ejected(&self, host: u32) -> bool {
        self.n_ejected > 0 && self.ejections.get(&host).is_some_and(|e| e.since.is_some())
    }

    /// Envoy's counters and the gauge `ejections_active`, under Envoy's names.
    pub(crate) fn counters(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.counters.list(u64::from(self.n_ejected))
    }
}
