//! The answer for a person at a terminal: a table of what is known, one of what is not, and what
//! comes next.

use super::{Answer, path, plain, spot};
use crate::args::flag;
use crate::problems::one_line;
use headroom::engine::inputs::{Field, How};
use headroom::engine::params::{Default, ParamId, by_key, param};
use headroom::engine::units::display;

/// Widest line.
const WIDTH: usize = 100;

/// Widest value in the table; a longer one has its line for itself.
const VALUE: usize = 24;

/// The whole answer.
pub fn document(answer: &Answer<'_>) -> String {
    let inputs = answer.inputs;
    let known: Vec<[String; 3]> =
        inputs.fields.iter().filter(|f| f.how != How::Missing).map(|f| known(answer, f)).collect();
    let missing = not_known(answer);
    let cluster = inputs.cluster.as_deref().map_or("A cluster without a name".to_owned(), display::echo);
    let mut parts = vec![format!("{cluster}, from {}\n", files(answer))];
    parts.push(table(["field", "value", "where from"], &known));
    parts.push(table(["not known", "size takes", "why"], &missing));
    if !answer.notes.is_empty() {
        let notes = answer.notes.iter().flat_map(|note| item(&one_line(note)));
        parts.push(format!("Notes\n{}\n", notes.collect::<Vec<_>>().join("\n")));
    }
    parts.push(next(answer));
    parts.join("\n")
}

fn files(answer: &Answer<'_>) -> String {
    const NAMED: usize = 4;
    let names: Vec<String> = answer.files.iter().take(NAMED).map(|name| one_line(name)).collect();
    match answer.files.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

fn known(answer: &Answer<'_>, field: &Field) -> [String; 3] {
    let value = field.value.as_deref().unwrap_or_default();
    let how = field.how.as_str();
    let mut said = match (field.how, field.formula.is_empty()) {
        (How::Given, _) => format!("--{}", flag(param(field.id))),
        (_, true) => field.source.clone(),
        (_, false) if field.source.is_empty() => format!("{} = {}", field.formula, field.substituted),
        (_, false) => format!("{} = {}", field.source, field.substituted),
    };
    said = format!("{how}: {said}");
    if let Some(places) = places(answer, field) {
        said = format!("{said} ({places})");
    }
    if !field.note.is_empty() {
        said = format!("{said}; {}", field.note);
    }
    [path(field.id), shown(field.id, value), said]
}

/// The first places: `stats.txt:42, :59`.
fn places(answer: &Answer<'_>, field: &Field) -> Option<String> {
    const SHOWN: usize = 3;
    let mut places: Vec<_> = field.places.iter().map(|at| (at.file, at.line())).collect();
    places.dedup();
    let mut file = None;
    let shown = places.iter().take(SHOWN).map(|(of, line)| {
        // The name of a file stands once.
        let is_same = file.replace(*of) == Some(*of);
        if is_same { format!(":{line}") } else { spot(answer.files, *of, *line) }
    });
    let shown: Vec<String> = shown.collect();
    let more = if places.len() > SHOWN { ", …" } else { "" };
    (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
}

/// A value with its unit; what a person typed stays as it is.
fn shown(id: ParamId, value: &str) -> String {
    let p = param(id);
    let number = value.parse::<f64>().ok().filter(|_| id != ParamId::EnvoyVersion && id != ParamId::Name);
    match number {
        None => display::echo(value),
        Some(number) if p.unit_label == "share" => display::share(headroom::engine::units::Share(number)),
        Some(number) => format!("{} {}", display::number(number), p.unit_label).trim_end().to_owned(),
    }
}

/// What is missing: a group of which nothing is known, for one reason, is one row.
fn not_known(answer: &Answer<'_>) -> Vec<[String; 3]> {
    let fields = &answer.inputs.fields;
    let group = |field: &Field| param(field.id).path.first().copied().unwrap_or_default();
    let mut rows = Vec::new();
    let mut last = "";
    for field in fields.iter().filter(|field| field.how == How::Missing) {
        let mut others = fields.iter().filter(|other| group(other) == group(field));
        let is_one =
            param(field.id).path.len() > 1 && others.all(|o| o.how == How::Missing && o.note == field.note);
        if is_one && last == group(field) {
            continue;
        }
        last = group(field);
        let mut row = missing(answer, field);
        if is_one {
            group(field).clone_into(&mut row[0]);
        }
        rows.push(row);
    }
    rows
}

fn missing(answer: &Answer<'_>, field: &Field) -> [String; 3] {
    let default = match param(field.id).default {
        _ if answer.is_needed(field.id) => "nothing: needed".to_owned(),
        Default::Required | Default::Absent => "nothing".to_owned(),
        Default::Number(number) => display::number(number),
        Default::Word(word) => word.to_owned(),
        Default::Derived(_) => "a formula".to_owned(),
    };
    let at = places(answer, field).map_or_else(String::new, |places| format!(" ({places})"));
    [path(field.id), default, format!("{}{at}", field.note)]
}

/// Columns, the last one wrapped.
fn table(head: [&str; 3], rows: &[[String; 3]]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let rows: Vec<[String; 3]> = std::iter::once(head.map(str::to_owned))
        .chain(rows.iter().map(|row| row.each_ref().map(|c| plain(&one_line(c)))))
        .collect();
    let width = |at: usize, most: usize| {
        rows.iter().map(|row| row[at].chars().count()).filter(|n| *n <= most).max().unwrap_or(0)
    };
    let (name, value) = (width(0, WIDTH), width(1, VALUE));
    let indent = " ".repeat(name + value + 4);
    let mut lines = Vec::new();
    for [field, of, said] in &rows {
        let start = format!("{field:<name$}  {of:<value$}  ");
        let mut wrapped = display::wrapped(said, &indent, WIDTH);
        if of.chars().count() > value {
            lines.push(start.trim_end().to_owned());
        } else if let Some(first) = wrapped.first_mut() {
            *first = format!("{start}{}", first.trim_start());
        }
        lines.extend(wrapped.into_iter().map(|line| line.trim_end().to_owned()));
    }
    lines.join("\n") + "\n"
}

fn item(text: &str) -> Vec<String> {
    let mut lines = display::wrapped(text, "  ", WIDTH);
    if let Some(first) = lines.first_mut() {
        first.replace_range(..2, "- ");
    }
    lines
}

/// What `size` still needs, or how to go on.
fn next(answer: &Answer<'_>) -> String {
    let needed = &answer.inputs.needed;
    if needed.is_empty() {
        return "Nothing else is needed: add --output json | headroom size --scenario -\n".to_owned();
    }
    let lines = needed.iter().flat_map(|problem| {
        let flag = by_key(&problem.field).map_or_else(|| problem.field.clone(), |p| format!("--{}", flag(p)));
        item(&format!("{flag}: {}", problem.message))
    });
    format!("headroom size still needs\n{}\n", lines.collect::<Vec<_>>().join("\n"))
}

impl Answer<'_> {
    /// Whether `size` goes no further without an input.
    pub(super) fn is_needed(&self, id: ParamId) -> bool {
        self.inputs.needed.iter().any(|problem| problem.field == param(id).key)
    }
}
