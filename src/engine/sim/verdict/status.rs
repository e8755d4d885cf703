//! How a policy fared over its runs.

use crate::engine::sim::compare::served_share;
use crate::engine::sim::compare::{Spread, served, window};
use crate::engine::sim::{Before, Recovery, Report};
use crate::engine::units::Share;
use crate::engine::units::display::{self, NBSP};
use serde::Serialize;

/// How a policy fared, over all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// No fault was played.
    NoFault,
    /// It never served less than 99% of before.
    Unhurt,
    /// Every run was back at 99% of before while the fault was there.
    RecoversDuring,
    /// Every run was back after the fault.
    RecoversAfter,
    /// A run ended while it was still down.
    StaysDown,
}

/// The runs of a policy, as far as words need them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// Runs.
    pub runs: u32,
    /// Runs with a fault.
    pub with_fault: u32,
    /// Runs that were not hurt.
    pub unhurt: u32,
    /// Runs that recovered within the fault.
    pub during_fault: u32,
    /// Runs that never recovered.
    pub down: u32,
    /// Mean seconds from the start of the fault to recovery within it, of the runs that did.
    pub within_s: Option<f64>,
    /// Mean seconds from the end of the fault to recovery, of the runs that recovered after it.
    pub after_s: Option<f64>,
    /// Share served: whole run, and before, during and after the fault.
    pub whole: Option<f64>,
    /// Before the fault.
    pub before: Option<f64>,
    /// During the fault.
    pub during: Option<f64>,
    /// After the fault.
    pub after: Option<f64>,
    /// Share refused before the fault.
    pub refused_before: Option<f64>,
    /// Share refused in the whole run.
    pub refused: Option<f64>,
}

impl Course {
    /// The course of some runs.
    pub fn of(reports: &[Report]) -> Self {
        let recoveries: Vec<Recovery> = reports.iter().filter_map(|r| r.recovery).collect();
        let count = |is: fn(&Recovery) -> bool| {
            u32::try_from(recoveries.iter().filter(|r| is(r)).count()).unwrap_or(u32::MAX)
        };
        let mean = |values: Vec<f64>| Spread::of(&values).map(|s| s.mean);
        let part = |part: Before| {
            mean(reports.iter().filter_map(|r| window(r, part).and_then(|w| served(&w.outcomes))).collect())
        };
        let refused = |o: &crate::engine::sim::Shares| crate::engine::sim::compare::share(o.refused(), o);
        Self {
            runs: u32::try_from(reports.len()).unwrap_or(u32::MAX),
            with_fault: count(|_| true),
            unhurt: count(|r| !r.hurt),
            during_fault: count(|r| r.hurt && r.during_s.is_some() && r.after_s.is_some()),
            down: count(|r| r.hurt && r.after_s.is_none()),
            within_s: mean(recoveries.iter().filter(|r| r.hurt).filter_map(|r| r.during_s).collect()),
            after_s: mean(
                recoveries
                    .iter()
                    .filter(|r| r.hurt && r.during_s.is_none())
                    .filter_map(|r| r.after_s)
                    .collect(),
            ),
            whole: mean(reports.iter().filter_map(|r| served(&r.outcomes)).collect()),
            before: part(Before::Before),
            during: part(Before::During),
            after: part(Before::After),
            refused_before: mean(
                reports
                    .iter()
                    .filter_map(|r| window(r, Before::Before).and_then(|w| refused(&w.outcomes)))
                    .collect(),
            ),
            refused: mean(reports.iter().filter_map(|r| refused(&r.outcomes)).collect()),
        }
    }

    /// Whether there is something to explain.
    pub fn has_lost(&self) -> bool {
        self.with_fault > self.unhurt
    }

    /// What is refused before the fault: a tenth of a percent is what anybody would notice.
    fn even_before(&self) -> Option<f64> {
        self.refused_before.filter(|r| *r >= 0.001)
    }

    /// When it recovered after the fault.
    fn after_words(&self) -> String {
        match self.after_s {
            Some(s) if s < 0.5 => "with its end".to_owned(),
            s => format!("{} after its end", seconds(s)),
        }
    }

    /// The sentence for both where they fare alike but for what they serve: it says once what is the same.
    pub fn beside(&self, other: &Self, subject: &str, other_subject: &str) -> Option<String> {
        let is_alike = [self, other]
            .iter()
            .all(|course| status(course) == Status::RecoversAfter && course.even_before().is_none())
            && self.after_words() == other.after_words();
        let (mine, theirs) = (self.during.filter(|_| is_alike)?, other.during?);
        Some(format!(
            "While it lasts, {subject} serves {}, {other_subject} {}; both recover {}.",
            served_share(mine),
            served_share(theirs),
            self.after_words()
        ))
    }

    /// The predicate of the status: `recovers during the fault`.
    pub fn status_words(&self) -> String {
        match status(self) {
            Status::NoFault => {
                format!("serves {}", self.whole.map_or_else(|| "nothing".to_owned(), served_share))
            }
            Status::Unhurt => "holds through the fault".to_owned(),
            Status::RecoversDuring => "recovers during the fault".to_owned(),
            Status::RecoversAfter => "recovers only after the fault".to_owned(),
            Status::StaysDown if self.down < self.runs => {
                format!("stays down in {} of {} runs", self.down, self.runs)
            }
            Status::StaysDown => "stays down".to_owned(),
        }
    }

    /// The clause of the sentence, with the subject first and without a full stop; refusals before the
    /// fault only where there is room.
    pub fn clause(&self, subject: &str, has_room: bool) -> String {
        let during = self.during.map_or_else(|| "nothing".to_owned(), served_share);
        let main = match status(self) {
            Status::NoFault => {
                let whole = self.whole.map_or_else(|| "nothing".to_owned(), served_share);
                let refuses = self.refused.filter(|r| *r > 0.0).map_or_else(
                    || " and refuses nothing".to_owned(),
                    |r| format!(" and refuses {}", display::share(Share(r))),
                );
                return format!("{subject} serves {whole}{refuses}");
            }
            Status::Unhurt => format!("{subject} serves {during} during it"),
            Status::RecoversDuring => {
                format!("{subject} serves as before again after {}", seconds(self.within_s))
            }
            Status::RecoversAfter => {
                format!("{subject} serves {during} while it lasts and recovers {}", self.after_words())
            }
            Status::StaysDown => match self.after.filter(|_| self.down == self.runs) {
                Some(after) => {
                    format!("{subject} serves {during} during it and {} after it", served_share(after))
                }
                None => format!("{subject} serves {during} during it"),
            },
        };
        match self.even_before().filter(|_| has_room) {
            Some(r) => format!("{main}, and refuses {} even before it", display::share(Share(r))),
            None => main,
        }
    }
}

/// How a policy fared: the worst of its runs decides, so that one that stays down is not lost in a mean.
pub fn status(course: &Course) -> Status {
    if course.with_fault == 0 {
        Status::NoFault
    } else if course.down > 0 {
        Status::StaysDown
    } else if course.unhurt == course.with_fault {
        Status::Unhurt
    } else if course.unhurt + course.during_fault == course.with_fault {
        Status::RecoversDuring
    } else {
        Status::RecoversAfter
    }
}

/// A time in words.
pub fn seconds(s: Option<f64>) -> String {
    let s = s.unwrap_or_default();
    let digits = if s < 10.0 { 2 } else { 3 };
    format!("{}{NBSP}s", display::number(display::round_to(s, digits)))
}
