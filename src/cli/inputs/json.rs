//! The answer as a scenario, with where each value is from.

use super::{Answer, path};
use headroom::engine::inputs::{Field, How};
use headroom::engine::params::{Default, param};
use headroom::engine::read::Place;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

/// Further places of a value that are written out: the scenario must stay one that can be read.
const MAX_PLACES: usize = 20;

/// The whole answer.
pub fn document(answer: &Answer<'_>) -> String {
    let scenario = serde_json::to_value(&answer.inputs.scenario).unwrap_or_default();
    let mut root = Ordered::default();
    for field in answer.inputs.fields.iter().filter(|field| field.value.is_some()) {
        let keys = param(field.id).path;
        let Some(value) = keys.iter().try_fold(&scenario, |value, key| value.get(*key)) else { continue };
        root.put(keys, Item::Value(value.clone()));
    }
    let mut provenance = Ordered::default();
    for field in &answer.inputs.fields {
        provenance.0.push((path(field.id), Item::Provenance(Box::new(of_field(answer, field)))));
    }
    root.0.push(("provenance".to_owned(), Item::Object(provenance)));
    let text = serde_json::to_string_pretty(&root).expect("maps with text keys have a JSON form");
    format!("{text}\n")
}

/// An object whose keys stay in their order.
#[derive(Default)]
struct Ordered(Vec<(String, Item)>);

enum Item {
    Value(Value),
    Provenance(Box<Provenance>),
    Object(Ordered),
}

impl Ordered {
    fn put(&mut self, keys: &[&str], item: Item) {
        let [first, rest @ ..] = keys else { return };
        if rest.is_empty() {
            return self.0.push(((*first).to_owned(), item));
        }
        if self.0.iter().all(|(key, _)| key != first) {
            self.0.push(((*first).to_owned(), Item::Object(Self::default())));
        }
        if let Some((_, Item::Object(inner))) = self.0.iter_mut().find(|(key, _)| key == first) {
            inner.put(rest, item);
        }
    }
}

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, item) in &self.0 {
            match item {
                Item::Value(value) => map.serialize_entry(key, value)?,
                Item::Provenance(of) => map.serialize_entry(key, of)?,
                Item::Object(inner) => map.serialize_entry(key, inner)?,
            }
        }
        map.end()
    }
}

/// Where a value is from.
#[derive(Serialize)]
struct Provenance {
    how: How,
    #[serde(skip_serializing_if = "String::is_empty")]
    source: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    formula: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    substituted: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The other places of a value that has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<At>,
    #[serde(skip_serializing_if = "String::is_empty")]
    note: String,
    /// Of a missing input: whether `size` refuses to go on without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    needed: Option<bool>,
    /// Of a missing input: what `size` takes instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<Value>,
}

#[derive(Serialize)]
struct At {
    file: String,
    line: u32,
}

fn of_field(answer: &Answer<'_>, field: &Field) -> Provenance {
    let at = |place: &Place| At {
        file: answer.files.get(place.file as usize).cloned().unwrap_or_default(),
        line: place.line(),
    };
    let is_missing = field.how == How::Missing;
    let first = field.places.first().map(at);
    let (file, line) = first.map(|at| (at.file, at.line)).unzip();
    let plain = super::plain;
    Provenance {
        how: field.how,
        source: plain(&field.source),
        formula: plain(&field.formula),
        substituted: plain(&field.substituted),
        file,
        line,
        also: field.places.iter().skip(1).take(MAX_PLACES).map(at).collect(),
        note: plain(&field.note),
        needed: is_missing.then(|| answer.is_needed(field.id)),
        default: if is_missing { default(field) } else { None },
    }
}

fn default(field: &Field) -> Option<Value> {
    match param(field.id).default {
        Default::Number(number) => Some(number.into()),
        Default::Word(word) => Some(word.into()),
        Default::Derived(sentence) => Some(sentence.into()),
        Default::Required | Default::Absent => None,
    }
}
