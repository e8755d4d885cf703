//! Geometry of the timeout ladder: every clock on one linear axis of time.
//!
//! Worst case, to scale. The per-try clock starts only once a connection is attached, so the
//! connect timeout counts on top of it, in every attempt.

mod chain;
mod markup;
mod timeline;

pub use chain::{Chain, Link};

use super::Table;
use super::scale::{At, readable_step};
use super::text::{Anchor, Label, Shown, Tone};
use crate::engine::analysis::{Analysis, LatencySummary, RetryPolicy, Timeouts};
use crate::engine::units::{Millis, display};

/// The narrowest plot beside labels and values, in CSS px.
const NARROWEST: f64 = 200.0;
/// Baseline of the axis labels, in CSS px.
const TICK_ROW: f64 = 12.0;

/// The clocks of a request, or of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// Rungs, in the order in which they can end.
    pub rungs: Vec<Rung>,
    /// Where grid lines stand.
    pub grid: Vec<At>,
    /// Where the route timeout cuts everything, if it is on.
    pub cut: Option<At>,
    /// Unit of the axis and what it counts from.
    pub axis_note: &'static str,
    /// Words under the axis.
    pub labels: Vec<Label>,
    /// The same as inequalities.
    pub chain: Chain,
    /// What the picture says.
    pub alt: String,
}

/// A row of the ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct Rung {
    /// What it is.
    pub name: String,
    /// Its setting or its reason.
    pub note: String,
    /// What is drawn.
    pub marks: Vec<Mark>,
    /// When it ends, or that it is off.
    pub value: String,
}

/// Something drawn in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A thin line: a spread, or time to spare.
    Line(At, At),
    /// A percentile.
    Dot(At),
    /// Waiting for a connection, at most.
    Wait(At, At),
    /// An attempt under its clock.
    Try(At, At),
    /// A random pause, at most.
    Pause(At, At),
    /// A limit around the others.
    Limit(At, At),
    /// Words.
    Text(Label),
}

/// What a ladder is drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject<'a> {
    /// The clocks.
    pub timeouts: &'a Timeouts,
    /// Attempts and back-offs.
    pub retry: &'a RetryPolicy,
    /// How long good responses take.
    pub latency: &'a LatencySummary,
    /// Whether the deadline was typed, not assumed.
    pub deadline_is_given: bool,
    /// Whether requests are long-lived streams.
    pub streams: bool,
}

/// Time to position, and the unit in which a chart names times.
struct Clock {
    end: Millis,
    unit: Millis,
}

impl Clock {
    fn at(&self, time: Millis) -> At {
        At::linear(time.0, self.end.0)
    }

    /// The number alone where the axis has milliseconds, else with its own unit.
    fn brief(&self, time: Millis) -> String {
        if self.unit.0 <= 1.0 { display::number(time.0) } else { display::millis(time) }
    }

    /// The number with the unit of the axis where that is milliseconds, else with its own unit.
    fn full(&self, time: Millis) -> String {
        if self.unit.0 <= 1.0 {
            format!("{}{}ms", display::number(time.0), display::NBSP)
        } else {
            display::millis(time)
        }
    }
}

impl Ladder {
    /// The ladder of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        Self::new(Subject {
            timeouts: &analysis.timeouts,
            retry: &analysis.retry,
            latency: &analysis.latency,
            deadline_is_given: analysis.scenario.deadline_ms.is_some(),
            streams: analysis.scenario.protocol.streams(),
        })
    }

    /// The ladder of these clocks.
    pub fn new(subject: Subject<'_>) -> Self {
        let clock = clock(&subject);
        let rungs = if subject.streams {
            timeline::stream(&subject, &clock)
        } else {
            timeline::request(&subject, &clock)
        };
        let step = readable_step(clock.end.0 / clock.unit.0, 5.0) * clock.unit.0;
        let n = (clock.end.0 / step * (1.0 + 1e-9)).floor();
        let ticks: Vec<Millis> = std::iter::successors(Some(0.0), |k| (k + 1.0 <= n).then_some(k + 1.0))
            .map(|k| Millis(k * step))
            .collect();
        Self {
            axis_note: axis_note(&clock, subject.streams),
            labels: tick_labels(&ticks, &clock),
            grid: ticks.into_iter().map(|tick| clock.at(tick)).collect(),
            cut: is_on(subject.timeouts.route_ms).map(|route| clock.at(route)),
            chain: Chain::of(&subject),
            alt: alt(&rungs, subject.streams),
            rungs,
        }
    }

    /// The same in numbers.
    pub fn table(&self) -> Table {
        Table {
            head: ["Clock", "What runs", "Ends at"].map(str::to_owned).to_vec(),
            rows: self
                .rungs
                .iter()
                .map(|rung| vec![rung.name.clone(), rung.note.clone(), rung.value.clone()])
                .collect(),
        }
    }
}

/// A clock that is set and not off.
fn is_on(time: Millis) -> Option<Millis> {
    (time.0 > 0.0).then_some(time)
}

/// The axis ends at the last limit; a response slower than twice that is named, not shown.
fn clock(subject: &Subject<'_>) -> Clock {
    let t = subject.timeouts;
    let limits = [
        Some(t.route_ms),
        t.deadline_ms,
        t.stream_idle_ms.filter(|_| subject.streams),
        t.max_stream_duration_ms.filter(|_| subject.streams),
        Some(t.connect_ms),
        is_on(t.route_ms).map_or(Some(t.all_attempts_ms), |_| None),
    ];
    let longest = limits.into_iter().flatten().fold(Millis(0.0), Millis::max);
    let longest = if longest.0 > 0.0 && longest.0.is_finite() { longest } else { Millis(1.0) };
    let end = longest.max(subject.latency.p999_ms.min(longest * 2.0));
    let unit = match end.0 {
        ms if ms < 10_000.0 => 1.0,
        ms if ms < 600_000.0 => 1000.0,
        ms if ms < 3.0 * 3_600_000.0 => 60_000.0,
        _ => 3_600_000.0,
    };
    Clock { end, unit: Millis(unit) }
}

fn axis_note(clock: &Clock, streams: bool) -> &'static str {
    let notes = if streams {
        [
            "ms, each from its own start",
            "s, each from its own start",
            "min, each from its own start",
            "h, each from its own start",
        ]
    } else {
        [
            "ms after the request is complete",
            "s after the request is complete",
            "min after the request is complete",
            "h after the request is complete",
        ]
    };
    match clock.unit.0 {
        unit if unit <= 1.0 => notes[0],
        unit if unit <= 1000.0 => notes[1],
        unit if unit <= 60_000.0 => notes[2],
        _ => notes[3],
    }
}

fn tick_labels(ticks: &[Millis], clock: &Clock) -> Vec<Label> {
    let texts: Vec<String> = ticks.iter().map(|tick| display::number(tick.0 / clock.unit.0)).collect();
    let widest = texts.iter().map(|text| Tone::Quiet.width(text)).fold(0.0, f64::max);
    let pitch = ticks.get(1).map_or(NARROWEST, |tick| clock.at(*tick).px(NARROWEST));
    let stride = [1_u8, 2, 3].into_iter().find(|&k| f64::from(k) * pitch >= widest + 4.0).unwrap_or(5);
    let label = |(tick, text): (&Millis, &String)| {
        let label = Label::new(text.clone(), clock.at(*tick), TICK_ROW);
        match tick.0 {
            first if first <= 0.0 => label.hang(Anchor::Start, 0.0),
            // Centered, the last one would run into the column of values.
            _ if label.at.percent() > 97.0 => label.hang(Anchor::End, 0.0),
            _ => label,
        }
    };
    ticks.iter().zip(&texts).step_by(usize::from(stride)).map(label).collect()
}

/// Time that is left between the last attempt and the route timeout, with its words where they
/// fit.
fn spare(from: Millis, to: Millis, clock: &Clock) -> Vec<Mark> {
    let (start, end) = (clock.at(from), clock.at(to));
    if to <= from {
        return Vec::new();
    }
    let mut marks = vec![Mark::Line(start, end)];
    let gap = end.percent() - start.percent();
    // Half of the narrowest plot takes the words; less of it only where rows are long.
    let shown = if gap >= 50.0 { Shown::Always } else { Shown::Roomy };
    if gap >= 20.0 {
        let label = Label::new(format!("{} to spare", clock.full(to - from)), start.middle(end), 0.0);
        marks.push(Mark::Text(Label { shown, ..label }));
    }
    marks
}

fn alt(rungs: &[Rung], streams: bool) -> String {
    let subject = if streams { "a stream" } else { "a request" };
    let parts: Vec<String> = rungs
        .iter()
        .map(|rung| {
            let note = if rung.note.is_empty() { String::new() } else { format!(" ({})", rung.note) };
            format!("{}{note}: {}", rung.name, rung.value)
        })
        .collect();
    format!("Clocks of {subject}, worst case. {}.", parts.join("; "))
}
