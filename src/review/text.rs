//! A document as plain text, for a terminal.

use super::document::{Block, Document, Table, sentence};
use crate::engine::units::display::{self, NBSP};

/// Widest line of running text.
const WIDTH: usize = 100;

/// The whole document.
pub fn write(document: &Document) -> String {
    let mut lines = vec![bare(&document.title)];
    lines.extend(document.about.iter().flat_map(|about| wrapped(about, "")));
    lines.extend(document.link.iter().map(|link| format!("Link: {link}")));
    for section in &document.sections {
        lines.extend([String::new(), bare(&section.title)]);
        for block in &section.blocks {
            write_block(&mut lines, block);
        }
    }
    lines.join("\n") + "\n"
}

fn write_block(lines: &mut Vec<String>, block: &Block) {
    match block {
        Block::Lead(text) | Block::Text(text) => lines.extend(wrapped(text, "")),
        Block::Heading(text) => lines.extend([String::new(), bare(text)]),
        Block::Table(table) => lines.extend(aligned(table)),
        Block::List(points) => lines.extend(points.iter().flat_map(|point| item(point))),
        Block::Steps(tasks) => {
            for task in tasks {
                lines.extend(item(&task.what));
                lines.extend(task.command.iter().flat_map(|c| c.lines()).map(|c| format!("    {}", bare(c))));
                lines.extend(task.points.iter().flat_map(|point| wrapped(point, "    ")));
            }
        }
        Block::Findings(remarks) => {
            for r in remarks {
                let status = if r.accepted.is_some() { "accepted by design" } else { "open" };
                lines.extend(item(&format!(
                    "{} {} {} ({status}): {}",
                    sentence(r.severity.as_str()).trim_end_matches('.'),
                    r.code,
                    r.name,
                    r.text
                )));
            }
        }
        Block::Figure(figure) => {
            lines.extend(wrapped(&figure.alt, ""));
            lines.extend(aligned(&figure.table));
        }
        Block::Code(_, text) => lines.extend(text.lines().map(|line| format!("  {}", shown(line)))),
        Block::Difference(all) => {
            lines.extend(all.iter().map(|(mark, text)| format!("{}{}", mark.sign(), shown(text))));
        }
    }
}

/// A table with its columns under each other.
fn aligned(table: &Table) -> Vec<String> {
    let head = table.columns.iter().map(|(name, _)| bare(name)).collect::<Vec<_>>();
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| bare(cell)).collect());
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    let width = |at: usize| {
        rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).zip(&table.columns).map(|((cell, width), (_, is_number))| {
            if *is_number { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

fn item(text: &str) -> Vec<String> {
    let mut lines = wrapped(text, "  ");
    if let Some(first) = lines.first_mut() {
        first.replace_range(..2, "- ");
    }
    lines
}

/// Lines of at most [`WIDTH`] letters, each with an indent.
fn wrapped(text: &str, indent: &str) -> Vec<String> {
    display::wrapped(&bare(text), indent, WIDTH)
}

/// Without the marks of code, and without what a terminal would follow.
fn bare(text: &str) -> String {
    shown(&text.replace('`', ""))
}

fn shown(text: &str) -> String {
    let sign = |c: char| match c {
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(sign).collect::<String>().replace(NBSP, " ")
}
