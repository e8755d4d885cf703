//! What follows from the texts: one check and one analysis per change, shared by everyone.

use super::form::{Edit, Form};
use super::url::page;
use crate::engine::analysis::Analysis;
use crate::engine::analyze;
use crate::engine::scenario::{Draft, Preset, Problem};
use leptos::prelude::*;
use std::sync::Arc;

/// The answer to show and what is wrong with the inputs.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer for the last valid texts.
    pub answer: Arc<Analysis>,
    /// Those texts.
    pub valid: Arc<Draft>,
    /// What is wrong with the texts of now; empty when `answer` is theirs.
    pub problems: Arc<[Problem]>,
    /// The answer before the last edit, to mark what the edit changed.
    pub before: Arc<Analysis>,
    /// Answer and texts that last came to rest: half a number may be valid, but nobody meant it.
    rested: (Arc<Analysis>, Arc<Draft>),
    edit: Edit,
}

impl Outcome {
    /// The outcome of texts that are known to be valid.
    pub fn of(preset: &Preset) -> Self {
        let answer = analyze(&preset.scenario()).expect("a test analyzes every preset");
        let answer = Arc::new(linked(answer, &page()));
        let valid = Arc::new(preset.draft());
        Self {
            before: Arc::clone(&answer),
            rested: (Arc::clone(&answer), Arc::clone(&valid)),
            answer,
            valid,
            problems: Arc::new([]),
            edit: Edit::default(),
        }
    }

    /// The outcome after the texts have changed.
    #[must_use]
    pub fn next(&self, draft: Draft, edit: Edit) -> Self {
        let rested = if edit.has_rested_since(self.edit) {
            (Arc::clone(&self.answer), Arc::clone(&self.valid))
        } else {
            self.rested.clone()
        };
        if draft == *self.valid {
            return Self { problems: Arc::new([]), rested, ..self.clone() };
        }
        let before =
            if edit.is_same_run(self.edit) { Arc::clone(&self.before) } else { Arc::clone(&self.answer) };
        match draft.check().and_then(|scenario| analyze(&scenario)) {
            Ok(answer) => Self {
                before,
                answer: Arc::new(linked(answer, self.page())),
                valid: Arc::new(draft),
                problems: Arc::new([]),
                rested,
                edit,
            },
            Err(problems) => {
                let (answer, valid) = rested.clone();
                Self { answer, valid, before, problems: problems.into(), rested, edit }
            }
        }
    }

    /// Whether the answer belongs to texts that are no longer there.
    pub fn is_stale(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Where the page is, as it was when the first answer was made: asking the browser costs more than a sentence.
    fn page(&self) -> &str {
        self.answer.link.split('#').next().unwrap_or_default()
    }

    fn is_same_answer(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.answer, &other.answer) && Arc::ptr_eq(&self.before, &other.before)
    }
}

/// The derived values that panels read; each wakes its readers only when it differs.
#[derive(Clone, Copy, Debug)]
pub struct Derived {
    /// Everything.
    pub outcome: Memo<Outcome>,
    // The same outcome, awake for a part of it: memos of one type, because Leptos compiles all of its
    // machinery anew for each type.
    answer: Memo<Outcome>,
    problems: Memo<Outcome>,
}

impl Derived {
    /// Derives from a form.
    pub fn new(form: Form) -> Self {
        let outcome = Memo::new_with_compare(
            move |last: Option<&Outcome>| {
                let (draft, edit) = form.counting();
                match last {
                    Some(last) => last.next(draft, edit),
                    None => Outcome::of(Preset::first_paint()).next(draft, edit),
                }
            },
            |old, new| differs(old, new, |old, new| old.is_same_answer(new) && old.problems == new.problems),
        );
        // While inputs are wrong, nothing that shows the answer is woken.
        let answer = Memo::new_with_compare(
            move |_| outcome.get(),
            |old, new| differs(old, new, Outcome::is_same_answer),
        );
        // While every keystroke gives an answer, nothing that shows problems is woken.
        let problems = Memo::new_with_compare(
            move |_| outcome.get(),
            |old, new| differs(old, new, |old, new| old.problems == new.problems),
        );
        Self { outcome, answer, problems }
    }

    /// The answer for the last valid texts.
    pub fn answer(self) -> Arc<Analysis> {
        self.answer.get().answer
    }

    /// Reads the answer.
    pub fn read<T>(self, read: impl FnOnce(&Analysis) -> T) -> T {
        read(&self.answer())
    }

    /// What is wrong, in the order of the form.
    pub fn problems(self) -> Arc<[Problem]> {
        self.problems.get().problems
    }

    /// Whether the answer is not that of the texts.
    pub fn is_stale(self) -> bool {
        !self.problems().is_empty()
    }

    /// The same as a signal, for classes.
    pub fn stale(self) -> Signal<bool> {
        Signal::derive(move || self.is_stale())
    }
}

/// The answer with the address of the page before its link.
fn linked(mut answer: Analysis, page: &str) -> Analysis {
    answer.link.insert_str(0, page);
    answer
}

/// Whether a memo has changed, by what makes two of its values the same.
fn differs(old: Option<&Outcome>, new: Option<&Outcome>, same: fn(&Outcome, &Outcome) -> bool) -> bool {
    !matches!((old, new), (Some(old), Some(new)) if same(old, new))
}
