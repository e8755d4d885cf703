//! The small simulations of the learn pages: one policy that goes wrong beside the recommended one.
//!
//! A lesson is data: a scenario, a fault, and what the first policy has set differently. The learn
//! pages are written with its default run, played on the host; in the page the worker plays it again
//! with what the reader chooses. Both go through [`play()`] and [`figure()`], so the page says without
//! a script what the script would show.

mod chart;
mod figure;
mod play;
mod table;

pub use figure::{figure, sentence};
pub use play::{Chosen, Outcome, Played, play};
pub use table::LESSONS;

use super::request::Reply;
use crate::engine::sim::FaultKind;

/// The seed of every lesson.
pub const SEED: u64 = 42;

/// A small simulation.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Its word, and the name of its page.
    pub id: &'static str,
    /// Inputs of the scenario by key; the rest are defaults.
    pub scenario: &'static [(&'static str, &'static str)],
    /// What goes wrong.
    pub fault: FaultKind,
    /// From when to when, in seconds.
    pub span_s: (f64, f64),
    /// How long the run is, in seconds.
    pub length_s: f64,
    /// What the second drawing shows; the first one is always what was served in time.
    pub second: Second,
    /// What is set in both policies, and about the fault and the callers: see [`Choice::sets`].
    pub both: Sets,
    /// What the first policy has set differently from the recommended one.
    pub wrong: Sets,
    /// What the reader changes about the first policy, or about the fault and the callers.
    pub controls: &'static [Control],
}

/// Keys with texts. A key is a setting of Envoy as `--set` spells it, `fault.share` (percent),
/// `fault.strength`, `fault.hosts`, `fault.clients`, or `caller.retries`.
pub type Sets = &'static [(&'static str, &'static str)];

/// What the second drawing of a lesson shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    /// Requests refused by a limit.
    Refused,
    /// Requests that ended in a timeout or an error.
    Failed,
}

/// What the reader changes.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// Its word in messages and ids.
    pub key: &'static str,
    /// Its label.
    pub label: &'static str,
    /// What can be chosen.
    pub choices: &'static [Choice],
    /// Place of the choice that the page is written with.
    pub default: usize,
}

/// A choice.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What it says.
    pub label: &'static str,
    /// What it sets: the last one of a key holds.
    pub sets: Sets,
}

impl Lesson {
    /// The lesson of that word.
    pub fn of(id: &str) -> Option<&'static Self> {
        LESSONS.iter().find(|lesson| lesson.id == id)
    }
}

/// Plays a lesson with the choices of a reader, `[key, place of the choice]`, and writes the figure.
/// What is no lesson and no choice is left out.
pub fn answer(id: &str, chosen: &[(String, String)]) -> Reply {
    let mut reply = Reply::default();
    let Some(lesson) = Lesson::of(id) else { return reply };
    let mut choices = Chosen::default_of(lesson);
    for (key, place) in chosen {
        choices.choose(lesson, key, place);
    }
    if let Some(outcome) = play(lesson, &choices) {
        reply.changes.push((format!("mini-{}", lesson.id), figure(&outcome).into_string()));
        reply.said = sentence(&outcome);
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_can_be_played_and_changes_something() {
        for lesson in LESSONS {
            let written =
                play(lesson, &Chosen::default_of(lesson)).unwrap_or_else(|| panic!("{}", lesson.id));
            for control in lesson.controls {
                for place in (0..control.choices.len()).filter(|place| *place != control.default) {
                    let mut chosen = Chosen::default_of(lesson);
                    chosen.choose(lesson, control.key, &place.to_string());
                    let outcome = play(lesson, &chosen).expect("it can be played");
                    let [was, is] = [&written, &outcome].map(|o| &o.sides[0].experiment);
                    let differs = was.policy != is.policy || was.load != is.load || was.faults != is.faults;
                    assert!(differs, "{} {} {place}", lesson.id, control.key);
                }
            }
        }
    }

    #[test]
    fn what_a_lesson_teaches_is_what_its_run_shows() {
        for lesson in LESSONS {
            let outcome = play(lesson, &Chosen::default_of(lesson)).expect("it can be played");
            let [wrong, right] = [0, 1].map(|k| outcome.sides[k].report.goodput);
            assert!(right > wrong + 0.05, "{}: {wrong} against {right}", lesson.id);
            assert!(sentence(&outcome).starts_with("As set here, "));
        }
    }

    #[test]
    fn what_is_no_lesson_or_no_choice_does_nothing() {
        assert_eq!(answer("<b>", &[]), Reply::default());
        let odd = [("retries", "99"), ("retries", "-1"), ("nothing", "1"), ("limit", "<i>")];
        let odd: Vec<(String, String)> =
            odd.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        assert_eq!(answer("retry-amplification", &odd), answer("retry-amplification", &[]));
    }
}
