//! The schemas of the resources (`tests/schemas`), as Kubernetes applies them with strict validation.

use headroom::engine::read::duration::go_duration;
use serde_json::{Value, json};

/// What a document breaks of the schema of its kind.
#[track_caller]
pub fn errors(document: &Value) -> Vec<String> {
    let kind = document["kind"].as_str().expect("a kind");
    let (file, version) = match kind {
        "DestinationRule" => (include_str!("../schemas/destinationrule.json"), "networking.istio.io/v1"),
        "VirtualService" => (include_str!("../schemas/virtualservice.json"), "networking.istio.io/v1"),
        "EnvoyFilter" => (include_str!("../schemas/envoyfilter.json"), "networking.istio.io/v1alpha3"),
        "BackendTrafficPolicy" => {
            (include_str!("../schemas/backendtrafficpolicy.json"), "gateway.envoyproxy.io/v1alpha1")
        }
        "Sidecar" => return sidecar(document),
        other => panic!("{other} has no schema"),
    };
    let file: Value = serde_json::from_str(file).expect("the schema is JSON");
    let (group, version_of_it) = version.split_once('/').expect("group and version");
    assert_eq!(file["group"], group);
    assert!(file["versions"].as_array().expect("versions").contains(&json!(version_of_it)));
    let mut found = Errors::default();
    found.equal(&document["apiVersion"], version, "apiVersion");
    let schema = &file["schema"]["*"];
    found.check(&schema["properties"]["spec"], &document["spec"], "spec");
    found.only(document, &["apiVersion", "kind", "metadata", "spec"], "");
    found.0
}

/// `Sidecar` of istio/api: its pool is the message that `DestinationRule` has.
fn sidecar(document: &Value) -> Vec<String> {
    let file: Value =
        serde_json::from_str(include_str!("../schemas/destinationrule.json")).expect("the schema is JSON");
    let pool = "/schema/*/properties/spec/properties/trafficPolicy/properties/connectionPool";
    let pool = file.pointer(pool).expect("a rule has a pool");
    let mut found = Errors::default();
    found.equal(&document["apiVersion"], "networking.istio.io/v1", "apiVersion");
    found.only(&document["spec"], &["workloadSelector", "inboundConnectionPool"], "spec");
    found.only(&document["spec"]["workloadSelector"], &["labels"], "spec.workloadSelector");
    let labels = document["spec"]["workloadSelector"]["labels"].as_object().expect("labels");
    assert!(labels.values().all(|label| label.as_str().is_some_and(is_dns_label)), "{labels:?}");
    found.check(pool, &document["spec"]["inboundConnectionPool"], "spec.inboundConnectionPool");
    found.0
}

#[derive(Default)]
struct Errors(Vec<String>);

impl Errors {
    fn equal(&mut self, value: &Value, expected: &str, at: &str) {
        self.holds(value == expected, at, "const", &json!(expected));
    }

    fn only(&mut self, value: &Value, keys: &[&str], at: &str) {
        for key in value.as_object().into_iter().flat_map(|object| object.keys()) {
            self.holds(keys.contains(&key.as_str()), at, "unknown field", &json!(key));
        }
    }

    fn holds(&mut self, is: bool, at: &str, word: &str, rule: &Value) {
        if !is {
            self.0.push(format!("{at}: {word} {rule}"));
        }
    }

    /// A word of the schema that is not known here is an error too, so that nothing is skipped in silence.
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        let words = schema.as_object().expect("a schema is an object");
        for (word, rule) in words {
            match word.as_str() {
                "type" => self.holds(is_of(value, rule), at, "type", rule),
                "enum" => self.holds(rule.as_array().is_some_and(|all| all.contains(value)), at, word, rule),
                "format" => self.format(rule, value, at),
                "minimum" | "maximum" => {
                    let (n, bound) = (value.as_f64().unwrap_or(f64::NAN), rule.as_f64().expect("a bound"));
                    self.holds(if word == "minimum" { n >= bound } else { n <= bound }, at, word, rule);
                }
                "minLength" | "maxLength" | "minItems" | "maxItems" => self.size(word, rule, value, at),
                "pattern" => self.holds(fits(rule.as_str().expect("a text"), value), at, word, rule),
                "required" => {
                    for key in rule.as_array().into_iter().flatten().filter_map(Value::as_str) {
                        self.holds(value.get(key).is_some(), at, word, &json!(key));
                    }
                }
                "properties" => self.properties(rule, value, at),
                "items" => {
                    for (n, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(rule, item, &format!("{at}[{n}]"));
                    }
                }
                "allOf" | "anyOf" | "oneOf" | "not" => self.combined(word, rule, value, at),
                "x-kubernetes-validations" => self.rules(rule, value, at),
                "default"
                | "nullable"
                | "x-kubernetes-preserve-unknown-fields"
                | "x-kubernetes-list-type"
                | "x-kubernetes-list-map-keys"
                | "x-kubernetes-map-type" => {}
                other => panic!("{at}: the schema says {other}, which this test does not know"),
            }
        }
    }

    fn properties(&mut self, rule: &Value, value: &Value, at: &str) {
        for (key, value) in value.as_object().into_iter().flatten() {
            match rule.get(key) {
                Some(schema) => self.check(schema, value, &format!("{at}.{key}")),
                None => self.0.push(format!("{at}.{key}: unknown field")),
            }
        }
    }

    fn format(&mut self, rule: &Value, value: &Value, at: &str) {
        let is = match rule.as_str().expect("a text") {
            "int32" => value.as_i64().is_some_and(|n| i32::try_from(n).is_ok()),
            "int64" => value.as_i64().is_some(),
            "double" => value.is_number(),
            other => panic!("{at}: the format {other}, which this test does not know"),
        };
        self.holds(is, at, "format", rule);
    }

    fn size(&mut self, word: &str, rule: &Value, value: &Value, at: &str) {
        let size =
            value.as_str().map_or_else(|| value.as_array().map_or(0, Vec::len), |text| text.chars().count())
                as u64;
        let bound = rule.as_u64().expect("a size");
        self.holds(if word.starts_with("min") { size >= bound } else { size <= bound }, at, word, rule);
    }

    fn combined(&mut self, word: &str, rule: &Value, value: &Value, at: &str) {
        let holds = |schema: &Value| {
            let mut inner = Self::default();
            inner.check(schema, value, at);
            inner.0.is_empty()
        };
        let n = rule.as_array().map(|all| (all.iter().filter(|schema| holds(schema)).count(), all.len()));
        let is = match (word, n) {
            ("allOf", Some((n, all))) => n == all,
            ("anyOf", Some((n, _))) => n > 0,
            ("oneOf", Some((n, _))) => n == 1,
            _ => !holds(rule),
        };
        self.holds(is, at, word, rule);
    }

    /// The rules in CEL that our documents meet, each written again by hand.
    fn rules(&mut self, rules: &Value, value: &Value, at: &str) {
        for rule in rules.as_array().expect("a list").iter().map(|r| r["rule"].as_str().expect("a text")) {
            let refs = || value["targetRefs"].as_array().into_iter().flatten();
            let is_one = |key: &str| value.get(key).is_some();
            let is = match rule {
                "duration(self) >= duration('1ms')" => {
                    value.as_str().and_then(go_duration).is_some_and(|d| d.0 >= 1.0)
                }
                "self.numerator <= self.denominator" => {
                    value["numerator"].as_u64() <= value["denominator"].as_u64()
                }
                r if r.starts_with("(has(self.workloadSelector) ? 1 : 0)") => {
                    !(is_one("workloadSelector") && is_one("targetRefs"))
                }
                r if r.starts_with("(has(self.targetRef) && !has(self.targetRefs))") => {
                    is_one("targetRefs") && !is_one("targetRef")
                }
                r if r.starts_with("has(self.targetRefs) ? self.targetRefs.all(ref, ref.group ==") => {
                    refs().all(|r| r["group"] == "gateway.networking.k8s.io")
                }
                r if r.starts_with("has(self.targetRefs) ? self.targetRefs.all(ref, ref.kind in") => {
                    refs().all(|r| r["kind"].as_str().is_some_and(|kind| rule.contains(&format!("'{kind}'"))))
                }
                // About fields that are never written.
                r if r.starts_with("has(self.targetRef) ?") => !is_one("targetRef"),
                r if NEVER.iter().any(|(start, _)| r.starts_with(start)) => NEVER
                    .iter()
                    .filter(|(start, _)| r.starts_with(start))
                    .all(|(_, field)| value.get(field).is_none()),
                other => panic!("{at}: the rule {other}, which this test does not know"),
            };
            self.holds(is, at, "rule", &json!(rule));
        }
    }
}

/// Rules about one field each, by how they begin.
const NEVER: &[(&str, &str)] = &[
    ("!has(self.mergeType) ||", "mergeType"),
    ("!has(self.compression) ||", "compression"),
    ("!has(self.requestBuffer) ||", "requestBuffer"),
    ("!has(self.admissionControl) ||", "admissionControl"),
    ("!((has(self.connection) &&", "connection"),
    ("self.type == 'ConsistentHash' ? has", "consistentHash"),
    ("self.type == 'BackendUtilization' ? has", "backendUtilization"),
    ("self.type == 'DynamicModule' ? has", "dynamicModule"),
    ("self.type in ['Random', 'ConsistentHash', 'DynamicModule'] ? !has(self.slowStart)", "slowStart"),
    ("self.type == 'ConsistentHash' && has(self.zoneAware)", "zoneAware"),
    ("self.type == 'BackendUtilization' && has(self.zoneAware)", "zoneAware"),
    ("self.type == 'DynamicModule' ? !has(self.zoneAware)", "zoneAware"),
    ("has(self.zoneAware) ?", "zoneAware"),
    ("self.type == 'DynamicModule' ? !has(self.endpointOverride)", "endpointOverride"),
    ("has(self.context) ? ((self.context == \"WAYPOINT\")", "waypoint"),
];

fn is_of(value: &Value, rule: &Value) -> bool {
    match rule.as_str().expect("one type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("the schema has the type {other}"),
    }
}

fn fits(pattern: &str, value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    match pattern {
        "^([0-9]{1,5}(h|m|s|ms)){1,4}$" => is_gateway_duration(text),
        r"^$|^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" => {
            text.is_empty() || text.split('.').all(is_dns_label)
        }
        "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$" => {
            is_dns_label(&text.to_lowercase()) && text.starts_with(|c: char| c.is_ascii_alphabetic())
        }
        other => panic!("the pattern {other}, which this test does not know"),
    }
}

/// The pattern above, from left to right.
fn is_gateway_duration(text: &str) -> bool {
    let (mut rest, mut parts) = (text, 0);
    while !rest.is_empty() {
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let unit: String = rest[digits..].chars().take_while(char::is_ascii_alphabetic).collect();
        if !(1..=5).contains(&digits) || !["h", "m", "s", "ms"].contains(&unit.as_str()) {
            return false;
        }
        rest = &rest[digits + unit.len()..];
        parts += 1;
    }
    (1..=4).contains(&parts)
}

/// A label of DNS-1123.
pub fn is_dns_label(text: &str) -> bool {
    let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=63).contains(&text.len())
        && text.chars().all(inside)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// A name of DNS-1123.
pub fn is_dns_name(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_dns_label)
}
