//! The findings, worst first, with their place and their fix.

use super::{Model, count, line_id, look_of, number};
use crate::engine::audit::{Audit, Finding, rules};
use crate::engine::params::param;
use crate::engine::rules::Severity;
use crate::markup::{Html, LabeledIcon, Rich};

/// Most findings that are listed at once.
const MAX_LISTED: usize = 300;

/// The list.
pub fn findings(out: &mut Html, m: &Model<'_>, audit: &Audit) {
    out.raw("<div class=\"hr-head--row\"><h2 id=\"h-findings\" tabindex=\"-1\">Findings</h2>");
    filter(out, m, audit);
    out.raw("</div>");
    let all: Vec<(u32, &Finding)> = (0u32..)
        .zip(&audit.findings)
        .filter(|(_, f)| m.view.only.is_none_or(|only| f.severity == only))
        .collect();
    if all.is_empty() {
        let n = number(rules::all().count());
        out.put(
            "<p class=\"hr-sub\">{} rules checked, none fired{}.</p>",
            &[&n, &if m.view.only.is_some() { " at this severity" } else { "" }],
        );
    }
    out.begin("<ul class=\"hr-finds\" id=\"{}\">", "s-audit-finds");
    for (at, f) in all.iter().take(MAX_LISTED) {
        out.begin("<li id=\"{}\" tabindex=\"-1\">", &format!("f{at}"));
        row(out, m, audit, *at, f);
        out.end("</li>");
    }
    out.end("</ul>");
    if let Some(more) = all.len().checked_sub(MAX_LISTED).filter(|n| *n > 0) {
        out.put("<p class=\"hr-sub\">{} more are not listed: mend the ones above first, or audit fewer files at once.</p>", &[&number(more)]);
    }
    notes(out, audit);
}

fn filter(out: &mut Html, m: &Model<'_>, audit: &Audit) {
    out.raw("<div class=\"hr-seg\" role=\"group\" aria-label=\"Show\">");
    let mut one = |name: &'static str, word: &'static str, n: usize, is_on: bool| {
        out.put(
            "<button type=\"button\" id=\"show-{}\" data-do=\"audit show {}\" aria-pressed=\"{}\">{} {}</button>",
            &[&name, &name, &if is_on { "true" } else { "false" }, &word, &number(n)],
        );
    };
    one("all", "All", audit.findings.len(), m.view.only.is_none());
    for (severity, word) in
        [(Severity::Error, "Errors"), (Severity::Warning, "Warnings"), (Severity::Info, "Notes")]
    {
        one(severity.as_str(), word, count(audit, severity), m.view.only == Some(severity));
    }
    out.raw("</div>");
}

fn row(out: &mut Html, m: &Model<'_>, audit: &Audit, at: u32, f: &Finding) {
    let (icon, tone, word) = look_of(f.severity);
    out.put(
        "{}<span class=\"hr-code\">{}</span><div><p>{}",
        &[&LabeledIcon(icon, tone, word), &f.code, &Rich(&f.message)],
    );
    out.raw("<small>");
    place(out, m, audit, f);
    if !f.consequence.is_empty() {
        out.put(" · {}", &[&Rich(&f.consequence)]);
    }
    out.raw("</small>");
    if !f.help.is_empty() {
        out.put("<small>{}</small>", &[&Rich(&f.help)]);
    }
    for other in &f.related {
        out.put(
            "<small><a href=\"#L{}-{}\" data-do=\"go L{}-{}\">line {}</a> · {}</small>",
            &[
                &other.at.file,
                &other.at.line(),
                &other.at.file,
                &other.at.line(),
                &other.at.line(),
                &Rich(&other.message),
            ],
        );
    }
    out.raw("</p>");
    why(out, at, f);
    out.raw("</div>");
    if let Some(fix) = &f.fix {
        out.put(
            "<button class=\"hr-btn\" type=\"button\" id=\"audit-fix-{}\" data-do=\"audit fix {}\">{}</button>",
            &[&at, &at, &Rich(&fix.label)],
        );
    } else if let Some(id) = f.asks {
        out.put(
            "<button class=\"hr-btn\" type=\"button\" data-do=\"ask {}\">Enter {}</button>",
            &[&param(id).key, &param(id).label],
        );
    }
}

/// `line 10, cluster checkout`
fn place(out: &mut Html, m: &Model<'_>, audit: &Audit, f: &Finding) {
    let id = line_id(f);
    out.put("<a href=\"#{}\" data-do=\"go {}\">", &[&id, &id]);
    if m.files.len() > 1 {
        let name = m.files.get(f.at.file as usize).map_or("", |file| file.name.as_str());
        out.put("{} ", &[&name]);
    }
    out.put("line {}</a>", &[&f.at.line()]);
    let c = &audit.configuration;
    if let Some(name) =
        f.cluster.filter(|_| c.clusters.len() > 1).and_then(|at| c.clusters.get(at)?.name.as_ref())
    {
        out.put(", {}", &[&name.value]);
    }
    let route = f.route.filter(|_| c.routes.len() > 1).and_then(|at| c.routes.get(at)?.label());
    if let Some(label) = route {
        out.put(", route {}", &[&label]);
    }
}

/// What the rule rests on.
fn why(out: &mut Html, at: u32, f: &Finding) {
    let Some(rule) = rules::all().find(|rule| rule.meta.code == f.code) else { return };
    out.put(
        "<details class=\"hr-details\" id=\"why-{}\"><summary>Why</summary><p class=\"hr-sub\">{}</p><p class=\"hr-source\">Source: {}. \
         <a href=\"rules.html#{}\">{}</a></p></details>",
        &[&at, &Rich(rule.meta.rationale), &Rich(&rule.meta.sources.join("; ")), &f.code, &rule.meta.name],
    );
}

/// Facts about the input that are no findings.
fn notes(out: &mut Html, audit: &Audit) {
    let notes = &audit.configuration.notes;
    if notes.is_empty() {
        return;
    }
    out.raw("<details class=\"hr-details\" id=\"audit-notes\"><summary>What was read in part, or not at all</summary><ul>");
    for note in notes.iter().take(MAX_LISTED) {
        out.put("<li>line {}: {}</li>", &[&note.at.line(), &Rich(&note.message)]);
    }
    out.raw("</ul></details>");
}
