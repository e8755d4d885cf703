//! A document as HTML, for the Review view and its print.

use super::document::{Block, Document, Figure, Mark, Picture, Remark, Table, Task};
use crate::engine::rules::Severity;
use crate::markup::{Html, LabeledIcon, Piece};

/// What can be pressed in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// Nothing: it is read.
    Off,
    /// Findings can be accepted, steps ticked off.
    On,
}

/// The whole document.
pub fn write(out: &mut Html, document: &Document, hands: Hands) {
    out.begin("<header class=\"hr-doc__head\" id=\"{}\">", "r-head");
    out.put("<h1>{}</h1>", &[&Prose(&document.title)]);
    for about in &document.about {
        out.put("<p class=\"hr-sub\">{}</p>", &[&Prose(about)]);
    }
    if let Some(link) = &document.link {
        out.put("<p class=\"hr-sub hr-doc__link\">Link: <a href=\"{}\">{}</a></p>", &[link, link]);
    }
    out.end("</header>");
    for section in &document.sections {
        // A slot each, so that the page exchanges the parts that differ.
        out.begin("<section class=\"hr-doc__part\" id=\"{}\">", &format!("r-{}", section.id));
        out.put("<h2>{}</h2>", &[&Prose(&section.title)]);
        for (at, block) in (0u32..).zip(&section.blocks) {
            write_block(out, block, hands, section.id, at);
        }
        out.end("</section>");
    }
}

fn write_block(out: &mut Html, block: &Block, hands: Hands, id: &str, at: u32) {
    match block {
        Block::Lead(text) => out.put("<p class=\"hr-doc__lead\">{}</p>", &[&Prose(text)]),
        Block::Text(text) => out.put("<p>{}</p>", &[&Prose(text)]),
        Block::Heading(text) => out.put("<h3>{}</h3>", &[&Prose(text)]),
        Block::Table(table) => write_table(out, table),
        Block::List(points) => {
            out.raw("<ul class=\"hr-doc__list\">");
            for point in points {
                out.put("<li>{}</li>", &[&Prose(point)]);
            }
            out.raw("</ul>");
        }
        Block::Steps(tasks) => {
            out.raw("<ol class=\"hr-doc__tasks\">");
            for (n, task) in (0u32..).zip(tasks) {
                write_task(out, task, hands, n);
            }
            out.raw("</ol>");
        }
        Block::Findings(remarks) => {
            out.raw("<ul class=\"hr-doc__finds\">");
            for remark in remarks {
                write_remark(out, remark, hands);
            }
            out.raw("</ul>");
        }
        Block::Figure(figure) => write_figure(out, figure, id, at),
        Block::Code(language, text) => write_code(out, language, text),
        Block::Difference(lines) => write_difference(out, lines),
    }
}

/// Text in which backticks mark code. Names may break where a person would break them, and nowhere else.
struct Prose<'a>(&'a str);

impl Piece for Prose<'_> {
    fn write(&self, out: &mut Html) {
        for (at, text) in self.0.split('`').enumerate() {
            if at % 2 == 0 {
                out.text(text);
                continue;
            }
            out.raw("<code>");
            for (at, part) in text.split_inclusive(['.', '_', '/', ',']).enumerate() {
                if at > 0 {
                    out.raw("<wbr>");
                }
                out.text(part);
            }
            out.raw("</code>");
        }
    }
}

/// Columns from which a table is too wide for a phone: there its rows are stacked, and each cell is named.
const WIDE: usize = 5;

fn write_table(out: &mut Html, table: &Table) {
    let is_wide = table.columns.len() >= WIDE;
    out.put(
        "<div class=\"hr-doc__wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table class=\"hr-table{}\"><caption class=\"hr-vh\">{}</caption><thead><tr>",
        &[&table.caption, &if is_wide { " hr-doc__stack" } else { "" }, &table.caption],
    );
    for (name, is_number) in &table.columns {
        let tag = if *is_number {
            "<th scope=\"col\" class=\"hr-num\">{}</th>"
        } else {
            "<th scope=\"col\">{}</th>"
        };
        out.put(if name.is_empty() { "<td>{}</td>" } else { tag }, &[&Prose(name)]);
    }
    out.raw("</tr></thead><tbody>");
    for row in &table.rows {
        out.raw("<tr>");
        if let Some(name) = row.first() {
            out.put("<th scope=\"row\">{}</th>", &[&Prose(name)]);
        }
        for (text, (name, is_number)) in row.iter().zip(&table.columns).skip(1) {
            out.raw(if *is_number { "<td class=\"hr-num\"" } else { "<td" });
            if is_wide {
                let name = name.replace('`', "");
                out.put(" data-of=\"{}\"><span>{}</span></td>", &[&name, &Prose(text)]);
            } else {
                out.put(">{}</td>", &[&Prose(text)]);
            }
        }
        out.raw("</tr>");
    }
    out.raw("</tbody></table></div>");
}

fn write_task(out: &mut Html, task: &Task, hands: Hands, at: u32) {
    let id = format!("task-{at}");
    out.raw("<li><label");
    if hands == Hands::On {
        out.put("><input type=\"checkbox\" id=\"{}\" name=\"{}\"> ", &[&id, &id]);
    } else {
        out.raw("><input type=\"checkbox\" disabled> ");
    }
    out.put("<span>{}</span></label>", &[&Prose(&task.what)]);
    if let Some(command) = &task.command {
        write_code(out, &format!("Command of step {}", at + 1), command);
    }
    if !task.points.is_empty() {
        out.raw("<ul class=\"hr-doc__list\">");
        for point in &task.points {
            out.put("<li>{}</li>", &[&Prose(point)]);
        }
        out.raw("</ul>");
    }
    out.raw("</li>");
}

/// Icon, class and word of a severity.
fn look_of(severity: Severity) -> (&'static str, &'static str, &'static str) {
    match severity {
        Severity::Error => ("danger", "hr-danger", "Error"),
        Severity::Warning => ("caution", "hr-caution", "Warning"),
        Severity::Info => ("info", "hr-info", "Note"),
    }
}

fn write_remark(out: &mut Html, remark: &Remark, hands: Hands) {
    let (icon, tone, word) = look_of(remark.severity);
    let is_accepted = remark.accepted.is_some();
    out.put(
        "<li id=\"found-{}\">{}<div><p><b>{} <a href=\"rules.html#{}\">{} {}</a></b> {}</p>",
        &[
            &remark.code,
            &LabeledIcon(icon, tone, word),
            &word,
            &remark.code,
            &remark.code,
            &remark.name,
            &Prose(&remark.text),
        ],
    );
    let note = remark.accepted.as_deref().unwrap_or_default();
    out.raw("<p class=\"hr-doc__status\">Status: ");
    match (is_accepted, note.trim().is_empty()) {
        (false, _) => out.raw("<b>open</b>"),
        (true, true) => out.raw("<b>accepted by design</b>"),
        (true, false) => out.put("<b>accepted by design</b>, {}", &[&note.trim()]),
    }
    out.raw("</p>");
    if hands == Hands::On {
        out.put(
            "<div class=\"hr-doc__hands\"><button class=\"hr-btn\" type=\"button\" id=\"accept-{}\" data-do=\"review accept {}\" aria-pressed=\"{}\">Accepted by design</button>",
            &[&remark.code, &remark.code, &if is_accepted { "true" } else { "false" }],
        );
        if is_accepted {
            out.put(
                "<label class=\"hr-doc__note\"><span>Why</span> <input id=\"note-{}\" data-note=\"{}\" maxlength=\"300\" autocomplete=\"off\" value=\"{}\"></label>",
                &[&remark.code, &remark.code, &note],
            );
        }
        out.raw("</div>");
    }
    out.raw("</div></li>");
}

fn write_figure(out: &mut Html, figure: &Figure, id: &str, at: u32) {
    let id = format!("{id}-{at}");
    out.put(
        "<figure class=\"hr-fig\"><figcaption class=\"hr-sub\">{}</figcaption>",
        &[&Prose(&figure.caption)],
    );
    match &figure.picture {
        // Drawn for its width: one for the screen, one for paper.
        Picture::Sweep(_) => out.put(
            "<div class=\"hr-doc__plot\" id=\"plot-{}\"></div><div class=\"hr-doc__plot hr-doc__plot--paper\" id=\"paper-{}\"></div>",
            &[&id, &id],
        ),
        Picture::Html(html) => out.put("<div>{}</div>", &[html]),
    }
    out.put("<details id=\"data-{}\"><summary>Show as table</summary>", &[&id]);
    write_table(out, &figure.table);
    out.raw("</details></figure>");
}

fn write_code(out: &mut Html, label: &str, text: &str) {
    out.put(
        "<pre class=\"hr-doc__code\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><code>{}</code></pre>",
        &[&label, &text],
    );
}

fn write_difference(out: &mut Html, lines: &[(Mark, String)]) {
    out.raw("<pre class=\"hr-doc__code hr-doc__diff\" tabindex=\"0\" role=\"region\" aria-label=\"Lines that differ\"><code>");
    for (mark, text) in lines {
        let tag = match mark {
            Mark::Same => "<span class=\"hr-line\">  {}\n</span>",
            Mark::Removed => "<span class=\"hr-line\" data-change=\"removed\">- {}\n</span>",
            Mark::Added => "<span class=\"hr-line\" data-change=\"added\">+ {}\n</span>",
        };
        out.put(tag, &[text]);
    }
    out.raw("</code></pre>");
}
