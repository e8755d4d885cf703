//! What two texts have in common, line by line: the one search behind every difference that is shown.

/// Which of two texts has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Both: its places in the old text and in the new one, from 0.
    Same(usize, usize),
    /// The old one: its place there.
    Removed(usize),
    /// The new one: its place there.
    Added(usize),
}

/// Cells of the table of common lines at most; a larger difference is one block.
const MAX_CELLS: usize = 4_000_000;

/// Every line of both texts: those that they share once, the others as removed and added.
///
/// The longest common subsequence, behind the common start and before the common end; where several
/// are as long, what is removed comes before what is added.
///
/// ```
/// use headroom::engine::lines::{Step, compare};
///
/// let steps = compare(&["a", "b", "c"], &["a", "x", "c"]);
/// assert_eq!(steps, [Step::Same(0, 0), Step::Removed(1), Step::Added(1), Step::Same(2, 2)]);
/// ```
pub fn compare(old: &[&str], new: &[&str]) -> Vec<Step> {
    let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[start..], &new[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - end], &b[..b.len() - end]);
    let mut steps: Vec<Step> = (0..start).map(|at| Step::Same(at, at)).collect();
    middle(a, b, start, &mut steps);
    steps.extend((0..end).rev().map(|back| Step::Same(old.len() - 1 - back, new.len() - 1 - back)));
    steps
}

/// Lines that neither begin nor end alike; `start` lines stand before them in both texts.
fn middle(a: &[&str], b: &[&str], start: usize, steps: &mut Vec<Step>) {
    let (mut i, mut j) = (0, 0);
    if a.len().saturating_mul(b.len()) <= MAX_CELLS {
        let common = common(a, b);
        let width = b.len() + 1;
        while i < a.len() && j < b.len() {
            if a[i] == b[j] {
                steps.push(Step::Same(start + i, start + j));
                (i, j) = (i + 1, j + 1);
            } else if common[(i + 1) * width + j] >= common[i * width + j + 1] {
                steps.push(Step::Removed(start + i));
                i += 1;
            } else {
                steps.push(Step::Added(start + j));
                j += 1;
            }
        }
    }
    steps.extend((i..a.len()).map(|i| Step::Removed(start + i)));
    steps.extend((j..b.len()).map(|j| Step::Added(start + j)));
}

/// Cell `(i, j)`: the length of the longest common subsequence of `a[i..]` and `b[j..]`.
fn common(a: &[&str], b: &[&str]) -> Vec<u32> {
    let width = b.len() + 1;
    let mut common = vec![0; (a.len() + 1) * width];
    for (i, line) in a.iter().enumerate().rev() {
        for (j, other) in b.iter().enumerate().rev() {
            common[i * width + j] = if line == other {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::{Step, compare};

    fn shown(old: &str, new: &str) -> String {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.split('|').collect(), new.split('|').collect());
        let step = |step: Step| match step {
            Step::Same(i, j) => {
                assert_eq!(old[i], new[j]);
                format!(" {}", old[i])
            }
            Step::Removed(i) => format!("-{}", old[i]),
            Step::Added(j) => format!("+{}", new[j]),
        };
        compare(&old, &new).into_iter().map(step).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn what_is_common_is_found() {
        assert_eq!(shown("a", "a"), " a");
        assert_eq!(shown("a|b|c|d", "a|c|x|d"), " a|-b| c|+x| d");
        assert_eq!(shown("b|a|b", "a|b|a"), "-b| a| b|+a");
        assert_eq!(compare(&[], &["a"]), [Step::Added(0)]);
        assert_eq!(compare(&["a"], &[]), [Step::Removed(0)]);
        assert_eq!(compare(&[], &[]), []);
    }

    #[test]
    fn what_is_too_large_to_compare_is_one_block() {
        let (old, new) = (vec!["a"; 3_000], vec!["b"; 3_000]);
        let steps = compare(&old, &new);
        assert_eq!(steps.len(), 6_000);
        assert!(steps[..3_000].iter().all(|step| matches!(step, Step::Removed(_))));
    }
}
