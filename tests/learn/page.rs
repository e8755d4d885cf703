//! A page: head, text, way on. Its text is in `docs/learn`, what it is called stands before the text.

use crate::markdown::{self, Heading, escaped};
use std::fmt::Write;
use std::path::PathBuf;

/// The text of a page.
pub struct Source {
    /// Its file, without folder and ending.
    pub name: &'static str,
    /// What stands before the text: `title: …`.
    fields: Vec<(String, String)>,
    /// The text.
    pub body: String,
}

impl Source {
    pub fn read(name: &'static str) -> Self {
        let path = format!("{}/docs/learn/{name}.md", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let (head, body) = text.split_once("\n\n").expect("fields, a blank line, the text");
        let fields = head.lines().map(|line| {
            let (key, value) = line.split_once(": ").unwrap_or_else(|| panic!("{path}: {line}"));
            (key.to_owned(), value.to_owned())
        });
        Self { name, fields: fields.collect(), body: body.to_owned() }
    }

    pub fn field(&self, key: &str) -> &str {
        let field = self.fields.iter().find(|(of, _)| of == key);
        field.map_or_else(|| panic!("{}: no {key}", self.name), |(_, value)| value)
    }

    pub fn title(&self) -> &str {
        self.field("title")
    }
}

/// Where a generated file of the learn pages is.
pub fn path(file: &str) -> PathBuf {
    PathBuf::from(format!("{}/public/learn/{file}", env!("CARGO_MANIFEST_DIR")))
}

/// A whole page; `around` are the pages before and after it.
pub fn html(
    source: &Source,
    lead: &str,
    body: &str,
    headings: &[Heading],
    around: [Option<&Source>; 2],
) -> String {
    let is_index = source.name == "index";
    let title = escaped(source.title());
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
         style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"description\" content=\"{description}\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · Headroom</title>\n<link rel=\"canonical\" href=\"{canonical}\">\n\
         <link rel=\"icon\" href=\"../favicon.svg\" type=\"image/svg+xml\">\n<link rel=\"stylesheet\" href=\"learn.css\">\n\
         <script src=\"early.js\"></script>\n<script type=\"module\" src=\"learn.js\"></script>\n</head>\n<body>\n\
         <a class=\"hr-skip\" href=\"#text\">Skip to the text</a>\n",
        description = escaped(source.field("description")),
        canonical = if is_index { "./".to_owned() } else { format!("{}.html", source.name) },
    );
    let here = if is_index { String::new() } else { "<a href=\"index.html\">Learn</a>".to_owned() };
    let _ = write!(
        out,
        "<header class=\"hr-learn-top\"><p><a href=\"../index.html\">Headroom</a>{here}</p></header>\n\
         <main id=\"text\" class=\"hr-learn\" tabindex=\"-1\">\n<h1>{title}</h1>\n<p class=\"hr-learn-lead\">{lead}</p>\n"
    );
    if headings.len() > 2 {
        out.push_str("<nav class=\"hr-learn-toc\" aria-label=\"On this page\"><ul>");
        for (id, heading) in headings {
            let _ = write!(out, "<li><a href=\"#{id}\">{}</a></li>", markdown::inline(heading));
        }
        out.push_str("</ul></nav>\n");
    }
    out.push_str(body);
    out.push_str("</main>\n");
    way_on(&mut out, around);
    out.push_str("</body>\n</html>\n");
    out
}

fn way_on(out: &mut String, [before, after]: [Option<&Source>; 2]) {
    out.push_str("<footer class=\"hr-learn-on\"><nav aria-label=\"Other pages\">");
    for (what, source) in [("Before", before), ("Next", after)] {
        if let Some(source) = source {
            let _ = write!(
                out,
                "<a href=\"{}.html\"><small>{what}</small>{}</a>",
                source.name,
                escaped(source.title())
            );
        }
    }
    out.push_str("</nav><p class=\"hr-sub\">Every number on this page was computed by Headroom when the page was made. <a href=\"how-we-know.html\">How we know</a></p></footer>\n");
}
