use super::RULES;
use crate::engine::audit::rules::Check;
use crate::engine::audit::rules::tests::judge;
use crate::engine::audit::{Change, Finding, Value};
use crate::engine::read::config::ProblemKind;
use crate::engine::rules::Severity::{Error, Info, Warning};
use crate::engine::units::{Millis, Percent};

const PREFIX: &str = "name: a\ncircuit_breakers:\n  thresholds:\n  - ";

/// Code, severity, line, text.
const TEXTS: &[(&str, crate::engine::rules::Severity, u32, &str)] = &[
    ("HR901", Error, 3, "clusters:\n- name: [a\n- name: b\n"),
    ("HR902", Error, 2, "name: a\n\tconnect_timeout: 1s\n"),
    ("HR903", Warning, 1, "{{- range .Values.clusters }}\n- name: a\n{{- end }}\n"),
    ("HR903", Warning, 4, "name: a\ncircuit_breakers:\n  thresholds:\n  - max_requests: ${MAX}\n"),
    ("HR905", Info, 1, "kind: of nothing\n"),
    ("HR905", Info, 1, ""),
    ("HR906", Warning, 3, "name: a\nconnect_timeout: 1s\nconnect_timeout: 2s\n"),
    (
        "HR907",
        Error,
        5,
        "name: a\ncircuit_breakers:\n  thresholds:\n  - &x {max_requests: 9}\n  - {<<: *x, priority: HIGH}\n",
    ),
    ("HR908", Error, 3, "name: a\ncircuit_breakers:\n  thresholds: *x\n"),
    ("HR909", Error, 4, "name: a\ncircuit_breakers:\n  thresholds:\n  - max_request: 9\n"),
    (
        "HR910",
        Error,
        4,
        "name: a\ncircuit_breakers:\n  per_host_thresholds:\n  - max_requests: 9\n    max_connections: 1\n",
    ),
    ("HR911", Error, 2, "name: a\nconnect_timeout: 250ms\n"),
    ("HR912", Error, 4, "name: a\ncircuit_breakers:\n  thresholds:\n  - max_requests: 1_024\n"),
    ("HR913", Error, 2, "name: a\nconnect_timeout: 0s\n"),
    ("HR914", Error, 4, "name: a\ncircuit_breakers:\n  thresholds:\n  - track_remaining: sometimes\n"),
    ("HR915", Error, 4, "name: a\ncircuit_breakers:\n  thresholds:\n  - priority: HIHG\n"),
    (
        "HR916",
        Error,
        4,
        "name: a\ncircuit_breakers:\n  thresholds:\n  - retry_budget: {budget_percent: 20}\n",
    ),
    (
        "HR917",
        Error,
        5,
        "match: {prefix: /}\nroute:\n  cluster: a\n  retry_policy:\n    retry_back_off: {max_interval: 1s}\n",
    ),
    ("HR919", Info, 2, "name: a\nhttp2_protocol_options: {}\n"),
    (
        "HR920",
        Warning,
        2,
        "name: a\nhttp2_protocol_options: {}\ntyped_extension_protocol_options:\n  \
         envoy.extensions.upstreams.http.v3.HttpProtocolOptions:\n    \"@type\": \
         type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions\n    explicit_http_config: \
         {http2_protocol_options: {}}\n",
    ),
    (
        "HR918",
        Error,
        5,
        "name: a\ntyped_extension_protocol_options:\n  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:\n    \
         \"@type\": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions\n    auto_config: {}\n    \
         use_downstream_protocol_config: {}\n",
    ),
    (
        "HR921",
        Warning,
        3,
        "{\"clusters\": [\n {\"name\": \"a\", \"connect_timeout\": \"1s\"},\n {\"name\": \"b\", \"connect_timeout\": \"1s\", \"typ",
    ),
];

fn found(text: &str) -> Vec<Finding> {
    judge(text, "").findings.into_iter().filter(|f| f.code.starts_with("HR9")).collect()
}

#[test]
fn each_kind_fires_at_its_line() {
    for (code, severity, line, text) in TEXTS {
        let found = found(text);
        let hit = found.iter().find(|f| f.code == *code);
        let hit = hit.unwrap_or_else(|| panic!("{code} on {text}: {found:#?}"));
        assert_eq!((hit.severity, hit.at.line()), (*severity, *line), "{code} on {text}: {hit:#?}");
        assert!(!hit.message.is_empty() && !hit.consequence.is_empty() && !hit.help.is_empty(), "{hit:#?}");
    }
}

#[test]
fn a_text_without_problems_is_silent() {
    assert_eq!(found(&format!("{PREFIX}max_requests: 1024\n    track_remaining: yes\n")), []);
}

/// Each kind belongs to exactly one rule; the match makes a new kind a compile error here.
#[test]
#[allow(clippy::match_same_arms, reason = "one arm would be one very long line")]
fn every_kind_has_one_rule() {
    use ProblemKind as K;
    let kinds = [
        K::Syntax,
        K::Tab,
        K::Template,
        K::Limit,
        K::NothingToRead,
        K::Unfinished,
        K::DuplicateKey,
        K::MergeKey,
        K::UnknownAnchor,
        K::UnknownField { nearest: None },
        K::MisplacedField { belongs: String::new() },
        K::BadDuration,
        K::BadNumber,
        K::OutOfRange,
        K::BadBool,
        K::BadEnum,
        K::WrongShape,
        K::Missing,
        K::Conflict,
        K::Deprecated,
        K::NoEffect,
    ];
    for kind in &kinds {
        match kind {
            K::Syntax
            | K::Tab
            | K::Template
            | K::Limit
            | K::NothingToRead
            | K::Unfinished
            | K::DuplicateKey => {}
            K::MergeKey | K::UnknownAnchor | K::UnknownField { .. } | K::MisplacedField { .. } => {}
            K::BadDuration | K::BadNumber | K::OutOfRange | K::BadBool | K::BadEnum | K::WrongShape => {}
            K::Missing | K::Conflict | K::Deprecated | K::NoEffect => {}
        }
        let of_kind =
            |rule: &&&crate::engine::audit::rules::Rule| matches!(rule.check, Check::Problem(is) if is(kind));
        assert_eq!(RULES.iter().filter(of_kind).count(), 1, "{kind:?}");
    }
    assert_eq!(RULES.len(), kinds.len());
}

#[track_caller]
fn fix(text: &str) -> (String, Change) {
    let found = found(text);
    let fixes: Vec<_> = found.into_iter().filter_map(|f| f.fix).collect();
    assert_eq!(fixes.len(), 1, "{text}");
    (fixes[0].label.clone(), fixes[0].changes[0].clone())
}

#[test]
fn misspelt_fields_are_renamed() {
    let (label, change) = fix(&format!("{PREFIX}max_request: 9\n"));
    assert_eq!(label, "max_request → max_requests");
    assert!(matches!(change, Change::Rename(at, to) if to == "max_requests" && at.line() == 4));
    // The right one is there already: a second one would be a duplicate.
    let twice = found(&format!("{PREFIX}max_request: 9\n    max_requests: 8\n"));
    assert_eq!((twice.len(), twice[0].fix.as_ref()), (1, None));
    assert_eq!(twice[0].help, "remove it; max_requests is set already");
}

#[test]
fn refused_forms_without_doubt_are_rewritten() {
    let (label, change) = fix("name: a\nconnect_timeout: 250ms\n");
    assert_eq!(label, "250ms → 0.25s");
    assert!(
        matches!(change, Change::Replace(at, Value::Duration(d)) if d == Millis(250.0) && at.line() == 2)
    );
    let (label, change) = fix(&format!("{PREFIX}retry_budget: {{budget_percent: 20}}\n"));
    assert_eq!(label, "20 → {value: 20}");
    assert!(matches!(change, Change::Replace(_, Value::Percent(p)) if p == Percent(20.0)));
    let (label, change) = fix(&format!("{PREFIX}priority: HIHG\n"));
    assert_eq!(label, "HIHG → HIGH");
    assert!(matches!(change, Change::Replace(_, Value::Word(word)) if word == "HIGH"));
    let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: a}\nspec:\n  host: a\n  \
                trafficPolicy:\n    connectionPool:\n      http: {http2MaxRequests: \"90\"}\n";
    let (label, change) = fix(rule);
    assert_eq!(label, "Write 90 without quotes");
    assert!(matches!(change, Change::Replace(_, Value::Count(90))));
}

#[test]
fn what_could_mean_two_things_is_not_rewritten() {
    for field in ["max_requests: 1_024", "max_requests: -1", "track_remaining: sometimes"] {
        let found = found(&format!("{PREFIX}{field}\n"));
        assert_eq!((found.len(), found[0].fix.as_ref()), (1, None), "{field}");
    }
    assert_eq!(found("name: a\nconnect_timeout: 5\n")[0].fix, None);
}

#[test]
fn the_program_is_that_of_the_text() {
    let istio = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: a}\nspec:\n  host: a\n  \
                 trafficPolicy:\n    connectionPool:\n      http: {maxRequest: 90}\n";
    assert!(found(istio)[0].consequence.starts_with("Istio ignores it"), "{:?}", found(istio));
    let envoy = found("name: a\nconnect_timeout: 0s\n");
    assert!(envoy[0].consequence.starts_with("Envoy refuses the whole configuration"), "{envoy:?}");
    assert_eq!(envoy[0].cluster, Some(0));
}
