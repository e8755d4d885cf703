//! What the clocks of a route do together: questions that several rules of timeouts ask.

use super::{Change, ClusterCx, Fix, RouteCx, Setting, Value};
use crate::engine::phrases;
use crate::engine::read::config::{Dialect, RouteKind, UpstreamProtocol};
use crate::engine::read::effective::{Effective, From};
use crate::engine::read::{Place, value};
use crate::engine::retry::backoff::BackOff;
use crate::engine::scenario::Protocol;
use crate::engine::sizing::timeouts;
use crate::engine::units::{Erlangs, Millis, Rate, Share, display};

/// Conditions that repeat an attempt whose per-try timeout has fired.
pub const ON_TIMEOUT: [&str; 3] = ["5xx", "gateway-error", "reset"];

/// Timeouts that differ by less are the same: Envoy counts whole milliseconds, at least one.
const SAME: f64 = 1.0;

/// What a route carries, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// Requests that are answered once.
    Requests,
    /// Streams and upgraded connections.
    Streams,
    /// Nobody said.
    Unknown,
}

/// When the caller gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deadline {
    /// So long after it asked.
    pub at: Millis,
    /// Whether nobody said so: a second, or four times p99.
    pub assumed: bool,
}

/// A clock that ends a request, by Envoy's name for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock<'a> {
    /// `timeout`, `max_stream_duration`, `idle_timeout`.
    pub name: &'static str,
    /// Its value, never zero.
    pub of: &'a Effective<Millis>,
}

/// The attempts of a request and the waits between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempts {
    /// How many, the first included.
    pub n: u32,
    /// How long each may take.
    pub per_try: Millis,
    /// The waits.
    pub back_off: BackOff,
}

impl Attempts {
    /// The longest time of the first `n` attempts: by the code of Envoy, which was measured.
    pub fn time(&self, n: u32) -> Millis {
        self.per_try * f64::from(n) + self.back_off.total_bound(n.saturating_sub(1))
    }

    /// The longest time of all.
    pub fn all(&self) -> Millis {
        self.time(self.n)
    }

    /// The longest time of all by the formula of Envoy's manual, `(2^n − 1) · base`, which is wrong.
    pub fn all_by_manual(&self) -> Millis {
        // From here on every wait is the longest.
        const DOUBLED: u32 = 32;
        let retries = self.n.saturating_sub(1);
        let bound = |n: u32| (self.back_off.base * (2f64.powf(f64::from(n)) - 1.0)).min(self.back_off.max);
        let rising: Millis = (1..=retries.min(DOUBLED)).map(bound).sum();
        self.per_try * f64::from(self.n)
            + rising
            + self.back_off.max * f64::from(retries.saturating_sub(DOUBLED))
    }

    /// How many of them end within `bound` at the latest.
    pub fn within(&self, bound: Millis) -> u32 {
        let (mut fits, mut over) = (0, self.n.saturating_add(1));
        while over - fits > 1 {
            let middle = fits + (over - fits) / 2;
            if self.time(middle).0 <= bound.0 { fits = middle } else { over = middle }
        }
        fits
    }

    /// The longest attempt with which all of them end within `bound`, in whole milliseconds.
    pub fn per_try_within(&self, bound: Millis) -> Option<Millis> {
        let waits = self.back_off.total_bound(self.n.saturating_sub(1));
        let each = ((bound - waits).0 / f64::from(self.n)).floor();
        (each >= 1.0).then_some(Millis(each))
    }
}

/// What requests hold while every host stalls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stall {
    /// Rate of the busiest proxy in the worst second.
    pub rate: Rate,
    /// `max_requests`, and how soon it is full; none where timeouts free slots faster.
    pub full: Option<(u32, Millis)>,
}

impl<'a> RouteCx<'a> {
    /// Whether Envoy's rules for requests hold here.
    pub fn carries_requests(&self) -> bool {
        self.dialect().runs_envoy()
            && self.config.kind == RouteKind::Http
            && self.cluster.is_none_or(|c| !c.config.carries_tcp)
    }

    /// What it carries: what was said of the traffic, unless the text is plainly for streams.
    pub fn carries(&self) -> Carries {
        if self.facts.protocol == Some(Protocol::GrpcStream) || self.is_written_for_streams() {
            Carries::Streams
        } else if self.timing().is_some() {
            Carries::Requests
        } else {
            Carries::Unknown
        }
    }

    /// Whether it may carry streams for all that is known, and does so for certain.
    pub fn carries_streams(&self) -> bool {
        self.carries() == Carries::Streams
    }

    /// A route for upgrades; or one without a timeout that bounds silence or life instead.
    fn is_written_for_streams(&self) -> bool {
        let is_on = |written: Option<Millis>| written.is_some_and(|time| time.0 > 0.0);
        let off = value(&self.config.timeout).is_some_and(|timeout| timeout.0 <= 0.0);
        let bounded =
            is_on(value(&self.config.idle_timeout)) || is_on(value(&self.config.max_stream_duration));
        // Istio refuses a written zero: off is leaving it out.
        let left_out = self.config.timeout.is_none() && self.dialect() == Dialect::Istio;
        !self.config.upgrades.is_empty() || off && (bounded || self.speaks_grpc()) || left_out && bounded
    }

    /// Whether it is known to carry gRPC.
    pub fn speaks_grpc(&self) -> bool {
        self.config.matches.as_ref().is_some_and(|m| m.value.grpc)
            || self.cluster.is_some_and(|c| c.effective.protocol.value == UpstreamProtocol::Grpc)
            || self.facts.protocol.is_some_and(Protocol::speaks_grpc)
    }

    /// Whether it leads from a sidecar to its own service, as far as names tell.
    pub fn is_inbound(&self) -> bool {
        const LOCAL: [&str; 3] = ["local_app", "local_service", "local_cluster"];
        let is_local = |name: &str| LOCAL.contains(&name) || name.starts_with("inbound|");
        self.config.targets.iter().any(|t| is_local(&t.cluster.value))
    }

    /// When the caller gives up, given or assumed; a stream has only the one that was given.
    pub fn deadline(&self) -> Option<Deadline> {
        let given = self.facts.deadline.map(|at| Deadline { at, assumed: false });
        given.or_else(|| {
            let traffic = self.traffic().filter(|t| !t.scenario.protocol.streams())?;
            traffic.sizing.timeouts.deadline_ms.map(|at| Deadline { at, assumed: true })
        })
    }

    /// The clock that ends a request whatever happens; none where all are off.
    pub fn end(&self) -> Option<Clock<'a>> {
        let durations = [
            Some(Clock { name: "timeout", of: &self.effective.timeout }),
            Some(Clock { name: "max_stream_duration", of: &self.effective.max_stream_duration }),
            self.cluster.map(|c| Clock { name: "max_stream_duration", of: &c.effective.max_stream_duration }),
        ];
        shortest(durations.into_iter().flatten())
    }

    /// The clock that ends a request on which nothing moves; none where all are off.
    pub fn end_of_silence(&self) -> Option<Clock<'a>> {
        let idle = Clock { name: "idle_timeout", of: &self.effective.idle_timeout };
        shortest(self.end().into_iter().chain([idle]))
    }

    /// The setting that ends requests here: a route with a block of stream durations has no timeout.
    pub fn end_setting(&self) -> Setting {
        if self.config.stream_durations.is_some() {
            Setting::MaxStreamDuration
        } else {
            Setting::RouteTimeout
        }
    }

    /// The end that Headroom would set.
    pub fn recommended_end(&self) -> Option<Millis> {
        let timeouts = &self.traffic()?.sizing.timeouts;
        if timeouts.route_ms.0 > 0.0 { Some(timeouts.route_ms) } else { timeouts.max_stream_duration_ms }
    }

    /// Whether a per-try timeout starts another attempt beside the first, which goes on (F58).
    pub fn hedges(&self) -> bool {
        let retries = self.effective.retry.as_ref().is_some_and(|retry| !retry.retry_on.value.is_empty());
        self.effective.hedge_on_per_try_timeout.value && retries && self.n_attempts() > 1
    }

    /// The attempts that a per-try timeout bounds; none where it does not act.
    pub fn attempts(&self) -> Option<Attempts> {
        let per_try = self.effective.per_try_timeout()?;
        Some(Attempts { n: self.n_attempts(), per_try, back_off: self.back_off()? })
    }

    /// Attempts at most, the first included.
    pub fn n_attempts(&self) -> u32 {
        u32::try_from(self.effective.attempts()).unwrap_or(u32::MAX)
    }

    /// The waits between attempts.
    pub fn back_off(&self) -> Option<BackOff> {
        let of = &self.effective.retry.as_ref()?.back_off;
        Some(BackOff { base: of.base_interval.value, max: of.max_interval.value })
    }

    /// Whether a condition of `retry_on` is among these.
    pub fn retries_on(&self, words: &[&str]) -> bool {
        self.n_attempts() > 1
            && self
                .effective
                .retry
                .as_ref()
                .is_some_and(|retry| retry.retry_on.value.iter().any(|word| words.contains(&word.as_str())))
    }

    /// The time that a good attempt needs on a bad day: what a per-try timeout is sized from.
    pub fn attempt_time(&self) -> Option<Millis> {
        // A product such as 1.25 × 4.8 that is 6.000000000000001 is 6 ms.
        const NOISE: f64 = 1e-9;
        let traffic = self.traffic()?;
        let factor = traffic.scenario.slowdown.max(timeouts::PER_TRY_MARGIN);
        Some(Millis((traffic.sizing.latency.p999_ms.0 * factor * (1.0 - NOISE)).ceil()))
    }

    /// Rate of the busiest proxy in the worst second, and its offered load, on this route's priority.
    pub fn load(&self) -> Option<(Rate, Erlangs)> {
        let load = &self.traffic()?.sizing.load;
        let of_priority = self.cluster.and_then(|c| c.sizing(self.effective.priority.value));
        Some(of_priority.map_or((load.client_rate, load.offered), |p| (p.client_rate, p.offered)))
    }

    /// What a stall of every host takes.
    pub fn stall(&self) -> Option<Stall> {
        let (rate, offered) = self.load()?;
        let held = self.end_of_silence().map_or(Millis(f64::INFINITY), |clock| clock.of.value);
        let limit =
            self.cluster.map(|c| c.effective.limits(self.effective.priority.value).max_requests.value);
        let full = limit.filter(|limit| rate.arrivals_in(held) > f64::from(*limit)).map(|limit| {
            let free = (f64::from(limit) - offered.0).max(0.0);
            (limit, Millis::from_secs(free / rate.0))
        });
        Some(Stall { rate, full })
    }

    /// All timeouts and retries as Headroom sizes them, where the traffic is known.
    pub fn ladder_fix(&self) -> Option<Fix> {
        let sizing = &self.traffic().filter(|t| !t.scenario.protocol.streams())?.sizing;
        let (timeouts, retry) = (&sizing.timeouts, &sizing.retry);
        let per_try = timeouts.per_try_ms.map_or(Change::Clear(Setting::PerTryTimeout), |to| {
            Change::Set(Setting::PerTryTimeout, Value::Duration(to))
        });
        let set = |setting, to| Change::Set(setting, Value::Duration(to));
        let fix = Fix::new(
            format!("Fit them into {}", display::millis(timeouts.route_ms)),
            set(self.end_setting(), timeouts.route_ms),
        )
        .and(per_try)
        .and(Change::Set(Setting::NumRetries, Value::Count(u64::from(retry.num_retries))))
        .and(set(Setting::BackOffBase, retry.backoff_base_ms));
        // Istio always waits ten times the base at most.
        let has_max = self.dialect() != Dialect::Istio;
        Some(if has_max { fix.and(set(Setting::BackOffMax, retry.backoff_max_ms)) } else { fix })
    }

    /// Where the route stands.
    pub fn block(&self) -> &'a Place {
        &self.config.origin.block
    }

    /// Whether the text only changes what a control plane generates, so that what is not written
    /// is not known.
    pub fn is_patch(&self) -> bool {
        self.config.origin.patch.is_some()
    }
}

impl<'a> ClusterCx<'a> {
    /// Whether the text has routes and none of them leads here: a control plane, a black hole.
    pub fn is_bypassed(&self) -> bool {
        self.routes.is_empty() && !self.configuration.routes.is_empty()
    }

    /// The routes that lead here, as the rules of routes see them.
    pub fn route_cxs(&'a self) -> impl Iterator<Item = RouteCx<'a>> {
        self.routes.iter().map(|route| RouteCx {
            configuration: self.configuration,
            index: route.index,
            config: route.config,
            effective: &route.effective,
            facts: self.facts,
            cluster: Some(self),
        })
    }
}

impl Clock<'_> {
    /// For the middle of a sentence: `` `timeout` 15 s, the default, ``.
    pub fn words(&self) -> String {
        words(self.name, self.of)
    }

    /// For the end of a clause: `` `timeout` 15 s, the default ``.
    pub fn last_words(&self) -> String {
        self.words().trim_end_matches(',').to_owned()
    }
}

/// A setting with its value, and whose default it is, for the middle of a sentence.
pub fn words(name: &str, of: &Effective<Millis>) -> String {
    let time = display::millis(of.value);
    match of.from {
        From::Default(Dialect::Envoy) => format!("`{name}` {time}, the default,"),
        From::Default(dialect) => format!("`{name}` {time}, {}'s default,", dialect.title()),
        From::Text(_) | From::Runtime(_) => format!("`{name}` {time}"),
    }
}

/// What a clock cuts of what is healthy: `1% of good requests, 9% once the upstream is twice as slow`.
pub fn cut_words(what: &str, [at_peak, at_slowdown]: [Share; 2], slowdown: f64) -> String {
    let healthy = format!("{} of {what}", phrases::refused(at_peak));
    if at_slowdown.0 <= at_peak.0 {
        return healthy;
    }
    format!(
        "{healthy}, {} once the upstream is {}",
        phrases::refused(at_slowdown),
        phrases::as_slow(slowdown)
    )
}

/// Whether two timeouts are the same for Envoy.
pub fn is_same(a: Millis, b: Millis) -> bool {
    (a.0 - b.0).abs() < SAME
}

/// Whether a timeout is at least as long as another for Envoy.
pub fn reaches(timeout: Millis, other: Millis) -> bool {
    timeout.0 > other.0 - SAME
}

/// The button of a changed timeout: `15 s → 950 ms`.
pub fn label(from: Millis, to: Millis) -> String {
    let from = if from.0 > 0.0 { display::millis(from) } else { "off".to_owned() };
    let to = if to.0 > 0.0 { display::millis(to) } else { "off".to_owned() };
    format!("{from} → {to}")
}

fn shortest<'a>(clocks: impl Iterator<Item = Clock<'a>>) -> Option<Clock<'a>> {
    clocks.filter(|c| c.of.value.0 > 0.0).min_by(|a, b| a.of.value.0.total_cmp(&b.of.value.0))
}

#[cfg(test)]
mod tests {
    use super::{Attempts, BackOff, Millis};

    fn attempts(n: u32, per_try: f64, base: f64, max: f64) -> Attempts {
        Attempts { n, per_try: Millis(per_try), back_off: BackOff { base: Millis(base), max: Millis(max) } }
    }

    #[test]
    fn all_attempts_by_the_code_and_by_the_manual() {
        // The vectors of the public cases: O-20, y10, y09, y06.
        for (of, code, manual) in [
            (attempts(4, 1000.0, 25.0, 250.0), 4175.0, 4275.0),
            (attempts(3, 500.0, 25.0, 250.0), 1575.0, 1600.0),
            (attempts(5, 250.0, 100.0, 10_000.0), 2750.0, 3850.0),
            (attempts(4, 600.0, 50.0, 500.0), 2750.0, 2950.0),
            (attempts(6, 0.0, 25.0, 250.0), 625.0, 775.0),
        ] {
            assert_eq!((of.all(), of.all_by_manual()), (Millis(code), Millis(manual)));
        }
    }

    #[test]
    fn what_fits_and_what_would() {
        let of = attempts(4, 1000.0, 25.0, 250.0);
        assert_eq!((of.within(Millis(3000.0)), of.within(Millis(3075.0)), of.within(Millis(1e9))), (2, 3, 4));
        assert_eq!((of.within(Millis(999.0)), of.within(Millis(1000.0))), (0, 1));
        assert_eq!(of.per_try_within(Millis(3000.0)), Some(Millis(706.0)));
        assert_eq!(of.per_try_within(Millis(178.0)), None);
        assert_eq!(attempts(6, 16_000.0, 25.0, 250.0).per_try_within(Millis(15_000.0)), Some(Millis(2395.0)));
        // As many as the field can hold.
        let most = attempts(u32::MAX, 1.0, 25.0, 250.0);
        assert!(most.all().0.is_finite() && most.all_by_manual().0.is_finite());
        assert_eq!(most.within(Millis(1.0)), 1);
    }
}
