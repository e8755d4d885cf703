//! A document as data. Every text may hold backticks around code, as the engine's texts do.

use crate::chart::sweep::{Frame, Sweep};
use crate::engine::lines::Step;
use crate::engine::rules::Severity;
use crate::markup::Html;

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// What stands under the title, in small.
    pub about: Vec<String>,
    /// The address that opens the page with the same numbers, where it is known.
    pub link: Option<String>,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// A part with a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Stable id.
    pub id: &'static str,
    /// Its heading.
    pub title: String,
    /// What stands in it.
    pub blocks: Vec<Block>,
}

/// What stands in a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// The sentence to read aloud.
    Lead(String),
    /// Sentences.
    Text(String),
    /// A heading within a part.
    Heading(String),
    /// A table.
    Table(Table),
    /// Points.
    List(Vec<String>),
    /// Steps to tick off, in their order.
    Steps(Vec<Task>),
    /// Findings with their status.
    Findings(Vec<Remark>),
    /// A chart.
    Figure(Box<Figure>),
    /// A text to be copied: what language it is, and the text.
    Code(&'static str, String),
    /// Two texts compared.
    Difference(Vec<(Mark, String)>),
}

/// A table; the first cell of a row names it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows, for those who cannot see where it stands.
    pub caption: String,
    /// Headings, and whether numbers stand below.
    pub columns: Vec<(String, bool)>,
    /// Rows, as long as the headings.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// The table of a chart.
    pub fn of_chart(caption: &str, table: crate::chart::Table) -> Self {
        let is_number = |at: usize| {
            let mut signs = table.rows.iter().filter_map(|row| row.get(at)?.chars().next());
            at > 0 && signs.all(|c| !c.is_alphabetic())
        };
        let columns = table.head.iter().enumerate().map(|(at, name)| (name.clone(), is_number(at)));
        Self { caption: caption.to_owned(), columns: columns.collect(), rows: table.rows }
    }

    /// A table with columns of words; a heading that begins with `#` has numbers below.
    pub fn new(caption: &str, columns: &[&str]) -> Self {
        let column = |name: &&str| {
            let number = name.strip_prefix('#');
            (number.unwrap_or(name).to_owned(), number.is_some())
        };
        Self { caption: caption.to_owned(), columns: columns.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.columns.len(), "{}", self.caption);
        self.rows.push(cells.into());
    }
}

/// A step of a list to tick off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What to do.
    pub what: String,
    /// A command for it.
    pub command: Option<String>,
    /// What belongs to it, point by point.
    pub points: Vec<String>,
}

/// A finding in a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its code.
    pub code: &'static str,
    /// Its name.
    pub name: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What is wrong, what follows, what to do: sentences.
    pub text: String,
    /// Why it was accepted; `None` while it is open.
    pub accepted: Option<String>,
}

/// A chart, with what it says in words and in numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it shows.
    pub caption: String,
    /// The same in words.
    pub alt: String,
    /// The picture.
    pub picture: Picture,
    /// Its numbers.
    pub table: Table,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// One that stretches.
    Html(Html),
    /// One that is drawn for its width.
    Sweep(Sweep),
}

impl Document {
    /// The drawings that fit a width in CSS px: id of the place, and SVG of our own.
    pub fn drawings(&self, places: &str, width: f64, text_px: f64) -> Vec<(String, String)> {
        let mut drawings = Vec::new();
        for section in &self.sections {
            for (at, block) in section.blocks.iter().enumerate() {
                if let Block::Figure(figure) = block
                    && let Picture::Sweep(sweep) = &figure.picture
                {
                    let frame = Frame { width, text_px };
                    drawings.push((format!("{places}-{}-{at}", section.id), sweep.svg(&frame, None)));
                }
            }
        }
        drawings
    }
}

/// Which of two texts has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Mark {
    Same,
    Removed,
    Added,
}

impl Mark {
    /// The sign in front of the line.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Same => " ",
            Self::Removed => "-",
            Self::Added => "+",
        }
    }
}

/// Lines around a change that are shown with it.
const AROUND: usize = 3;

/// What differs between two texts, with a few lines around it; empty where nothing does.
pub fn difference(old: &str, new: &str) -> Vec<(Mark, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let steps = crate::engine::lines::compare(&old, &new);
    let is_changed = |step: &Step| !matches!(step, Step::Same(..));
    let near = |at: usize| {
        steps[at.saturating_sub(AROUND)..(at + AROUND + 1).min(steps.len())].iter().any(is_changed)
    };
    let mut shown = Vec::new();
    let mut last = None;
    for at in (0..steps.len()).filter(|at| near(*at)) {
        if last.is_some_and(|last| last + 1 < at) {
            shown.push((Mark::Same, "⋯".to_owned()));
        }
        last = Some(at);
        shown.push(match steps[at] {
            Step::Same(i, _) => (Mark::Same, old[i].to_owned()),
            Step::Removed(i) => (Mark::Removed, old[i].to_owned()),
            Step::Added(j) => (Mark::Added, new[j].to_owned()),
        });
    }
    shown
}

/// A clause as a sentence, or as a question.
pub fn sentence(clause: &str) -> String {
    let clause = clause.trim_end_matches('.');
    let end = if clause.is_empty() || clause.ends_with('?') { "" } else { "." };
    let mut chars = clause.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).chain(end.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Mark, difference};

    #[test]
    fn a_difference_has_its_surroundings_and_nothing_else() {
        let old = (0..20).map(|n| n.to_string()).collect::<Vec<_>>().join("\n");
        let new = old.replace("\n5\n", "\nfive\n").replace("\n18\n", "\n");
        let text: Vec<String> =
            difference(&old, &new).into_iter().map(|(m, t)| format!("{}{t}", m.sign())).collect();
        let expected = " 2| 3| 4|-5|+five| 6| 7| 8| ⋯| 15| 16| 17|-18| 19";
        assert_eq!(text.join("|"), expected);
        assert_eq!(difference(&old, &old), Vec::<(Mark, String)>::new());
    }
}
