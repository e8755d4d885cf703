//! The table of all faults in words, and as text from one module to another.

use super::matrix::{Cell, Matrix};
use crate::engine::units::display;

/// The table, as far as it is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultTable {
    /// How it was played, in a sentence or two.
    pub about: String,
    /// Runs that are whole, and all of them.
    pub progress: (u32, u32),
    /// What the policies are called.
    pub names: Vec<String>,
    /// Each fault with what it costs each policy.
    pub rows: Vec<FaultRow>,
    /// What the runs assume, as sentences.
    pub assumptions: Vec<String>,
}

/// A fault, and what it costs each policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultRow {
    /// Its name.
    pub title: String,
    /// For each policy goodput lost, refused, recovered; `None` where it is not played yet, one text
    /// where it cannot be.
    pub costs: Vec<Option<Vec<String>>>,
}

/// Between the fields of a line; no text of the table has one.
const FIELD: char = '\t';

impl FaultTable {
    /// Of a table under way.
    pub fn of(matrix: &Matrix, names: &[String]) -> Self {
        let [length, from, to] = matrix.span_s().map(display::number);
        let cost = |cell: &Cell| match cell {
            Cell::Open => None,
            Cell::TooLarge => Some(vec!["too large to be played".to_owned()]),
            Cell::Played(damage) => Some(damage.words().to_vec()),
        };
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (done, all) = matrix.progress();
        let is_large = matrix.rows().any(|(_, cells)| cells.contains(&Cell::TooLarge));
        let bound = format!(
            " Too large to be played: more requests than one simulated proxy can have here, or a run of more than {} events, \
             as retries without an end make it.",
            display::count(matrix.max_events() as f64)
        );
        Self {
            about: format!(
                "Simulated request by request, no formula inside: one run of {length} s a cell with seed {}, every fault \
                 as strong as it is by default, from {from} s to {to} s. Lost: share served before the fault less the \
                 share served during it. Recovered: counted from the start of the fault.{}",
                matrix.seed(),
                if is_large { bound.as_str() } else { "" }
            ),
            progress: (small(done), small(all)),
            names: names.to_vec(),
            rows: matrix
                .rows()
                .map(|(kind, cells)| FaultRow {
                    title: kind.spec().title.to_owned(),
                    costs: cells.iter().map(cost).collect(),
                })
                .collect(),
            assumptions: matrix.assumptions().to_vec(),
        }
    }

    /// The first policy of this table beside the first one of another.
    #[must_use]
    pub fn beside(&self, other: &Self, names: &[&str]) -> Self {
        let first = |row: Option<&FaultRow>| row.and_then(|row| row.costs.first().cloned().flatten());
        let both = [self, other];
        let longer = if self.rows.is_empty() { other } else { self };
        let rows = longer.rows.iter().enumerate().map(|(at, row)| FaultRow {
            title: row.title.clone(),
            costs: both.iter().map(|table| first(table.rows.get(at))).collect(),
        });
        let rows: Vec<FaultRow> = rows.collect();
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            about: longer.about.clone(),
            progress: (
                small(rows.iter().flat_map(|row| &row.costs).flatten().count()),
                small(2 * rows.len()),
            ),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            rows,
            assumptions: Vec::new(),
        }
    }

    /// Whether every run is whole.
    pub fn is_whole(&self) -> bool {
        !self.rows.is_empty() && self.progress.0 == self.progress.1
    }

    /// As lines of fields.
    pub fn to_text(&self) -> String {
        let mut lines = vec![
            ["about", &self.about].join("\t"),
            format!("progress\t{}\t{}", self.progress.0, self.progress.1),
            format!("names\t{}", self.names.join("\t")),
        ];
        lines.extend(self.assumptions.iter().map(|said| format!("assumed\t{said}")));
        for row in &self.rows {
            lines.push(format!("fault\t{}", row.title));
            lines.extend(row.costs.iter().map(|cost| match cost {
                None => "open".to_owned(),
                Some(words) => format!("cost\t{}", words.join("\t")),
            }));
        }
        lines.join("\n")
    }

    /// From such lines; what is not understood is left out.
    pub fn from_text(text: &str) -> Self {
        let mut table = Self::default();
        for line in text.lines() {
            let (word, rest) = line.split_once(FIELD).unwrap_or((line, ""));
            let mut fields = rest.split(FIELD).map(str::to_owned);
            match word {
                "about" => rest.clone_into(&mut table.about),
                "progress" => {
                    let mut number = || fields.next().and_then(|n| n.parse().ok()).unwrap_or(0);
                    table.progress = (number(), number());
                }
                "names" => table.names = fields.collect(),
                "assumed" => table.assumptions.push(rest.to_owned()),
                "fault" => table.rows.push(FaultRow { title: rest.to_owned(), costs: Vec::new() }),
                "cost" | "open" => {
                    if let Some(row) = table.rows.last_mut() {
                        row.costs.push((word == "cost").then(|| fields.collect()));
                    }
                }
                _ => {}
            }
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::FaultTable;
    use crate::engine::analyze;
    use crate::engine::scenario::Preset;
    use crate::engine::sim::Policy;
    use crate::engine::sim::matrix::Matrix;

    #[test]
    fn a_table_survives_its_text_at_any_time() {
        let scenario = Preset::first_paint().scenario();
        let analysis = analyze(&scenario).expect("a preset can be sized");
        let mut matrix = Matrix::new(&analysis, vec![Policy::recommended(&analysis)]);
        let names = ["Recommended".to_owned()];
        let empty = FaultTable::of(&matrix, &names);
        assert_eq!(FaultTable::from_text(&empty.to_text()), empty);
        assert!(!empty.is_whole());
        while matrix.progress().0 < 2 {
            matrix.step();
        }
        let begun = FaultTable::of(&matrix, &names);
        assert_eq!(FaultTable::from_text(&begun.to_text()), begun);
        assert_eq!((begun.progress, begun.rows.len()), ((2, 10), 10));
        assert_eq!(begun.rows[0].costs[0].as_ref().map(Vec::len), Some(3));
        assert_eq!(FaultTable::from_text("nonsense\nopen"), FaultTable::default());
    }
}
