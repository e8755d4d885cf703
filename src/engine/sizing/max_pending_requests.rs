//! `max_pending_requests`: how many requests one proxy may keep waiting for a connection.
//!
//! Small, because a queue in front of a slow upstream only turns fast failures into slow ones; but
//! never zero, because a cluster that may not keep one request waiting can never open its first
//! connection. It must hold what arrives while connections are being opened: a cold start, a
//! deploy, a growing HTTP/1.1 pool.

use super::demand::Demand;
use super::ledger::{Ledger, not, rule};
use super::limit::{TooLarge, as_limit};
use crate::engine::envoy::defaults;
use crate::engine::filled::filled;
use crate::engine::queueing::poisson;
use crate::engine::scenario::Scenario;
use crate::engine::units::{Millis, Share, display};

/// The limit on waiting requests and its two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pending {
    /// What a cold start needs.
    pub needed: u64,
    /// What the pool can still drain in time; `None` when nothing ends the wait.
    pub useful: Option<u64>,
    /// The limit.
    pub chosen: u32,
    /// Mean number of arrivals while one connection is opened.
    pub arrivals: f64,
    /// Share of arrivals refused while pools are cold.
    pub refused_cold: Share,
}

/// The limit on waiting requests.
///
/// # Formula
///
/// ```text
/// needed = min n: P(Poisson(client_rate · connect) > n) ≤ shed_target, at least 1
/// useful = ⌊max_requests / mean · max(0, route − p99)⌋
/// chosen = needed, not above useful, never 0
/// ```
///
/// # Errors
///
/// [`TooLarge`] when the answer exceeds the field of Envoy.
pub fn limit(
    s: &Scenario,
    demand: &Demand,
    max_requests: u32,
    slack: Option<Millis>,
) -> Result<Pending, TooLarge> {
    let arrivals = demand.client_rate.arrivals_in(s.connect_ms);
    if arrivals > f64::from(u32::MAX) {
        return Err(TooLarge { setting: "max_pending_requests", needed: arrivals });
    }
    let needed = poisson::quantile(arrivals, s.shed_target).max(1);
    let useful = slack.map(|slack| drained(max_requests, demand.mean, slack));
    let chosen = as_limit("max_pending_requests", needed.min(useful.unwrap_or(u64::MAX)).max(1))?;
    Ok(Pending { needed, useful, chosen, arrivals, refused_cold: poisson::tail(arrivals, u64::from(chosen)) })
}

/// How many waiting requests the slots can take over before the route timeout cuts them.
fn drained(max_requests: u32, mean: Millis, slack: Millis) -> u64 {
    let useful = (f64::from(max_requests) / mean.0 * slack.0).floor();
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "negative becomes 0, huge becomes the largest"
    )]
    {
        useful as u64
    }
}

/// Writes the limit into the account.
pub fn explain(
    s: &Scenario,
    demand: &Demand,
    p: &Pending,
    max_requests: u32,
    slack: Option<Millis>,
    ledger: &mut Ledger,
) {
    let id = |part: &str| format!("{}.max_pending_requests.{part}", demand.key());
    ledger.add(
        id("needed"),
        p.needed as f64,
        "requests waiting",
        rule("our rule: what arrives while one connection is opened; envoy queues all of it"),
        "min n: P(Poisson(client_rate · connect) > n) ≤ shed_target, at least 1",
        filled(
            "min n: P(Poisson({} req/s × {} ms) > n) ≤ {}",
            [demand.client_rate.0, s.connect_ms.0, s.shed_target.0],
        ),
    );
    ledger.add(
        id("useful"),
        p.useful.map(|useful| useful as f64),
        "requests waiting",
        rule("our rule: what waits longer than this is cut by the route timeout anyway"),
        "⌊max_requests / mean · max(0, route − p99)⌋",
        slack.map_or_else(
            || "no route timeout ends the wait".into(),
            |slack| filled("⌊{} / {} ms × max(0, {} ms)⌋", [f64::from(max_requests), demand.mean.0, slack.0]),
        ),
    );
    let chosen = match p.useful {
        Some(useful) if useful < p.needed => filled("{} needed, {} useful", [p.needed as f64, useful as f64]),
        _ => filled("{} needed", [p.needed as f64]),
    };
    let alternatives = ledger.add(
        id("chosen"),
        f64::from(p.chosen),
        "requests waiting",
        rule("our rule: enough for a cold start, no more than drains in time, never 0"),
        "max(1, min(needed, useful))",
        chosen,
    );
    alternatives.push(not(
        "Not 0",
        "every request would be refused: a cold pool queues each request until its connection is open.",
    ));
    if p.chosen < defaults::MAX_PENDING_REQUESTS {
        alternatives.push(not(
            format!("Not {}, Envoy's default", display::count(f64::from(defaults::MAX_PENDING_REQUESTS))),
            "a longer queue in front of a stalled upstream turns fast failures into slow ones.",
        ));
    }
}
