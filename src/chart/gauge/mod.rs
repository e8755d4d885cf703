//! Geometry of the window gauge: floor, ceiling, recommendation and choice on one axis.
//!
//! Two scales share the axis: a proxy and the whole fleet. The window reaches half a request
//! beyond its ends, so that a window of one value can still be seen. Positions are percent of the
//! width; labels hang from them in px, and gaps between labels only grow with the width. So a
//! layout that fits the narrowest plot of a class of widths fits all of them, and two layouts
//! (narrow, wide) are enough; what they share is shown always.

mod labels;
mod markup;

use super::Table;
use super::scale::{At, Axis, short};
use super::text::{Label, Shown, Tone};
use crate::engine::analysis::{Analysis, Window};
use crate::engine::units::display;

/// The narrowest plots, in CSS px, in a container of 320 px and just above 26 rem.
pub const WIDTHS: (f64, f64) = (212.0, 340.0);
/// Room for text left of the plot and right of it, in CSS px.
pub const MARGINS: (f64, f64) = (72.0, 28.0);

/// Top and bottom of the bar, in CSS px.
pub const BAR: (f64, f64) = (70.0, 98.0);
/// Height of the whole gauge, in CSS px.
pub const HEIGHT: f64 = 142.0;

/// As many ticks as an axis can have.
const MOST_TICKS: usize = 9;

/// Baselines of the rows of text, in CSS px.
pub mod row {
    /// First line of a recommendation in two lines.
    pub const UPPER: f64 = 19.0;
    /// Chosen and recommended.
    pub const TOP: f64 = 34.0;
    /// Floor and ceiling.
    pub const EDGE: f64 = 60.0;
    /// Words inside the bar.
    pub const ZONE: f64 = 88.5;
    /// Ticks of a proxy.
    pub const PROXY: f64 = 118.0;
    /// Ticks of the fleet.
    pub const FLEET: f64 = 138.0;
}

/// The gauge of `max_requests`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// Which of the four pictures it is.
    pub state: State,
    /// Largest value on the axis, per proxy.
    pub end: f64,
    /// Spans of the bar, left to right; in a trap they overlap.
    pub zones: Vec<Zone>,
    /// Where the chosen value stands; none in a trap.
    pub chosen: Option<At>,
    /// Where the recommendation stands, if it was not chosen.
    pub recommended: Option<At>,
    /// Where the axis is marked.
    pub ticks: Vec<At>,
    /// All words and numbers; each has its place, and those that are not needed are blank.
    pub labels: Vec<Label>,
    /// Numbers of both scales, likewise.
    pub tick_labels: Vec<Label>,
    /// What the picture says.
    pub alt: String,
}

/// The four pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Floor and ceiling with room for at least one value between.
    Open,
    /// The ceiling lies far to the right of everything else.
    FarCeiling,
    /// What the hosts survive is not known.
    NoCeiling,
    /// The floor lies above the ceiling: no number works.
    Trap,
}

/// A span of the bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// What the span means.
    pub kind: ZoneKind,
    /// Left end.
    pub from: At,
    /// Right end.
    pub to: At,
}

/// What a span of the bar means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZoneKind {
    /// Below the floor.
    TooTight,
    /// Between floor and ceiling.
    Window,
    /// Above the ceiling.
    Overruns,
    /// Below the floor and above the ceiling.
    Both,
}

impl Zone {
    /// Width of the span.
    pub fn width(&self) -> At {
        At::linear(self.to.percent() - self.from.percent(), 100.0)
    }
}

/// A window and what it is drawn against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject<'a> {
    /// Floor, recommendation, ceiling and choice.
    pub window: &'a Window,
    /// Proxies of the fleet.
    pub clients: u32,
    /// Requests in flight that the hosts left survive, if known.
    pub hosts_survive: Option<f64>,
}

impl<'a> Subject<'a> {
    /// The window of an analysis.
    pub fn of(analysis: &'a Analysis) -> Self {
        Self {
            window: &analysis.window,
            clients: analysis.scenario.clients,
            hosts_survive: analysis.forecast.hosts_survive,
        }
    }

    /// That of HIGH priority, if there is one. What the hosts survive is for both priorities together.
    pub fn of_high(analysis: &'a Analysis) -> Option<Self> {
        let window = analysis.high_window.as_ref()?;
        Some(Self { window, clients: analysis.scenario.clients, hosts_survive: None })
    }

    /// What the gauge shows, in numbers.
    pub fn table(&self) -> Table {
        table(self, state(self.window))
    }
}

impl Gauge {
    /// The gauge of an analysis.
    pub fn of(analysis: &Analysis) -> Self {
        Self::new(Subject::of(analysis))
    }

    /// The gauge of HIGH priority, if there is one.
    pub fn of_high(analysis: &Analysis) -> Option<Self> {
        Subject::of_high(analysis).map(Self::new)
    }

    /// The gauge of a window.
    pub fn new(subject: Subject<'_>) -> Self {
        let window = subject.window;
        let state = state(window);
        let axis = axis(window, state);
        let at = |value: f64| At::linear(value, axis.end);
        let zones = zones(window, state, at);
        let chosen = (state != State::Trap).then(|| at(f64::from(window.chosen)));
        let recommended = (state != State::Trap && window.recommended != window.chosen)
            .then(|| at(f64::from(window.recommended)));

        let drawn = labels::Drawn { window, state, zones: &zones, chosen, recommended };
        let labels = both_widths([WIDTHS.0, WIDTHS.1].map(|width| labels::words(&drawn, width)));
        let ticks: Vec<f64> = axis.ticks().collect();
        let mut tick_labels = Vec::new();
        for (y, times) in [(row::PROXY, 1.0), (row::FLEET, f64::from(subject.clients))] {
            tick_labels.append(&mut labels_of(&ticks, axis.end, y, times));
        }

        Self {
            state,
            end: axis.end,
            chosen,
            recommended,
            labels,
            tick_labels,
            ticks: ticks.into_iter().map(at).collect(),
            alt: alt(&subject, state),
            zones,
        }
    }
}

fn state(window: &Window) -> State {
    match window.ceiling {
        None => State::NoCeiling,
        Some(_) if window.is_shut() => State::Trap,
        Some(ceiling) if u64::from(ceiling) > 4 * u64::from(window.recommended) => State::FarCeiling,
        Some(_) => State::Open,
    }
}

fn axis(window: &Window, state: State) -> Axis {
    let ceiling = window.ceiling.filter(|_| matches!(state, State::Open | State::Trap));
    let largest = [Some(window.floor), Some(window.recommended), Some(window.chosen), ceiling]
        .into_iter()
        .flatten()
        .max()
        .unwrap_or(1);
    Axis::reaching(1.6 * f64::from(largest))
}

fn zones(window: &Window, state: State, at: impl Fn(f64) -> At) -> Vec<Zone> {
    let zone = |kind, from, to| Zone { kind, from, to };
    let floor = at(f64::from(window.floor) - 0.5);
    let ceiling = match (window.ceiling, state) {
        (Some(ceiling), State::Open | State::Trap) => at(f64::from(ceiling) + 0.5),
        _ => At::END,
    };
    if let (State::Trap, Some(limit)) = (state, window.ceiling) {
        // A trap of one has no value between ceiling and floor, and must be seen all the same.
        let middle = f64::midpoint(f64::from(limit), f64::from(window.floor));
        let from = at((f64::from(limit) + 0.5).min(middle - 0.5));
        let to = at((f64::from(window.floor) - 0.5).max(middle + 0.5));
        return vec![
            zone(ZoneKind::TooTight, At::START, to),
            zone(ZoneKind::Overruns, from, At::END),
            zone(ZoneKind::Both, from, to),
        ];
    }
    let mut zones = vec![zone(ZoneKind::TooTight, At::START, floor), zone(ZoneKind::Window, floor, ceiling)];
    if ceiling < At::END {
        zones.push(zone(ZoneKind::Overruns, ceiling, At::END));
    }
    zones
}

/// The labels of both layouts, in pairs: one where they agree, else each for its widths.
fn both_widths([narrow, wide]: [Vec<Label>; 2]) -> Vec<Label> {
    let mut labels = Vec::with_capacity(2 * narrow.len());
    for (narrow, wide) in narrow.into_iter().zip(wide) {
        if narrow == wide {
            labels.extend([wide, Label::blank()]);
        } else {
            labels.extend([Label { shown: Shown::Wide, ..wide }, Label { shown: Shown::Narrow, ..narrow }]);
        }
    }
    labels
}

/// Labels of one scale; where they would touch, every second or fourth stays.
fn labels_of(ticks: &[f64], end: f64, y: f64, times: f64) -> Vec<Label> {
    let mut labels: Vec<Label> =
        ticks.iter().map(|&tick| Label::new(short(tick * times), At::linear(tick, end), y)).collect();
    let widest = labels.iter().map(|label| Tone::Quiet.width(&label.text)).fold(0.0, f64::max);
    let [narrow, wide] = [WIDTHS.0, WIDTHS.1].map(|width| {
        let pitch = width / (ticks.len() - 1).max(1) as f64;
        [1_usize, 2, 4].into_iter().find(|&k| k as f64 * pitch >= widest + 6.0).unwrap_or(8)
    });
    for (k, label) in labels.iter_mut().enumerate() {
        match (k.is_multiple_of(narrow), k.is_multiple_of(wide)) {
            (true, true) => {}
            (true, false) => label.shown = Shown::Narrow,
            (false, true) => label.shown = Shown::Wide,
            (false, false) => *label = Label::blank(),
        }
    }
    labels.resize(labels.len().max(MOST_TICKS), Label::blank());
    labels
}

fn alt(subject: &Subject<'_>, state: State) -> String {
    let Window { floor, recommended, chosen, ceiling } = subject.window;
    let n = |value: &u32| display::count(f64::from(*value));
    let ceiling = match ceiling {
        Some(ceiling) => format!("ceiling {}", n(ceiling)),
        None => "no ceiling known".to_owned(),
    };
    if state == State::Trap {
        return format!(
            "Window of max_requests per proxy: {ceiling} lies below floor {}, so no number works.",
            n(floor)
        );
    }
    let recommended = if recommended == chosen {
        "; the chosen value is the recommended one".to_owned()
    } else if subject.window.ceiling.is_some_and(|ceiling| *recommended > ceiling) {
        format!("; recommended {} lies above the ceiling", n(recommended))
    } else {
        format!("; recommended {}", n(recommended))
    };
    let survive = match subject.hosts_survive {
        Some(survive) => format!(", the hosts survive {}", display::number(survive.floor())),
        None => String::new(),
    };
    format!(
        "Window of max_requests per proxy: floor {}, chosen {}, {ceiling}{recommended}. \
         Fleet sum of the choice is {}{survive}.",
        n(floor),
        n(chosen),
        display::count(f64::from(*chosen) * f64::from(subject.clients)),
    )
}

fn table(subject: &Subject<'_>, state: State) -> Table {
    let window = subject.window;
    let chosen = (state != State::Trap).then_some(window.chosen);
    let row = |name: &str, value: Option<u32>, none: &str| {
        let show = |times: f64| value.map_or(none.to_owned(), |v| display::count(f64::from(v) * times));
        vec![name.to_owned(), show(1.0), show(f64::from(subject.clients))]
    };
    let mut rows = vec![
        row("Floor", Some(window.floor), ""),
        row("Chosen", chosen, "no number works"),
        row("Recommended", Some(window.recommended), ""),
        row("Ceiling", window.ceiling, "not known"),
    ];
    if let Some(survive) = subject.hosts_survive {
        rows.push(vec!["Hosts survive".to_owned(), "–".to_owned(), display::number(survive.floor())]);
    }
    let fleet = display::plural(f64::from(subject.clients), "proxy", "proxies");
    Table { head: vec!["max_requests".to_owned(), "a proxy".to_owned(), format!("fleet of {fleet}")], rows }
}
