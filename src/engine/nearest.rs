//! "Did you mean": the known word nearest to one that is not known.

/// Letters of a word that are looked at; names of fields are shorter.
const MAX_LETTERS: usize = 64;

/// The known word nearest to `word`, if it is near enough to be a slip.
///
/// Case and separators do not count: `maxRequests` is `max_requests`.
///
/// ```
/// use headroom::engine::nearest::nearest;
///
/// let known = ["max_requests", "max_retries"];
/// assert_eq!(nearest("max_reqests", known), Some("max_requests"));
/// assert_eq!(nearest("timemout_ms", ["timeout_ms"]), Some("timeout_ms"));
/// assert_eq!(nearest("colour", known), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = letters(word);
    let (away, best) = known.into_iter().map(|name| (distance(&letters(name), &word), name)).min()?;
    // At least a third of the letters must agree, or every short word is near every other.
    let longest = word.len().max(letters(best).len());
    (away <= 2 + word.len() / 8 && away * 3 <= longest * 2).then_some(best)
}

/// The first letters and digits of a name, in lower case.
fn letters(name: &str) -> Vec<char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(MAX_LETTERS).collect()
}

/// Levenshtein distance: letters to insert, remove or replace.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_by_hand() {
        for (a, b, want) in [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("same", "same", 0)] {
            assert_eq!(distance(&letters(a), &letters(b)), want, "{a} {b}");
        }
    }
}
