//! The answer to read aloud, and what it means in four numbers.

use crate::engine::analysis::Analysis;
use crate::engine::units::display;
use crate::review::document::{Block, Section, Table};

/// Status, sentence, reason and what follows.
pub fn summary(a: &Analysis) -> Section {
    let mut blocks: Vec<Block> = Vec::new();
    let headline = &a.headline;
    if !headline.status_text.is_empty() {
        blocks.push(Block::Lead(headline.status_text.clone()));
    }
    for text in [headline.sentence_text(), headline.reason_text()] {
        if !text.is_empty() {
            blocks.push(Block::Text(text));
        }
    }
    blocks.push(Block::Table(glance(a)));
    Section { id: "summary", title: "Summary".to_owned(), blocks }
}

fn glance(a: &Analysis) -> Table {
    let (f, s) = (&a.forecast, &a.scenario);
    let mut table = Table::new("The answer in numbers", &["", "#recommended", "#Envoy's default"]);
    let share = |share| format!("{} ({})", display::share(share), display::one_in(share));
    table.row([
        "refused at the healthy peak".to_owned(),
        share(f.refused_at_peak),
        share(f.refused_at_peak_default),
    ]);
    let streams = if s.protocol.streams() { "stream life" } else { "latency" };
    let retries = if a.retry.num_retries > 0 { " with retries" } else { "" };
    table.row([
        format!("refused at ×{} {streams}{retries}", display::number(s.slowdown)),
        share(f.refused_at_slowdown),
        String::new(),
    ]);
    table.row([
        "in flight that all proxies together allow".to_owned(),
        display::count(f.fleet_max_requests as f64),
        display::count(f.fleet_max_requests_default as f64),
    ]);
    let survive = f.hosts_survive.map_or_else(|| "not known".to_owned(), |n| display::count(n.floor()));
    table.row([format!("in flight that {} hosts survive", s.hosts_left()), survive.clone(), survive]);
    table
}

/// Changes that make room, where the window is tight or shut.
pub fn ways_out(a: &Analysis) -> Option<Section> {
    let mut table = Table::new("Changes that make room", &["change", "effect"]);
    for way in &a.ways_out {
        table.row([way.label.clone(), way.effect.clone()]);
    }
    (!a.ways_out.is_empty()).then(|| Section {
        id: "ways-out",
        title: "Ways to make room".to_owned(),
        blocks: vec![Block::Table(table)],
    })
}
