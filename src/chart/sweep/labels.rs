//! Labels of the sweep: each takes the first place around its point that is free.

use super::draw::{SweepPlot, Traced, position};
use super::{LEAST, MOST, Marker, Sweep, share};
use crate::chart::room::{Place, REFERENCE, Room};
use crate::chart::svg::Role;
use crate::chart::text::{Anchor, Tone};
use crate::engine::units::display;

/// Through every reference line there is, but through nothing dearer.
const ACROSS_REFERENCES: u32 = 3 * REFERENCE;

const AROUND: [Place; 8] = [
    (0.8, 1.2, Anchor::Start),
    (-0.75, -0.6, Anchor::End),
    (0.9, 0.35, Anchor::Start),
    (0.0, -0.9, Anchor::Middle),
    (-0.9, 0.35, Anchor::End),
    (0.0, 1.8, Anchor::Middle),
    (0.75, -0.6, Anchor::Start),
    (-0.8, 1.2, Anchor::End),
];
const ABOVE_LEFT_FIRST: [Place; 8] = [
    (-0.75, -0.6, Anchor::End),
    (0.0, -0.9, Anchor::Middle),
    (-0.9, 0.35, Anchor::End),
    (0.8, 1.2, Anchor::Start),
    (0.9, 0.35, Anchor::Start),
    (0.75, -0.6, Anchor::Start),
    (0.0, 1.8, Anchor::Middle),
    (-0.8, 1.2, Anchor::End),
];

/// Writes all labels, the ones that matter most first; returns whether the curve of each of [`super::CURVES`] has its
/// name. Each label has its place in the drawing, and what is not said leaves it empty.
pub(super) fn place(
    sweep: &Sweep,
    plot: &SweepPlot<'_>,
    traced: &[Option<Traced<'_>>],
    room: &mut Room,
    marker: Option<Marker>,
) -> Vec<bool> {
    if let Some(marker) = marker {
        let refused = sweep.share_at(marker.multiple);
        let at = position(plot, (marker.multiple, refused.0.clamp(LEAST, 1.0)));
        let text = format!("×{}: {}", display::number(marker.multiple), share(refused));
        let places = room.around(at, &ABOVE_LEFT_FIRST);
        write(room, u32::MAX, &text, Tone::Main, &places);
    } else {
        room.skip();
    }
    let mut ways = &AROUND;
    for point in &sweep.points {
        let Some(point) = point else {
            room.skip();
            continue;
        };
        let at = position(plot, (point.multiple, point.share.0.clamp(LEAST, 1.0)));
        let places = room.around(at, ways);
        write(room, u32::MAX, &point.label, Tone::Ink, &places);
        ways = &ABOVE_LEFT_FIRST;
    }
    let mut is_named = Vec::new();
    for traced in traced {
        if traced.is_none() {
            room.skip();
        }
        is_named.push(traced.as_ref().is_some_and(|traced| name(traced, plot, room)));
    }
    if sweep.share_at(1.0).0 < LEAST {
        let ways = [(0.5, -0.6, Anchor::Start), (-0.5, -0.6, Anchor::End)];
        let places = room.around(position(plot, (1.0, LEAST)), &ways);
        // The peak's name is right below, at the axis. No curve is interrupted for what cannot be
        // seen on it.
        write(room, ACROSS_REFERENCES, "<\u{a0}0.0001%", Tone::Ink, &places);
    } else {
        room.skip();
    }
    references(sweep, plot, room);
    is_named
}

/// Writes at a place that costs no more than `most`, or leaves the label's place empty.
fn write(room: &mut Room, most: u32, text: &str, tone: Tone, places: &[Place]) -> bool {
    let is_written = room.write_within(most, text, tone, places);
    if !is_written {
        room.skip();
    }
    is_written
}

/// Writes the name of a curve at its line, or at the bottom if it is below the axis.
fn name(traced: &Traced<'_>, plot: &SweepPlot<'_>, room: &mut Room) -> bool {
    let curve = traced.curve;
    let tone = if curve.role == Role::Chosen { Tone::Main } else { Tone::Ink };
    if !curve.line.is_empty() {
        let places = along(traced, room.em);
        return write(room, u32::MAX, &curve.label, tone, &places);
    }
    let at_right = [(-0.3, -0.6, Anchor::End), (-0.3, -2.0, Anchor::End), (-0.3, -3.4, Anchor::End)];
    let at_left = [(0.3, -0.6, Anchor::Start), (0.3, -2.0, Anchor::Start), (0.3, -3.4, Anchor::Start)];
    let mut places = room.around(position(plot, (MOST, LEAST)), &at_right);
    places.append(&mut room.around(position(plot, (0.0, LEAST)), &at_left));
    write(room, u32::MAX, &format!("{} stays below 0.0001%", curve.label), tone, &places)
}

/// Places along a line, right end first: the chosen line's label above it and ending there, the
/// others' below it and starting there, where a rising line leaves room.
fn along(traced: &Traced<'_>, em: f64) -> Vec<Place> {
    let hang: [Place; 3] = if traced.curve.role == Role::Chosen {
        [(-0.3, -0.8, Anchor::End), (-0.3, -1.2, Anchor::End), (0.4, 1.4, Anchor::Start)]
    } else {
        [(0.4, 1.4, Anchor::Start), (0.8, 1.4, Anchor::Start), (-0.3, -0.8, Anchor::End)]
    };
    // By length of the drawn line, so that a steep part has its share of places.
    let mut left = 0.0;
    let mut next = 0.0;
    let mut places = Vec::new();
    for ((x0, y0), (x, y)) in traced.points().zip(traced.points().skip(1)).rev() {
        if left >= next {
            next += 2.5 * em;
            places.extend(hang.map(|(dx, dy, anchor)| (x + dx * em, y + dy * em, anchor)));
        }
        left += (x - x0).hypot(y - y0);
    }
    places
}

/// Names of the dashed lines.
fn references(sweep: &Sweep, plot: &SweepPlot<'_>, room: &mut Room) {
    let target = sweep.target.0;
    if target >= LEAST {
        let at_right = [(-0.3, 1.25, Anchor::End), (-0.3, -0.5, Anchor::End)];
        let at_left = [(0.3, 1.25, Anchor::Start), (0.3, -0.5, Anchor::Start)];
        let mut places = room.around(position(plot, (MOST, target)), &at_right);
        places.append(&mut room.around(position(plot, (0.0, target)), &at_left));
        let text = format!("tolerated {}", display::share(sweep.target));
        write(room, u32::MAX, &text, Tone::Quiet, &places);
    } else {
        room.skip();
    }
    if let Some(full) = sweep.full {
        let beside = [
            (0.5, 1.2, Anchor::Start),
            (-0.5, 1.2, Anchor::End),
            (0.5, 2.6, Anchor::Start),
            (-0.5, 2.6, Anchor::End),
            (0.5, 4.0, Anchor::Start),
            (-0.5, 4.0, Anchor::End),
        ];
        let places = room.around(position(plot, (full, 1.0)), &beside);
        write(room, u32::MAX, "hosts full", Tone::Quiet, &places);
    } else {
        room.skip();
    }
}
