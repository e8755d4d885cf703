use super::*;
use crate::engine::params::ParamId;

#[test]
fn every_preset_is_a_valid_scenario_and_survives_its_link() {
    for preset in PRESETS {
        let scenario =
            preset.draft().check().unwrap_or_else(|problems| panic!("{}: {problems:?}", preset.key));
        assert_eq!(Scenario::from_link(&scenario.to_link()), Ok(Some(scenario.clone())), "{}", preset.key);
        let json = serde_json::to_string(&scenario).expect("plain data serializes");
        assert_eq!(Scenario::from_json(&json), Ok(scenario), "{json}");
    }
}

#[test]
fn all_problems_come_at_once_and_in_the_order_of_the_form() {
    let mut draft = Draft::default();
    for (id, text) in [
        (ParamId::Rps, "500/h"),
        (ParamId::P50, "120"),
        (ParamId::P99, "110"),
        (ParamId::Hosts, "10"),
        (ParamId::HostsLost, "10"),
        (ParamId::ShedTarget, "0"),
    ] {
        draft.set(id, text);
    }
    let problems = draft.check().expect_err("four inputs are wrong");
    let fields: Vec<&str> = problems.iter().map(|p| p.field.as_str()).collect();
    assert_eq!(fields, ["rps", "p99", "hosts_lost", "shed_target"]);
    let text = messages(&problems);
    assert!(
        text.contains("“500/h” is not a number. Enter requests per second, above 0 and up to 100,000,000."),
        "{text}"
    );
    assert!(text.contains("p99 110\u{a0}ms is below p50 120\u{a0}ms."), "{text}");
    assert!(text.contains("10 of 10 leaves no host. Allowed here: 0 to 9."), "{text}");
    assert!(text.contains("0 is out of range. Allowed: 0.000000001 to 0.1."), "{text}");
}

#[test]
fn no_wrong_field_hides_another() {
    use crate::engine::params::{Kind, PARAMS};
    let mut draft = Draft::default();
    let numbers: Vec<_> = PARAMS.iter().filter(|p| !matches!(p.kind, Kind::Text { .. })).collect();
    for p in &numbers {
        draft.set(p.id, "wrong");
    }
    let problems = draft.check().expect_err("every input but the name is wrong");
    let fields: Vec<&str> = problems.iter().map(|p| p.field.as_str()).collect();
    assert_eq!(fields, numbers.iter().map(|p| p.key).collect::<Vec<_>>());
}

#[test]
fn json_reports_unknown_keys_and_wrong_types_together() {
    let problems = Scenario::from_json(r#"{"rsp": 500, "latency_ms": {"p50": 35, "p98": 90}, "hosts": [3]}"#)
        .expect_err("three keys are wrong and the rate is missing");
    let text = messages(&problems);
    assert!(text.contains("rsp is not a scenario field. Did you mean rps?"), "{text}");
    assert!(text.contains("latency_ms.p98 is not a scenario field."), "{text}");
    assert!(text.contains("hosts is a list or an object here."), "{text}");
    assert!(text.contains("Peak rate is missing."), "{text}");
}

#[test]
fn hostile_links_give_problems() {
    for link in [
        "#x",
        "#v=2&rps=1",
        "#rps=1&p50=1",
        "#v=1&rps=%ff&p50=1",
        "#v=1&rps=1&rps=2&p50=3",
        "#v=1&evil=1",
        "#v=1&rps=-1&p50=1",
    ] {
        assert!(Scenario::from_link(link).is_err(), "{link}");
    }
    assert!(Scenario::from_link(&format!("#v=1&name={}", "a".repeat(5000))).is_err());
    assert_eq!(Scenario::from_link("#"), Ok(None));
    assert_eq!(Scenario::from_link(""), Ok(None));
}

fn messages(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_name_is_what_it_looks_like() {
    for name in ["pay\u{202e}tuo", "a\u{200b}b", "a\nb", "\u{7}bell"] {
        let mut draft = PRESETS[0].draft();
        draft.set(ParamId::Name, name);
        let problems = draft.check().expect_err("the name hides something");
        assert_eq!(problems.len(), 1, "{name:?}: {problems:?}");
        assert_eq!(problems[0].field, "name");
    }
}

#[test]
fn times_too_short_for_any_formula_are_out_of_range() {
    for (id, text) in
        [(ParamId::P50, "1e-300"), (ParamId::Mean, "1e-7"), (ParamId::UpstreamKeepaliveS, "1ms")]
    {
        let mut draft = PRESETS[0].draft();
        draft.set(id, text);
        let problems = draft.check().expect_err("the time is too short");
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].message.contains("is out of range. Allowed: 0.0"), "{problems:?}");
    }
}
