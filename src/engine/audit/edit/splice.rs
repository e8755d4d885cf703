//! Stretches of text and what takes their place.

use std::ops::Range;

/// One replacement; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Index of the input.
    pub file: usize,
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: String,
    /// How deep in the document: of two insertions at one position the deeper one comes first.
    pub depth: usize,
}

/// Two replacements of the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap;

/// A text with all replacements of its file made.
///
/// # Errors
///
/// Two of them overlap.
pub fn applied(text: &str, file: usize, splices: &[Splice]) -> Result<String, Overlap> {
    let mut of_file: Vec<&Splice> = splices.iter().filter(|s| s.file == file).collect();
    // Sorting is stable: what is equal stays in the order it was entered in.
    of_file.sort_by_key(|s| (s.range.start, !s.range.is_empty(), usize::MAX - s.depth));
    let mut out = String::with_capacity(text.len() + 256);
    let (mut at, mut only_removed) = (0, false);
    for splice in of_file {
        let is_removal = splice.text.is_empty();
        // What two leave out is left out.
        let start = if is_removal && only_removed { splice.range.start.max(at) } else { splice.range.start };
        out.push_str(text.get(at..start).ok_or(Overlap)?);
        out.push_str(&splice.text);
        at = splice.range.end.max(at);
        only_removed = is_removal;
    }
    out.push_str(text.get(at..).ok_or(Overlap)?);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{Overlap, Splice, applied};

    fn splice(range: std::ops::Range<usize>, text: &str) -> Splice {
        Splice { file: 0, range, text: text.to_owned(), depth: 0 }
    }

    #[test]
    fn replacements_do_not_move_each_other() {
        let all = [splice(4..5, "four"), splice(0..1, ""), splice(2..2, "+"), splice(5..5, "!")];
        assert_eq!(applied("01234", 0, &all), Ok("1+23four!".to_owned()));
    }

    #[test]
    fn overlaps_are_refused() {
        assert_eq!(applied("01234", 0, &[splice(0..3, "a"), splice(2..4, "b")]), Err(Overlap));
        assert_eq!(applied("01234", 0, &[splice(0..3, "a"), splice(1..1, "b")]), Err(Overlap));
        assert!(applied("01234", 0, &[splice(0..3, "a"), splice(3..4, "b")]).is_ok());
        assert_eq!(applied("01234", 0, &[splice(0..3, ""), splice(2..4, "")]), Ok("4".to_owned()));
    }

    #[test]
    fn the_deeper_insertion_comes_first() {
        let (outer, inner) = (splice(1..1, "outer"), Splice { depth: 3, ..splice(1..1, "inner ") });
        assert_eq!(applied("01", 0, &[outer, inner]), Ok("0inner outer1".to_owned()));
    }
}
