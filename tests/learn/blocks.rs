//! Parts of pages that are written from data: `{{{name words}}}` in the text.

use crate::markdown::{self, classed_table, escaped, inline, table_html};
use crate::values::{Values, shown};
use headroom::engine::analysis::Analysis;
use headroom::engine::audit::rules;
use headroom::engine::rules::{RULES, RuleMeta};
use headroom::engine::units::display;
use headroom::simulator::lessons::{Control, Lesson, figure};
use std::fmt::Write;

/// The HTML of a part of a lesson's page.
pub fn of_lesson(lesson: &'static Lesson, values: &Values, block: &str) -> String {
    let (name, words) = block.split_once(' ').unwrap_or((block, ""));
    match name {
        "lesson" => the_lesson(lesson, values),
        "rules" => rule_list(words),
        "counters" => counters(values, words),
        "why" => why(&values.default_run().analysis, words),
        _ => panic!("{}: there is no part {name}", lesson.id),
    }
}

/// Controls, and the figure of the default run, which stands there without a script.
fn the_lesson(lesson: &Lesson, values: &Values) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<form class=\"hr-lesson-form\" data-lesson=\"{}\" aria-label=\"Try it\" hidden>",
        lesson.id
    );
    for control in lesson.controls {
        out.push_str(&choices(control));
    }
    out.push_str(
        "<div class=\"hr-lesson-go\"><button class=\"hr-btn hr-btn--main\" type=\"submit\">Run it</button>\
         <p class=\"hr-sub\" data-state>The picture below is the run with these settings, played when this page was made. Run it to load the simulator, a third of a megabyte, and play it here.</p></div>\n</form>\n",
    );
    let set: Vec<String> = lesson
        .controls
        .iter()
        .map(|c| format!("{} <b>{}</b>", escaped(c.label), escaped(c.choices[c.default].label)))
        .collect();
    let _ = writeln!(
        out,
        "<noscript><p class=\"hr-sub\">Set here: {}. With scripts allowed, these can be changed and played again.</p></noscript>",
        set.join(", ")
    );
    let run = values.default_run();
    let _ =
        writeln!(out, "<div class=\"hr-lesson\" id=\"mini-{}\">{}</div>", lesson.id, figure(&run).as_str());
    out
}

fn choices(control: &Control) -> String {
    let mut out =
        format!("<fieldset class=\"hr-lesson-control\"><legend>{}</legend>", escaped(control.label));
    for (at, choice) in control.choices.iter().enumerate() {
        let checked = if at == control.default { " checked" } else { "" };
        let _ = write!(
            out,
            "<label><input type=\"radio\" name=\"{}\" value=\"{at}\"{checked}><span>{}</span></label>",
            control.key,
            escaped(choice.label)
        );
    }
    out + "</fieldset>\n"
}

/// Rules of both registries, by code.
pub fn metas() -> Vec<RuleMeta> {
    let mut metas: Vec<RuleMeta> =
        RULES.iter().map(|rule| rule.meta).chain(rules::all().map(|rule| rule.meta)).collect();
    metas.sort_by_key(|meta| meta.code);
    metas
}

fn rule_list(codes: &str) -> String {
    let metas = metas();
    let mut out = String::from("<ul class=\"hr-learn-rules\">\n");
    for code in codes.split_whitespace() {
        let meta = metas.iter().find(|meta| meta.code == code).unwrap_or_else(|| panic!("no rule {code}"));
        let _ = writeln!(
            out,
            "<li><a href=\"../rules.html#{code}\">{code}</a> <span>{}</span></li>",
            inline(meta.summary)
        );
    }
    out + "</ul>\n"
}

/// Counters of the default run.
fn counters(values: &Values, names: &str) -> String {
    let run = values.default_run();
    let rows = names.split_whitespace().map(|name| {
        let of = |k: usize| {
            let n = run.sides[k].report.counters.get(name);
            display::count(*n.unwrap_or_else(|| panic!("no counter {name}")) as f64)
        };
        vec![markdown::name(name), of(0), of(1)]
    });
    let head = ["Counter, all proxies of the run above", "As set here", "Recommended"];
    classed_table("hr-learn-wide hr-learn-counts", &head, &rows.collect::<Vec<_>>())
}

/// Numbers of the ledger with formula, values and source.
pub fn why(analysis: &Analysis, ids: &str) -> String {
    let rows = ids.split_whitespace().map(|id| {
        let number = analysis.numbers.iter().find(|number| number.id == id);
        let number = number.unwrap_or_else(|| panic!("the ledger has no {id}"));
        let value = number.value.map_or_else(|| "none".to_owned(), |value| shown(value, number.unit));
        vec![
            markdown::name(id),
            format!(
                "<code>{}</code><small>= {}</small>",
                escaped(number.formula),
                escaped(&number.substituted.to_string())
            ),
            escaped(&value),
            escaped(number.source),
        ]
    });
    table_html(&["Number", "Formula", "Here", "Source"], &rows.collect::<Vec<_>>())
}
