//! The generated text by lines, with those that the last edit changed.

use crate::engine::analysis::Analysis;
use crate::engine::export::{Target, export};
use std::sync::Arc;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line without its end.
    pub text: String,
    /// Whether the last edit changed it.
    pub is_changed: bool,
}

/// A text and its changes.
#[derive(Clone, Debug, PartialEq)]
pub struct YamlText {
    /// Its lines, with those marked that the last edit changed.
    pub lines: Vec<Line>,
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
        let line = |(text, is_changed): (&str, bool)| Line { text: text.to_owned(), is_changed };
        let lines = text.lines().zip(changed).map(line).collect();
        Self { lines, target, now, before }
    }
}

/// For each line of `new`, whether it is not in `old` at that place: by longest common
/// subsequence of lines.
pub fn changed_lines(old: &str, new: &str) -> Vec<bool> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (o, n) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    // `common[i][j]` is the length of the longest common subsequence of `o[i..]` and `n[j..]`.
    let width = n.len() + 1;
    let mut common = vec![0u16; (o.len() + 1) * width];
    for i in (0..o.len()).rev() {
        for j in (0..n.len()).rev() {
            common[i * width + j] = if o[i] == n[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let mut changed = vec![false; new.len()];
    let (mut i, mut j) = (0, 0);
    while j < n.len() {
        if i < o.len() && o[i] == n[j] {
            (i, j) = (i + 1, j + 1);
        } else if i < o.len() && common[(i + 1) * width + j] >= common[i * width + j + 1] {
            i += 1;
        } else {
            changed[head + j] = true;
            j += 1;
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
