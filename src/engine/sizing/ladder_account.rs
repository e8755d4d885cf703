//! The account of the timeout ladder.

use super::ledger::{Ledger, Origin, assumption, derived, given, not, rule};
use super::service_time::ServiceTime;
use super::timeouts::{Ladder, PER_TRY_MARGIN};
use crate::engine::filled::{Filled, filled};
use crate::engine::retry::backoff::BackOff;
use crate::engine::scenario::Scenario;
use crate::engine::units::display;

/// Writes the ladder into the account.
pub fn explain(s: &Scenario, time: &ServiceTime, ladder: &Ladder, back_off: &BackOff, ledger: &mut Ledger) {
    let t = &ladder.timeouts;
    if s.protocol.streams() {
        explain_stream(s, time, ladder, ledger);
    } else {
        explain_route(s, time, ladder, ledger);
        explain_per_try(s, time, ladder, back_off, ledger);
    }
    let outer = t.per_try_ms.unwrap_or(t.route_ms);
    let setup = s.connect_ms.0;
    let connect = if s.protocol.streams() {
        filled("max(5 × {}, 50)", [setup])
    } else {
        filled("min(max(5 × {}, 50), {} / 2)", [setup, outer.0])
    };
    ledger.add(
        "timeouts.connect.chosen",
        t.connect_ms.0,
        "ms",
        rule("our rule: five set-up times, at least 50 ms, never above half of what surrounds it; it covers TCP and TLS"),
        "min(max(5 · connect, 50 ms), half of per_try or route)",
        connect,
    );
    let (origin, text): (Origin, Filled) = match s.upstream_keepalive_s {
        Some(keepalive) => (
            rule("our rule: the pool closes a tenth before the server does, at least a second, at most half"),
            filled("{} s − margin", [keepalive]),
        ),
        None => (
            assumption("our choice: servers that close idle connections rarely do so before a minute"),
            "unknown, 60 s assumed".into(),
        ),
    };
    ledger
        .add(
            "timeouts.pool_idle.chosen",
            t.pool_idle_ms.0,
            "ms",
            origin,
            "server keep-alive − max(10%, 1 s)",
            text,
        )
        .push(not(
            "Not 1 h, Envoy's default",
            "the server closes first, and a request on the closing connection ends in 503 UC.",
        ));
}

fn explain_route(s: &Scenario, time: &ServiceTime, ladder: &Ladder, ledger: &mut Ledger) {
    let t = &ladder.timeouts;
    let deadline = t.deadline_ms.unwrap_or_default();
    let (origin, text) = match s.deadline_ms {
        Some(_) => (given("the scenario"), filled("{}", [deadline.0])),
        None => (
            assumption(
                "our choice: a second is what people wait without noticing; four times p99 leaves room for a retry",
            ),
            filled("max(1,000, 4 × {})", [time.summary.p99_ms.0]),
        ),
    };
    ledger.add("timeouts.route.deadline", deadline.0, "ms", origin, "max(1,000 ms, 4 · p99)", text);
    ledger
        .add(
            "timeouts.route.chosen",
            t.route_ms.0,
            "ms",
            rule("our rule: envoy answers before the caller gives up"),
            "deadline − max(10 ms, 5%)",
            filled("{} − {}", [deadline.0, deadline.0 - t.route_ms.0]),
        )
        .push(not(
            "Not 15 s, Envoy's default",
            "the caller has given up long before, and its request still holds a slot.",
        ));
}

fn explain_per_try(
    s: &Scenario,
    time: &ServiceTime,
    ladder: &Ladder,
    back_off: &BackOff,
    ledger: &mut Ledger,
) {
    let t = &ladder.timeouts;
    let factor = s.slowdown.max(PER_TRY_MARGIN);
    let text = match (ladder.per_try_wanted, t.per_try_ms) {
        (None, _) => "not set: a timeout is retried only where a request may run twice".into(),
        (Some(wanted), Some(chosen)) if wanted == chosen => {
            filled("max({} × {}, 4 × {}) → {}", [factor, time.summary.p999_ms.0, s.connect_ms.0, chosen.0])
        }
        (Some(wanted), Some(chosen)) => {
            filled("{} does not fit twice into {}; {} does", [wanted.0, t.route_ms.0, chosen.0])
        }
        (Some(wanted), None) => filled(
            "not set: {} does not fit twice into {}, and less than 1.25 × {} would cut good requests",
            [wanted.0, t.route_ms.0, time.summary.p999_ms.0],
        ),
    };
    ledger.add(
        "timeouts.per_try.chosen",
        t.per_try_ms.map(|ms| ms.0),
        "ms",
        rule("our rule: rides out the slowdown, fits twice into the route timeout, never below 1.25 · p99.9 or four set-up times"),
        "max(max(slowdown, 1.25) · p99.9, 4 · connect), up to two digits",
        text,
    );
    if let Some(per_try) = t.per_try_ms {
        let bounds = back_off.total_bound(ladder.attempts - 1);
        ledger.add(
            "timeouts.per_try.all_attempts",
            t.all_attempts_ms.0,
            "ms",
            derived(
                "envoy: the per-try clock starts when a connection is attached, so connecting counts on top",
            ),
            "attempts · (per_try + connect) + Σ back-off bounds",
            filled("{} × ({} + {}) + {}", [f64::from(ladder.attempts), per_try.0, t.connect_ms.0, bounds.0]),
        );
    }
}

fn explain_stream(s: &Scenario, time: &ServiceTime, ladder: &Ladder, ledger: &mut Ledger) {
    let n = display::number;
    let t = &ladder.timeouts;
    ledger
        .add(
            "timeouts.route.chosen",
            0.0,
            "ms",
            rule("envoy: the route timeout would cut a stream; 0 is off"),
            "0",
            "0, off",
        )
        .push(not("Not 15 s, Envoy's default", "every stream would be cut after 15 s."));
    ledger.add(
        "timeouts.stream_idle.chosen",
        t.stream_idle_ms.map(|ms| ms.0),
        "ms",
        assumption(
            "our choice: a stream may be silent for as long as it usually lives, 5 minutes to an hour",
        ),
        "p99 of a stream's life, 5 min to 1 h, not above max_stream_duration",
        display::millis(time.summary.p99_ms),
    );
    ledger.add(
        "timeouts.max_stream_duration.chosen",
        t.max_stream_duration_ms.map(|ms| ms.0),
        "ms",
        rule("our rule: frees slots of streams that nobody ends"),
        "max(slowdown, 1.25) · p99.9 of a stream's life, up to two digits, within the deadline",
        format!("{} × {}", n(s.slowdown.max(PER_TRY_MARGIN)), display::millis(time.summary.p999_ms)),
    );
}
