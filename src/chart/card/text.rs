//! Lines of words: SVG breaks none by itself.

use crate::chart::text::ems;
use crate::engine::sentence::Piece;

/// A run of words in one weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Whether it stands out.
    pub strong: bool,
    /// Whether a space stands before it.
    pub spaced: bool,
}

impl Word {
    /// A text that does not stand out.
    pub fn quiet(text: &str) -> Self {
        Self { text: text.to_owned(), strong: false, spaced: true }
    }

    /// A piece of the sentence; marks of code say nothing here.
    pub fn of(piece: &Piece) -> Self {
        Self { text: piece.text.replace('`', ""), strong: piece.strong, spaced: true }
    }
}

/// The words in lines at most `width` wide at that font size; a word that is wider alone is cut.
pub fn lines(pieces: &[Word], width: f64, px: f64) -> Vec<Vec<Word>> {
    let mut lines: Vec<Vec<Word>> = vec![Vec::new()];
    let mut used = 0.0;
    let most = width / px;
    let mut after_space = true;
    for piece in pieces {
        // A strong number stays whole, as on the page.
        let parts: Vec<&str> = if piece.strong { vec![&piece.text] } else { piece.text.split(' ').collect() };
        for (at, part) in parts.iter().enumerate() {
            let spaced = at > 0 || after_space;
            if part.is_empty() {
                after_space = true;
                continue;
            }
            let weight = if piece.strong { 1.12 } else { 1.05 };
            let part = cut(part, most / weight);
            let wide = ems(&part) * weight;
            let space = if spaced && used > 0.0 { 0.38 } else { 0.0 };
            // Punctuation stays with what it belongs to.
            if used + space + wide > most && spaced {
                lines.push(Vec::new());
                used = 0.0;
            }
            used += wide + if used > 0.0 { space } else { 0.0 };
            if let Some(line) = lines.last_mut() {
                line.push(Word { text: part, strong: piece.strong, spaced });
            }
            after_space = false;
        }
        after_space = piece.text.ends_with(' ');
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// A word of at most that many ems.
fn cut(word: &str, most: f64) -> String {
    if ems(word) <= most {
        return word.to_owned();
    }
    let mut short = String::new();
    for c in word.chars() {
        if ems(&short) > most - 2.0 {
            break;
        }
        short.push(c);
    }
    short + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pieces: &[Word], width: f64) -> Vec<String> {
        lines(pieces, width, 10.0)
            .iter()
            .map(|line| {
                line.iter().enumerate().fold(String::new(), |text, (at, word)| {
                    text + if at > 0 && word.spaced { " " } else { "" } + &word.text
                })
            })
            .collect()
    }

    #[test]
    fn words_go_to_lines() {
        let strong = Word { text: "5 in 9".to_owned(), strong: true, spaced: true };
        let pieces = [Word::quiet("Allow each "), strong, Word::quiet(", not more")];
        assert_eq!(texts(&pieces, 1000.0), ["Allow each 5 in 9, not more"]);
        assert_eq!(texts(&pieces, 60.0), ["Allow each", "5 in 9, not", "more"]);
    }

    #[test]
    fn a_name_without_a_space_is_cut() {
        let found = texts(&[Word::quiet(&"m".repeat(120))], 100.0);
        assert_eq!(found.len(), 1);
        assert!(found[0].chars().count() < 12 && found[0].ends_with('…'), "{found:?}");
    }
}
