//! The ladder as a chain of inequalities: what must end before what.

use super::{Subject, is_on};
use crate::engine::units::{Millis, display};

/// A chain of times in which each should end before the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// The times, from the inside out.
    pub links: Vec<Link>,
}

/// A time in the chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// How the one before stands to this one: `<`, `≤`, `=` or `>`; none for the first.
    pub relation: Option<&'static str>,
    /// Whether that is as it should be.
    pub holds: bool,
    /// The number, the last one with its unit.
    pub value: String,
    /// What it is.
    pub name: String,
}

/// Whether a time must end before the next, or may end with it.
#[derive(Clone, Copy, PartialEq)]
enum Needs {
    Less,
    AtMost,
}

impl Chain {
    /// Whether every time ends before the next.
    pub fn holds(&self) -> bool {
        self.links.iter().all(|link| link.holds)
    }

    /// The icon in words.
    pub fn verdict(&self) -> &'static str {
        if self.holds() { "In order" } else { "Out of order" }
    }

    pub(super) fn of(subject: &Subject<'_>) -> Self {
        let t = subject.timeouts;
        let attempts = subject.retry.num_retries.saturating_add(1);
        let all = match attempts {
            1 => "connect and attempt".to_owned(),
            2 => "both attempts".to_owned(),
            n => format!("all {} attempts", display::words(n)),
        };
        let off = Millis(0.0);
        // Without a per-try clock the attempts end only when the route does.
        let all_attempts = t.per_try_ms.map_or(off, |_| t.all_attempts_ms);
        let times = if subject.streams {
            vec![
                (Needs::Less, t.connect_ms, "connect".to_owned()),
                (Needs::Less, t.stream_idle_ms.unwrap_or(off), "idle".to_owned()),
                (Needs::AtMost, t.max_stream_duration_ms.unwrap_or(off), "longest stream".to_owned()),
                (Needs::AtMost, t.deadline_ms.unwrap_or(off), "deadline".to_owned()),
            ]
        } else {
            vec![
                (Needs::Less, t.connect_ms, "connect".to_owned()),
                (Needs::Less, t.per_try_ms.unwrap_or(off), "per_try".to_owned()),
                (Needs::Less, all_attempts, all),
                // All attempts may just fit; a lone connect must leave room for the answer.
                (
                    if all_attempts.0 > 0.0 { Needs::AtMost } else { Needs::Less },
                    t.route_ms,
                    "route".to_owned(),
                ),
                (Needs::Less, t.deadline_ms.unwrap_or(off), "deadline".to_owned()),
            ]
        };
        let on: Vec<_> =
            times.into_iter().filter_map(|(needs, time, name)| Some((needs, is_on(time)?, name))).collect();
        // One unit for the chain, named once, unless the times span several.
        let in_ms = on.iter().all(|(_, time, _)| time.0 < 10_000.0);
        let last = on.len().saturating_sub(1);
        let links = on.iter().enumerate().map(|(at, (needs, time, name))| {
            let before = at.checked_sub(1).and_then(|at| on.get(at)).map(|(_, time, _)| *time);
            let value = match (in_ms, at == last) {
                (true, false) => display::number(time.0),
                (true, true) => format!("{}{}ms", display::number(time.0), display::NBSP),
                (false, _) => display::millis(*time),
            };
            let (relation, holds) = before.map_or((None, true), |before| relation(before, *time, *needs));
            Link { relation, holds, value, name: name.clone() }
        });
        Self { links: links.collect() }
    }
}

fn relation(before: Millis, after: Millis, needs: Needs) -> (Option<&'static str>, bool) {
    // Sums of clocks carry the rounding of their parts.
    let tolerance = 1e-9 * after.0.abs().max(1.0);
    let is_less = before.0 < after.0 - tolerance;
    let is_more = before.0 > after.0 + tolerance;
    match needs {
        Needs::AtMost => (Some(if is_more { ">" } else { "≤" }), !is_more),
        Needs::Less => (
            Some(if is_less {
                "<"
            } else if is_more {
                ">"
            } else {
                "="
            }),
            is_less,
        ),
    }
}
