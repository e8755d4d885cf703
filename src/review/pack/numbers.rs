//! Every number of the ledger: value, sum over the fleet, label, formula with the values, source, and why
//! not another.

use super::fleet;
use crate::engine::analysis::{Analysis, Number};
use crate::engine::units::display;
use crate::review::document::{Block, Section, Table};

/// The account of every number.
pub fn numbers(a: &Analysis) -> Section {
    let mut table = Table::new(
        "Every number",
        &["number", "#value", "#fleet", "label", "formula", "with the values", "reason"],
    );
    for n in &a.numbers {
        let value = n.value.map_or_else(|| "none".to_owned(), |value| display::quantity(value, n.unit));
        table.row([
            format!("`{}`", n.id),
            value,
            sum(a, n),
            n.label.as_str().to_owned(),
            n.formula.to_owned(),
            n.substituted.to_string(),
            reason(n),
        ]);
    }
    Section {
        id: "numbers",
        title: "Numbers".to_owned(),
        blocks: vec![
            Block::Text(
                "Every number of this document: given (typed), derived (a law), rule (ours; the reason says why), assumption \
                 (not known), envoy-default. Limits are those of one proxy; fleet is the sum over all of them."
                    .to_owned(),
            ),
            Block::Table(table),
        ],
    }
}

/// Settings of a proxy that add up over the fleet.
const ADD_UP: [&str; 5] =
    ["max_requests", "max_connections", "max_pending_requests", "min_retry_concurrency", "max_retries"];

fn sum(a: &Analysis, n: &Number) -> String {
    let is_limit = n.id.split('.').nth(1).is_some_and(|setting| ADD_UP.contains(&setting));
    let is_whole = !matches!(n.id.rsplit('.').next(), Some("offered" | "pool_peak"));
    match n.value {
        Some(value) if is_limit && is_whole => display::count(fleet(a, value)),
        _ => String::new(),
    }
}

/// Who says so, and why the obvious other values lost.
fn reason(n: &Number) -> String {
    let mut reason = n.source.to_owned();
    for other in &n.alternatives {
        reason.extend(["; ", &lowered(&other.what), ": ", other.because.trim_end_matches('.')]);
    }
    reason
}

fn lowered(text: &str) -> String {
    text.strip_prefix("Not ").map_or_else(|| text.to_owned(), |rest| format!("not {rest}"))
}
