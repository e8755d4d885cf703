//! The generated text by lines, with those that the last edit changed.

use crate::engine::analysis::Analysis;
use crate::engine::export::{Target, export};
use crate::engine::lines::{Step, compare};
use std::sync::Arc;

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The line without its end.
    pub text: &'a str,
    /// Whether the last edit changed it.
    pub is_changed: bool,
}

/// A text and its changes.
#[derive(Clone, Debug, PartialEq)]
pub struct YamlText {
    /// For each line, whether the last edit changed it.
    changed: Vec<bool>,
    target: Target,
    /// The answer and its text, and those before the last edit: writing one takes as long as half an
    /// analysis, and the answer of now is the one before the next edit.
    now: (Arc<Analysis>, Arc<str>),
    before: (Arc<Analysis>, Arc<str>),
}

impl YamlText {
    /// The text of an answer, compared with that of the answer before the last edit.
    pub fn next(last: Option<&Self>, answer: &Arc<Analysis>, before: &Arc<Analysis>, target: Target) -> Self {
        let known = last.filter(|last| last.target == target);
        let text_of = |answer: &Arc<Analysis>, also: Option<&(Arc<Analysis>, Arc<str>)>| -> Arc<str> {
            let known = known.map(|last| [&last.now, &last.before]).into_iter().flatten().chain(also);
            let same = known.into_iter().find(|(known, _)| Arc::ptr_eq(known, answer));
            same.map_or_else(|| export(answer, target).into(), |(_, text)| Arc::clone(text))
        };
        let now = (Arc::clone(answer), text_of(answer, None));
        let before = (Arc::clone(before), text_of(before, Some(&now)));
        let (text, before_text) = (&now.1, &before.1);
        let changed = changed_lines(before_text, text);
        Self { changed, target, now, before }
    }

    /// Its lines, with those marked that the last edit changed.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let line = |(text, is_changed)| Line { text, is_changed };
        self.now.1.lines().zip(self.changed.iter().copied()).map(line)
    }
}

/// For each line of `new`, whether it is not in `old` at that place.
pub fn changed_lines(old: &str, new: &str) -> Vec<bool> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut changed = vec![false; new.len()];
    for step in compare(&old, &new) {
        if let Step::Added(at) = step {
            changed[at] = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::changed_lines;

    #[track_caller]
    fn check(old: &str, new: &str, changed: &[usize]) {
        let found: Vec<usize> =
            changed_lines(old, new).iter().enumerate().filter(|(_, c)| **c).map(|(at, _)| at).collect();
        assert_eq!(found, changed);
    }

    #[test]
    fn same_text_has_no_changes() {
        check("a\nb\nc", "a\nb\nc", &[]);
        check("", "", &[]);
    }

    #[test]
    fn changed_and_added_lines_are_marked() {
        check("a\nb\nc", "a\nB\nc", &[1]);
        check("a\nc", "a\nb\nc", &[1]);
        check("", "a\nb", &[0, 1]);
        check("a\nb\nc\nd", "a\nx\nc\ny\nd", &[1, 3]);
    }

    #[test]
    fn removed_lines_leave_no_mark() {
        check("a\nb\nc", "a\nc", &[]);
    }
}
