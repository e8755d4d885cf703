//! Geometry of the headroom rows: how far each limit is from tripping, as multiples of today.
//!
//! The axis is logarithmic from ×1 and ends behind the last bar, but not later than at ×100: what
//! lasts a hundredfold is no limit, and a longer axis would squeeze those that are.

use super::Table;
use super::scale::{At, log_end};
use super::text::{Anchor, Label, Tone};
use crate::engine::analysis::{Analysis, Trip};
use crate::engine::units::{Share, display};
use crate::markup::{Html, LabeledIcon};

/// The narrowest plot beside labels and values, in CSS px.
const NARROWEST: f64 = 190.0;
/// Below this, today's peak uses all of a limit: it is written as ×1.00.
const NO_ROOM: f64 = 1.01;
/// Where there may be ticks, up to the end of the longest axis.
const TICKS: [f64; 7] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, MOST];
/// The longest axis.
const MOST: f64 = 100.0;
/// Baselines of the axis labels, in CSS px.
const TICK_ROW: f64 = 12.0;
const ASKED_ROW: f64 = 27.0;

/// Headroom of each limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Headroom {
    /// What the bars measure.
    pub subtitle: String,
    /// Limits, the first to trip on top.
    pub rows: Vec<Row>,
    /// Where grid lines stand.
    pub grid: Vec<At>,
    /// The slowdown that was asked for; none if it was ×1.
    pub asked: Option<At>,
    /// Words under the axis; those that are not needed are blank.
    pub labels: Vec<Label>,
    /// What the picture says.
    pub alt: String,
}

/// A limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Envoy's name of the setting, or `hosts`.
    pub setting: &'static str,
    /// Its value, and what uses it up.
    pub note: String,
    /// Where it trips.
    pub reach: Reach,
    /// The multiple, written out.
    pub value: String,
    /// What is wrong with it; empty if nothing is.
    pub lack: &'static str,
}

/// How far a limit reaches.
#[derive(Clone, Debug, PartialEq)]
pub enum Reach {
    /// It trips at this multiple.
    To {
        /// End of the bar.
        at: At,
        /// Whether that is less than was asked for, or no growth at all.
        is_short: bool,
    },
    /// It trips, but beyond the end of the axis.
    Beyond,
    /// It does not trip by load or latency, for this reason.
    Never(&'static str),
}

impl Headroom {
    /// The headroom of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        Self::new(&analysis.trips, analysis.scenario.slowdown, analysis.scenario.shed_target)
    }

    /// The headroom that `trips` leave, when a slowdown of `asked` was asked for and `target` is
    /// tolerated.
    pub fn new(trips: &[Trip], asked: f64, target: Share) -> Self {
        let sorted = ranked(trips);
        let longest = sorted.iter().map(|trip| reach(trip)).filter(|m| m.is_finite()).fold(asked, f64::max);
        let end = log_end(longest).min(MOST);
        let rows: Vec<Row> = sorted.iter().map(|trip| row(trip, asked, end)).collect();
        let grid = ticks(end);
        let asked_at = (asked > 1.0).then(|| At::log(asked, end));
        Self {
            subtitle: format!(
                "Growth until more than {} fails, one cause at a time",
                display::one_in(target)
            ),
            labels: axis_labels(&grid, asked, end),
            grid: grid.iter().map(|&tick| At::log(tick, end)).collect(),
            asked: asked_at,
            alt: alt(&rows, asked),
            rows,
        }
    }
}

impl Headroom {
    /// Writes the list.
    pub fn write(&self, out: &mut Html) {
        out.slot("<p hidden id=\"{}\">", "s-trips-alt", &self.alt, "</p>");
        out.raw("<ul class=\"hr-rows\" aria-labelledby=\"s-trips-alt\">");
        for (at, row) in self.rows.iter().enumerate() {
            self.row(out, at, row);
        }
        out.row_axis("times today’s peak", &self.labels);
        out.raw("</ul>");
    }

    fn row(&self, out: &mut Html, at: usize, row: &Row) {
        // By place, so that a row that moves in the ranking becomes another by its texts.
        let at = &at.to_string();
        out.put("<li id=\"s-trip-row-{}\"><span><code>{}</code>", &[at, &row.setting]);
        out.slot("<small id=\"s-trip-note-{}\">", at, &row.note, "</small></span>");
        out.raw("<svg class=\"hr-svg\" aria-hidden=\"true\">");
        out.grid(&self.grid);
        if let Some(at) = self.asked {
            out.vertical("hr-ref", at);
        }
        // Bars move with every keystroke, on an axis that stays.
        out.begin("<g id=\"s-trip-bar-{}\">", at);
        let mut is_short = false;
        match row.reach {
            Reach::To { at, is_short: it_is } => {
                is_short = it_is;
                let (bar, mark) = if is_short {
                    ("hr-bar hr-bar--thin hr-bar--caution", "hr-mark hr-bar--caution")
                } else {
                    ("hr-bar hr-bar--thin", "hr-mark")
                };
                out.horizontal(bar, At::START, at);
                out.dot(mark, at, 5);
            }
            Reach::Beyond => {
                out.horizontal("hr-bar hr-bar--thin", At::START, At::END);
                let arrow = Label::new("→", At::END, 0.0).hang(Anchor::Start, 2.0).tone(Tone::Main);
                out.row_label(&arrow);
            }
            Reach::Never(reason) => {
                out.row_label(&Label::new(reason, At::START, 0.0).hang(Anchor::Start, 6.0));
            }
        }
        out.end("</g></svg>");
        // The icon is always there: a class is less to change than an element.
        out.begin("<span class=\"hr-num\" id=\"s-trip-at-{}\">", at);
        let tone = if is_short { "hr-caution" } else { "hr-none" };
        out.put("{}{}", &[&LabeledIcon("caution", tone, row.lack), &row.value]);
        out.end("</span></li>");
    }
}

/// The first to trip first. Limits that never trip come last; what trips together stays in the order given.
fn ranked(trips: &[Trip]) -> Vec<&Trip> {
    let mut sorted: Vec<&Trip> = Vec::new();
    for trip in trips {
        let at = sorted.partition_point(|other| reach(other) <= reach(trip));
        sorted.insert(at, trip);
    }
    sorted
}

/// The multiple at which a limit trips first; infinite if it never does.
fn reach(trip: &Trip) -> f64 {
    trip.first().filter(|m| !m.is_nan()).unwrap_or(f64::INFINITY)
}

fn row(trip: &Trip, asked: f64, end: f64) -> Row {
    let multiple = reach(trip);
    if !multiple.is_finite() {
        return Row {
            setting: trip.setting,
            note: trip.value.clone(),
            reach: Reach::Never(trip.cause),
            value: "never".to_owned(),
            lack: "",
        };
    }
    // What was asked is a slower upstream: a limit that only more traffic uses up is short where today
    // uses all of it.
    let is_below = trip.latency_multiple.is_some_and(|m| m < asked * (1.0 - 1e-9));
    let lack = match multiple {
        m if m < NO_ROOM => "no room to grow",
        _ if is_below => "less than asked",
        _ => "",
    };
    let is_short = !lack.is_empty();
    let reach =
        if multiple > end { Reach::Beyond } else { Reach::To { at: At::log(multiple, end), is_short } };
    Row {
        setting: trip.setting,
        note: format!("{} · {}", trip.value, trip.cause),
        reach,
        value: display::multiple(multiple),
        lack,
    }
}

/// 1, 2, 5, 10, … up to `end`.
fn ticks(end: f64) -> Vec<f64> {
    TICKS.into_iter().filter(|tick| *tick <= end).collect()
}

/// Labels under the axis: the asked multiple first, then the ends, then what still fits. Each tick has its
/// place, and those that do not fit leave theirs blank.
fn axis_labels(ticks: &[f64], asked: f64, end: f64) -> Vec<Label> {
    let tick = |value: f64| {
        let label = Label::new(format!("×{}", display::number(value)), At::log(value, end), TICK_ROW);
        if value >= end { label.hang(Anchor::End, 0.0) } else { label }
    };
    let mut labels = vec![Label::blank(); 2 + TICKS.len()];
    if asked > 1.0 {
        let label = tick(asked).tone(Tone::Ink);
        labels[1] = Label { text: "asked".to_owned(), y: ASKED_ROW, ..label.clone() };
        labels[0] = label;
    }
    let fits = |label: &Label, labels: &[Label]| {
        let (left, right) = label.span(NARROWEST);
        let is_near = |other: &&Label| !other.is_blank() && (other.y - label.y).abs() < 1.0;
        labels.iter().filter(is_near).all(|other| {
            let (other_left, other_right) = other.span(NARROWEST);
            right + 4.0 < other_left || other_right + 4.0 < left
        })
    };
    let last = ticks.len().saturating_sub(1);
    for at in [0, last].into_iter().chain(1..last) {
        let label = ticks.get(at).map_or_else(Label::blank, |value| tick(*value));
        if fits(&label, &labels) {
            labels[2 + at] = label;
        }
    }
    labels
}

fn alt(rows: &[Row], asked: f64) -> String {
    let parts: Vec<String> = rows
        .iter()
        .map(|row| match &row.reach {
            Reach::To { is_short: true, .. } => format!("{} at {}, {}", row.setting, row.value, row.lack),
            Reach::To { .. } | Reach::Beyond => format!("{} at {}", row.setting, row.value),
            Reach::Never(_) => format!("{} never", row.setting),
        })
        .collect();
    let asked = if asked > 1.0 {
        format!(" Asked for: an upstream {} slower.", display::multiple(asked))
    } else {
        String::new()
    };
    format!("What trips first, as a multiple of today's peak: {}.{asked}", parts.join("; "))
}

/// The rows of an analysis in numbers, with what each limit is used at.
pub fn table_of(analysis: &Analysis) -> Table {
    with_uses(table(&analysis.trips), analysis)
}

/// Limits in numbers, the first to trip on top.
pub fn table(trips: &[Trip]) -> Table {
    let head = ["Limit", "Value", "Trips at rate", "Trips at latency", "Used up by"];
    let multiple = |value: Option<f64>| match value {
        Some(value) if value.is_finite() => display::multiple(value),
        _ => "never".to_owned(),
    };
    let rows = ranked(trips)
        .into_iter()
        .map(|trip| {
            vec![
                trip.setting.to_owned(),
                trip.value.clone(),
                multiple(trip.rate_multiple),
                multiple(trip.latency_multiple),
                trip.cause.to_owned(),
            ]
        })
        .collect();
    Table { head: head.map(str::to_owned).to_vec(), rows }
}

/// The table with what each limit is used at: mean, peak and slowdown, beside its value.
fn with_uses(mut table: Table, a: &Analysis) -> Table {
    for (at, name) in ["At mean", "At peak", "At slowdown"].into_iter().enumerate() {
        table.head.insert(1 + at, name.to_owned());
    }
    for row in &mut table.rows {
        let uses = row.first().map_or_else(unknown, |setting| uses(a, setting));
        for (at, text) in uses.into_iter().enumerate() {
            row.insert(1 + at, text);
        }
    }
    table
}

/// How much of a limit is used at the mean, in the worst second, and then with the slowdown and its
/// retries: what the sizing itself asks of it, of the DEFAULT priority's busiest proxy.
fn uses(a: &Analysis, setting: &str) -> [String; 3] {
    let (s, peak) = (&a.scenario, &a.forecast.use_at_peak);
    let slower = s.slowdown * (1.0 + s.retry_overhead);
    let show = |values: [f64; 3]| values.map(|value| display::significant(value, 3));
    match setting {
        "max_requests" => {
            let busiest = peak.max_requests.0;
            show([busiest / s.burst, busiest, busiest * slower])
        }
        "max_pending_requests" => {
            let busiest = peak.max_pending_requests;
            // Arrivals during one connect: no response is waited for, so a slowdown changes nothing.
            show([busiest / s.burst, busiest, busiest])
        }
        "max_connections" => ["–".to_owned(), display::count(peak.max_connections as f64), "–".to_owned()],
        "hosts" => {
            let fleet = a.load.fleet_concurrency_at_peak.0;
            show([a.load.fleet_concurrency.0, fleet, fleet * slower])
        }
        // A timeout is used up by time, whatever the load: mean, then the slowest of a thousand.
        _ => {
            let slowest = a.latency.p999_ms;
            [a.latency.mean_ms, slowest, slowest * s.slowdown].map(display::millis)
        }
    }
}

fn unknown() -> [String; 3] {
    ["–"; 3].map(str::to_owned)
}
