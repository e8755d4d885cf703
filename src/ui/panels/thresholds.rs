//! The thresholds table, one a priority.

use super::limits::{Column, LIMITS, Limit};
use super::{Model, why};
use crate::engine::analysis::Analysis;
use crate::engine::units::display;
use crate::markup::{Html, Icon, Piece};
use crate::ui::words::in_words_of;

/// Limits per proxy and for the fleet, how much is used, and why.
pub fn thresholds(out: &mut Html, m: &Model<'_>) {
    let a = m.answer();
    out.raw(
        "<section class=\"hr-block\" aria-labelledby=\"h-lim\"><div class=\"hr-head\">\
         <h2 id=\"h-lim\">Thresholds</h2>",
    );
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-counted", &about(a), "</p></div>");
    table(out, m, 0, "DEFAULT");
    out.begin("<div id=\"{}\">", "s-high");
    if a.thresholds.len() > 1 {
        out.raw("<h3>HIGH priority</h3>");
        table(out, m, 1, "HIGH");
    }
    out.end("</div><p class=\"hr-sub\"><code>max_retries</code> ");
    let retries = display::count(f64::from(a.default_threshold().max_retries));
    out.slot("<span id=\"{}\">", "s-retries", &retries, "</span>");
    out.raw(" for targets without <code>retry_budget</code>. <code>track_remaining</code> on.</p>");
    why::details(out, m, "why-retries", "Why this max_retries", &["default.max_retries"]);
    out.raw("</section>");
}

fn about(a: &Analysis) -> String {
    let allow = match a.scenario.clients {
        1 => "one of them allows".to_owned(),
        n => format!("{} of them allow together", display::count(f64::from(n))),
    };
    format!("Envoy counts per proxy process and priority. The fleet column is what {allow}.")
}

/// The table of the priority at that place in the answer.
fn table(out: &mut Html, m: &Model<'_>, at: usize, priority: &str) {
    let fleet = "Fleet of ".to_owned() + &display::count(f64::from(m.answer().scenario.clients));
    out.put(
        "<table class=\"hr-table hr-table--limits\" aria-label=\"Limits, {} priority\"><thead><tr>\
         <th scope=\"col\">Limit</th><th scope=\"col\" class=\"hr-num\">Per proxy</th>",
        &[&priority],
    );
    let id = if at == 0 { "s-fleet" } else { "s-fleet-high" };
    out.slot("<th scope=\"col\" class=\"hr-num\" id=\"{}\">", id, &fleet, "</th>");
    out.raw(
        "<th scope=\"col\" class=\"hr-num\">In use at peak</th>\
         <th scope=\"col\" class=\"hr-num\">Refused at peak</th>\
         <th scope=\"col\"><span class=\"hr-vh\">Derivation</span></th></tr></thead>",
    );
    for limit in &LIMITS {
        row(out, m, at, limit);
    }
    out.raw("</table>");
}

/// A limit, and its derivation in a body of its own, so that opening one touches no other cell.
fn row(out: &mut Html, m: &Model<'_>, at: usize, limit: &Limit) {
    let a = m.answer();
    let group = format!("{}.{}", if at == 0 { "default" } else { "high" }, limit.name);
    let why = format!("why-{}", group.replace('.', "-"));
    out.put("<tbody><tr data-testid=\"{}\"><th scope=\"row\"><code>{}</code>", &[&group, &limit.name]);
    let mut cell = |before: &'static str, piece: &dyn Piece, after: &'static str| {
        out.slot(before, &group, piece, after);
    };
    cell("<small id=\"s-about-{}\">", &in_words_of(&a.scenario, limit.about), "</small></th>");
    let value = limit.cell(a, at, Column::PerProxy);
    cell(
        "<td class=\"hr-num\" data-k=\"Per proxy\"><span class=\"hr-big\" id=\"s-value-{}\">",
        &value,
        "</span></td>",
    );
    cell(
        "<td class=\"hr-num\" data-k=\"Fleet\" id=\"s-fleet-{}\">",
        &limit.cell(a, at, Column::Fleet),
        "</td>",
    );
    cell(
        "<td class=\"hr-num\" data-k=\"In use\" id=\"s-used-{}\">",
        &limit.cell(a, at, Column::Used),
        "</td>",
    );
    let refused = Refused(limit.cell(a, at, Column::Refused), limit.cell(a, at, Column::Note));
    cell("<td class=\"hr-num\" data-k=\"Refused\" id=\"s-refused-{}\">", &refused, "</td>");
    let button = Why { id: &why, value: &value, name: limit.name, is_open: m.is_open(&why) };
    cell("<td class=\"hr-num\" id=\"s-why-{}\">", &button, "</td></tr></tbody>");
    out.begin("<tbody id=\"s-{}\">", &why);
    if m.is_open(&why) {
        out.put("<tr class=\"hr-table__why\" id=\"{}\"><td colspan=\"6\"><div class=\"hr-why\">", &[&why]);
        why::derivation(out, a, &[&group]);
        out.raw("</div></td></tr>");
    }
    out.end("</tbody>");
}

/// What is refused, with a few words under it.
struct Refused(String, String);

impl Piece for Refused {
    fn write(&self, out: &mut Html) {
        out.put("{}<small>{}</small>", &[&self.0, &self.1]);
    }
}

/// The button that opens a derivation.
struct Why<'a> {
    id: &'a str,
    value: &'a str,
    name: &'static str,
    is_open: bool,
}

impl Piece for Why<'_> {
    fn write(&self, out: &mut Html) {
        out.put(
            "<button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"open-{}\" data-do=\"unfold {}\"",
            &[&self.id, &self.id],
        );
        if self.is_open {
            out.put(" aria-expanded=\"true\" aria-controls=\"{}\"", &[&self.id]);
        } else {
            out.raw(" aria-expanded=\"false\"");
        }
        out.put(
            " aria-label=\"Why {} for {}\">Why{}</button>",
            &[&self.value, &self.name, &Icon("chevron", "")],
        );
    }
}
