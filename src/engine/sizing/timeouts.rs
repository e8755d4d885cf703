//! The timeout ladder: each clock ends before the one around it.
//!
//! connect < per try < all attempts and back-offs ≤ route < caller's deadline. The route clock
//! starts when the request is complete and covers everything; the per-try clock starts only when a
//! connection is attached, so the time to connect counts on top of it.

use super::retry_policy;
use super::service_time::ServiceTime;
use crate::engine::analysis::Timeouts;
use crate::engine::envoy::defaults;
use crate::engine::retry::backoff::BackOff;
use crate::engine::scenario::{Protocol, Scenario};
use crate::engine::units::{Millis, display};

/// Envoy answers before the caller gives up: 5% of the deadline, at least 10 ms.
const MARGIN_SHARE: f64 = 0.05;
const MARGIN_MIN: f64 = 10.0;
/// A deadline that nobody named: a second, or four times p99.
const DEADLINE_MIN: f64 = 1000.0;
const DEADLINE_OVER_P99: f64 = 4.0;
/// `per_try_timeout` never cuts closer to p99.9 than this.
pub const PER_TRY_MARGIN: f64 = 1.25;
/// Envoy counts timeouts in whole milliseconds, and half of the shortest must not be 0.
const PER_TRY_MIN: f64 = 2.0;
/// `connect_timeout` is at most half of `per_try_timeout`, and twice the set-up time must fit into it.
const PER_TRY_OVER_CONNECT: f64 = 4.0;
/// `connect_timeout` is five set-up times, at least 50 ms.
const CONNECT_FACTOR: f64 = 5.0;
const CONNECT_MIN: f64 = 50.0;
/// More attempts than three only repeat what failed twice.
const MAX_ATTEMPTS: u32 = 3;
/// Pool idle timeout when the server's keep-alive is unknown: the shortest common default is 60 s.
pub const POOL_IDLE_UNKNOWN: Millis = Millis(60_000.0);
/// The pool closes a tenth before the server does, at least a second, at most half.
const KEEPALIVE_MARGIN: f64 = 0.1;
/// A stream may be silent for as long as it usually lives, within these bounds.
const STREAM_IDLE: (f64, f64) = (300_000.0, 3_600_000.0);

/// The ladder and the number of attempts that fit it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The timeouts.
    pub timeouts: Timeouts,
    /// Attempts that fit, the first included.
    pub attempts: u32,
    /// `per_try_timeout` before the route timeout had its say.
    pub per_try_wanted: Option<Millis>,
}

impl Ladder {
    /// Time between p99 and the route timeout; `None` without a route timeout.
    pub fn slack(&self, p99: Millis) -> Option<Millis> {
        (self.timeouts.route_ms.0 > 0.0).then(|| self.timeouts.route_ms - p99)
    }
}

/// Builds the ladder from the outside in: deadline, route, per try, connect, attempts.
pub fn ladder(s: &Scenario, time: &ServiceTime, back_off: &BackOff) -> Ladder {
    if s.protocol.streams() { streaming(s, time, back_off) } else { unary(s, time, back_off) }
}

fn unary(s: &Scenario, time: &ServiceTime, back_off: &BackOff) -> Ladder {
    let deadline = deadline(s, time.summary.p99_ms);
    let route = within(deadline);
    let p999 = time.summary.p999_ms;
    let room_to_connect = s.connect_ms * PER_TRY_OVER_CONNECT;
    let wanted = retry_policy::retries_after_sending(s)
        .then(|| up_to_two_digits((p999 * s.slowdown.max(PER_TRY_MARGIN)).max(room_to_connect)));
    let fit = Fit { route, connect: connect_wanted(s.connect_ms), back_off: *back_off };
    let least = (p999 * PER_TRY_MARGIN).max(room_to_connect);
    let per_try = wanted.and_then(|wanted| fit.per_try(wanted, least));
    let connect = fit.connect_within(per_try.unwrap_or(route));
    let attempts = fit.attempts(per_try, 1 + retry_policy::wanted_retries(s));
    let long = route.0 >= defaults::STREAM_IDLE_TIMEOUT_S * 1000.0;
    Ladder {
        timeouts: Timeouts {
            connect_ms: connect,
            per_try_ms: per_try,
            route_ms: route,
            deadline_ms: Some(deadline),
            pool_idle_ms: pool_idle(s.upstream_keepalive_s),
            // Envoy's own five minutes would cut a longer route timeout short.
            stream_idle_ms: long.then(|| route * PER_TRY_MARGIN),
            // Where the header of gRPC counts, Envoy arms no route timeout: a duration bounds the calls
            // that bring no header.
            max_stream_duration_ms: (s.protocol == Protocol::Grpc).then_some(route),
            grpc_timeout_header_max_ms: (s.protocol == Protocol::Grpc).then_some(route),
            all_attempts_ms: per_try.map_or(route, |per_try| fit.total(attempts, per_try)),
        },
        attempts,
        per_try_wanted: wanted,
    }
}

fn streaming(s: &Scenario, time: &ServiceTime, back_off: &BackOff) -> Ladder {
    let long = up_to_two_digits(time.summary.p999_ms * s.slowdown.max(PER_TRY_MARGIN));
    let life = s.deadline_ms.map_or(long, |deadline| long.min(within(deadline)));
    // A silence longer than the life that is allowed could never be noticed.
    let idle = Millis(time.summary.p99_ms.0.clamp(STREAM_IDLE.0, STREAM_IDLE.1)).min(life);
    let attempts = 1 + retry_policy::wanted_retries(s);
    let connect = connect_wanted(s.connect_ms);
    Ladder {
        timeouts: Timeouts {
            connect_ms: connect,
            per_try_ms: None,
            route_ms: Millis(0.0),
            deadline_ms: s.deadline_ms,
            pool_idle_ms: pool_idle(s.upstream_keepalive_s),
            stream_idle_ms: Some(idle),
            max_stream_duration_ms: Some(life),
            grpc_timeout_header_max_ms: None,
            all_attempts_ms: connect * f64::from(attempts) + back_off.total_bound(attempts - 1),
        },
        attempts,
        per_try_wanted: None,
    }
}

/// The deadline of the caller: given, or a second, or four times p99.
pub fn deadline(s: &Scenario, p99: Millis) -> Millis {
    s.deadline_ms.unwrap_or(Millis((p99.0 * DEADLINE_OVER_P99).max(DEADLINE_MIN)))
}

/// What ends before a deadline, so that Envoy answers before the caller gives up.
pub fn within(deadline: Millis) -> Millis {
    deadline - Millis((deadline.0 * MARGIN_SHARE).max(MARGIN_MIN))
}

/// `connect_timeout` for a set-up time, before what surrounds it has its say.
pub fn connect_wanted(set_up: Millis) -> Millis {
    (set_up * CONNECT_FACTOR).max(Millis(CONNECT_MIN))
}

/// Idle timeout of the pool for the server's keep-alive in seconds.
pub fn pool_idle(keepalive_s: Option<f64>) -> Millis {
    let Some(keepalive) = keepalive_s else { return POOL_IDLE_UNKNOWN };
    let margin = (keepalive * KEEPALIVE_MARGIN).max(1.0).min(keepalive / 2.0);
    Millis::from_secs(keepalive - margin)
}

/// What has to fit into a route timeout.
struct Fit {
    route: Millis,
    connect: Millis,
    back_off: BackOff,
}

impl Fit {
    /// `connect_timeout`, never above half of what surrounds it.
    fn connect_within(&self, outer: Millis) -> Millis {
        self.connect.min(outer * 0.5)
    }

    /// Longest time of `attempts` attempts: `n · (per_try + connect) + Σ back-off bounds`.
    fn total(&self, attempts: u32, per_try: Millis) -> Millis {
        (per_try + self.connect_within(per_try)) * f64::from(attempts)
            + self.back_off.total_bound(attempts - 1)
    }

    /// The wanted timeout if it fits twice, else the largest that does and does not cut good
    /// requests, else none.
    fn per_try(&self, wanted: Millis, least: Millis) -> Option<Millis> {
        if self.total(2, wanted).0 <= self.route.0 {
            return Some(wanted);
        }
        let room = self.route - self.back_off.total_bound(1);
        let with_full_connect = room * 0.5 - self.connect;
        // Below twice the connect timeout the latter shrinks to half of the former.
        let largest =
            if with_full_connect.0 >= 2.0 * self.connect.0 { with_full_connect } else { room * (1.0 / 3.0) };
        [down_to_two_digits(largest), Millis(largest.0.floor())]
            .into_iter()
            .find(|fit| fit.0 >= least.0 && fit.0 >= PER_TRY_MIN)
    }

    /// The largest number of attempts up to `wanted` that fits.
    fn attempts(&self, per_try: Option<Millis>, wanted: u32) -> u32 {
        (2..=wanted.min(MAX_ATTEMPTS))
            .rev()
            .find(|n| {
                // Without a per-try timeout only connecting is bounded.
                let total = per_try.map_or_else(
                    || self.connect_within(self.route) * f64::from(*n) + self.back_off.total_bound(n - 1),
                    |per_try| self.total(*n, per_try),
                );
                total.0 <= self.route.0
            })
            .unwrap_or(1)
    }
}

/// Rounded up to two significant digits, then to whole milliseconds, which is what Envoy counts.
fn up_to_two_digits(time: Millis) -> Millis {
    // A product such as 2 × 110 that is 220.00000000000003 must not become 230.
    const NOISE: f64 = 1e-9;
    let scale = two_digit_scale(time);
    let rounded = (time.0 / scale * (1.0 - NOISE)).ceil() * scale;
    Millis(rounded.ceil().max(PER_TRY_MIN))
}

fn down_to_two_digits(time: Millis) -> Millis {
    let scale = two_digit_scale(time).max(1.0);
    Millis((time.0 / scale).floor() * scale)
}

fn two_digit_scale(time: Millis) -> f64 {
    // Whole milliseconds are what comes of it: digits beyond a nanosecond make none.
    display::second_digit(time.0.max(1e-6))
}
