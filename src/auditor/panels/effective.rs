//! What is really in force: every default filled in, and marked as such.

use super::Model;
use crate::engine::audit::{Audit, InForce, Row, in_force};
use crate::engine::read::config::Configuration;
use crate::engine::read::effective::From;
use crate::engine::units::{Millis, Percent, display};
use crate::markup::Html;
use serde_json::Value;

/// Most clusters and routes that are shown at once.
const MAX_PIECES: usize = 60;

/// The settings in force, a table for each cluster and each route.
pub fn effective(out: &mut Html, m: &Model<'_>, audit: &Audit) {
    let all = in_force(audit, m.asked);
    out.raw(
        "<section class=\"hr-block\" aria-labelledby=\"h-effective\"><div class=\"hr-head\"><h2 id=\"h-effective\">What is in force</h2>\
         <p class=\"hr-sub\">Every setting, written or not. What nobody wrote is the default of the program named.</p></div>",
    );
    for (at, piece) in (0u32..).zip(all.iter().take(MAX_PIECES)) {
        out.put("<details class=\"hr-details\" id=\"force-{}\"", &[&at]);
        out.raw(if at == 0 { " open>" } else { ">" });
        out.put("<summary>{}</summary>", &[&title(&audit.configuration, piece)]);
        out.raw(
            "<table class=\"hr-force\"><thead><tr><th scope=\"col\">Setting</th><th scope=\"col\" class=\"hr-num\">Value</th>\
             <th scope=\"col\">Why</th></tr></thead><tbody>",
        );
        piece.rows().iter().for_each(|row| write_row(out, m, row));
        out.raw("</tbody></table></details>");
    }
    if all.len() > MAX_PIECES {
        out.put(
            "<p class=\"hr-sub\">{} more clusters and routes are not shown.</p>",
            &[&super::number(all.len() - MAX_PIECES)],
        );
    }
    out.raw("</section>");
}

fn title(c: &Configuration, piece: &InForce) -> String {
    let cluster =
        piece.cluster.and_then(|at| c.clusters.get(at)?.name.as_ref()).map(|name| name.value.as_str());
    match (piece.route.and_then(|at| c.routes.get(at)), cluster) {
        (None, name) => format!("Cluster {}", name.unwrap_or("without a name")),
        (Some(route), to) => {
            let name = route.label().unwrap_or("without a match");
            to.map_or_else(|| format!("Route {name}"), |to| format!("Route {name} to {to}"))
        }
    }
}

fn write_row(out: &mut Html, m: &Model<'_>, row: &Row) {
    let value = text(&row.value, row.unit);
    match &row.from {
        From::Default(dialect) => out.put(
            "<tr data-default><td>{}</td><td class=\"hr-num\">{}</td><td>default of {}</td></tr>",
            &[&row.name, &value, &dialect.title()],
        ),
        From::Text(place) | From::Runtime(place) => {
            let name = m
                .files
                .get(place.file as usize)
                .filter(|_| m.files.len() > 1)
                .map_or("", |f| f.name.as_str());
            let why = if matches!(row.from, From::Runtime(_)) { "runtime, " } else { "" };
            out.put(
                "<tr><td>{}</td><td class=\"hr-num\">{}</td><td>{}{} line {}</td></tr>",
                &[&row.name, &value, &why, &name, &place.line()],
            );
        }
    }
}

/// A value as the page writes it.
fn text(value: &Value, unit: &str) -> String {
    match (value, unit) {
        (Value::Number(n), "ms") => match n.as_f64().unwrap_or_default() {
            0.0 => "off".to_owned(),
            ms => display::millis(Millis(ms)),
        },
        (Value::Number(n), "%") => format!("{}%", display::number(Percent(n.as_f64().unwrap_or_default()).0)),
        (Value::Number(n), _) => display::count(n.as_f64().unwrap_or_default()),
        (Value::Null, _) => "none".to_owned(),
        (Value::Bool(is_on), _) => if *is_on { "on" } else { "off" }.to_owned(),
        (Value::String(text), _) => text.clone(),
        (Value::Array(items), _) if items.is_empty() => "none".to_owned(),
        (Value::Array(items), _) => items.iter().map(|item| text(item, "")).collect::<Vec<_>>().join(", "),
        (Value::Object(_), _) => value.to_string(),
    }
}
