//! Values of a report as the view writes them: with their units, the same everywhere.

use crate::engine::sim::{Bucket, Report};
use crate::engine::units::display::{self, NBSP};
use crate::engine::units::{Millis, Share};

/// A quantity over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Share served in time.
    Served,
    /// Share refused by a limit.
    Refused,
    /// Most requests in flight at once in one proxy.
    InFlightMax,
    /// Requests in flight, mean of the proxies.
    InFlight,
    /// Retries sent a second, all simulated proxies.
    Retries,
    /// Median time of served requests.
    P50,
    /// Ninety-ninth percentile of their time.
    P99,
}

impl Quantity {
    /// All, in the order of the view.
    pub const ALL: [Self; 7] =
        [Self::Served, Self::Refused, Self::InFlightMax, Self::InFlight, Self::Retries, Self::P50, Self::P99];

    /// Its word in ids.
    pub fn word(self) -> &'static str {
        match self {
            Self::Served => "served",
            Self::Refused => "refused",
            Self::InFlightMax => "most",
            Self::InFlight => "flight",
            Self::Retries => "retries",
            Self::P50 => "p50",
            Self::P99 => "p99",
        }
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Served => "Served in time",
            Self::Refused => "Refused by a limit",
            Self::InFlightMax => "Most in flight in one proxy",
            Self::InFlight => "In flight in a proxy",
            Self::Retries => "Retries",
            Self::P50 => "p50 of served",
            Self::P99 => "p99 of served",
        }
    }

    /// Short enough for a row of values.
    pub fn short(self) -> &'static str {
        match self {
            Self::Served => "Served",
            Self::Refused => "Refused",
            Self::InFlightMax => "Most in flight",
            Self::InFlight => "In flight, mean",
            Self::Retries => "Retries",
            Self::P50 => "p50",
            Self::P99 => "p99",
        }
    }

    /// Its value in a step of time, `width_s` long; `None` where it has none.
    pub fn of(self, bucket: &Bucket, width_s: f64) -> Option<f64> {
        let total = bucket.outcomes.total();
        let share = |n: u64| (total > 0).then(|| n as f64 / total as f64);
        match self {
            Self::Served => share(bucket.outcomes.served),
            Self::Refused => share(bucket.outcomes.refused()),
            Self::InFlightMax => Some(f64::from(bucket.in_flight_max)),
            Self::InFlight => Some(bucket.in_flight),
            Self::Retries => (width_s > 0.0).then(|| bucket.retries as f64 / width_s),
            Self::P50 => bucket.p50_ms,
            Self::P99 => bucket.p99_ms,
        }
    }

    /// A value with its unit.
    pub fn shown(self, value: Option<f64>) -> String {
        let Some(value) = value else { return "none".to_owned() };
        match self {
            Self::Served => share_served(value),
            Self::Refused => display::share(Share(value)),
            Self::InFlightMax => display::count(value),
            Self::InFlight => display::number(display::round_to(value, 3)),
            Self::Retries => format!("{}/s", display::number(display::round_to(value, 3))),
            Self::P50 | Self::P99 => display::millis(Millis(display::round_to(value, 3))),
        }
    }

    /// The points of a run that has come so far: time in the middle of each step, and value.
    pub fn points(self, report: &Report, width_s: f64, end_s: f64) -> Vec<(f64, Option<f64>)> {
        // A step that still goes on would show what ends fast, refusals, and not what takes its time.
        let passed = report.series.iter().filter(|b| report.done || b.t_s + width_s <= report.now_s);
        // Nothing arrives in a step that begins when arrivals end.
        passed.take_while(|b| b.t_s < end_s).map(|b| (b.t_s + width_s / 2.0, self.of(b, width_s))).collect()
    }
}

/// A share served: rounded down to a tenth of a percent, since rounding up would promise too much.
pub fn share_served(share: f64) -> String {
    let tenths = (share * 1000.0 * (1.0 + 1e-12)).floor();
    format!("{}%", display::significant(tenths / 10.0, 4))
}

/// Seconds with their unit.
pub fn seconds(s: f64) -> String {
    format!("{}{NBSP}s", display::number(display::round_to(s, if s < 100.0 { 2 } else { 4 })))
}
