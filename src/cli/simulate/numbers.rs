//! Numbers of flags.

use crate::args;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::params::Unit;
use headroom::engine::sim::setup::{Bounds, Plan};
use headroom::engine::sim::{Arrivals, Nanos};
use headroom::engine::units::display::echo;
use headroom::engine::units::parse;

/// Most runs of each policy.
pub const MAX_RUNS: f64 = 1_000.0;
/// Most requests of a run.
const MAX_REQUESTS: f64 = 1e9;

/// Most callers of a proxy.
const MAX_CALLERS: f64 = 10_000.0;
/// Longest think time.
const MAX_THINK_MS: f64 = 3_600_000.0;

/// The plan, and how many runs.
pub fn plan(words: &Words, complaints: &mut Vec<Complaint>) -> (Plan, u32) {
    let mut read = |key: &str, unit, min: f64, max: f64, whole: bool, allowed: &str| {
        number(words, key, unit, (min, max), whole, allowed, complaints)
    };
    let longest = Plan::LONGEST.as_secs();
    let duration = read(args::DURATION, Unit::S, 1e-3, longest, false, "seconds, 0.001 to 86,400");
    let warm_up = read(args::WARM_UP, Unit::S, 0.0, longest, false, "seconds, 0 to 86,400");
    let runs = read(args::RUNS, Unit::Count, 1.0, MAX_RUNS, true, "whole numbers 1 to 1,000");
    let requests = read(
        args::MAX_REQUESTS,
        Unit::Count,
        1_000.0,
        MAX_REQUESTS,
        true,
        "whole numbers 1,000 to 1,000,000,000",
    );
    let seed = seed(words, complaints);
    let default = Plan::DEFAULT;
    let bounds = Bounds { requests: requests.unwrap_or(default.bounds.requests), ..default.bounds };
    let plan = Plan {
        duration: duration.map_or(default.duration, Nanos::from_secs),
        warm_up: warm_up.map_or(default.warm_up, Nanos::from_secs),
        seed: seed.unwrap_or(default.seed),
        bounds,
        ..default
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number up to 1,000")]
    (plan, runs.unwrap_or(1.0) as u32)
}

/// Callers and their think time; by default those of the page.
pub fn closed_loop(words: &Words, complaints: &mut Vec<Complaint>) -> Arrivals {
    let callers = number(
        words,
        args::CALLERS,
        Unit::Count,
        (1.0, MAX_CALLERS),
        true,
        "whole numbers 1 to 10,000",
        complaints,
    );
    let think = number(
        words,
        args::THINK,
        Unit::Ms,
        (0.0, MAX_THINK_MS),
        false,
        "milliseconds, 0 to 3,600,000",
        complaints,
    );
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number up to 10,000")]
    let callers = callers.unwrap_or(10.0) as u32;
    Arrivals::Closed { callers, think: Nanos::rounded(think.unwrap_or(1_000.0) * 1e6) }
}

fn number(
    words: &Words,
    key: &str,
    unit: Unit,
    range: (f64, f64),
    whole: bool,
    allowed: &str,
    complaints: &mut Vec<Complaint>,
) -> Option<f64> {
    let text = words.text(key)?;
    let shown = echo(text);
    let mut refuse = |what: String| complaints.push(Complaint::flag(key, what));
    match parse::number(text, unit) {
        Err(_) => refuse(format!("“{shown}” is not understood. Enter {allowed}.")),
        Ok(n) if n < range.0 || n > range.1 => {
            refuse(format!("{shown} is out of range. Allowed: {allowed}."));
        }
        Ok(n) if whole && n.fract() != 0.0 => {
            refuse(format!("{shown} is not a whole number. Allowed: {allowed}."));
        }
        Ok(n) => return Some(n),
    }
    None
}

/// All 64 bits, which a float would not hold.
fn seed(words: &Words, complaints: &mut Vec<Complaint>) -> Option<u64> {
    let text = words.text(args::SEED)?;
    let seed = text.trim().replace(['_', ','], "").parse().ok();
    if seed.is_none() {
        let message = format!("“{}” is no seed. Enter a whole number, 0 to {}.", echo(text), u64::MAX);
        complaints.push(Complaint::flag(args::SEED, message));
    }
    seed
}
