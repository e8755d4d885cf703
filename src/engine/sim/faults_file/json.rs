//! The JSON list, with every key as it was written, twice if it was there twice.

use super::{Given, Item, MAX_BYTES, whole};
use crate::engine::scenario::Problem;
use crate::engine::sim::{Fault, Hosts};
use crate::engine::units::display::{self, echo};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The items of a text, each with what is wrong with its form.
pub fn items(text: &str) -> Result<Vec<(Item, Vec<Problem>)>, Vec<Problem>> {
    if text.len() > MAX_BYTES {
        let bytes = display::count(text.len() as f64);
        let most = display::count(MAX_BYTES as f64);
        return Err(vec![whole(&format!("The faults have {bytes} bytes. Allowed: up to {most} bytes."))]);
    }
    let root: Root = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| vec![whole(&format!("The faults are not valid JSON: {error}."))])?;
    let Root::List(entries) = root else {
        return Err(vec![whole(
            "The faults are not a JSON list. Write [{\"kind\": \"latency\", \"from_s\": 20, \"to_s\": 50}].",
        )]);
    };
    Ok(entries.into_iter().enumerate().map(|(at, entry)| item(at, entry)).collect())
}

fn item(index: usize, entry: Entry) -> (Item, Vec<Problem>) {
    let place = format!("item {}", index + 1);
    match entry {
        Entry::Fields(fields) => {
            let fields = fields.into_iter().filter_map(|(key, value)| Some((key, given(&value)?)));
            (Item { place, fields: fields.collect() }, Vec::new())
        }
        Entry::Other => {
            let message = "The item is no JSON object. Write {\"kind\": \"latency\"}.".to_owned();
            // A kind stands in, so that its absence is not told on top.
            let fields = vec![("kind".to_owned(), Given::Text("latency".to_owned()))];
            let problem = Problem { field: place.clone(), value: String::new(), message };
            (Item { place, fields }, vec![problem])
        }
    }
}

/// A value; `null` is a field that is not there.
fn given(value: &Value) -> Option<Given> {
    let single = |value: &Value| match value {
        Value::Number(n) => Some(n.to_string()),
        Value::String(text) => Some(text.clone()),
        _ => None,
    };
    Some(match value {
        Value::Null => return None,
        Value::Array(list) => match list.iter().map(single).collect() {
            Some(texts) => Given::List(texts),
            None => Given::Other("[…]".to_owned()),
        },
        Value::Object(_) => Given::Other("{…}".to_owned()),
        Value::Bool(flag) => Given::Other(flag.to_string()),
        _ => Given::Text(single(value).unwrap_or_else(|| echo(&value.to_string()))),
    })
}

/// Faults as [`super::from_json`] reads them.
pub fn written(faults: &[Fault]) -> String {
    let part = |hosts: &Hosts| match hosts {
        Hosts::Count(n) => Value::from(*n),
        Hosts::These(list) => Value::from(list.clone()),
    };
    let list: Vec<Value> = faults
        .iter()
        .map(|f| {
            let spec = f.kind.spec();
            let mut fields = serde_json::Map::new();
            let mut put = |key: &str, value: Value| drop(fields.insert(key.to_owned(), value));
            put("kind", spec.word.into());
            put("from_s", f.from.as_secs().into());
            put("to_s", f.to.as_secs().into());
            if spec.takes.hosts {
                put("hosts", part(&f.hosts));
            }
            if spec.takes.clients {
                put("clients", part(&f.clients));
            }
            if spec.takes.share {
                put("share", f.share.into());
            }
            if spec.strength.is_some() {
                put("strength", f.strength.into());
            }
            if f.add.0 > 0 {
                put("add_ms", f.add.as_millis().0.into());
            }
            Value::Object(fields)
        })
        .collect();
    Value::from(list).to_string()
}

enum Root {
    List(Vec<Entry>),
    Other,
}

enum Entry {
    Fields(Vec<(String, Value)>),
    Other,
}

/// Reads a list of entries, whatever else stands there.
struct RootVisitor;

/// Reads an entry with all its keys.
struct EntryVisitor;

macro_rules! anything_else {
    ($value:expr) => {
        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
            Ok($value)
        }
        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
            Ok($value)
        }
    };
}

impl<'de> Visitor<'de> for RootVisitor {
    type Value = Root;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of faults")
    }

    anything_else!(Root::Other);

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Root, A::Error> {
        while map.next_entry::<String, serde::de::IgnoredAny>()?.is_some() {}
        Ok(Root::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Root, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = list.next_element()? {
            entries.push(entry);
        }
        Ok(Root::List(entries))
    }
}

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a fault")
    }

    anything_else!(Entry::Other);

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry, A::Error> {
        let mut fields = Vec::new();
        while let Some(pair) = map.next_entry()? {
            fields.push(pair);
        }
        Ok(Entry::Fields(fields))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Entry, A::Error> {
        while list.next_element::<serde::de::IgnoredAny>()?.is_some() {}
        Ok(Entry::Other)
    }
}

impl<'de> Deserialize<'de> for Root {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RootVisitor)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}
