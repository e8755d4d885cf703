//! As much of Markdown as the learn pages use, to HTML: headings with anchors, paragraphs, lists,
//! tables, code; within them code, stress and links. Everything else is text and is escaped.

use std::fmt::Write;

/// A heading of a page: anchor and text.
pub type Heading = (String, String);

/// The HTML of a text, and its headings of the second level. A paragraph `{{{…}}}` is handed to `block`,
/// which writes HTML for it.
pub fn html(text: &str, block: &dyn Fn(&str) -> String) -> (String, Vec<Heading>) {
    let mut out = String::new();
    let mut headings = Vec::new();
    for part in text.split("\n\n").map(str::trim_end).filter(|part| !part.trim().is_empty()) {
        let part = part.trim_start_matches('\n');
        if let Some(name) = part.strip_prefix("{{{").and_then(|rest| rest.strip_suffix("}}}")) {
            out.push_str(&block(name.trim()));
        } else if let Some(rest) = part.strip_prefix("## ") {
            let (title, id) = titled(rest);
            let _ = writeln!(out, "<h2 id=\"{id}\">{}</h2>", inline(title));
            headings.push((id, title.to_owned()));
        } else if let Some(rest) = part.strip_prefix("### ") {
            let (title, id) = titled(rest);
            let _ = writeln!(out, "<h3 id=\"{id}\">{}</h3>", inline(title));
        } else if part.starts_with("- ") {
            list(&mut out, "ul", part, |line| line.strip_prefix("- "));
        } else if part.starts_with("1. ") {
            list(&mut out, "ol", part, |line| line.split_once(". ").map(|(_, rest)| rest));
        } else if part.starts_with("| ") {
            table(&mut out, part);
        } else if let Some(code) = part.strip_prefix("```\n").and_then(|rest| rest.strip_suffix("\n```")) {
            let _ = writeln!(out, "<pre tabindex=\"0\"><code>{}</code></pre>", escaped(code));
        } else {
            let _ = writeln!(out, "<p>{}</p>", inline(&part.replace('\n', " ")));
        }
    }
    (out, headings)
}

/// `Title {#anchor}`; without one the anchor is the title.
fn titled(rest: &str) -> (&str, String) {
    match rest.trim_end_matches('}').split_once(" {#") {
        Some((title, id)) => (title, id.to_owned()),
        None => (rest, slug(rest)),
    }
}

/// A title as an anchor.
pub fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

fn list(out: &mut String, tag: &str, part: &str, item: impl Fn(&str) -> Option<&str>) {
    let mut items: Vec<String> = Vec::new();
    for line in part.lines() {
        match item(line) {
            Some(text) if !line.starts_with(' ') => items.push(text.to_owned()),
            _ => {
                let last = items.last_mut().expect("a list begins with an item");
                let _ = write!(last, " {}", line.trim());
            }
        }
    }
    let _ = writeln!(out, "<{tag}>");
    for item in items {
        let _ = writeln!(out, "<li>{}</li>", inline(&item));
    }
    let _ = writeln!(out, "</{tag}>");
}

fn table(out: &mut String, part: &str) {
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches(['|', ' ']).split(" | ").map(|cell| inline(cell.trim())).collect()
    };
    let rows: Vec<Vec<String>> = part.lines().filter(|line| !line.starts_with("|-")).map(cells).collect();
    let head: Vec<&str> = rows[0].iter().map(String::as_str).collect();
    let body: Vec<Vec<String>> = rows[1..].to_vec();
    out.push_str(&table_html(&head, &body));
}

/// A table whose first column names the row; head and cells are HTML.
pub fn table_html(head: &[&str], rows: &[Vec<String>]) -> String {
    classed_table("hr-learn-wide", head, rows)
}

/// A table with classes of its own.
pub fn classed_table(class: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!(
        "<div class=\"{class}\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n<thead><tr>"
    );
    for cell in head {
        let _ = write!(out, "<th scope=\"col\">{cell}</th>");
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let (open, close) = if at == 0 { ("<th scope=\"row\">", "</th>") } else { ("<td>", "</td>") };
            let _ = write!(out, "{open}{cell}{close}");
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A name of Envoy or of the ledger as code that may break where its parts do.
pub fn name(text: &str) -> String {
    format!("<code>{}</code>", escaped(text).replace('.', ".<wbr>").replace('_', "_<wbr>"))
}

/// Code in backticks, **stress**, [links](address); within code nothing else.
pub fn inline(text: &str) -> String {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        if n % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", escaped(part));
        } else {
            out.push_str(&stressed(&linked(part)));
        }
    }
    out
}

fn stressed(html: &str) -> String {
    let mut out = String::new();
    for (n, part) in html.split("**").enumerate() {
        let _ = if n % 2 == 1 { write!(out, "<strong>{part}</strong>") } else { write!(out, "{part}") };
    }
    out
}

fn linked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((title, (address, tail))) =
            after.split_once("](").and_then(|(title, tail)| Some((title, tail.split_once(')')?)))
        else {
            break;
        };
        let _ = write!(out, "{}<a href=\"{}\">{}</a>", escaped(before), escaped(address), escaped(title));
        rest = tail;
    }
    out + &escaped(rest)
}

#[test]
fn text_is_escaped_and_marks_are_markup() {
    assert_eq!(
        inline("a < `b & c` **d** [e](f.html#g)"),
        "a &lt; <code>b &amp; c</code> <strong>d</strong> <a href=\"f.html#g\">e</a>"
    );
    assert_eq!(slug("How it looks, from outside"), "how-it-looks-from-outside");
    let (out, headings) =
        html("## One {#first}\n\ntext\nmore\n\n- a\n- b\n  c\n\n{{{x y}}}\n", &|b| format!("<{b}>"));
    assert_eq!(
        out,
        "<h2 id=\"first\">One</h2>\n<p>text more</p>\n<ul>\n<li>a</li>\n<li>b c</li>\n</ul>\n<x y>"
    );
    assert_eq!(headings, [("first".to_owned(), "One".to_owned())]);
}
