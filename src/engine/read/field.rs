//! A value on its way from the tree into the configuration: where it is, and how to read it.

use super::config::{Configuration, Dialect, Effect, Note, NoteKind, Origin, ProblemKind, ReadProblem};
use super::duration::duration;
use super::scalar::{self, Notation, Reading};
use super::tree::{Entry, Node, same_field, to_camel};
use super::{Place, Setting, Span, Spanned};
use crate::engine::nearest::nearest;
use crate::engine::units::{Millis, Percent};

/// Characters of a key that a path keeps, and of a name that is kept: real ones are shorter.
const MAX_KEY: usize = 200;
const MAX_TEXT: usize = 2_000;

/// Items of a list of words that are kept: Envoy knows fewer words than this.
pub const MAX_WORDS: usize = 64;

/// Problems and notes that are kept before they are sorted.
const MAX_KEPT: usize = 1_000;

/// A key as paths show it.
pub fn cut_key(key: &str) -> &str {
    cut(key, MAX_KEY)
}

fn cut(text: &str, chars: usize) -> &str {
    if text.len() <= chars {
        text
    } else {
        text.char_indices().nth(chars).map_or(text, |(at, _)| &text[..at])
    }
}

/// A value, its path and its place.
#[derive(Clone, Debug)]
pub struct Field<'t> {
    /// The value.
    pub node: &'t Node,
    /// Keys from the root.
    pub path: String,
    key: Option<Span>,
    alias: Option<Span>,
    file: u32,
}

impl<'t> Field<'t> {
    /// The root of a document.
    pub fn root(node: &'t Node, file: u32) -> Self {
        Self { node, path: String::new(), key: None, alias: node.alias, file }
    }

    /// Another value in its place: what a text inside a text says, or a patch in its wrapping.
    pub fn with_node<'n>(&self, node: &'n Node) -> Field<'n> {
        Field { node, path: self.path.clone(), key: self.key, alias: self.alias, file: self.file }
    }

    /// Its place.
    pub fn place(&self) -> Place {
        Place {
            file: self.file,
            span: self.node.span,
            key: self.key,
            path: self.path.clone(),
            alias: self.alias,
        }
    }

    /// A value that stands here.
    pub fn spanned<T>(&self, value: T) -> Spanned<T> {
        Spanned::new(value, self.place())
    }

    /// A field that is set, in either spelling.
    pub fn get(&self, field: &str) -> Option<Self> {
        self.node.entry(field).map(|entry| self.of_entry(entry))
    }

    fn of_entry(&self, entry: &'t Entry) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self {
            node: &entry.value,
            path: format!("{}{dot}{}", self.path, cut_key(&entry.key)),
            key: Some(entry.key_span),
            alias: self.alias.or(entry.value.alias),
            file: self.file,
        }
    }

    /// The field at the end of a path.
    pub fn at(&self, fields: &[&str]) -> Option<Self> {
        let (first, rest) = fields.split_first()?;
        rest.iter().try_fold(self.get(first)?, |field, name| field.get(name))
    }

    /// The items of a list; a single value counts as a list of one, as protobuf's JSON has it.
    pub fn items(&self) -> Vec<Self> {
        let Some(items) = self.node.items() else {
            return if self.node.is_null() { Vec::new() } else { vec![self.clone()] };
        };
        let item = |(at, node): (usize, &'t Node)| Self {
            node,
            path: format!("{}[{at}]", self.path),
            key: None,
            alias: self.alias.or(node.alias),
            file: self.file,
        };
        items.iter().enumerate().map(item).collect()
    }

    /// The items of a list field; none if it is not set.
    pub fn list(&self, field: &str) -> Vec<Self> {
        self.get(field).map(|f| f.items()).unwrap_or_default()
    }

    /// The entries of a map with their keys.
    pub fn entries(&self) -> impl Iterator<Item = (&'t str, Self)> + use<'_, 't> {
        self.node.entries().unwrap_or_default().iter().map(|e| (e.key.as_str(), self.of_entry(e)))
    }

    /// The keys of a map.
    pub fn keys(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        self.node.entries().unwrap_or_default().iter().map(|e| e.key.as_str())
    }

    /// The texts of a list field.
    pub fn texts(&self, field: &str) -> Vec<Spanned<String>> {
        let text = |f: &Self| f.node.text().map(|t| f.spanned(cut(t, MAX_TEXT).to_owned()));
        self.list(field).iter().filter_map(text).take(MAX_WORDS).collect()
    }

    /// The text of a field.
    pub fn text(&self, field: &str) -> Setting<String> {
        let field = self.get(field)?;
        let text = cut(field.node.text()?, MAX_TEXT).to_owned();
        Some(field.spanned(text))
    }

    /// Whether a field is set.
    pub fn has(&self, field: &str) -> bool {
        self.node.entry(field).is_some()
    }
}

/// Bounds of a number or a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Zero or more.
    Any,
    /// More than zero: zero is refused.
    Positive,
    /// At most so much.
    UpTo(u64),
    /// From, and at most.
    Between(u64, u64),
}

/// Collects what the readers find.
#[derive(Debug, Default)]
pub struct Reader {
    /// What was read so far.
    pub config: Configuration,
    /// How single values are read in the resource at hand.
    pub notation: Notation,
    /// The program the resource at hand is for.
    pub dialect: Dialect,
    /// Problems so far, those of the texts apart.
    pub found: usize,
    /// Consul's limits of local clusters.
    pub inbound_limits: Vec<Spanned<u32>>,
    /// Clusters that Envoy subscribes to its own configuration through.
    pub subscriptions: std::collections::BTreeSet<String>,
    /// Endpoints that stand apart from their clusters.
    pub endpoints: Vec<super::config::ClusterConfig>,
    /// Origin of clusters and routes of the resource at hand; the block is filled in for each.
    pub origin: Origin,
}

impl Reader {
    /// Starts a resource of a program.
    pub fn enter(&mut self, dialect: Dialect, notation: Notation, kind: &str) {
        let document = self.origin.document;
        self.dialect = dialect;
        self.notation = notation;
        self.origin = Origin { dialect, kind: kind.to_owned(), document, ..Origin::default() };
    }

    /// The origin of a cluster or a route that stands in `field`.
    pub fn origin_at(&self, field: &Field<'_>) -> Origin {
        Origin { block: field.place(), ..self.origin.clone() }
    }

    /// Adds a problem.
    pub fn problem(
        &mut self,
        at: Place,
        kind: ProblemKind,
        effect: Effect,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.found >= MAX_KEPT {
            return;
        }
        self.found += 1;
        let (message, help) = (message.into(), help.into());
        self.config.problems.push(ReadProblem { kind, effect, at, message, help, correction: None });
    }

    /// Adds a note.
    pub fn note(&mut self, at: Place, kind: NoteKind, message: impl Into<String>) {
        if self.config.notes.len() >= MAX_KEPT {
            return;
        }
        self.config.notes.push(Note { kind, at, message: message.into() });
    }

    fn keep<T>(&mut self, field: &Field<'_>, reading: Reading<T>) -> Setting<T> {
        if let Some(flaw) = reading.flaw {
            let name = last_key(&field.path);
            let message = format!("`{name}` {}", flaw.what);
            let found = self.found;
            self.problem(field.place(), flaw.kind, flaw.effect, message, flaw.help);
            if let Some(last) = self.config.problems.last_mut().filter(|_| self.found > found) {
                last.correction = flaw.correction.map(|correction| *correction);
            }
        }
        reading.value.map(|value| field.spanned(value))
    }

    fn outside(&mut self, field: &Field<'_>, allowed: &str) {
        let name = last_key(&field.path).to_owned();
        let message = format!("`{name}` is {}, allowed are {allowed}", scalar::shown(field.node));
        let help = format!("write a value of {allowed}");
        self.problem(field.place(), ProblemKind::OutOfRange, Effect::Rejected, message, help);
    }

    /// A duration.
    pub fn duration(&mut self, parent: &Field<'_>, name: &str, bound: Bound) -> Setting<Millis> {
        let field = parent.get(name)?;
        self.duration_of(&field, bound)
    }

    /// A duration that is at hand.
    pub fn duration_of(&mut self, field: &Field<'_>, bound: Bound) -> Setting<Millis> {
        let reading = duration(field.node, self.notation);
        let value = self.keep(field, reading)?;
        if bound == Bound::Positive && value.value.0 == 0.0 {
            self.outside(field, "more than 0s");
        }
        Some(value)
    }

    /// A whole number of 32 bits.
    pub fn whole(&mut self, parent: &Field<'_>, name: &str, bound: Bound) -> Setting<u32> {
        let field = parent.get(name)?;
        self.whole_of(&field, bound)
    }

    /// A whole number that is at hand.
    pub fn whole_of(&mut self, field: &Field<'_>, bound: Bound) -> Setting<u32> {
        let reading = scalar::whole(field.node, self.notation, u64::from(u32::MAX));
        let value = self.keep(field, reading)?;
        match bound {
            Bound::UpTo(max) if value.value > max => self.outside(field, &format!("0 to {max}")),
            Bound::Between(min, max) if !(min..=max).contains(&value.value) => {
                self.outside(field, &format!("{min} to {max}"));
            }
            Bound::Positive if value.value == 0 => self.outside(field, "1 or more"),
            _ => {}
        }
        Some(value.map(|n| u32::try_from(n).unwrap_or(u32::MAX)))
    }

    /// A whole number of 64 bits.
    pub fn long(&mut self, parent: &Field<'_>, name: &str) -> Setting<u64> {
        let field = parent.get(name)?;
        let reading = scalar::whole(field.node, self.notation, 1 << 53);
        self.keep(&field, reading)
    }

    /// A number.
    pub fn float(&mut self, parent: &Field<'_>, name: &str) -> Setting<f64> {
        let field = parent.get(name)?;
        let reading = scalar::float(field.node, self.notation);
        self.keep(&field, reading)
    }

    /// A truth value.
    pub fn truth(&mut self, parent: &Field<'_>, name: &str) -> Setting<bool> {
        let field = parent.get(name)?;
        let reading = scalar::truth(field.node, self.notation);
        self.keep(&field, reading)
    }

    /// A percentage as a message.
    pub fn percent(&mut self, parent: &Field<'_>, name: &str) -> Setting<Percent> {
        let field = parent.get(name)?;
        let reading = scalar::percent_message(field.node);
        self.keep(&field, reading)
    }

    /// A word of an enumeration, in the order of its numbers.
    pub fn word<T: Copy>(&mut self, parent: &Field<'_>, name: &str, words: &[(&str, T)]) -> Setting<T> {
        let field = parent.get(name)?;
        let reading = scalar::word(field.node, words);
        self.keep(&field, reading)
    }

    /// A message; anything but a mapping is a problem.
    pub fn message<'t>(&mut self, parent: &Field<'t>, name: &str) -> Option<Field<'t>> {
        let field = parent.get(name)?;
        self.is_message(&field).then_some(field)
    }

    /// Whether a value is a mapping; anything else is a problem.
    pub fn is_message(&mut self, field: &Field<'_>) -> bool {
        if field.node.entries().is_some() {
            return true;
        }
        let message =
            format!("`{}` is {}, and a mapping is wanted", last_key(&field.path), field.node.what());
        let help = "write its fields below it, indented";
        self.problem(field.place(), ProblemKind::WrongShape, Effect::Rejected, message, help);
        false
    }

    /// Reports the fields of a message that it does not have; `fields` are separated by spaces.
    pub fn known(&mut self, message: &Field<'_>, name: &str, fields: &str) {
        let ignores = self.dialect != Dialect::Envoy && self.origin.patch.is_none();
        for entry in message.node.entries().unwrap_or_default() {
            let key = cut_key(&entry.key);
            let known = key.starts_with('@') || fields.split_whitespace().any(|f| same_field(key, f));
            if known || self.found >= MAX_KEPT {
                continue;
            }
            let field = message.of_entry(entry);
            let near = nearest_field(key, fields);
            let effect = if ignores { Effect::Ignored } else { Effect::Rejected };
            let set = near.as_ref().is_some_and(|n| message.has(n));
            let help = match &near {
                Some(n) if set => format!("remove it; {n} is set already"),
                Some(n) => format!("did you mean {n}?"),
                None => "remove it, or move it to where it belongs".to_owned(),
            };
            let near = near.filter(|_| !set);
            let text = format!("`{key}` is not a field of {name}");
            self.problem(field.place(), ProblemKind::UnknownField { nearest: near }, effect, text, help);
        }
    }
}

/// The known field nearest to a key, in the spelling of the key.
fn nearest_field(key: &str, fields: &str) -> Option<String> {
    let camel = !key.contains('_') && key.bytes().any(|b| b.is_ascii_uppercase());
    let spell = |f: &str| if camel { to_camel(f) } else { f.to_owned() };
    let spelled: Vec<String> = fields.split_whitespace().map(spell).collect();
    nearest(key, spelled.iter().map(String::as_str)).map(str::to_owned)
}

/// The last key of a path, without the number of a list item.
pub fn last_key(path: &str) -> &str {
    let key = path.rsplit('.').next().unwrap_or(path);
    key.split('[').next().filter(|k| !k.is_empty()).unwrap_or(path)
}
