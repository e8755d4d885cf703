//! Every link of the learn pages leads somewhere: to a page that is there, and an anchor in it.

use crate::pages::generate;
use std::collections::BTreeSet;
use std::path::Path;

fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    html.split(&format!(" {name}=\"")).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn public(path: &str) -> String {
    let path = format!("{}/public/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_link_and_anchor_is_there() {
    let pages = generate();
    let rules = public("rules.html");
    for (name, html) in &pages {
        let ids = attributes(html, "id");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}: ids are unique");
        for link in attributes(html, "href").into_iter().chain(attributes(html, "src")) {
            if link.starts_with("https://github.com/") {
                continue;
            }
            assert!(
                !link.contains(':') && !link.starts_with('/'),
                "{name}: {link} depends on where the page is"
            );
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = file.split('?').next().unwrap_or_default();
            let target = match file {
                "" | "./" => html,
                "../index.html" | "../favicon.svg" => continue,
                "../rules.html" => &rules,
                "learn.css" | "learn.js" | "early.js" => {
                    assert!(!public(&format!("learn/{file}")).is_empty());
                    continue;
                }
                file => {
                    let page = pages.iter().find(|(name, _)| file == format!("{name}.html"));
                    &page.unwrap_or_else(|| panic!("{name}: {link} leads nowhere")).1
                }
            };
            assert!(anchor.is_empty() || attributes(target, "id").contains(&anchor), "{name}: {link}");
        }
    }
}

#[test]
fn pages_are_plain_and_well_formed() {
    for (name, html) in generate() {
        for bad in [" style=\"", "javascript:", " onclick", "{{", "}}", "&lt;code", "NaN", "<script>"] {
            assert!(!html.contains(bad), "{name}: {bad}");
        }
        for tag in [
            "a", "article", "b", "button", "code", "div", "fieldset", "figure", "footer", "form", "h1", "h2",
            "h3", "header", "label", "li", "main", "nav", "noscript", "ol", "p", "pre", "small", "span",
            "strong", "svg", "table", "tbody", "td", "text", "th", "thead", "tr", "ul",
        ] {
            let opened =
                html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "{name}: {tag}");
        }
        for (what, from, to) in
            [("title", "<title>", "</title>"), ("description", "name=\"description\" content=\"", "\"")]
        {
            let text = html.split(from).nth(1).and_then(|rest| rest.split(to).next()).unwrap_or_default();
            let n = text.chars().count();
            let range = if what == "title" { 12..=60 } else { 70..=210 };
            assert!(range.contains(&n), "{name}: {what} of {n}: {text}");
        }
    }
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("public/learn").is_dir());
}
