//! The rail: the two policies in numbers, counters, assumptions, the command that plays it again.

use super::replay;
use crate::engine::sim::compare::{PolicyName, Row};
use crate::engine::units::display;
use crate::markup::{Html, Icon};
use crate::simulator::desk::{Desk, Whole};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The whole rail.
pub fn rail(out: &mut Html, desk: &Desk) {
    out.raw(
        "<section class=\"hr-block\" aria-labelledby=\"h-sim-cmp\"><div class=\"hr-head--row\"><h2 id=\"h-sim-cmp\">A against B</h2>\
         <div class=\"hr-actions\"><button class=\"hr-btn\" type=\"button\" id=\"sim-copy\" data-do=\"sim copy\">",
    );
    out.put("{}<span id=\"sim-copied\">Copy as Markdown</span></button></div></div>", &[&Icon("copy", "")]);
    out.begin("<div class=\"hr-sim-table\" id=\"{}\">", "s-sim-cmp");
    match &desk.whole {
        Some(whole) => {
            out.raw("<div");
            out.put_some(" class=\"{}\"", if desk.is_stale() { "hr-stale" } else { "" });
            out.raw(">");
            table(out, whole);
            out.raw("</div>");
        }
        None => out.raw("<p class=\"hr-sub\">Means of all runs stand here when the first is whole.</p>"),
    }
    out.end("</div>");
    out.raw(
        "<details class=\"hr-details\" id=\"sim-counters\"><summary>Counters, under Envoy’s names</summary>",
    );
    out.begin("<div class=\"hr-sim-wide\" id=\"{}\">", "s-sim-counters");
    if let Some(whole) = &desk.whole {
        counters(out, whole);
    }
    out.end("</div></details><details class=\"hr-details\" id=\"sim-assumed\" open><summary>What these runs assume</summary>");
    out.begin("<ul class=\"hr-sim-list\" id=\"{}\">", "s-sim-assumed");
    if let Some(live) = &desk.live {
        assumptions(out, live);
    }
    out.end("</ul></details><details class=\"hr-details\" id=\"sim-cli\"><summary>The same on the command line</summary>");
    out.begin("<div id=\"{}\">", "s-sim-cli");
    if let Some(live) = &desk.live {
        replay::command(out, desk, live);
    }
    out.end("</div></details></section>");
}

/// What stands over the columns.
fn heading(whole: &Whole) -> String {
    let n = whole.reports[0].len();
    if n == 1 { "One run".to_owned() } else { format!("Mean of {n} runs") }
}

fn table(out: &mut Html, whole: &Whole) {
    let names = whole.setup.names.map(PolicyName::title);
    out.put(
        "<table class=\"hr-table\" aria-label=\"Both policies\"><thead><tr><th scope=\"col\">{}</th><th scope=\"col\" class=\"hr-num\">{}</th><th scope=\"col\" class=\"hr-num\">{}</th></tr></thead><tbody>",
        &[&heading(whole), &names[0], &names[1]],
    );
    for (at, row) in whole.rows.iter().enumerate() {
        out.put("<tr><th scope=\"row\">{}<small>{}</small></th>", &[&row.measure.label, &part(row, whole)]);
        for spread in [row.a, row.b] {
            out.raw("<td class=\"hr-num\">");
            match spread {
                None => out.text("never"),
                Some(spread) => {
                    let mean = row.measure.shown(spread.mean);
                    if at == 0 {
                        out.put("<b>{}</b>", &[&mean]);
                    } else {
                        out.text(&mean);
                    }
                    let (low, high) = (row.measure.shown(spread.low), row.measure.shown(spread.high));
                    if low != high {
                        out.put("<small>{}</small>", &[&range(&low, &high)]);
                    }
                }
            }
            out.raw("</td>");
        }
        out.raw("</tr>");
    }
    out.raw("</tbody></table>");
    let n: u64 = whole.reports.iter().flatten().map(|report| report.requests).sum();
    let seeds = match whole.setup.seed(whole.setup.runs.max(1) - 1) {
        last if last == whole.setup.plan.seed => format!("Seed {last}"),
        last => format!("Seeds {} to {last}", whole.setup.plan.seed),
    };
    out.put(
        "<p class=\"hr-sub\">{} requests replayed one by one, no queueing formula inside. {}: same arrivals and times in service for both policies. Small: lowest and highest run.</p>",
        &[&display::count(n as f64), &seeds],
    );
}

/// `95.87–95.95%`: a unit that both share is written once.
fn range(low: &str, high: &str) -> String {
    let unit =
        |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',' || c == '.').to_owned();
    let shared = unit(low);
    match low.strip_suffix(shared.as_str()) {
        Some(bare) if shared == unit(high) && !bare.is_empty() => format!("{bare}–{high}"),
        _ => format!("{low} to {high}"),
    }
}

/// The part of the run that a row is about; in flight is compared with what a host survives.
fn part(row: &Row, whole: &Whole) -> String {
    match (row.measure.key, whole.setup.analysis.scenario.host_concurrency) {
        ("host_in_flight_max", Some(n)) => format!("of {}", display::number(n)),
        _ => row.measure.part.to_owned(),
    }
}

fn counters(out: &mut Html, whole: &Whole) {
    let first = |k: usize| whole.reports[k].first().map(|report| &report.counters);
    let (Some(a), Some(b)) = (first(0), first(1)) else { return };
    let names = whole.setup.names.map(PolicyName::title);
    out.put(
        "<table class=\"hr-table hr-sim-counters\" aria-label=\"Counters\"><thead><tr><th scope=\"col\">Seed {}</th><th scope=\"col\" class=\"hr-num\">{}</th><th scope=\"col\" class=\"hr-num\">{}</th></tr></thead><tbody>",
        &[&whole.setup.plan.seed.to_string(), &names[0], &names[1]],
    );
    let all: BTreeSet<&str> = a.keys().chain(b.keys()).copied().collect();
    for name in all {
        let shown = |of: &std::collections::BTreeMap<&'static str, u64>| {
            display::count(of.get(name).copied().unwrap_or(0) as f64)
        };
        out.put("<tr><th scope=\"row\"><code>", &[]);
        // Long names break after their dots and underscores.
        for part in name.split_inclusive(['_', '.']) {
            out.put("{}<wbr>", &[&part]);
        }
        out.put(
            "</code></th><td class=\"hr-num\">{}</td><td class=\"hr-num\">{}</td></tr>",
            &[&shown(a), &shown(b)],
        );
    }
    out.raw("</tbody></table>");
}

fn assumptions(out: &mut Html, live: &crate::simulator::desk::Live) {
    let [a, b] = &live.setup.prepared;
    for said in &a.assumptions {
        let only = if b.assumptions.contains(said) {
            String::new()
        } else {
            format!("{}: ", live.setup.names[0].title())
        };
        out.put("<li>{}{}</li>", &[&only, said]);
    }
    for said in b.assumptions.iter().filter(|said| !a.assumptions.contains(said)) {
        out.put("<li>{}: {}</li>", &[&live.setup.names[1].title(), said]);
    }
}

/// The table and the verdict, to be pasted into a report.
pub fn markdown(desk: &Desk) -> String {
    let Some(whole) = &desk.whole else { return String::new() };
    let names = whole.setup.names.map(PolicyName::title);
    let mut text = format!("{}\n\n", whole.verdict.sentence);
    if let Some(reason) = &whole.verdict.reason {
        _ = write!(text, "**{}:** {}\n\n", reason.lead, reason.words);
    }
    _ = write!(text, "| {} | {} | {} |\n|---|---:|---:|\n", heading(whole), names[0], names[1]);
    for row in &whole.rows {
        let shown = |spread: Option<crate::engine::sim::compare::Spread>| match spread {
            None => "never".to_owned(),
            Some(s) => {
                let (low, high) = (row.measure.shown(s.low), row.measure.shown(s.high));
                let range = if low == high { String::new() } else { format!(" ({})", range(&low, &high)) };
                format!("{}{range}", row.measure.shown(s.mean))
            }
        };
        _ = writeln!(
            text,
            "| {}, {} | {} | {} |",
            row.measure.label,
            part(row, whole),
            shown(row.a),
            shown(row.b)
        );
    }
    text
}
