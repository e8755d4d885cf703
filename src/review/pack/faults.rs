//! What each of the ten faults costs.

use super::Faults;
use crate::engine::sim::FaultTable;
use crate::review::document::{Block, Section, Table};

/// The table, or why it is not there.
pub fn section(faults: &Faults) -> Section {
    let blocks = match faults {
        Faults::LeftOut => {
            vec![Block::Text("Left out: no fault was simulated for this document.".to_owned())]
        }
        Faults::Played(table) if table.rows.is_empty() => {
            vec![Block::Text("The ten faults are not played yet.".to_owned())]
        }
        Faults::Played(table) => {
            let mut blocks = vec![Block::Text(table.about.clone()), Block::Table(of(table))];
            if !table.is_whole() {
                let (done, all) = table.progress;
                blocks.push(Block::Text(format!("{done} of {all} runs are played; the rest is open.")));
            }
            if !table.assumptions.is_empty() {
                blocks.push(Block::Heading("What these runs assume".to_owned()));
                blocks.push(Block::List(table.assumptions.clone()));
            }
            blocks
        }
    };
    Section { id: "faults", title: "Ten faults, simulated".to_owned(), blocks }
}

/// One row a fault, three columns a policy.
pub fn of(faults: &FaultTable) -> Table {
    let mut table = Table::new("What each fault costs", &["fault"]);
    for name in &faults.names {
        for what in ["lost", "refused", "recovered"] {
            table.columns.push((format!("{name}: {what}"), true));
        }
    }
    for row in &faults.rows {
        let mut cells = vec![row.title.clone()];
        for cost in &row.costs {
            let mut words = cost.clone().unwrap_or_else(|| vec!["not played yet".to_owned()]);
            words.resize(3, String::new());
            cells.extend(words);
        }
        table.rows.push(cells);
    }
    table
}
