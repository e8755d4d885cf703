//! SARIF output against the schema of OASIS.

use super::run;
use serde_json::{Map, Value};

/// What a value breaks of a schema of draft 7. A word of the schema that is not known here is an
/// error too, so that nothing is skipped in silence.
struct Schema<'s> {
    root: &'s Value,
    errors: Vec<String>,
}

impl<'s> Schema<'s> {
    fn check(&mut self, schema: &'s Value, value: &Value, at: &str) {
        let words = schema.as_object().expect("a schema is an object");
        for (word, rule) in words {
            match word.as_str() {
                "$ref" => {
                    let pointer = rule.as_str().and_then(|r| r.strip_prefix('#')).expect("a local reference");
                    let target = self.root.pointer(pointer).expect("a reference leads somewhere");
                    self.check(target, value, at);
                }
                "type" => self.holds(is_of(value, rule), at, "type", rule),
                "enum" => {
                    self.holds(rule.as_array().is_some_and(|all| all.contains(value)), at, "enum", rule);
                }
                "anyOf" | "oneOf" => self.any(rule, value, at, word == "oneOf"),
                "minimum" | "maximum" => {
                    if let (Some(n), Some(bound)) = (value.as_f64(), rule.as_f64()) {
                        self.holds(if word == "minimum" { n >= bound } else { n <= bound }, at, word, rule);
                    }
                }
                "pattern" | "format" => self.text(word, rule, value, at),
                "required" | "properties" | "additionalProperties" => {
                    if let Some(object) = value.as_object() {
                        self.object(words, word, rule, object, at);
                    }
                }
                "items" | "minItems" | "uniqueItems" => {
                    if let Some(items) = value.as_array() {
                        self.list(word, rule, items, at);
                    }
                }
                "$schema" | "$id" | "title" | "description" | "default" | "definitions" => {}
                other => panic!("the schema says {other}, which this test does not know"),
            }
        }
    }

    fn holds(&mut self, is: bool, at: &str, word: &str, rule: &Value) {
        if !is {
            self.errors.push(format!("{at}: {word} {rule}"));
        }
    }

    fn any(&mut self, rule: &'s Value, value: &Value, at: &str, one: bool) {
        let choices = rule.as_array().expect("a list of schemas");
        let fits = choices.iter().filter(|choice| {
            let mut inner = Schema { root: self.root, errors: Vec::new() };
            inner.check(choice, value, at);
            inner.errors.is_empty()
        });
        let n = fits.count();
        self.holds(if one { n == 1 } else { n > 0 }, at, "anyOf", rule);
    }

    fn text(&mut self, word: &str, rule: &Value, value: &Value, at: &str) {
        let (Some(text), Some(rule_text)) = (value.as_str(), rule.as_str()) else { return };
        let is = match (word, rule_text) {
            // The address of a rule's page is relative to the project, which has no address of its own.
            ("format", "uri" | "uri-reference") => is_reference(text),
            ("pattern", "^[2-9]|1[0-9]") => true,
            // Levels of names separated by slashes, such as the keys of fingerprints.
            (_, other) => panic!("{at} has the {word} {other}, which this test does not know: {text}"),
        };
        self.holds(is, at, word, rule);
    }

    fn object(
        &mut self,
        words: &'s Map<String, Value>,
        word: &str,
        rule: &'s Value,
        object: &Map<String, Value>,
        at: &str,
    ) {
        let properties = words.get("properties").and_then(Value::as_object);
        match word {
            "required" => {
                for key in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                    self.holds(object.contains_key(key), at, "required", &Value::from(key));
                }
            }
            "properties" => {
                for (key, schema) in properties.into_iter().flatten() {
                    if let Some(value) = object.get(key) {
                        self.check(schema, value, &format!("{at}.{key}"));
                    }
                }
            }
            _ => {
                for (key, value) in
                    object.iter().filter(|(key, _)| properties.is_none_or(|p| !p.contains_key(*key)))
                {
                    match rule {
                        Value::Bool(allowed) => self.holds(*allowed, &format!("{at}.{key}"), word, rule),
                        schema => self.check(schema, value, &format!("{at}.{key}")),
                    }
                }
            }
        }
    }

    fn list(&mut self, word: &str, rule: &'s Value, items: &[Value], at: &str) {
        match word {
            "items" => {
                for (n, item) in items.iter().enumerate() {
                    self.check(rule, item, &format!("{at}[{n}]"));
                }
            }
            "minItems" => self.holds(items.len() as u64 >= rule.as_u64().unwrap_or(0), at, word, rule),
            _ if rule == &Value::Bool(true) => {
                let unique = items.iter().enumerate().all(|(n, item)| !items[..n].contains(item));
                self.holds(unique, at, word, rule);
            }
            _ => {}
        }
    }
}

fn is_of(value: &Value, rule: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the schema has the type {other}"),
    };
    rule.as_str().is_some_and(is)
}

/// RFC 3986: the characters of a reference, and percent signs with two digits behind them.
fn is_reference(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(c);
    let escapes = text
        .split('%')
        .skip(1)
        .all(|rest| rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit));
    text.chars().all(allowed) && escapes && text.matches('#').count() <= 1
}

#[track_caller]
fn valid(args: &[&str]) -> Value {
    let output = run(&[&["audit"], args, &["--output", "sarif"]].concat());
    let log: Value = serde_json::from_slice(&output.stdout).expect("SARIF is JSON");
    let root: Value = serde_json::from_str(include_str!("../sarif/schema.json")).expect("the schema is JSON");
    let mut schema = Schema { root: &root, errors: Vec::new() };
    schema.check(&root, &log, "");
    assert_eq!(schema.errors, [""; 0]);
    log
}

#[test]
fn all_samples_give_valid_sarif() {
    let samples = format!("{}/tests/samples", env!("CARGO_MANIFEST_DIR"));
    let log = valid(&[&samples, "--rps", "500", "--p50", "35", "--p99", "110", "--clients", "100"]);
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("a list");
    assert!(results.len() > 20, "{}", results.len());
    for result in results {
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], region["endLine"]);
        assert!(region["startColumn"].as_u64() < region["endColumn"].as_u64(), "{result}");
    }
    // Two findings are never taken for one.
    let mut prints: Vec<&str> =
        results.iter().filter_map(|r| r["partialFingerprints"]["headroomFinding/v1"].as_str()).collect();
    prints.sort_unstable();
    assert!(prints.windows(2).all(|pair| pair[0] != pair[1]) && prints.len() == results.len());
    for rule in run["tool"]["driver"]["rules"].as_array().expect("a list") {
        let anchor = format!("docs/rules.md#{}", rule["id"].as_str().expect("a code"));
        assert_eq!(rule["helpUri"], anchor);
    }
}

#[test]
fn unusable_input_gives_valid_sarif_too() {
    let sample = format!("{}/tests/samples/y14-tab-indent-error.yaml", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(valid(&[&sample])["runs"][0]["results"][0]["ruleId"], "HR902");
}

#[test]
fn fingerprints_outlast_other_lines() {
    let text = "name: shop\nconnect_timeout: 250ms\n";
    let print = |text: &str| {
        let file = super::TempFile::new("print.yaml", text.as_bytes());
        valid(&[file.path()])["runs"][0]["results"][0]["partialFingerprints"].clone()
    };
    assert_eq!(print(text), print(&format!("# a line above\n\n{text}")));
    assert_ne!(print(text), print(&text.replace("shop", "cart")));
}

#[test]
fn addresses_are_escaped() {
    let file = super::TempFile::new("a b#c%.yaml", b"name: shop\nconnect_timeout: 250ms\n");
    let log = valid(&[file.path()]);
    let uri = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    let uri = uri.as_str().expect("an address");
    assert!(uri.starts_with("file:///") && uri.ends_with("a%20b%23c%25.yaml"), "{uri}");
}
