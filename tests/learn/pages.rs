//! All pages, and that they are not stale.

use crate::blocks;
use crate::knowledge;
use crate::markdown;
use crate::page::{self, Source, path};
use crate::values::Values;
use expect_test::expect_file;
use headroom::simulator::lessons::{LESSONS, Lesson};

/// The pages in the order in which they are read.
pub const PAGES: [&str; 9] = [
    "index",
    "retry-amplification",
    "breaker-feedback",
    "outlier-cascade",
    "timeout-inversion",
    "hedging-spike",
    "misread-failures",
    "how-we-know",
    "glossary",
];

/// A page as it has to be: its name and its text.
pub fn generate() -> Vec<(&'static str, String)> {
    let sources: Vec<Source> = PAGES.into_iter().map(Source::read).collect();
    let around = |at: usize| [at.checked_sub(1).map(|n| &sources[n]), sources.get(at + 1)];
    sources.iter().enumerate().map(|(at, source)| (source.name, one(source, &sources, around(at)))).collect()
}

fn one(source: &Source, all: &[Source], around: [Option<&Source>; 2]) -> String {
    let lead = source.field("lead");
    let (lead, (body, headings)) = if let Some(lesson) = Lesson::of(source.name) {
        let values = Values::of(lesson);
        let block = |name: &str| blocks::of_lesson(lesson, &values, name);
        (values.fill(lead), markdown::html(&values.fill(&source.body), &block))
    } else {
        let block = |name: &str| knowledge::block(name, all);
        (lead.to_owned(), markdown::html(&source.body, &block))
    };
    page::html(source, &markdown::inline(&lead), &body, &headings, around)
}

/// One style sheet, so that the pages stand by themselves.
fn css() -> String {
    let parts = ["tokens", "base", "learn"].map(|name| {
        let path = format!("{}/style/{name}.css", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the styles are here")
    });
    format!("/* Generated from style/: make docs */\n{}", parts.concat())
}

#[test]
fn the_learn_pages_are_not_stale() {
    for (name, html) in generate() {
        expect_file![path(&format!("{name}.html"))].assert_eq(&html);
    }
    expect_file![path("learn.css")].assert_eq(&css());
}

#[test]
fn every_lesson_has_its_page_and_no_text_is_left_over() {
    for lesson in LESSONS {
        assert!(PAGES.contains(&lesson.id), "{}", lesson.id);
    }
    let folder = format!("{}/docs/learn", env!("CARGO_MANIFEST_DIR"));
    for file in std::fs::read_dir(folder).expect("the texts are here") {
        let name = file.expect("a file").file_name().into_string().expect("a plain name");
        assert!(name.strip_suffix(".md").is_some_and(|name| PAGES.contains(&name)), "{name}");
    }
}
