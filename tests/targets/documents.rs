//! Every document against the schema of its kind, and its names against DNS-1123.

use super::schema::{self, is_dns_label, is_dns_name};
use super::{DIALECTS, all, answer, scenarios};
use headroom::engine::export::{Target, export};
use headroom::engine::scenario::{Preset, Scenario};
use serde_json::Value;

/// The documents of a text.
#[track_caller]
pub fn documents(text: &str) -> Vec<Value> {
    let parse = |part: &str| serde_saphyr::from_str(part).unwrap_or_else(|e| panic!("{e}\n{part}"));
    text.split("\n---\n").map(parse).collect()
}

/// The document of that kind.
pub fn of_kind<'d>(documents: &'d [Value], kind: &str) -> Option<&'d Value> {
    documents.iter().find(|document| document["kind"] == kind)
}

#[track_caller]
fn check(text: &str, target: Target) {
    let documents = documents(text);
    let kinds: Vec<&str> = documents.iter().filter_map(|d| d["kind"].as_str()).collect();
    let expected: &[&[&str]] = match target {
        Target::Istio => &[
            &["DestinationRule", "VirtualService"],
            &["DestinationRule", "VirtualService", "Sidecar"],
            &["DestinationRule", "VirtualService", "EnvoyFilter"],
            &["DestinationRule", "VirtualService", "Sidecar", "EnvoyFilter"],
        ],
        _ => &[&["BackendTrafficPolicy"]],
    };
    assert!(expected.contains(&kinds.as_slice()), "{kinds:?}");
    for document in &documents {
        let errors = schema::errors(document);
        assert!(errors.is_empty(), "{errors:#?}\n{text}");
        let metadata = &document["metadata"];
        for key in ["name", "namespace"] {
            let name = metadata[key].as_str().unwrap_or_else(|| panic!("{key} is no text\n{text}"));
            assert!(is_dns_label(name), "{key}: {name}");
        }
    }
    for text in documents.iter().filter_map(|d| d["spec"]["host"].as_str()) {
        assert!(is_dns_name(text), "{text}");
    }
}

#[test]
fn every_document_fits_its_schema() {
    let answers = all();
    assert!(answers.len() >= 400, "{}", answers.len());
    let mut kinds = std::collections::BTreeSet::new();
    for analysis in &answers {
        for target in DIALECTS {
            let text = export(analysis, target);
            check(&text, target);
            kinds.extend(documents(&text).iter().filter_map(|d| d["kind"].as_str().map(str::to_owned)));
        }
    }
    // None of them is tested by never being there.
    assert_eq!(
        kinds.into_iter().collect::<Vec<_>>(),
        ["BackendTrafficPolicy", "DestinationRule", "EnvoyFilter", "Sidecar", "VirtualService"]
    );
}

#[test]
fn no_name_breaks_a_document() {
    let base = Preset::first_paint().scenario();
    let fixed = [
        "cart.shop",
        "cart.shop.svc.cluster.local",
        "api.example.com",
        "outbound|80||cart.shop.svc.cluster.local",
    ];
    for name in scenarios::TRAPS.iter().chain(&fixed) {
        let analysis = answer(&Scenario { name: (*name).to_owned(), ..base.clone() });
        for target in DIALECTS {
            check(&export(&analysis, target), target);
        }
    }
}

#[test]
fn words_that_yaml_1_1_takes_for_something_else_are_quoted() {
    let base = Preset::first_paint().scenario();
    for name in ["y", "no", "ON", "null", "true", "1e3", "0x1F", "1.0"] {
        let text = export(&answer(&Scenario { name: name.to_owned(), ..base.clone() }), Target::EnvoyGateway);
        let line = text.lines().find(|line| line.starts_with("  name: ")).expect("a name");
        let value = &line["  name: ".len()..];
        assert!(value.starts_with('"') || value.starts_with('\''), "{name}: {line}");
    }
}

/// The validator finds what it is there for.
#[test]
fn what_is_wrong_is_found() {
    let text = export(&super::presets()[1], Target::Istio);
    for (from, to) in [
        ("maxConnections: ", "maxConnection: "),
        ("connectTimeout: 50ms", "connectTimeout: 0s"),
        ("maxConnections: 48", "maxConnections: 2147483648"),
        ("h2UpgradePolicy: UPGRADE", "h2UpgradePolicy: yes"),
        ("timeout: 950ms", "timeout: 0s"),
        ("attempts: 1", "attempts: \"1\""),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let errors: Vec<_> = documents(&broken).iter().flat_map(schema::errors).collect();
        assert!(!errors.is_empty(), "{to} is taken");
    }
    let text = export(&super::presets()[1], Target::EnvoyGateway);
    for (from, to) in [
        ("requestTimeout: 950ms", "requestTimeout: 0.95s"),
        ("requestTimeout: 950ms", "requestTimeout: 123456ms"),
        ("connect-failure", "connection-failure"),
        ("kind: HTTPRoute", "kind: Service"),
        ("numerator: 20", "numerator: 120"),
        ("maxEjectionPercent: 25", "maxEjectionPercent: 101"),
    ] {
        let broken = text.replacen(from, to, 1);
        assert_ne!(broken, text, "{from}");
        let errors: Vec<_> = documents(&broken).iter().flat_map(schema::errors).collect();
        assert!(!errors.is_empty(), "{to} is taken");
    }
}
