//! The lines of a text that are shown: all of a short one, those around findings of a long one.

/// Longest text that is shown whole.
const WHOLE: usize = 600;

/// Lines around a finding in a long text.
const AROUND: usize = 4;

/// A run of lines, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Shown.
    Shown(usize, usize),
    /// Left out.
    Folded(usize, usize),
}

/// Which of `n` lines are shown when these (from 0, sorted) have marks.
pub fn runs(n: usize, marked: &[usize], is_unfolded: bool) -> Vec<Run> {
    if n <= WHOLE || is_unfolded {
        return vec![Run::Shown(0, n)];
    }
    let mut runs = Vec::new();
    let mut at = 0;
    // The head tells what the file is.
    for mark in [0].iter().chain(marked) {
        let (from, to) = (mark.saturating_sub(AROUND).max(at), (mark + AROUND + 1).min(n));
        if from > at {
            runs.push(Run::Folded(at, from));
        }
        match runs.last_mut() {
            Some(Run::Shown(_, end)) if *end >= from => *end = to.max(*end),
            _ if to > from => runs.push(Run::Shown(from, to)),
            _ => {}
        }
        at = at.max(to);
    }
    if at < n {
        runs.push(Run::Folded(at, n));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::{Run, runs};

    #[test]
    fn a_short_text_is_whole() {
        assert_eq!(runs(600, &[5], false), [Run::Shown(0, 600)]);
    }

    #[test]
    fn a_long_text_is_shown_around_its_marks() {
        let shown = [Run::Shown(0, 5), Run::Folded(5, 96), Run::Shown(96, 107), Run::Folded(107, 700)];
        assert_eq!(runs(700, &[100, 102], false), shown);
        assert_eq!(runs(700, &[100, 102], true), [Run::Shown(0, 700)]);
    }

    #[test]
    fn marks_at_the_ends_stay_within() {
        assert_eq!(
            runs(700, &[0, 699], false),
            [Run::Shown(0, 5), Run::Folded(5, 695), Run::Shown(695, 700)]
        );
    }
}
