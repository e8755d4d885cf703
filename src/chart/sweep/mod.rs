//! The load sweep: what share the busiest proxy refuses as the fleet's rate grows.
//!
//! The rate runs from nothing to four times today's peak, the share on a logarithmic axis. Erlang
//! B of each limit is a curve; marked are today's peak, the rate at which the tolerated share is
//! reached, the rate at which one in a hundred is refused, and a rate of the reader's choice.

mod draw;
mod labels;

pub use draw::{Frame, HEIGHT};

use super::Table;
use super::scale::short;
use super::svg::Role;
use crate::engine::analysis::Analysis;
use crate::engine::queueing::erlang_b::{blocking, offered_for};
use crate::engine::units::{Erlangs, Share, display};
use std::fmt::Write;

/// Largest multiple of today's peak on the axis.
pub const MOST: f64 = 4.0;
/// Smallest share on the axis: one in a million.
pub const LEAST: f64 = 1e-6;
/// Envoy's `max_requests` where nothing is set.
const ENVOY_DEFAULT: u32 = 1024;
/// Spans of a curve's line. They grow with the square of the way, since curves start steep and end flat:
/// so the line is nowhere a quarter of a pixel off.
const SPANS: u32 = 60;

/// The curves that there can be, the one that matters most first.
const CURVES: [Role; 3] = [Role::Chosen, Role::Other, Role::Third];

/// Refused share against rate, for one proxy and up to three limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Curves, the chosen limit first.
    pub curves: Vec<Curve>,
    /// Marked points, left to right as a rule: the peak, the tolerated share, one in a hundred; as far as they
    /// are on the axes.
    pub points: [Option<Point>; 3],
    /// Share that is tolerated at the peak.
    pub target: Share,
    /// Multiple of the peak at which the hosts left are full, if known and on the axis.
    pub full: Option<f64>,
    /// Peak rate of the fleet.
    rate: f64,
    /// Offered to the busiest proxy in the worst second, at today's peak.
    offered: f64,
    unit: &'static str,
}

/// A limit and its curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// `max_requests`.
    pub limit: u32,
    /// How it is drawn.
    pub role: Role,
    /// Label at the line.
    pub label: String,
    /// Multiple of the peak and refused share; empty where the curve stays below the axis.
    pub line: Vec<(f64, f64)>,
}

/// A marked point of the chosen limit's curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Multiple of the peak.
    pub multiple: f64,
    /// Refused share there.
    pub share: Share,
    /// Label beside it.
    pub label: String,
}

/// A rate of the reader's choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Multiple of today's peak, 0 to [`MOST`].
    pub multiple: f64,
}

impl Sweep {
    /// The sweep of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        let scenario = &analysis.scenario;
        let forecast = &analysis.forecast;
        let window = &analysis.window;
        // The window is the DEFAULT priority's; HIGH takes its share of the load elsewhere.
        let offered = analysis.load.offered.0 * (1.0 - scenario.high_priority_share.0);
        let unit = if scenario.protocol.streams() { "streams/s" } else { "req/s" };
        let full = forecast.hosts_survive.map(|survive| survive / analysis.load.fleet_concurrency_at_peak.0);

        let mut sweep = Self {
            curves: vec![curve(window.chosen, offered, Role::Chosen, "limit")],
            points: [const { None }; 3],
            target: scenario.shed_target,
            full: full.filter(|full| *full > 0.0 && *full <= MOST),
            rate: scenario.rps.0,
            offered,
            unit,
        };
        if window.recommended != window.chosen {
            sweep.curves.push(curve(window.recommended, offered, Role::Other, "recommended"));
        }
        let default = curve(ENVOY_DEFAULT, offered, Role::Third, "default");
        let is_known = sweep.curves.iter().any(|curve| curve.limit == ENVOY_DEFAULT);
        if !default.line.is_empty() && !is_known {
            sweep.curves.push(default);
        }
        sweep.points = sweep.points_of(forecast.multiple_at_target, forecast.multiple_at_one_percent);
        sweep
    }

    /// Refused share of the chosen limit at a multiple of the peak.
    pub fn share_at(&self, multiple: f64) -> Share {
        blocking(self.limit(), Erlangs(self.offered * multiple))
    }

    /// What a rate of the reader's choice does: "×1.8: 900 req/s, refuses 0.02%".
    pub fn describe(&self, marker: Marker) -> String {
        let share = share(self.share_at(marker.multiple));
        let rate = short(self.rate * marker.multiple);
        format!(
            "×{}: {rate}{}{}, refuses {share}",
            display::number(marker.multiple),
            display::NBSP,
            self.unit
        )
    }

    /// What the picture says.
    pub fn alt(&self, marker: Option<Marker>) -> String {
        let chosen = self.curves.first().map_or("", |curve| curve.label.as_str());
        let mut text = format!(
            "Refused share of the busiest proxy against fleet rate, logarithmic. With {chosen}: {} at the peak of {}",
            share(self.share_at(1.0)),
            self.rate_text(1.0)
        );
        let mut add = |before: &str, what: &str, between: &str, multiple: f64| {
            if multiple.is_finite() {
                let _ = write!(text, "{before}{what}{between}{}", self.rate_text(multiple));
            }
        };
        for point in self.points.iter().flatten().filter(|point| !is_peak(point.multiple)) {
            add(", ", &share(point.share), " at ", point.multiple);
        }
        for curve in self.curves.iter().skip(1) {
            let reached = offered_for(u64::from(curve.limit), self.target).0 / self.offered;
            add(". With ", &curve.label, " the tolerated share is reached at ", reached);
        }
        if let Some(full) = self.full {
            add(". The hosts left are full at ", "", "", full);
        }
        if let Some(marker) = marker {
            let _ = write!(text, ". Marked: {}", self.describe(marker));
        }
        text + "."
    }

    /// The same in numbers.
    pub fn table(&self) -> Table {
        let head = std::iter::once(self.unit.to_owned()).chain(self.curves.iter().map(|c| c.label.clone()));
        let row = |multiple: f64| {
            let cell = |c: &Curve| share(blocking(u64::from(c.limit), Erlangs(self.offered * multiple)));
            std::iter::once(display::number(self.rate * multiple))
                .chain(self.curves.iter().map(cell))
                .collect()
        };
        Table { head: head.collect(), rows: [0.5, 1.0, 1.5, 2.0, 3.0, 4.0].map(row).to_vec() }
    }

    fn limit(&self) -> u64 {
        self.curves.first().map_or(1, |curve| u64::from(curve.limit))
    }

    fn rate_text(&self, multiple: f64) -> String {
        format!("{}{}{}", display::number(self.rate * multiple), display::NBSP, self.unit)
    }

    fn curve(&self, role: Role) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.role == role)
    }

    fn points_of(&self, at_target: f64, at_one_percent: f64) -> [Option<Point>; 3] {
        let on_axis = |multiple: f64| multiple > 0.0 && multiple <= MOST;
        let at_peak = self.share_at(1.0);
        let peak = (at_peak.0 >= LEAST).then(|| Point {
            multiple: 1.0,
            share: at_peak,
            label: format!("{} at peak", share(at_peak)),
        });
        let tolerated = (on_axis(at_target) && self.target.0 >= LEAST).then(|| {
            let label = format!("{}{}{}", short(self.rate * at_target), display::NBSP, self.unit);
            Point { multiple: at_target, share: self.target, label }
        });
        let one_percent = (on_axis(at_one_percent) && self.target.0 < 0.009).then(|| {
            let label = format!("1% at {}", short(self.rate * at_one_percent));
            Point { multiple: at_one_percent, share: Share(0.01), label }
        });
        [peak, tolerated, one_percent]
    }
}

/// A share as the chart's axis can show it.
fn share(share: Share) -> String {
    if share.0 < LEAST { "<\u{a0}0.0001%".to_owned() } else { display::share(share) }
}

fn is_peak(multiple: f64) -> bool {
    (multiple - 1.0).abs() < f64::EPSILON
}

fn curve(limit: u32, offered: f64, role: Role, word: &str) -> Curve {
    let servers = u64::from(limit);
    let mut line = Vec::new();
    let start = offered_for(servers, Share(LEAST)).0 / offered;
    if start < MOST {
        let start = start.max(0.0);
        for k in 0..=SPANS {
            let way = f64::from(k) / f64::from(SPANS);
            let multiple = start + (MOST - start) * way * way;
            let share = blocking(servers, Erlangs(offered * multiple)).0;
            line.push((multiple, share.clamp(LEAST, 1.0)));
        }
    }
    Curve { limit, role, label: format!("{word} {}", display::count(f64::from(limit))), line }
}
