//! Texts compared line by line.

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

/// Cells of the table of common lines at most; a larger difference is shown as one block.
const MAX_CELLS: usize = 4_000_000;

/// Every line of both texts: those they share once, the others as removed and added.
///
/// The longest common subsequence of lines, behind the common start and before the common end.
///
/// ```
/// use headroom::engine::audit::edit::{Mark, diff};
///
/// let marks: Vec<Mark> = diff("a\nb\nc\n", "a\nx\nc\n").iter().map(|line| line.mark).collect();
/// assert_eq!(marks, [Mark::Same, Mark::Removed, Mark::Added, Mark::Same]);
/// ```
pub fn diff(old: &str, new: &str) -> Vec<Line> {
    let (old, new) = (lines(old), lines(new));
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[start..], &new[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let mut out = Out { lines: Vec::new(), old: 1, new: 1 };
    out.all(Mark::Same, &old[..start]);
    middle(a, b, &mut out);
    out.all(Mark::Same, &old[old.len() - end..]);
    out.lines
}

/// The lines that only one of the texts has.
pub fn changed(old: &str, new: &str) -> Vec<Line> {
    diff(old, new).into_iter().filter(|line| line.mark != Mark::Same).collect()
}

struct Out {
    lines: Vec<Line>,
    old: u32,
    new: u32,
}

impl Out {
    fn all(&mut self, mark: Mark, lines: &[&str]) {
        for line in lines {
            self.push(mark, line);
        }
    }

    fn push(&mut self, mark: Mark, text: &str) {
        let (old, new) = (mark != Mark::Added, mark != Mark::Removed);
        self.lines.push(Line {
            file: 0,
            mark,
            old: old.then_some(self.old),
            new: new.then_some(self.new),
            text: text.trim_end_matches(['\n', '\r']).to_owned(),
        });
        self.old += u32::from(old);
        self.new += u32::from(new);
    }
}

/// Lines with their breaks: a change of those is a change.
fn lines(text: &str) -> Vec<&str> {
    source::lines(text).map(|range| &text[range]).collect()
}

fn middle(a: &[&str], b: &[&str], out: &mut Out) {
    if a.len().saturating_mul(b.len()) > MAX_CELLS {
        out.all(Mark::Removed, a);
        out.all(Mark::Added, b);
        return;
    }
    // Cell (i, j): common lines of a[i..] and b[j..].
    let width = b.len() + 1;
    let mut common = vec![0_u32; (a.len() + 1) * width];
    for (i, line) in a.iter().enumerate().rev() {
        for (j, other) in b.iter().enumerate().rev() {
            common[i * width + j] = if line == other {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            out.push(Mark::Same, a[i]);
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || common[(i + 1) * width + j] >= common[i * width + j + 1]) {
            out.push(Mark::Removed, a[i]);
            i += 1;
        } else {
            out.push(Mark::Added, b[j]);
            j += 1;
        }
    }
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
