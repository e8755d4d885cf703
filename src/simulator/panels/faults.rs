//! All ten faults against both policies.

use crate::engine::sim::FaultKind;
use crate::engine::sim::compare::PolicyName;
use crate::engine::sim::matrix::Cell;
use crate::markup::{Html, Icon};
use crate::simulator::cells::seconds;
use crate::simulator::desk::Desk;
use crate::simulator::matrix::Matrix;

/// The table.
pub fn faults(out: &mut Html, desk: &Desk) {
    out.raw("<section class=\"hr-block\" aria-labelledby=\"h-sim-all\"><div class=\"hr-head--row\"><div class=\"hr-head\"><h2 id=\"h-sim-all\">All ten faults</h2>");
    out.begin("<p class=\"hr-sub\" id=\"{}\">", "s-sim-all");
    if let Some(matrix) = &desk.matrix {
        let (from, to) = matrix.setup().span();
        out.put(
            "One run each with seed {}, every fault as strong as it is by default, from {} to {}. Lost: share served before it less share served during it. Recovered: counted from its start.",
            &[&matrix.setup().plan.seed.to_string(), &seconds(from), &seconds(to)],
        );
    }
    out.end("</p></div>");
    out.begin("<div class=\"hr-actions\" id=\"{}\">", "s-sim-all-do");
    if let Some(matrix) = &desk.matrix {
        control(out, matrix);
    }
    out.end("</div></div>");
    out.begin("<div class=\"hr-sim-wide\" id=\"{}\" tabindex=\"0\" role=\"region\" aria-label=\"Table of all ten faults\">", "s-sim-matrix");
    if let Some(matrix) = &desk.matrix {
        table(out, desk, matrix);
    }
    out.end("</div></section>");
}

fn control(out: &mut Html, matrix: &Matrix) {
    if matrix.is_whole() {
        return;
    }
    let n = u32::try_from(matrix.n_filled()).unwrap_or(0);
    let (what, label) = if matrix.is_stopped() { ("go", "Go on") } else { ("stop", "Stop") };
    out.put(
        "<span class=\"hr-sub\">{} of 20 runs</span><button class=\"hr-btn\" type=\"button\" id=\"sim-all\" data-do=\"sim matrix {}\">{}</button>",
        &[&n, &what, &label],
    );
}

fn table(out: &mut Html, desk: &Desk, matrix: &Matrix) {
    let names = matrix.setup().names.map(PolicyName::title);
    out.put(
        "<table class=\"hr-table hr-sim-matrix\" aria-label=\"All faults\"><thead><tr><th scope=\"col\" rowspan=\"2\">Fault</th>\
         <th scope=\"colgroup\" colspan=\"3\" class=\"hr-num\">{}</th><th scope=\"colgroup\" colspan=\"3\" class=\"hr-num\">{}</th></tr><tr>",
        &[&names[0], &names[1]],
    );
    for _ in names {
        for head in ["Lost", "Refused", "Recovered"] {
            out.put("<th scope=\"col\" class=\"hr-num\">{}</th>", &[&head]);
        }
    }
    out.raw("</tr></thead><tbody>");
    for (kind, cells) in matrix.rows() {
        row(out, desk, kind, cells, names);
    }
    out.raw("</tbody></table>");
}

fn row(out: &mut Html, desk: &Desk, kind: FaultKind, cells: &[Cell; 2], names: [&str; 2]) {
    let spec = kind.spec();
    out.raw("<tr><th scope=\"row\">");
    if kind == desk.texts.kind() {
        out.put("<b>{}</b>", &[&spec.title]);
    } else {
        out.put(
            "<a href=\"?view=simulate&amp;sim=1&amp;fault={}\" data-do=\"sim pick {}\" id=\"sim-pick-{}\">{}</a>",
            &[&spec.word, &spec.word, &spec.word, &spec.title],
        );
    }
    out.raw("</th>");
    for (cell, name) in cells.iter().zip(names) {
        // Where rows are stacked, the policy stands before its cells.
        out.put("<td class=\"hr-num\" data-of=\"{}\"", &[&name]);
        match cell {
            Cell::Open => out.raw(" colspan=\"3\">not played yet</td>"),
            Cell::TooLarge => out.raw(" colspan=\"3\">too large to be played</td>"),
            Cell::Played(damage) => {
                let [lost, refused, back] = damage.words();
                out.put(">{}</td><td class=\"hr-num\">{}</td><td class=\"hr-num\">", &[&lost, &refused]);
                if damage.recovery.is_some_and(|r| r.hurt && r.after_s.is_none()) {
                    out.put("{} ", &[&Icon("danger", "hr-danger")]);
                }
                out.put("{}</td>", &[&back]);
            }
        }
    }
    out.raw("</tr>");
}
