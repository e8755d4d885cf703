//! What is compared: one row a measure.

use crate::engine::sim::{Before, Report, Shares, Window};
use crate::engine::units::{Millis, Share, display};
use serde::Serialize;

/// A measure of a run.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Stable key.
    pub key: &'static str,
    /// Label of the row.
    pub label: &'static str,
    /// Which part of the run, in words.
    pub part: &'static str,
    /// How it is written.
    pub unit: Unit,
    /// Which way is better; `None`: neither.
    pub better: Option<Better>,
    /// The value of a run; `None` where it has none.
    pub of: fn(&Report) -> Option<f64>,
}

/// How a measure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Unit {
    Share,
    Ms,
    S,
    Count,
    Times,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Better {
    Higher,
    Lower,
}

impl Measure {
    /// Half the width of an interval of such values, in words.
    pub fn shown_width(&self, value: f64) -> String {
        match self.unit {
            Unit::Share => display::share(Share(value)),
            Unit::Times => display::significant(value, 3),
            _ => self.shown(value),
        }
    }

    /// A value in words: `95.9%`, `110 ms`, `9 s`.
    pub fn shown(&self, value: f64) -> String {
        match self.unit {
            Unit::Share if self.better == Some(Better::Higher) => served_share(value),
            Unit::Share => display::share(Share(value)),
            Unit::Ms => display::millis(Millis(display::round_to(value, 3))),
            Unit::S => format!("{}{}s", display::number(display::round_to(value, 2)), display::NBSP),
            Unit::Count => display::number(display::round_to(value, 3)),
            Unit::Times => format!("×{}", display::significant(value, 3)),
        }
    }
}

/// A share served, to a tenth of a percent, with more decimals where it is nearly all: the same in sentences
/// and in tables. Rounded down, because rounding up would promise what was not there.
///
/// ```
/// use headroom::engine::sim::compare::served_share;
///
/// assert_eq!(served_share(0.9398), "93.9%");
/// assert_eq!(served_share(0.9403), "94%");
/// assert_eq!(served_share(0.999_91), "99.991%");
/// ```
pub fn served_share(served: f64) -> String {
    let of_hundred = served * 100.0;
    let decimals = if of_hundred > 99.0 && of_hundred < 100.0 {
        // 99.99% is not 100%: as many digits as it takes to tell.
        (1.0 - libm::floor(libm::log10(100.0 - of_hundred))).clamp(1.0, 6.0)
    } else {
        1.0
    };
    let scale = libm::pow(10.0, decimals);
    format!("{}%", display::significant(libm::floor(of_hundred * scale * (1.0 + 1e-12)) / scale, 9))
}

const WHOLE: &str = "whole run";
const DURING: &str = "during the fault";

const fn row(
    key: &'static str,
    label: &'static str,
    part: &'static str,
    unit: Unit,
    better: Option<Better>,
    of: fn(&Report) -> Option<f64>,
) -> Measure {
    Measure { key, label, part, unit, better, of }
}

/// Every measure, in the order of the table.
pub const MEASURES: &[Measure] = &[
    row("served_during", "Served in time", DURING, Unit::Share, HIGHER, |r| part(r, Before::During, served)),
    row("served_before", "Served in time", "before it", Unit::Share, HIGHER, |r| {
        part(r, Before::Before, served)
    }),
    row("served_after", "Served in time", "after it", Unit::Share, HIGHER, |r| {
        part(r, Before::After, served)
    }),
    row("served", "Served in time", WHOLE, Unit::Share, HIGHER, |r| served(&r.outcomes)),
    row("refused", "Refused by a limit", WHOLE, Unit::Share, LOWER, |r| {
        share(r.outcomes.refused(), &r.outcomes)
    }),
    row("failed_during", "Failed", "timeout or error, during the fault", Unit::Share, LOWER, |r| {
        part(r, Before::During, |s| share(s.failed(), s))
    }),
    row("failed", "Failed", "timeout or error, whole run", Unit::Share, LOWER, |r| {
        share(r.outcomes.failed(), &r.outcomes)
    }),
    row("p99_during_ms", "p99 of served", DURING, Unit::Ms, LOWER, |r| {
        window(r, Before::During).and_then(|w| w.latency_ms.p99)
    }),
    row("p99_ms", "p99 of served", WHOLE, Unit::Ms, LOWER, |r| r.latency_ms.served.p99),
    row("host_in_flight_max", "Most in flight at one host", WHOLE, Unit::Count, None, |r| {
        Some(r.host_in_flight_max)
    }),
    row("ejections", "Ejections", "all proxies", Unit::Count, None, ejections),
    row("amplification", "Attempts a request", WHOLE, Unit::Times, LOWER, |r| Some(r.amplification)),
    row("recovery_s", "Recovered", "after the start of the fault", Unit::S, LOWER, recovery),
    row("lost_s", "Lost", "in seconds of full service", Unit::S, LOWER, |r| r.recovery.map(|x| x.lost_s)),
];

const HIGHER: Option<Better> = Some(Better::Higher);
const LOWER: Option<Better> = Some(Better::Lower);

/// The part of a run before, during or after the faults.
pub fn window(report: &Report, part: Before) -> Option<&Window> {
    report.windows.iter().find(|w| w.part == part && w.outcomes.total() > 0)
}

/// Share served.
pub fn served(outcomes: &Shares) -> Option<f64> {
    share(outcomes.served, outcomes)
}

/// A count as a share of all that ended.
pub fn share(n: u64, of: &Shares) -> Option<f64> {
    (of.total() > 0).then(|| n as f64 / of.total() as f64)
}

fn part(report: &Report, part: Before, of: fn(&Shares) -> Option<f64>) -> Option<f64> {
    window(report, part).and_then(|w| of(&w.outcomes))
}

/// Ejections of the whole fleet.
pub fn ejections(report: &Report) -> Option<f64> {
    let n = report.counters.get("outlier_detection.ejections_enforced_total").copied().unwrap_or(0);
    Some(n as f64 * report.weight.max(1.0))
}

/// Seconds from the start of the fault until it served as before; `None` where it never did.
fn recovery(report: &Report) -> Option<f64> {
    let recovery = report.recovery?;
    if !recovery.hurt {
        return Some(0.0);
    }
    let fault = report.windows.iter().find(|w| w.part == Before::During)?;
    recovery.during_s.or(recovery.after_s.map(|after| fault.to_s - fault.from_s + after))
}
