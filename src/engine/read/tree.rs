//! A tree of values that remembers where each of them stands.

use super::Span;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value's text.
    pub span: Span,
    /// The alias (`*name` or `<<`) through which it came here.
    pub alias: Option<Span>,
    /// The text breaks off within it, so that parts of it may be missing.
    pub unfinished: bool,
    /// The value.
    pub kind: Kind,
}

/// The value of a [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A single value, not interpreted yet.
    Scalar(Scalar),
    /// A list.
    List(Vec<Node>),
    /// A map in the order of the text; a key that stands twice is there twice.
    Map(Vec<Entry>),
}

/// A single value as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text without quotes, escapes resolved.
    pub text: String,
    /// Whether it was quoted or a block, so that `"null"` is no null.
    pub quoted: bool,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key's text.
    pub key: String,
    /// Its place.
    pub key_span: Span,
    /// Its value.
    pub value: Node,
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(scalar) => Some(&scalar.text),
            _ => None,
        }
    }

    /// Whether it counts as not set: nothing, `null` or `~`.
    pub fn is_null(&self) -> bool {
        match &self.kind {
            Kind::Scalar(s) => !s.quoted && matches!(s.text.as_str(), "" | "~" | "null" | "Null" | "NULL"),
            _ => false,
        }
    }

    /// The entries of a map.
    pub fn entries(&self) -> Option<&[Entry]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entry of a field that is set, under its name or the other spelling of it
    /// (`max_requests`, `maxRequests`).
    ///
    /// As Envoy has it: the last one if it stands twice, its own name before the other spelling.
    pub fn entry(&self, field: &str) -> Option<&Entry> {
        let set = || self.entries().into_iter().flatten().rev().filter(|e| !e.value.is_null());
        set().find(|e| e.key == field).or_else(|| set().find(|e| same_field(&e.key, field)))
    }

    /// The value of a field that is set.
    pub fn get(&self, field: &str) -> Option<&Self> {
        self.entry(field).map(|e| &e.value)
    }

    /// The value at a path of fields.
    pub fn at(&self, fields: &[&str]) -> Option<&Self> {
        fields.iter().try_fold(self, |node, field| node.get(field))
    }

    /// The text of a field.
    pub fn text_of(&self, field: &str) -> Option<&str> {
        self.get(field)?.text()
    }

    /// The same with keys that start small: `MaxConnections` as `maxConnections`.
    #[must_use]
    pub fn with_small_keys(&self) -> Self {
        let kind = match &self.kind {
            Kind::Scalar(scalar) => Kind::Scalar(scalar.clone()),
            Kind::List(items) => Kind::List(items.iter().map(Self::with_small_keys).collect()),
            Kind::Map(entries) => Kind::Map(
                entries
                    .iter()
                    .map(|e| {
                        let mut letters = e.key.chars();
                        let first = letters.next().map(|c| c.to_ascii_lowercase());
                        Entry {
                            key: first.into_iter().chain(letters).collect(),
                            key_span: e.key_span,
                            value: e.value.with_small_keys(),
                        }
                    })
                    .collect(),
            ),
        };
        Self { kind, ..self.clone() }
    }

    /// Moves it and all within it to one place: what a text inside a text says stands where that
    /// text stands.
    pub fn move_to(&mut self, span: Span) {
        self.span = span;
        match &mut self.kind {
            Kind::Scalar(_) => {}
            Kind::List(items) => items.iter_mut().for_each(|item| item.move_to(span)),
            Kind::Map(entries) => {
                for entry in entries {
                    entry.key_span = span;
                    entry.value.move_to(span);
                }
            }
        }
    }

    /// What the value is, in a sentence.
    pub fn what(&self) -> &'static str {
        match &self.kind {
            Kind::Scalar(_) => "a single value",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a mapping",
        }
    }
}

/// Whether two spellings name one field of a message: `max_requests` and `maxRequests`.
///
/// ```
/// use headroom::engine::read::tree::same_field;
///
/// assert!(same_field("maxRequests", "max_requests"));
/// assert!(same_field("consecutive5xx", "consecutive_5xx"));
/// assert!(!same_field("max_request", "max_requests"));
/// ```
pub fn same_field(written: &str, field: &str) -> bool {
    if written == field {
        return true;
    }
    // Camel case of the field: no underscores, the letter after each is a capital.
    let mut written = written.bytes();
    let mut raise = false;
    for b in field.bytes() {
        if b == b'_' {
            raise = true;
            continue;
        }
        let want = if raise { b.to_ascii_uppercase() } else { b };
        raise = false;
        if written.next() != Some(want) {
            return false;
        }
    }
    written.next().is_none()
}

/// The other spelling of a field: `maxRequests` for `max_requests`.
pub fn to_camel(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut raise = false;
    for c in field.chars() {
        if c == '_' {
            raise = true;
        } else if raise {
            out.push(c.to_ascii_uppercase());
            raise = false;
        } else {
            out.push(c);
        }
    }
    out
}
