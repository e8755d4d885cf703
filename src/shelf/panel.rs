//! HTML of the shelf: a frame that stays, and three places in it.

use super::desk::{FULL, about};
use super::entries::Entry;
use crate::markup::Html;

/// What is said after something was done.
#[derive(Clone, Debug, Default)]
pub struct Notice {
    text: String,
    problems: Vec<String>,
    can_undo: bool,
}

impl Notice {
    /// That something was done.
    pub fn said(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    /// The same, with the way back.
    pub fn undoable(text: String) -> Self {
        Self { text, can_undo: true, ..Self::default() }
    }

    /// The same, with everything that is wrong.
    pub fn problems(text: String, problems: Vec<String>) -> Self {
        Self { text, problems, can_undo: false }
    }

    /// Adds what is wrong besides.
    pub fn add(&mut self, problem: String) {
        self.problems.push(problem);
    }
}

/// What there is to show.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The entries.
    pub entries: &'a [Entry],
    /// The name that is being changed.
    pub renaming: Option<&'a str>,
    /// What is said.
    pub notice: &'a Notice,
    /// Why nothing is kept beyond this page, if so.
    pub memory_only: Option<&'static str>,
}

/// The frame, with the name that is offered for the scenario of now.
pub fn frame(name: &str) -> String {
    let mut out = Html::default();
    out.put(
        "<div class=\"hr-head--row\"><h2 id=\"h-shelf\">Saved scenarios</h2>\
         <button class=\"hr-btn hr-btn--quiet\" type=\"button\" data-shelf=\"close\">Close</button></div>\
         <form class=\"hr-shelf__save\" id=\"shelf-save\"><label for=\"shelf-name\">Save the inputs of now as</label>\
         <input class=\"hr-input hr-input--text\" id=\"shelf-name\" autocomplete=\"off\" spellcheck=\"false\" value=\"{}\">\
         <button class=\"hr-btn hr-btn--main\" type=\"submit\">Save</button></form>\
         <div class=\"hr-shelf__said\" id=\"s-shelf-said\" role=\"status\"></div><div id=\"s-shelf-undo\"></div>\
         <div id=\"s-shelf-list\"></div>\
         <div class=\"hr-actions\"><button class=\"hr-btn\" type=\"button\" data-shelf=\"pick\">Import a file</button>\
         <button class=\"hr-btn\" type=\"button\" data-shelf=\"export-all\">Export all</button></div>\
         <p class=\"hr-sub\" id=\"s-shelf-where\"></p>",
        &[&name],
    );
    out.into_string()
}

/// The places of the frame, by id.
pub fn parts(view: &View<'_>) -> Vec<(&'static str, String)> {
    vec![
        ("s-shelf-said", html(|out| said(out, view.notice))),
        ("s-shelf-undo", html(|out| undo(out, view.notice))),
        ("s-shelf-list", html(|out| list(out, view))),
        ("s-shelf-where", html(|out| out.text(&place(view)))),
    ]
}

fn html(write: impl FnOnce(&mut Html)) -> String {
    let mut out = Html::default();
    write(&mut out);
    out.into_string()
}

fn said(out: &mut Html, notice: &Notice) {
    out.put_some("<p>{}</p>", &notice.text);
    if !notice.problems.is_empty() {
        out.raw("<ul>");
        for problem in &notice.problems {
            out.put("<li>{}</li>", &[problem]);
        }
        out.raw("</ul>");
    }
}

fn undo(out: &mut Html, notice: &Notice) {
    if notice.can_undo {
        out.raw(
            "<button class=\"hr-btn\" type=\"button\" id=\"shelf-undo\" data-shelf=\"undo\">Undo</button>",
        );
    }
}

fn list(out: &mut Html, view: &View<'_>) {
    if view.entries.is_empty() {
        out.raw("<p class=\"hr-sub\">Nothing is saved yet.</p>");
        return;
    }
    out.raw("<ul class=\"hr-shelf__list\">");
    for (at, entry) in (0_u32..).zip(view.entries) {
        if view.renaming == Some(entry.name.as_str()) {
            renaming(out, &entry.name);
        } else {
            row(out, at, entry);
        }
    }
    out.raw("</ul>");
}

fn row(out: &mut Html, at: u32, entry: &Entry) {
    out.put(
        "<li><button class=\"hr-example\" type=\"button\" id=\"shelf-open-{}\" data-shelf=\"open {}\"><b><bdi>{}</bdi></b><small>{}</small></button>\
         <div class=\"hr-actions\">",
        &[&at, &at, &entry.name, &about(&entry.link)],
    );
    for (verb, label) in
        [("rename", "Rename"), ("duplicate", "Duplicate"), ("export", "Export"), ("delete", "Delete")]
    {
        out.put(
            "<button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"shelf-{}-{}\" data-shelf=\"{} {}\" aria-label=\"{} {}\">{}</button>",
            &[&verb, &at, &verb, &at, &label, &entry.name, &label],
        );
    }
    out.raw("</div></li>");
}

fn renaming(out: &mut Html, name: &str) {
    out.put(
        "<li><form class=\"hr-shelf__save\" id=\"shelf-renaming\"><label for=\"shelf-rename\">New name</label>\
         <input class=\"hr-input hr-input--text\" id=\"shelf-rename\" autocomplete=\"off\" spellcheck=\"false\" value=\"{}\">\
         <button class=\"hr-btn\" type=\"submit\">Rename</button>\
         <button class=\"hr-btn hr-btn--quiet\" type=\"button\" data-shelf=\"cancel\">Cancel</button></form></li>",
        &[&name],
    );
}

/// Where it is all kept.
fn place(view: &View<'_>) -> String {
    match view.memory_only {
        None => "Kept in this browser, and never sent anywhere. Files can be dropped here.".to_owned(),
        Some(FULL) => format!(
            "{FULL}: this list is gone when the page is closed or reloaded. Export all to a file now. Then delete scenarios that you \
             no longer need, or remove other data of this site in the browser’s settings; each change is tried again. Nothing is \
             sent anywhere."
        ),
        Some(why) => format!(
            "{why}: what is saved is gone when the page is closed or reloaded. Export it to keep it. Nothing is sent anywhere."
        ),
    }
}
