//! The text with its marks, or open for typing.

use super::lines::{Run, runs};
use super::{Model, look_of, number};
use crate::engine::audit::{Audit, Finding};
use crate::engine::read::source::{Input, lines};
use crate::engine::rules::Severity;
use crate::markup::{Html, LabeledIcon};

/// Longest line that is shown whole: a dump can be one line.
const MAX_LINE: usize = 400;

/// The editor.
pub fn editor(out: &mut Html, m: &Model<'_>) {
    out.raw("<div class=\"hr-head--row\"><h2 id=\"h-editor\">Configuration</h2><div class=\"hr-actions\">");
    out.raw("<button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"pick\" data-do=\"audit-pick\">Open files</button>");
    if m.audit.is_some() {
        let (label, pressed) = if m.view.is_editing { ("Show marks", "true") } else { ("Edit", "false") };
        out.put(
            "<button class=\"hr-btn\" type=\"button\" id=\"edit\" data-do=\"audit edit\" aria-pressed=\"{}\">{}</button>",
            &[&pressed, &label],
        );
        out.raw(
            "<button class=\"hr-btn\" type=\"button\" id=\"clear\" data-do=\"audit clear\">Replace</button>",
        );
    }
    out.raw("</div></div>");
    match m.audit {
        None => empty(out),
        Some(audit) => {
            tabs(out, m, audit);
            match m.files.get(m.view.file) {
                Some(file) if !m.view.is_editing => marked(out, m, audit, file),
                _ => typing(out),
            }
        }
    }
    out.raw("<p class=\"hr-sub\">Nothing leaves this page: files are read in the browser.</p>");
}

/// Where a text goes in.
fn empty(out: &mut Html) {
    out.raw(
        "<div class=\"hr-drop\" id=\"drop\"><label for=\"audit-text\">Paste YAML or JSON here, or drop files</label>\
         <textarea class=\"hr-input hr-input--text hr-paste\" id=\"audit-text\" rows=\"12\" spellcheck=\"false\" autocomplete=\"off\" \
         placeholder=\"clusters:&#10;- name: …\"></textarea>\
         <div class=\"hr-actions\"><button class=\"hr-btn\" type=\"button\" id=\"example\" data-do=\"audit example\">Load an example</button></div></div>",
    );
}

/// The text itself; the page fills it in, so that it is not exchanged while someone types.
fn typing(out: &mut Html) {
    out.raw(
        "<label class=\"hr-vh\" for=\"audit-text\">Text of the file</label><textarea class=\"hr-input hr-input--text hr-paste\" \
         id=\"audit-text\" rows=\"30\" spellcheck=\"false\" autocomplete=\"off\"></textarea>",
    );
}

/// The files, where there are several, with how much was found in each.
fn tabs(out: &mut Html, m: &Model<'_>, audit: &Audit) {
    if m.files.len() < 2 {
        return;
    }
    out.raw("<div class=\"hr-seg\" role=\"group\" aria-label=\"File\">");
    for (at, file) in (0u32..).zip(m.files) {
        let pressed = if at as usize == m.view.file { "true" } else { "false" };
        let n = audit.findings.iter().filter(|f| f.at.file == at).count();
        out.put(
            "<button type=\"button\" id=\"file-{}\" data-do=\"audit file {}\" aria-pressed=\"{}\">{} {}</button>",
            &[&at, &at, &pressed, &file.name, &number(n)],
        );
    }
    out.raw("</div>");
}

fn marked(out: &mut Html, m: &Model<'_>, audit: &Audit, file: &Input) {
    let index = u32::try_from(m.view.file).unwrap_or(u32::MAX);
    let mut found: Vec<(usize, u32, &Finding)> = (0u32..)
        .zip(&audit.findings)
        .filter(|(_, f)| f.at.file == index)
        .map(|(at, f)| (f.at.line().saturating_sub(1) as usize, at, f))
        .collect();
    found.sort_by_key(|(line, at, _)| (*line, *at));
    let all: Vec<&str> =
        lines(&file.text).map(|range| file.text[range].trim_end_matches(['\n', '\r'])).collect();
    let marks: Vec<usize> = found.iter().map(|(line, ..)| *line).collect();
    let runs = runs(all.len(), &marks, m.view.is_unfolded);
    out.put(
        "<div class=\"hr-editor\" tabindex=\"0\" role=\"region\" aria-label=\"{} with {} marks\"><ol>",
        &[&file.name, &number(found.len())],
    );
    for run in runs {
        match run {
            Run::Folded(from, to) => out.put(
                "<li class=\"hr-editor__fold\"><button class=\"hr-btn hr-btn--quiet\" type=\"button\" data-do=\"audit all-lines\">\
                 {} lines without findings</button></li>",
                &[&number(to - from)],
            ),
            Run::Shown(from, to) => {
                for (line, text) in all.iter().enumerate().take(to).skip(from) {
                    let first = found.partition_point(|(of, ..)| *of < line);
                    let end = found.partition_point(|(of, ..)| *of <= line);
                    row(out, index, line, text, &found[first..end]);
                }
            }
        }
    }
    out.raw("</ol></div>");
}

/// A line, with the worst mark on it and a way to each finding.
fn row(out: &mut Html, file: u32, line: usize, text: &str, found: &[(usize, u32, &Finding)]) {
    let number = u32::try_from(line + 1).unwrap_or(u32::MAX);
    let cut = text.char_indices().nth(MAX_LINE).map_or(text, |(at, _)| &text[..at]);
    let more = if cut.len() < text.len() { "…" } else { "" };
    let worst: Option<Severity> = found.iter().map(|(.., f)| f.severity).min();
    match worst {
        None => out.put("<li><span></span><i>{}</i><code>{}{}</code></li>", &[&number, &cut, &more]),
        Some(severity) => {
            let (icon, _, word) = look_of(severity);
            out.put(
                "<li data-mark=\"{}\" id=\"L{}-{}\" tabindex=\"-1\">{}<i>{}</i><code>{}{}</code><span>",
                &[&severity.as_str(), &file, &number, &LabeledIcon(icon, "", word), &number, &cut, &more],
            );
            for (_, at, f) in found {
                out.put("<a href=\"#f{}\" data-do=\"go f{}\">{}</a> ", &[at, at, &f.code]);
            }
            out.raw("</span></li>");
        }
    }
}
