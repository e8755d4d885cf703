//! Texts compared line by line.

use crate::engine::lines::{Step, compare};
use crate::engine::read::source;
use serde::Serialize;

/// A line of two texts that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Index of the input.
    pub file: usize,
    /// Which of the texts has it.
    pub mark: Mark,
    /// Its number in the old text, from 1.
    pub old: Option<u32>,
    /// Its number in the new text, from 1.
    pub new: Option<u32>,
    /// The line without its break.
    pub text: String,
}

/// Which of two texts has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// Both.
    Same,
    /// The old one.
    Removed,
    /// The new one.
    Added,
}

/// Every line of both texts: those they share once, the others as removed and added.
///
/// The longest common subsequence of lines ([`compare`]).
///
/// ```
/// use headroom::engine::audit::edit::{Mark, diff};
///
/// let marks: Vec<Mark> = diff("a\nb\nc\n", "a\nx\nc\n").iter().map(|line| line.mark).collect();
/// assert_eq!(marks, [Mark::Same, Mark::Removed, Mark::Added, Mark::Same]);
/// ```
pub fn diff(old: &str, new: &str) -> Vec<Line> {
    let (old, new) = (lines(old), lines(new));
    compare(&old, &new).into_iter().map(|step| Line::of(step, &old, &new)).collect()
}

/// The lines that only one of the texts has.
pub fn changed(old: &str, new: &str) -> Vec<Line> {
    diff(old, new).into_iter().filter(|line| line.mark != Mark::Same).collect()
}

impl Line {
    fn of(step: Step, old: &[&str], new: &[&str]) -> Self {
        let (mark, i, j) = match step {
            Step::Same(i, j) => (Mark::Same, Some(i), Some(j)),
            Step::Removed(i) => (Mark::Removed, Some(i), None),
            Step::Added(j) => (Mark::Added, None, Some(j)),
        };
        let text = i.map(|i| old[i]).or(j.map(|j| new[j])).unwrap_or_default();
        let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
        Self {
            file: 0,
            mark,
            old: i.map(number),
            new: j.map(number),
            text: text.trim_end_matches(['\n', '\r']).to_owned(),
        }
    }
}

/// Lines with their breaks: a change of those is a change.
fn lines(text: &str) -> Vec<&str> {
    source::lines(text).map(|range| &text[range]).collect()
}

#[cfg(test)]
mod tests {
    use super::{Mark, changed, diff};

    fn shown(old: &str, new: &str) -> String {
        let mark = |m| match m {
            Mark::Same => ' ',
            Mark::Removed => '-',
            Mark::Added => '+',
        };
        diff(old, new).iter().map(|l| format!("{}{}", mark(l.mark), l.text)).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_is_common_is_found() {
        assert_eq!(shown("", ""), "");
        assert_eq!(shown("a", "a"), " a");
        assert_eq!(shown("a\nb\nc\nd\n", "a\nc\nx\nd\n"), " a|-b| c|+x| d");
        assert_eq!(shown("", "a\n"), "+a");
        assert_eq!(shown("a\r\nb\r\n", "a\nb\r\n"), "-a|+a| b");
        assert_eq!(shown("b\na\nb\n", "a\nb\na\n"), "-b| a| b|+a");
    }

    #[test]
    fn numbers_are_those_of_each_text() {
        let lines = changed("a\nb\nc\n", "x\na\nc\n");
        let numbers: Vec<_> = lines.iter().map(|l| (l.old, l.new)).collect();
        assert_eq!(numbers, [(None, Some(1)), (Some(2), None)]);
    }

    #[test]
    fn what_is_too_large_to_compare_is_one_block() {
        let many = |of: char| format!("{of}\n").repeat(3_000);
        let lines = diff(&many('a'), &many('b'));
        assert_eq!(lines.len(), 6_000);
        assert!(lines[..3_000].iter().all(|l| l.mark == Mark::Removed));
    }
}
