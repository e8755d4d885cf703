//! Words of the gauge, placed for one width so that none touches another.
//!
//! Every word has candidates, best first; the first that fits is taken, and if none fits the word
//! is left out at that width. The sentence, the text alternative and the table still say it.

use super::{MARGINS, State, Zone, ZoneKind, row};
use crate::chart::scale::{At, short};
use crate::chart::text::{Anchor, Label, Tone};
use crate::engine::analysis::Window;

/// Distance from a mark to its label in CSS px.
const GAP: f64 = 6.0;
/// Least distance between two labels of a row, in CSS px.
const APART: f64 = 4.0;

/// What the labels belong to.
pub(super) struct Drawn<'a> {
    pub window: &'a Window,
    pub state: State,
    pub zones: &'a [Zone],
    pub chosen: Option<At>,
    pub recommended: Option<At>,
}

impl Drawn<'_> {
    fn zone(&self, kind: ZoneKind) -> Option<&Zone> {
        self.zones.iter().find(|zone| zone.kind == kind)
    }
}

/// What a label is about. Each has its place in the markup: one that comes or goes moves no other.
#[derive(Clone, Copy)]
enum Part {
    Floor,
    Ceiling,
    Number,
    /// "chosen", or that no number works.
    Verdict,
    Recommended,
    /// The second line of a recommendation in two.
    Below,
    TooTight,
    Overruns,
}

/// All words of the gauge at one width: a label for each part, blank where there is none.
pub(super) fn words(drawn: &Drawn<'_>, width: f64) -> Vec<Label> {
    let mut labels = vec![Label::blank(); Part::Overruns as usize + 1];
    match (drawn.chosen, drawn.zone(ZoneKind::Both)) {
        (_, Some(both)) => trap(drawn, both, width, &mut labels),
        (Some(chosen), None) => {
            edges(drawn, width, &mut labels);
            top_row(drawn, chosen, width, &mut labels);
        }
        (None, None) => {}
    }
    zone_words(drawn, width, &mut labels);
    labels
}

/// Adds the first candidate that stays within the margins and touches no label of its row.
fn place(labels: &mut [Label], part: Part, width: f64, candidates: Vec<Label>) {
    let fits = |label: &Label| {
        let (left, right) = label.span(width);
        let is_inside = left >= -MARGINS.0 && right <= width + MARGINS.1;
        is_inside
            && labels.iter().filter(|other| !other.is_blank() && (other.y - label.y).abs() < 12.0).all(
                |other| {
                    let (other_left, other_right) = other.span(width);
                    right + APART <= other_left || other_right + APART <= left
                },
            )
    };
    if let Some(label) = candidates.into_iter().find(fits) {
        labels[part as usize] = label;
    }
}

/// Floor and ceiling: the floor's label ends at the window, the ceiling's starts there.
fn edges(drawn: &Drawn<'_>, width: f64, labels: &mut [Label]) {
    let Some(window) = drawn.zone(ZoneKind::Window) else { return };
    let floor = exact_or_short("floor", drawn.window.floor);
    place(labels, Part::Floor, width, left_of(window.from, &floor, Tone::Ink));

    let mut candidates = match (drawn.state, drawn.window.ceiling) {
        (State::Open, Some(ceiling)) => {
            let floor = &labels[Part::Floor as usize];
            right_of(window.to, &exact_or_short("ceiling", ceiling), Tone::Ink, floor, width)
        }
        (State::FarCeiling, Some(ceiling)) => {
            let [exact, brief] = exact_or_short("ceiling", ceiling);
            at_end(drawn, width, &[&(exact + " →"), &(brief + " →"), "ceiling →"])
        }
        _ => at_end(drawn, width, &["no ceiling known", "no ceiling"]),
    };
    for label in candidates.iter_mut().filter(|label| label.tone == Tone::Ink) {
        let (left, right) = label.span(width);
        if drawn.recommended.is_some_and(|at| at.px(width) > left && at.px(width) < right) {
            label.tone = Tone::InkClear;
        }
    }
    place(labels, Part::Ceiling, width, candidates);
}

/// Labels that end at an edge, or start in the margin where that is too far left.
fn left_of(at: At, texts: &[String; 2], tone: Tone) -> Vec<Label> {
    let mut labels = hung(at, texts, Anchor::End, -2.0, tone);
    labels.append(&mut hung(At::START, texts, Anchor::Start, -60.0, tone));
    labels
}

/// Labels that start at an edge, or behind the label left of it where that one is in the way.
fn right_of(at: At, texts: &[String; 2], tone: Tone, left: &Label, width: f64) -> Vec<Label> {
    let behind = if left.is_blank() { 2.0 } else { left.span(width).1 + 1.1 * APART - at.px(width) };
    let mut candidates = hung(at, texts, Anchor::Start, 2.0, tone);
    candidates.append(&mut hung(at, texts, Anchor::Start, behind.max(2.0), tone));
    candidates
}

fn hung(at: At, texts: &[String; 2], anchor: Anchor, dx: f64, tone: Tone) -> Vec<Label> {
    texts.iter().map(|text| edge(text, at).hang(anchor, dx).tone(tone)).collect()
}

/// Labels at the right end of the axis that keep clear of the chosen value's line.
fn at_end(drawn: &Drawn<'_>, width: f64, texts: &[&str]) -> Vec<Label> {
    let line = drawn.chosen.map_or(f64::NEG_INFINITY, |at| at.px(width));
    let mut labels: Vec<Label> =
        texts.iter().map(|text| edge(text, At::END).hang(Anchor::End, 0.0)).collect();
    labels.retain(|label| label.span(width).0 > line + APART);
    labels
}

/// Floor above ceiling: both stand outside of what they forbid together.
fn trap(drawn: &Drawn<'_>, both: &Zone, width: f64, labels: &mut [Label]) {
    let ceiling = exact_or_short("ceiling", drawn.window.ceiling.unwrap_or_default());
    place(labels, Part::Ceiling, width, left_of(both.from, &ceiling, Tone::Danger));
    let floor = exact_or_short("floor", drawn.window.floor);
    let candidates = right_of(both.to, &floor, Tone::Danger, &labels[Part::Ceiling as usize], width);
    place(labels, Part::Floor, width, candidates);
    let verdict = Label::new("no number works", both.from.middle(both.to), row::TOP).tone(Tone::Danger);
    place(labels, Part::Verdict, width, vec![verdict.clone(), verdict.hang(Anchor::Start, 0.0)]);
}

/// The chosen number over its mark, its word beside it, and the recommendation where it differs.
fn top_row(drawn: &Drawn<'_>, chosen: At, width: f64, labels: &mut [Label]) {
    if let Some(at) = drawn.recommended {
        recommendation(drawn.window.recommended, at, width, labels);
    }
    let text = short(f64::from(drawn.window.chosen));
    let tone = if text.chars().count() > 5 { Tone::ReadoutLong } else { Tone::Readout };
    let centered = Label::new(text, chosen, row::TOP).tone(tone);
    // A number that would cover the dashed line ends before it.
    let number = match drawn.recommended {
        Some(at) if centered.span(width).1 + GAP > at.px(width) => {
            Label { at, ..centered }.hang(Anchor::End, -GAP)
        }
        _ => centered,
    };
    let (left, right) = number.span(width);
    let beside = |side: Anchor, text: &'static str| {
        let shift = if side == Anchor::End { left - GAP } else { right + GAP } - number.at.px(width);
        Label::new(text, number.at, row::TOP).hang(side, shift).tone(Tone::Main)
    };
    let stop = drawn.recommended.map_or(f64::INFINITY, |at| at.px(width) - GAP);
    let sides =
        if chosen.percent() > 40.0 { [Anchor::End, Anchor::Start] } else { [Anchor::Start, Anchor::End] };
    let texts: &[_] =
        if drawn.recommended.is_some() { &["chosen"] } else { &["chosen, as recommended", "chosen"] };
    // The gap to the number is in the label's shift already, so it is placed before the number.
    let mut candidates = Vec::new();
    for text in texts {
        candidates.extend(sides.map(|side| beside(side, text)));
    }
    candidates.retain(|label| label.span(width).1 <= stop);
    place(labels, Part::Verdict, width, candidates);
    labels[Part::Number as usize] = number;
}

/// "7 recommended" right of its line, in two lines where one is too long.
fn recommendation(value: u32, at: At, width: f64, labels: &mut [Label]) {
    let number = short(f64::from(value));
    let label = |text: String, y| Label::new(text, at, y).hang(Anchor::Start, 9.0).tone(Tone::Ink);
    let line = label(format!("{number} recommended"), row::TOP);
    if line.span(width).1 <= width + MARGINS.1 {
        labels[Part::Recommended as usize] = line;
    } else {
        labels[Part::Recommended as usize] = label(number, row::UPPER);
        labels[Part::Below as usize] = label("recommended".to_owned(), row::TOP);
    }
}

/// Words inside the bar; they keep clear of the dashed line where there is room.
fn zone_words(drawn: &Drawn<'_>, width: f64, labels: &mut [Label]) {
    let words: [(Part, ZoneKind, &[&str]); 2] = [
        (Part::TooTight, ZoneKind::TooTight, &["too tight"]),
        (Part::Overruns, ZoneKind::Overruns, &["overruns the hosts", "overruns"]),
    ];
    for (part, kind, texts) in words {
        let Some(zone) = drawn.zone(kind) else { continue };
        let (from, to) = free_part(drawn, zone);
        let room = to.px(width) - from.px(width) - 2.0 * GAP;
        if let Some(text) = texts.iter().find(|text| Tone::Quiet.width(text) <= room) {
            labels[part as usize] = Label::new(*text, from.middle(to), row::ZONE);
        }
    }
}

/// The part of a zone that no other zone and no line cuts.
fn free_part(drawn: &Drawn<'_>, zone: &Zone) -> (At, At) {
    if let Some(both) = drawn.zone(ZoneKind::Both) {
        return if zone.kind == ZoneKind::TooTight { (zone.from, both.from) } else { (both.to, zone.to) };
    }
    match drawn.recommended {
        Some(line) if line > zone.from && line < zone.to => {
            let (left, right) = (line.percent() - zone.from.percent(), zone.to.percent() - line.percent());
            if left > right { (zone.from, line) } else { (line, zone.to) }
        }
        _ => (zone.from, zone.to),
    }
}

fn edge(text: &str, at: At) -> Label {
    Label::new(text, at, row::EDGE)
}

fn exact_or_short(word: &str, value: u32) -> [String; 2] {
    use crate::engine::units::display::count;
    let value = f64::from(value);
    let brief = if value < 1e6 { format!("{}k", count((value / 1e3).floor())) } else { short(value) };
    [format!("{word} {}", count(value)), format!("{word} {}", if value < 1e5 { count(value) } else { brief })]
}
