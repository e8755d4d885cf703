//! The cells of the thresholds table, as text.

use crate::engine::analysis::{Analysis, Threshold, UseAtPeak};
use crate::engine::scenario::Scenario;
use crate::engine::units::{Share, display};
use crate::ui::words::in_words_of;

/// The columns of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The value to set.
    PerProxy,
    /// What all proxies together allow.
    Fleet,
    /// What the healthy peak uses.
    Used,
    /// What is refused at the healthy peak.
    Refused,
    /// A few words under it.
    Note,
}

/// A limit of the table.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Envoy's name.
    pub name: &'static str,
    /// What it counts.
    pub about: &'static str,
    /// The value of one proxy.
    value: fn(&Threshold) -> u32,
    /// Use and refusals at the healthy peak.
    forecast: fn(&Scenario, &UseAtPeak, Column) -> String,
}

/// The limits, in the order of the table.
pub static LIMITS: [Limit; 5] = [
    Limit {
        name: "max_requests",
        about: "requests in flight",
        value: |t| t.max_requests,
        forecast: requests,
    },
    Limit {
        name: "max_connections",
        about: "open connections",
        value: |t| t.max_connections,
        forecast: connections,
    },
    Limit {
        name: "max_pending_requests",
        about: "waiting for a connection",
        value: |t| t.max_pending_requests,
        forecast: pending,
    },
    Limit { name: BUDGET, about: "retries, share of requests in flight", value: |_| 0, forecast: budget },
    Limit {
        name: "min_retry_concurrency",
        about: "retries always allowed",
        value: |t| t.retry_budget.min_retry_concurrency,
        forecast: floor,
    },
];

/// The one limit that is a percentage, the same for a proxy and the fleet.
const BUDGET: &str = "budget_percent";

const DASH: &str = "–";

impl Limit {
    /// A cell of the row, for the priority at that place in the answer.
    pub fn cell(&self, answer: &Analysis, at: usize, column: Column) -> String {
        let Some(threshold) = answer.thresholds.get(at) else { return String::new() };
        match column {
            Column::PerProxy | Column::Fleet if self.name == BUDGET => {
                format!("{}%", display::number(threshold.retry_budget.budget_percent.0))
            }
            Column::PerProxy => display::count(f64::from((self.value)(threshold))),
            Column::Fleet => {
                display::count(f64::from((self.value)(threshold)) * f64::from(answer.scenario.clients))
            }
            _ => {
                let f = &answer.forecast;
                let used = if at == 0 { Some(&f.use_at_peak) } else { f.high_use_at_peak.as_ref() };
                used.map_or_else(String::new, |used| (self.forecast)(&answer.scenario, used, column))
            }
        }
    }
}

fn requests(_: &Scenario, used: &UseAtPeak, column: Column) -> String {
    // A loss system refuses something at any load; what underflows is not nothing.
    let refused = Share(used.requests_refused.0.max(f64::MIN_POSITIVE));
    match column {
        Column::Used => display::number(used.max_requests.0),
        // Below a tenth of a percent, odds say more than digits.
        Column::Note if refused.0 < 1e-3 => display::one_in(refused),
        Column::Note => String::new(),
        // A line never ends between the sign and its number.
        _ => display::share(refused).replace("< ", "<\u{a0}"),
    }
}

fn connections(s: &Scenario, used: &UseAtPeak, column: Column) -> String {
    match column {
        Column::Used => display::count(used.max_connections as f64),
        Column::Note => in_words_of(s, "requests wait instead"),
        _ => "none".to_owned(),
    }
}

fn pending(_: &Scenario, used: &UseAtPeak, column: Column) -> String {
    match column {
        Column::Used => display::significant(used.max_pending_requests, 2),
        Column::Note => "cold start only".to_owned(),
        _ => display::share(used.pending_refused_cold),
    }
}

fn budget(_: &Scenario, used: &UseAtPeak, column: Column) -> String {
    match column {
        Column::Used => display::share(used.retry_share),
        Column::Note => String::new(),
        _ => DASH.to_owned(),
    }
}

fn floor(_: &Scenario, used: &UseAtPeak, column: Column) -> String {
    match column {
        Column::Used => display::significant(used.retries, 2),
        Column::Note => "of retries".to_owned(),
        _ => display::share(used.retries_refused),
    }
}
