//! All problems of the inputs in one place, with the way to each.

use super::Model;
use crate::engine::params::{Param, by_key};
use crate::engine::units::display;
use crate::markup::{Html, Icon};

/// How many inputs need attention, and which. Only which: messages change with every keystroke,
/// and this list is read aloud.
pub fn attention(out: &mut Html, m: &Model<'_>) {
    let mut rows: Vec<&'static Param> = m.now.problems.iter().filter_map(|p| by_key(&p.field)).collect();
    rows.dedup_by_key(|row| row.key);
    if rows.is_empty() {
        return;
    }
    let need = if rows.len() == 1 { "needs" } else { "need" };
    out.put(
        "<div class=\"hr-banner\" role=\"alert\" data-testid=\"attention\">{}<div><p><b>{} {} attention</b></p><ul>",
        &[&Icon("danger", ""), &display::plural(rows.len() as f64, "input", "inputs"), &need],
    );
    for row in rows {
        out.put(
            "<li><a href=\"#{}\" data-do=\"input {}\" id=\"to-{}\">{}</a></li>",
            &[&row.key, &row.key, &row.key, &row.label],
        );
    }
    out.raw("</ul></div></div>");
}
