//! What limits the retries of a cluster, and what that means in an outage.

use super::Retrying;
use super::route::policy_of;
use crate::engine::audit::{ClusterCx, RouteView, Traffic};
use crate::engine::phrases;
use crate::engine::read::Place;
use crate::engine::read::config::{RouteConfig, RoutingPriority};
use crate::engine::read::effective::{
    Effective, EffectiveBudget, EffectivePriority, EffectiveRetryLimit, effective_route,
    governing_retry_policy,
};
use crate::engine::retry::backoff::BackOff;
use crate::engine::retry::{amplification, budget};
use crate::engine::sizing::PrioritySizing;
use crate::engine::units::Erlangs;

/// What Istio writes for "no limit", and what cannot be reached either.
pub const NO_LIMIT: u32 = u32::MAX;

/// A priority of a cluster whose retries are on, or might be.
#[derive(Clone, Debug)]
pub struct Retried<'c> {
    pub(super) cx: &'c ClusterCx<'c>,
    /// The priority.
    pub priority: RoutingPriority,
    /// Its limits.
    pub limits: &'c EffectivePriority,
    /// Most retries of one request, at least one; `None` where no route of the text leads here.
    pub retries: Option<u32>,
    /// The back-off of the route that retries most.
    pub(super) back_off: Option<BackOff>,
}

impl<'a> ClusterCx<'a> {
    /// The priorities whose retries are on; where no route is known, DEFAULT.
    pub fn retried(&self) -> Vec<Retried<'_>> {
        if !self.dialect().runs_envoy() || self.config.carries_tcp {
            return Vec::new();
        }
        RoutingPriority::ALL.into_iter().filter_map(|priority| self.retried_at(priority)).collect()
    }

    fn retried_at(&self, priority: RoutingPriority) -> Option<Retried<'_>> {
        let of = |retries, back_off| Retried {
            cx: self,
            priority,
            limits: self.effective.limits(priority),
            retries,
            back_off,
        };
        let mut routes = self.routes.iter().filter(|r| r.effective.priority.value == priority).peekable();
        if self.routes.is_empty() && priority == RoutingPriority::Default {
            return self.unrouted().map(|(retries, back_off)| of(retries, back_off));
        }
        routes.peek()?;
        let policies = routes.filter_map(|route| self.retry_policy(route));
        let most = policies.max_by_key(|policy| policy.count()).filter(|policy| policy.count() > 0)?;
        Some(of(Some(most.count()), Some(most.back_off())))
    }

    /// What a mesh does with requests for a host that no route of the text mentions.
    fn unrouted(&self) -> Option<(Option<u32>, Option<BackOff>)> {
        let mut route = RouteConfig::default();
        route.origin.dialect = self.dialect();
        let version = self.facts.envoy_version;
        let effective = effective_route(self.configuration, &route, Some(self.config), version);
        let written = governing_retry_policy(&route, Some(self.config), version);
        let Some(policy) = Retrying::of(&effective, written) else { return Some((None, None)) };
        (policy.count() > 0).then(|| (Some(policy.count()), Some(policy.back_off())))
    }

    /// The policy of a route that leads here.
    pub fn retry_policy<'r>(&'r self, route: &'r RouteView<'a>) -> Option<Retrying<'r>> {
        let written = governing_retry_policy(route.config, Some(self.config), self.facts.envoy_version);
        policy_of(route.config, &route.effective, written)
    }
}

impl<'c> Retried<'c> {
    /// The number of retries at once, where that is the limit.
    pub fn max_retries(&self) -> Option<&'c Effective<u32>> {
        match &self.limits.retry_limit {
            EffectiveRetryLimit::MaxRetries(limit) => Some(limit),
            EffectiveRetryLimit::Budget(_) => None,
        }
    }

    /// The budget, where that is the limit.
    pub fn budget(&self) -> Option<&'c EffectiveBudget> {
        match &self.limits.retry_limit {
            EffectiveRetryLimit::MaxRetries(_) => None,
            EffectiveRetryLimit::Budget(budget) => Some(budget),
        }
    }

    /// Rate and latency, where they are known and the priority has some of them.
    pub fn known(&self) -> Option<(&'c Traffic, &'c PrioritySizing)> {
        Some((self.cx.traffic()?, self.cx.sizing(self.priority)?))
    }

    /// Requests in flight of the whole fleet at peak, of this priority.
    pub fn fleet_in_flight(&self) -> Option<f64> {
        let (traffic, sizing) = self.known()?;
        let load = &traffic.sizing.load;
        Some(load.fleet_concurrency_at_peak.0 * sizing.offered.0 / load.offered.0)
    }

    /// Retries that the limit allows at the peak's mean of requests in flight.
    pub fn allowed_at_peak(&self) -> Option<u64> {
        let (_, sizing) = self.known()?;
        Some(match &self.limits.retry_limit {
            EffectiveRetryLimit::MaxRetries(limit) => u64::from(limit.value),
            EffectiveRetryLimit::Budget(b) => {
                let floor = b.min_retry_concurrency.value;
                budget::allowed(b.budget_percent.value, floor, whole(sizing.offered))
            }
        })
    }

    /// The same with what Headroom recommends in its place.
    pub fn allowed_recommended(&self) -> Option<u64> {
        let (_, sizing) = self.known()?;
        let t = &sizing.threshold;
        let (percent, floor) = (t.retry_budget.budget_percent, t.retry_budget.min_retry_concurrency);
        Some(match &self.limits.retry_limit {
            EffectiveRetryLimit::MaxRetries(_) => u64::from(t.max_retries),
            EffectiveRetryLimit::Budget(_) => budget::allowed(percent, floor, whole(sizing.offered)),
        })
    }

    /// Attempts that one request costs in an outage that fails all of them, as far as the limit lets
    /// them: the busiest proxy's, every attempt as long as a good one. `None` where nobody knows how
    /// often a request is retried.
    pub fn attempts_in_outage(&self) -> Option<f64> {
        self.attempts_of(self.retries?)
    }

    /// The same for so many retries of a request.
    fn attempts_of(&self, retries: u32) -> Option<f64> {
        let (_, sizing) = self.known()?;
        Some(match &self.limits.retry_limit {
            EffectiveRetryLimit::MaxRetries(limit) => {
                amplification::cap(retries, 0.0, limit.value, sizing.offered)
            }
            EffectiveRetryLimit::Budget(b) => {
                let overhead = budget::overhead_of_percent(b.budget_percent.value);
                amplification::cap(retries, overhead, b.min_retry_concurrency.value, sizing.offered)
            }
        })
    }

    /// The attempts that an outage costs with what Headroom recommends: by the budget, or by the
    /// number of retries that stands in for it.
    pub fn attempts_recommended(&self) -> Option<f64> {
        let (traffic, sizing) = self.known()?;
        let (t, n) = (&sizing.threshold, self.retries.unwrap_or(NO_LIMIT));
        let overhead = traffic.scenario.retry_overhead;
        let floor = t.retry_budget.min_retry_concurrency;
        let by_budget = amplification::cap(n, overhead, floor, sizing.offered);
        Some(by_budget.max(amplification::cap(n, 0.0, t.max_retries, sizing.offered)))
    }

    /// Whether so many retries in each proxy are more than one for each host: fewer do no harm.
    pub fn outnumber_hosts(&self, each: u32) -> bool {
        self.known().is_some_and(|(traffic, _)| {
            let s = &traffic.scenario;
            u64::from(each) * u64::from(s.clients) > u64::from(s.hosts)
        })
    }

    /// Whether the limit is higher than recommended and an outage costs more attempts than asked for.
    pub fn adds_too_much(&self) -> bool {
        const NOISE: f64 = 1e-9;
        let retries = self.retries.unwrap_or(NO_LIMIT);
        let (Some((traffic, sizing)), Some(attempts)) = (self.known(), self.attempts_of(retries)) else {
            return false;
        };
        let higher = match &self.limits.retry_limit {
            EffectiveRetryLimit::MaxRetries(limit) => {
                limit.value > sizing.threshold.max_retries && self.outnumber_hosts(limit.value)
            }
            EffectiveRetryLimit::Budget(_) => {
                self.attempts_recommended().is_some_and(|most| attempts > most + NOISE)
            }
        };
        higher && attempts > 1.0 + traffic.scenario.retry_overhead + NOISE
    }

    /// ` × 100 proxies`, or nothing where there is one.
    pub fn times_proxies(&self) -> String {
        let clients = self.cx.clients();
        if clients == 1 { String::new() } else { format!(" × {}", phrases::proxies(clients)) }
    }

    /// Retries of all proxies together, with so many in each.
    pub fn fleet_allows(&self, each: u32) -> f64 {
        f64::from(each) * f64::from(self.cx.clients())
    }

    /// Where a finding about the limit points.
    pub fn limit_place(&self) -> &'c Place {
        let written = match &self.limits.retry_limit {
            EffectiveRetryLimit::MaxRetries(limit) => limit.place(),
            EffectiveRetryLimit::Budget(b) => {
                let block = self.cx.config.threshold(self.priority).and_then(|t| t.retry_budget.as_ref());
                block.map(|b| &b.block).or(b.budget_percent.place()).or(b.min_retry_concurrency.place())
            }
        };
        written.unwrap_or_else(|| self.cx.limits_place(self.priority))
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a load is finite and not negative"
)]
fn whole(load: Erlangs) -> u64 {
    load.0.round() as u64
}
