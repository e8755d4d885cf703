//! The retry policy: conditions, number, back-off.
//!
//! A request that may not run twice is retried only where it never reached a host. `5xx` is never
//! recommended: it repeats every failure of the service itself.

use super::ledger::{Ledger, not, rule};
use crate::engine::filled::filled;
use crate::engine::retry::backoff::BackOff;
use crate::engine::scenario::{EnvoyVersion, Protocol, Scenario};
use crate::engine::units::Millis;

/// Retries of requests that may not run twice: one, since nothing was sent.
const RETRIES_BEFORE_SENDING: u32 = 1;
/// Retries of idempotent requests, where the deadline has room.
const RETRIES_IDEMPOTENT: u32 = 2;

/// The back-off: half of p50 to the next 5 ms, 10 to 100 ms, at most ten times that.
///
/// # Source
///
/// Our choice: a failed attempt comes back after about the time of a good answer. Envoy waits a
/// uniform whole number of milliseconds in `[0, R_n)`.
pub fn back_off(p50: Millis) -> BackOff {
    const STEP: f64 = 5.0;
    // A p50 of 20.000000000000004 ms is 20 ms and must not move to the next step.
    const NOISE: f64 = 1e-9;
    let base = ((p50.0 / 2.0 / STEP * (1.0 - NOISE)).ceil() * STEP).clamp(10.0, 100.0);
    BackOff { base: Millis(base), max: Millis(base * 10.0) }
}

/// Retries that the conditions call for, before the deadline has its say; none where they may add
/// no load at all.
pub fn wanted_retries(s: &Scenario) -> u32 {
    if s.retry_overhead <= 0.0 {
        return 0;
    }
    if retries_after_sending(s) { RETRIES_IDEMPOTENT } else { RETRIES_BEFORE_SENDING }
}

/// Whether a request is retried after it reached a host. A stream that has begun cannot be
/// repeated by a proxy.
pub fn retries_after_sending(s: &Scenario) -> bool {
    s.idempotent && !s.protocol.streams() && s.retry_overhead > 0.0
}

/// The conditions, in Envoy's words.
pub fn conditions(s: &Scenario) -> Vec<&'static str> {
    let mut words = vec!["connect-failure", "refused-stream"];
    if s.envoy_version >= EnvoyVersion::minor(31) {
        words.push("reset-before-request");
    }
    if retries_after_sending(s) {
        words.push("reset");
        match s.protocol {
            Protocol::Http1 | Protocol::Http2 => words.push("gateway-error"),
            Protocol::Grpc | Protocol::GrpcStream => words.extend(["unavailable", "resource-exhausted"]),
        }
    }
    words
}

/// Writes the policy into the account.
pub fn explain(s: &Scenario, p50: Millis, back_off: &BackOff, num_retries: u32, ledger: &mut Ledger) {
    let wanted = wanted_retries(s);
    let alternatives = ledger.add(
        "retry.num_retries.chosen",
        f64::from(num_retries),
        "retries",
        rule("our rule: one where nothing was sent, two where a request may run twice, no more than the deadline has room for"),
        "min(wanted, largest n that fits the route timeout)",
        filled("{} wanted, {} fit", [f64::from(wanted), f64::from(num_retries)]),
    );
    if !retries_after_sending(s) {
        alternatives
            .push(not("Not after sending", "a request that may not run twice must not be sent twice."));
    }
    alternatives.push(not(
        "Not 5xx",
        "it would repeat every failure of the service itself, also those that a repetition cannot mend.",
    ));
    ledger.add(
        "retry.backoff_base.chosen",
        back_off.base.0,
        "ms",
        rule("our choice: a failed attempt comes back after about the time of a good answer"),
        "p50 / 2 to the next 5 ms, 10 to 100 ms",
        filled("{} / 2 = {}", [p50.0, p50.0 / 2.0]),
    );
    ledger.add(
        "retry.backoff_max.chosen",
        back_off.max.0,
        "ms",
        rule("envoy: the default maximum is ten times the base"),
        "10 · base_interval",
        filled("10 × {}", [back_off.base.0]),
    );
}
