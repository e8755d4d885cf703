//! Scenario JSON, read through the draft so that every problem of a file is reported at once.

use super::{Draft, Problem, Scenario};
use crate::engine::nearest::nearest;
use crate::engine::params::{Kind, PARAMS, Param, ParamId};
use crate::engine::units::display::{self, echo};
use serde::de::{Deserialize, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use std::collections::BTreeSet;

impl Scenario {
    /// Reads scenario JSON.
    ///
    /// # Errors
    ///
    /// Every problem of the text: syntax, unknown keys, wrong types, values out of range.
    pub fn from_json(text: &str) -> Result<Self, Vec<Problem>> {
        let (draft, problems) = Draft::from_json(text);
        Self::from_parts(&draft, problems)
    }

    /// The scenario of a draft about whose source something was said already.
    fn from_parts(draft: &Draft, mut problems: Vec<Problem>) -> Result<Self, Vec<Problem>> {
        match draft.check() {
            Ok(scenario) if problems.is_empty() => Ok(scenario),
            Ok(_) => Err(problems),
            // Syntax errors make every field look missing; only the cause is worth reading.
            Err(_) if problems.iter().any(|p| p.field == FILE) => Err(problems),
            Err(more) => {
                let known: Vec<String> = problems.iter().map(|p| p.field.clone()).collect();
                problems.extend(more.into_iter().filter(|p| !known.contains(&p.field)));
                Err(problems)
            }
        }
    }
}

/// Where the values are from, as `headroom inputs` writes it beside them: for people, not for the scenario.
const PROVENANCE: &str = "provenance";

/// The field of problems that concern the whole text.
const FILE: &str = "scenario";

impl Draft {
    /// Largest scenario file read; a real one has a few hundred bytes.
    pub const MAX_JSON_BYTES: usize = 1 << 20;

    /// The texts of scenario JSON, and what could not be read.
    pub fn from_json(text: &str) -> (Self, Vec<Problem>) {
        let mut reader = JsonReader::default();
        if text.len() > Self::MAX_JSON_BYTES {
            reader.whole(too_large(&display::count(text.len() as f64)));
        } else if text.contains('\0') {
            reader.whole("The scenario is no text, or text in UTF-16. Save it as JSON in UTF-8.".to_owned());
        } else {
            // Editors on some systems put a byte order mark before the text.
            match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
                Ok(json) => reader.root(&json),
                Err(error) => reader.whole(format!("The scenario is not valid JSON: {error}.")),
            }
        }
        (reader.draft, reader.problems)
    }
}

/// What is said of a scenario of that many bytes.
pub fn too_large(bytes: &str) -> String {
    let most = display::count(Draft::MAX_JSON_BYTES as f64);
    format!("The scenario has {bytes} bytes. Allowed: up to {most} bytes.")
}

/// JSON as it was written: a key that stands twice is there twice.
enum Json {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List,
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value as text, if it is a single one.
    fn text(&self) -> Option<String> {
        match self {
            Self::Bool(flag) => Some(flag.to_string()),
            Self::Number(number) => Some(number.to_string()),
            Self::Text(text) => Some(text.clone()),
            Self::Null | Self::List | Self::Object(_) => None,
        }
    }

    /// The value as a message may show it.
    fn shown(&self) -> String {
        let other = match self {
            Self::Null => "null",
            Self::List => "[…]",
            _ => "{…}",
        };
        echo(&self.text().unwrap_or_else(|| other.to_owned()))
    }
}

#[derive(Default)]
struct JsonReader {
    draft: Draft,
    problems: Vec<Problem>,
    /// Names of the fields that were there already.
    seen: BTreeSet<String>,
}

impl JsonReader {
    fn whole(&mut self, message: String) {
        self.problems.push(Problem { field: FILE.to_owned(), value: String::new(), message });
    }

    fn root(&mut self, json: &Json) {
        if let Json::Object(pairs) = json {
            self.object(pairs, None);
        } else {
            self.whole(
                "The scenario is not a JSON object. Write {\"rps\": 500, \"latency_ms\": {\"p50\": 35}}."
                    .to_owned(),
            );
        }
    }

    fn object(&mut self, pairs: &[(String, Json)], parent: Option<&str>) {
        for (key, value) in pairs {
            let name = parent.map_or_else(|| key.clone(), |parent| format!("{parent}.{key}"));
            let is_first = self.seen.insert(name.clone());
            if name == PROVENANCE && (!is_first || matches!(value, Json::Object(_) | Json::Null)) {
                if !is_first {
                    self.unusable(name, value, "stands here twice. Remove one of them.");
                }
                continue;
            }
            let row = PARAMS.iter().find(|p| p.path.join(".") == name);
            let is_group = parent.is_none() && groups().any(|group| group == key);
            match (row, value) {
                (Some(p), _) if is_first => self.field(p, value),
                (Some(p), _) => {
                    let message = format!("{name} stands here twice. Remove one of them.");
                    self.problems.push(Problem::new(p.id, &value.shown(), message));
                }
                (None, Json::Object(nested)) if is_group => {
                    if !is_first {
                        self.unusable(name, value, "stands here twice. Put its fields into one.");
                    }
                    self.object(nested, Some(key));
                }
                (None, Json::Null) if is_group && is_first => {}
                (None, _) if is_group => {
                    self.unusable(name, value, "is not an object. Write its fields in braces.");
                }
                (None, _) if is_first => self.unknown(parent, key, &name, value),
                (None, _) => {}
            }
        }
    }

    fn field(&mut self, p: &Param, value: &Json) {
        let name = p.path.join(".");
        let message = match (value, value.text()) {
            (Json::Null, _) => return,
            (_, None) => format!("{name} is a list or an object here. Write one value."),
            (_, Some(text)) if text.trim().is_empty() => {
                "No value is given. Give the value, or leave the field out.".to_owned()
            }
            (Json::Number(_), Some(text)) if p.id == ParamId::EnvoyVersion && !is_choice(p, &text) => {
                let version = super::draft::nearest_version(&text).map_or("1.40", |(version, _)| version);
                format!(
                    "{text} is a number here, and a number loses the zero at its end. Write the version in quotes: \"{version}\"."
                )
            }
            (_, Some(text)) => return self.draft.set(p.id, text),
        };
        self.problems.push(Problem::new(p.id, &value.shown(), message));
    }

    fn unusable(&mut self, name: String, value: &Json, what: &str) {
        let message = format!("{name} {what}");
        self.problems.push(Problem { field: name, value: value.shown(), message });
    }

    fn unknown(&mut self, parent: Option<&str>, key: &str, name: &str, value: &Json) {
        let elsewhere = misplaced(parent, key);
        let hint = if elsewhere.is_empty() {
            near(parent, key).map_or_else(String::new, |near| format!(" Did you mean {near}?"))
        } else {
            let places: Vec<String> = elsewhere.iter().map(|p| p.path.join(".")).collect();
            format!(" Did you mean {}? Move it there.", places.join(" or "))
        };
        if let ([meant], Some(text)) = (elsewhere.as_slice(), value.text()) {
            // What is wrong with the value, too, is said at once.
            self.draft.set(meant.id, text);
        }
        let shown = echo(name);
        let message = format!("{shown} is not a scenario field.{hint}");
        // The key of an input that lives elsewhere is not the name of this field.
        let is_key = name == FILE || PARAMS.iter().any(|p| p.key == name);
        let field = if is_key { format!("\"{shown}\"") } else { shown };
        self.problems.push(Problem { field, value: value.shown(), message });
    }
}

/// The names of nested objects.
fn groups() -> impl Iterator<Item = &'static str> {
    PARAMS.iter().filter(|p| p.path.len() == 2).map(|p| p.path[0])
}

fn is_choice(p: &Param, text: &str) -> bool {
    matches!(p.kind, Kind::Choice(words) if words.contains(&text))
}

/// The inputs of that name that live elsewhere.
fn misplaced(parent: Option<&str>, key: &str) -> Vec<&'static Param> {
    let is_here = |p: &Param| (p.path.len() == 2).then(|| p.path[0]) == parent;
    let found = PARAMS.iter().filter(|p| !is_here(p) && (p.path.last() == Some(&key) || p.key == key));
    found.collect()
}

/// The field of this object whose name is nearest.
fn near(parent: Option<&str>, key: &str) -> Option<&'static str> {
    let fields = PARAMS.iter().filter_map(|p| match (p.path, parent) {
        ([only], None) => Some(*only),
        ([outer, inner], Some(parent)) if *outer == parent => Some(*inner),
        _ => None,
    });
    nearest(key, fields.chain(groups().filter(|_| parent.is_none())))
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Json, E> {
        Ok(Json::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Json, E> {
        Number::from_f64(number).map(Json::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Json::Object(pairs))
    }
}

impl<'de> Deserialize<'de> for Scenario {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut reader = JsonReader::default();
        reader.root(&Json::deserialize(deserializer)?);
        Self::from_parts(&reader.draft, reader.problems).map_err(|problems| {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            D::Error::custom(lines.join("; "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a text, each as `field: message`.
    #[track_caller]
    fn said(json: &str) -> String {
        let problems = Scenario::from_json(json).expect_err("something is wrong");
        problems.iter().map(ToString::to_string).chain([String::new()]).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_key_that_stands_twice_is_named() {
        let text = said(
            r#"{"rps": 5, "rps": 6, "latency_ms": {"p50": 3, "p50": null}, "latency_ms": {"p99": 9}, "x": 1, "x": 2}"#,
        );
        assert_eq!(
            text,
            "rps: rps stands here twice. Remove one of them.\n\
             p50: latency_ms.p50 stands here twice. Remove one of them.\n\
             latency_ms: latency_ms stands here twice. Put its fields into one.\n\
             x: x is not a scenario field.\n"
        );
        let error = serde_json::from_str::<Scenario>(r#"{"rps": 5, "rps": 6, "latency_ms": {"p50": 3}}"#);
        assert!(error.is_err_and(|e| e.to_string().contains("rps stands here twice.")));
    }

    #[test]
    fn an_empty_text_is_no_value_and_null_is_absent() {
        let text =
            said(r#"{"rps": 5, "latency_ms": {"p50": 3}, "clients": "", "hosts": " ", "workers": null}"#);
        let no_value = "No value is given. Give the value, or leave the field out.";
        assert_eq!(text, format!("clients: {no_value}\nhosts: {no_value}\n"));
    }

    #[test]
    fn fields_in_the_wrong_place_are_sent_to_theirs() {
        let text = said(r#"{"rps": 5, "p50": -5}"#);
        assert_eq!(
            text,
            "\"p50\": p50 is not a scenario field. Did you mean latency_ms.p50? Move it there.\n\
             p50: -5 is out of range. Allowed: 0.000001 to 100,000,000.\n"
        );
        let text = said(r#"{"latency_ms": {"p50": 3, "rps": 5}, "mean": 3, "stream_p99": 4}"#);
        for part in [
            "latency_ms.rps is not a scenario field. Did you mean rps? Move it there.",
            "mean is not a scenario field. Did you mean latency_ms.mean or stream_duration_s.mean? Move it there.",
            "stream_p99 is not a scenario field. Did you mean stream_duration_s.p99? Move it there.",
        ] {
            assert!(text.contains(part), "{part} is not in:\n{text}");
        }
    }

    #[test]
    fn case_and_dashes_do_not_hide_what_was_meant() {
        let text =
            said(r#"{"RPS": 5, "latency-ms": {"p50": 3}, "hostConcurrency": 3, "latency_ms": {"P99": 4}}"#);
        for part in [
            "RPS is not a scenario field. Did you mean rps?",
            "latency-ms is not a scenario field. Did you mean latency_ms?",
            "hostConcurrency is not a scenario field. Did you mean host_concurrency?",
            "latency_ms.P99 is not a scenario field. Did you mean p99?",
        ] {
            assert!(text.contains(part), "{part} is not in:\n{text}");
        }
    }

    #[test]
    fn where_values_are_from_is_passed_over() {
        let with = |more: &str| format!(r#"{{"rps": 5, "latency_ms": {{"p50": 3}}, {more}}}"#);
        assert!(Scenario::from_json(&with(r#""provenance": {"rps": {"how": "read", "rps": [{}]}}"#)).is_ok());
        let not_a_field = "is not a scenario field.";
        for more in [
            r#""provenance": 3"#,
            r#""provenance": {}, "provenance": []"#,
            r#""Provenance": {}"#,
            r#""provenances": {}"#,
            r#""clients": 1, "latency_ms": {"provenance": {}}"#,
        ] {
            let text =
                Scenario::from_json(&with(more)).map_or_else(|p| format!("{p:?}"), |_| "fine".to_owned());
            assert!(text.contains(not_a_field) || text.contains("stands here twice"), "{more}: {text}");
        }
    }

    #[test]
    fn versions_lose_no_zero() {
        let with = |version: &str| {
            format!(r#"{{"rps": 5, "latency_ms": {{"p50": 3}}, "envoy_version": {version}}}"#)
        };
        assert_eq!(
            said(&with("1.40")),
            "envoy_version: 1.4 is a number here, and a number loses the zero at its end. Write the version in quotes: \"1.40\".\n"
        );
        assert!(said(&with("1.30")).contains("in quotes: \"1.30\"."));
        assert!(Scenario::from_json(&with("1.33")).is_ok());
        for (typed, meant) in [("\"v1.33\"", "1.33"), ("\"1.40.0\"", "1.40"), ("\"1.3\"", "1.30")] {
            let text = said(&with(typed));
            assert!(text.ends_with(&format!("is not known. Write {meant}.\n")), "{text}");
        }
        for (typed, meant) in [("\"1.29\"", "1.30"), ("\"1.41.2\"", "1.40"), ("\"2.0\"", "1.40")] {
            let text = said(&with(typed));
            assert!(text.contains(&format!("The nearest is {meant}. Choose one of 1.30, ")), "{text}");
        }
    }

    #[test]
    fn what_is_no_text_and_what_is_too_long_is_said() {
        assert!(said("{\0\"\0r\0").contains("The scenario is no text, or text in UTF-16."));
        let large = " ".repeat(2 << 20);
        assert_eq!(
            said(&large),
            "scenario: The scenario has 2,097,152 bytes. Allowed: up to 1,048,576 bytes.\n"
        );
        let key = "k".repeat(500);
        let text = said(&format!(r#"{{"rps": 5, "latency_ms": {{"p50": 3}}, "{key}": "{key}"}}"#));
        assert!(text.chars().count() < 200, "{text}");
    }
}
