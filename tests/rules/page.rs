//! The page of all rules, as Markdown for readers of the code and as HTML for the app:
//! `make docs` writes both.

use super::audit::findings;
use super::texts::TEXTS;
use expect_test::expect_file;
use headroom::engine::audit::rules;
use headroom::engine::rules::{RULES, RuleMeta, Severity};
use std::fmt::Write;

/// First code, heading.
const BLOCKS: [(u32, &str); 7] = [
    (100, "Retries"),
    (200, "Timeouts"),
    (300, "Thresholds"),
    (400, "Outlier detection"),
    (500, "Capacity"),
    (600, "Evidence"),
    (900, "The text itself"),
];

const ABOUT: &str = "Each rule has a code that never changes its meaning. Rules of the *sizing* look at a scenario and what is \
                     recommended for it, rules of the *audit* at a configuration and what is in force in it.";

const SEVERITIES: [(Severity, &str); 3] = [
    (
        Severity::Error,
        "the mesh will refuse, cut or duplicate healthy traffic, or the configuration is invalid",
    ),
    (Severity::Warning, "likely harm under load"),
    (Severity::Info, "worth knowing, or not to be decided without an input"),
];

struct Row {
    meta: RuleMeta,
    of: &'static str,
    example: Option<Example>,
}

struct Example {
    text: &'static str,
    inputs: &'static str,
    says: String,
}

fn rows() -> Vec<Row> {
    let sizing = RULES.iter().map(|rule| Row { meta: rule.meta, of: "sizing", example: None });
    let audit =
        rules::all().map(|rule| Row { meta: rule.meta, of: "audit", example: example(rule.meta.code) });
    let mut rows: Vec<Row> = sizing.chain(audit).collect();
    rows.sort_by_key(|row| row.meta.code);
    rows
}

/// The text of the rule, with what it says there.
fn example(code: &str) -> Option<Example> {
    let (_, inputs, text) = TEXTS.iter().find(|(of, ..)| *of == code)?;
    let found = findings(text, inputs).into_iter().find(|f| f.code == code)?;
    let says = format!("line {}: {}", found.at.line(), found.message).replace('\u{a0}', " ");
    // A tab would not be seen.
    (!text.contains('\t')).then_some(Example { text, inputs, says })
}

fn number(meta: &RuleMeta) -> u32 {
    meta.code[2..].parse().expect("HR and a number")
}

fn blocks() -> Vec<(&'static str, Vec<Row>)> {
    let mut rows = rows();
    let ends = BLOCKS.iter().skip(1).map(|(from, _)| *from).chain([1000]);
    let blocks = BLOCKS.iter().zip(ends).map(|((_, title), end)| {
        let rest = rows.split_off(rows.partition_point(|row| number(&row.meta) < end));
        (*title, std::mem::replace(&mut rows, rest))
    });
    blocks.filter(|(_, rows)| !rows.is_empty()).collect()
}

/// A clause as a sentence.
fn sentence(clause: &str) -> String {
    let mut chars = clause.chars();
    chars.next().map(char::to_uppercase).into_iter().flatten().chain(chars).chain(['.']).collect()
}

/// A text in which only what stands in backticks is markup.
fn marked(text: &str) -> String {
    let mut is_code = false;
    let mut out = String::new();
    for c in text.chars() {
        is_code ^= c == '`';
        if c == '|' || (!is_code && matches!(c, '*' | '_' | '<' | '[' | ']' | '\\')) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn markdown() -> String {
    let mut out = format!("# Rules\n\n{ABOUT}\n\n");
    for (severity, meaning) in SEVERITIES {
        let _ = writeln!(out, "- **{}**: {meaning}", severity.as_str());
    }
    out.push_str("\nThis page is generated from the rules: `make docs`.\n");
    for (title, rows) in blocks() {
        let _ = write!(out, "\n## {title}\n\n| code | name | severity | of | |\n|---|---|---|---|---|\n");
        for Row { meta, of, .. } in &rows {
            let (code, summary) = (meta.code, marked(meta.summary));
            let _ = writeln!(
                out,
                "| [{code}](#{code}) | {} | {} | {of} | {summary} |",
                meta.name,
                meta.severity.as_str()
            );
        }
        for Row { meta, of, example } in &rows {
            let code = meta.code;
            let severity = meta.severity.as_str();
            let _ = write!(
                out,
                "\n### <a id=\"{code}\"></a>{code} {}\n\n{severity}, {of}. {} {}\n\nSources: {}.\n",
                meta.name,
                marked(&sentence(meta.summary)),
                marked(meta.rationale),
                marked(&meta.sources.join("; ")),
            );
            if let Some(Example { text, inputs, says }) = example {
                let with = if inputs.is_empty() { String::new() } else { format!(" with `{inputs}`") };
                let _ = write!(out, "\nFor example{with}, {}:\n\n```yaml\n{text}```\n", marked(says));
            }
        }
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Escaped, with what stands in backticks as code and what stands in asterisks stressed.
fn html_of(text: &str) -> String {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        let part = escaped(part);
        let _ = if n % 2 == 1 { write!(out, "<code>{part}</code>") } else { write!(out, "{part}") };
    }
    out
}

fn html() -> String {
    let about = html_of(&ABOUT.replace('*', ""));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; img-src 'self'; \
         base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Rules · Headroom</title>\n\
         <link rel=\"icon\" href=\"favicon.svg\" type=\"image/svg+xml\">\n<link rel=\"stylesheet\" href=\"rules.css\">\n\
         </head>\n<body class=\"hr-rules\">\n<a class=\"hr-skip\" href=\"#rules\">Skip to the rules</a>\n\
         <header>\n<p><a href=\"index.html\">Headroom</a></p>\n<h1>Rules</h1>\n<p class=\"hr-sub\">{about}</p>\n<dl>\n"
    );
    for (severity, meaning) in SEVERITIES {
        let _ = writeln!(out, "<div><dt>{}</dt><dd>{meaning}</dd></div>", badge(severity));
    }
    out.push_str("</dl>\n<nav aria-label=\"All rules\">\n");
    for (title, rows) in blocks() {
        let _ = write!(out, "<h2>{title}</h2>\n<ul>\n");
        for Row { meta, .. } in &rows {
            let _ = writeln!(
                out,
                "<li><a class=\"hr-code\" href=\"#{0}\">{0}</a> <span>{1}</span></li>",
                meta.code,
                html_of(meta.summary)
            );
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</nav>\n</header>\n<main id=\"rules\">\n");
    for (title, rows) in blocks() {
        let _ = writeln!(out, "<h2>{title}</h2>");
        for row in &rows {
            article(&mut out, row);
        }
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn badge(severity: Severity) -> String {
    let class = match severity {
        Severity::Error => "hr-danger",
        Severity::Warning => "hr-caution",
        Severity::Info => "hr-info",
    };
    format!("<span class=\"{class}\">{}</span>", severity.as_str())
}

fn article(out: &mut String, Row { meta, of, example }: &Row) {
    let code = meta.code;
    let _ = write!(
        out,
        "<article id=\"{code}\">\n<h3><a class=\"hr-code\" href=\"#{code}\">{code}</a> {}</h3>\n\
         <p>{}, {of}. <strong>{}</strong> {}</p>\n<p class=\"hr-sub\">Sources: {}.</p>\n",
        meta.name,
        badge(meta.severity),
        html_of(&sentence(meta.summary)),
        html_of(meta.rationale),
        html_of(&meta.sources.join("; ")),
    );
    if let Some(Example { text, inputs, says }) = example {
        let with =
            if inputs.is_empty() { String::new() } else { format!(" with <code>{}</code>", escaped(inputs)) };
        let _ = writeln!(
            out,
            "<details><summary>Example</summary>\n<pre><code>{}</code></pre>\n<p class=\"hr-sub\">{}{with}</p></details>",
            escaped(text),
            html_of(&sentence(says)),
        );
    }
    out.push_str("</article>\n");
}

/// One style sheet, so that the page stands by itself.
fn css() -> String {
    let parts = ["tokens", "base", "rules"].map(|name| {
        let path = format!("{}/style/{name}.css", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the styles are here")
    });
    format!("/* Generated from style/: make docs */\n{}", parts.concat())
}

#[test]
fn the_page_of_all_rules_is_not_stale() {
    expect_file!["../../docs/rules.md"].assert_eq(&markdown());
    expect_file!["../../public/rules.html"].assert_eq(&html());
    expect_file!["../../public/rules.css"].assert_eq(&css());
}

#[test]
fn the_page_has_every_rule_once_and_no_script() {
    let (markdown, html) = (markdown(), html());
    for meta in RULES.iter().map(|r| r.meta).chain(rules::all().map(|r| r.meta)) {
        let anchor = format!("id=\"{}\"", meta.code);
        assert_eq!((markdown.matches(&anchor).count(), html.matches(&anchor).count()), (1, 1), "{anchor}");
    }
    for bad in ["<script", "style=\"", "javascript:", "href=\"http", "src=", "onclick"] {
        assert!(!html.contains(bad), "{bad}");
    }
    for tag in ["article", "code", "pre", "details", "ul", "li", "h2", "h3", "p", "a", "span", "main", "nav"]
    {
        let opened = html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}
