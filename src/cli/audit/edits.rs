//! Fixes as replacements of text, for programs that apply them.

use super::report::Report;
use headroom::engine::audit::edit::apply;
use headroom::engine::read::source::lines;
use serde::Serialize;

/// Bytes that are read again at most, all fixes together: each is tried on the whole text.
const MAX_BYTES: usize = 8 << 20;

/// A stretch of a file and what comes in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// Name of the file.
    pub file: String,
    /// First line, from 1.
    pub line: u32,
    /// First column in characters, from 1.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column behind the end.
    pub end_column: u32,
    /// What comes in its place.
    pub text: String,
}

/// The edits of each finding's fix: none where there is no fix, where it cannot be made in this
/// text, or where the texts are too large to try it; worse findings come first.
pub fn of_findings(report: &Report) -> Vec<Option<Vec<Edit>>> {
    let each: usize = report.inputs.iter().map(|input| input.text.len()).sum::<usize>().max(1);
    let mut left = MAX_BYTES;
    let one = |at: usize| {
        report.audit.findings[at].fix.as_ref()?;
        left = left.checked_sub(each)?;
        of_finding(report, at)
    };
    (0..report.audit.findings.len()).map(one).collect()
}

fn of_finding(report: &Report, at: usize) -> Option<Vec<Edit>> {
    let applied = apply(&report.inputs, &report.audit, &[at]);
    let edits = report.inputs.iter().zip(&applied.inputs).filter(|(old, new)| old.text != new.text);
    let edits: Vec<Edit> = edits.map(|(old, new)| edit(&old.name, &old.text, &new.text)).collect();
    (!edits.is_empty()).then_some(edits)
}

/// The stretch between what both texts start with and what both end with.
fn edit(name: &str, old: &str, new: &str) -> Edit {
    let start = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let start = floor(old, start);
    let (rest_old, rest_new) = (&old[start..], &new[start..]);
    let same = rest_old.chars().rev().zip(rest_new.chars().rev()).take_while(|(a, b)| a == b);
    let same: usize = same.map(|(c, _)| c.len_utf8()).sum();
    let (line, column) = position(old, start);
    let (end_line, end_column) = position(old, old.len() - same);
    let text = rest_new[..rest_new.len() - same].to_owned();
    Edit { file: name.to_owned(), line, column, end_line, end_column, text }
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Line and column of a byte.
fn position(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    // A position behind a break is at the start of the next line.
    let (mut n, mut from) = (1, 0);
    for range in lines(before) {
        if before[range.clone()].ends_with(['\n', '\r']) {
            n += 1;
            from = range.end;
        }
    }
    let column = before[from..].trim_start_matches('\u{feff}').chars().count() + 1;
    (n, u32::try_from(column).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::edit;

    /// Line, column, end, new text of the edit between two texts.
    fn of(old: &str, new: &str) -> (u32, u32, u32, u32, String) {
        let e = edit("x", old, new);
        (e.line, e.column, e.end_line, e.end_column, e.text)
    }

    #[test]
    fn only_what_differs_is_replaced() {
        assert_eq!(of("a: 10\nb: 2\n", "a: 25\nb: 2\n"), (1, 4, 1, 6, "25".to_owned()));
        assert_eq!(of("a: 1\n", "a: 1\nb: 2\n"), (2, 1, 2, 1, "b: 2\n".to_owned()));
        assert_eq!(of("a: 1\nb: 2\nc: 3\n", "a: 1\nc: 3\n"), (2, 1, 3, 1, String::new()));
        assert_eq!(of("ä: 1\r\nö: é\r\n", "ä: 1\r\nö: è\r\n"), (2, 4, 2, 5, "è".to_owned()));
        // What stands twice is never counted for both ends.
        assert_eq!(of("aa", "aaa"), (1, 3, 1, 3, "a".to_owned()));
        assert_eq!(of("aaa", "aa"), (1, 3, 1, 4, String::new()));
    }
}
