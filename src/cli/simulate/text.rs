//! The answer for a person at a terminal: verdict, table, assumptions.

use super::{Answer, Played};
use crate::problems::one_line;
use headroom::engine::sim::compare::{Row, Spread, rows};
use headroom::engine::units::display::{self, NBSP};

/// Widest line of running text.
const WIDTH: usize = 100;

/// The whole answer.
pub fn document(answer: &Answer) -> String {
    let mut parts = vec![verdict(answer), table(answer)];
    parts.push(list("Assumptions", &answer.assumptions));
    for played in &answer.played {
        let not_played = played.policy.not_simulated.iter().map(|note| format!("{note}."));
        let notes: Vec<String> = played.notes.iter().cloned().chain(not_played).collect();
        parts.push(list(&format!("Notes on {}", played.name.subject()), &notes));
    }
    let text = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
    // What a terminal breaks lines at is its own business.
    text.replace(NBSP, " ")
}

fn verdict(answer: &Answer) -> String {
    let verdict = &answer.verdict;
    let statuses: Vec<&str> = verdict.statuses.iter().map(|told| told.words.as_str()).collect();
    let mut lines = vec![statuses.join("; "), String::new()];
    lines.extend(display::wrapped(&verdict.sentence, "", WIDTH));
    if let Some(reason) = &verdict.reason {
        lines.extend(display::wrapped(&format!("{}: {}", reason.lead, reason.words), "", WIDTH));
    }
    lines.join("\n") + "\n"
}

fn table(answer: &Answer) -> String {
    let [a, rest @ ..] = answer.played.as_slice() else { return String::new() };
    let b = rest.first();
    let rows = rows(&a.reports, b.map(|b| b.reports.as_slice()));
    let n = a.reports.len();
    let head = if n == 1 {
        format!("One run of {} s, seed {}", display::number(answer.duration_s), first_seed(a))
    } else {
        let from = first_seed(a);
        format!("Mean of {n} runs of {} s, seeds from {from} on, ± 95%", display::number(answer.duration_s))
    };
    let label = |row: &Row| format!("{}, {}", row.measure.label, row.measure.part);
    let cells: Vec<[String; 4]> = std::iter::once([
        head,
        a.name.title().to_owned(),
        b.map(|b| b.name.title().to_owned()).unwrap_or_default(),
        String::new(),
    ])
    .chain(rows.iter().map(|row| {
        let b = if b.is_some() { cell(row, row.b, n) } else { String::new() };
        [label(row), cell(row, row.a, n), b, remark(row)]
    }))
    .collect();
    let width = |at: usize| cells.iter().map(|c| c[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let line = |c: &[String; 4]| {
        let line = format!(
            "{:<w0$}  {:>w1$}  {:>w2$}  {}",
            c[0],
            c[1],
            c[2],
            c[3],
            w0 = widths[0],
            w1 = widths[1],
            w2 = widths[2]
        );
        line.trim_end().to_owned()
    };
    let mut lines: Vec<String> = answer.fault_titles.iter().map(|title| format!("Fault: {title}")).collect();
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(cells.iter().map(line));
    lines.join("\n") + "\n"
}

fn first_seed(played: &Played) -> u64 {
    played.reports.first().map_or(0, |report| report.seed)
}

/// The mean, how sure it is, and in how many runs it was there at all.
fn cell(row: &Row, spread: Option<Spread>, runs: usize) -> String {
    let Some(spread) = spread else { return "–".to_owned() };
    let half = spread.half_width.map(|half| format!(" ± {}", row.measure.shown_width(half)));
    let some = if (spread.n as usize) < runs { format!(" in {} of {runs}", spread.n) } else { String::new() };
    format!("{}{}{some}", row.measure.shown(spread.mean), half.unwrap_or_default())
}

fn remark(row: &Row) -> String {
    if row.b.is_some() && row.differs() == Some(false) { "no difference shown" } else { "" }.to_owned()
}

fn list(title: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let lines = items.iter().flat_map(|item| {
        let mut lines = display::wrapped(&one_line(item), "  ", WIDTH);
        if let Some(first) = lines.first_mut() {
            first.replace_range(..2, "- ");
        }
        lines
    });
    format!("{title}\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}
