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
    let problems = draft.check().expect_err("five inputs are wrong");
    let fields: Vec<&str> = problems.iter().map(|p| p.field.as_str()).collect();
    assert_eq!(fields, ["rps", "p50", "p99", "hosts_lost", "shed_target"]);
    let text = messages(&problems);
    assert!(
        text.contains("“500/h” is not a number. Enter requests per second, above 0 and up to 100,000,000."),
        "{text}"
    );
    // Either may be the wrong one.
    assert!(text.contains("p50: p50 120\u{a0}ms is above p99 110\u{a0}ms."), "{text}");
    assert!(text.contains("p99: p99 110\u{a0}ms is below p50 120\u{a0}ms."), "{text}");
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

mod links {
    use super::*;
    use crate::engine::history::{Change, HISTORY, History, RulesVersion};
    use crate::engine::scenario::Linked;

    /// Two versions came after the first: one that changed numbers of some scenarios, one that changed none.
    const LATER: History = History(&[
        RulesVersion { version: "2026.11", link: "1", date: "2026-11-30", changes: &[] },
        RulesVersion {
            version: "2027.03",
            link: "2027.03",
            date: "2027-03-01",
            changes: &[
                Change {
                    setting: "max_pending_requests",
                    how: "Bursts of TLS handshakes count twice.",
                    concerns: |s| s.connect_ms.0 > 20.0,
                },
                Change {
                    setting: "max_connections",
                    how: "Idle connections of two hours are kept.",
                    concerns: |s| s.protocol == Protocol::Http1,
                },
            ],
        },
        RulesVersion { version: "2027.09", link: "2027.09", date: "2027-09-15", changes: &[] },
    ]);

    /// The settings that are said to have changed, and the notice.
    #[track_caller]
    fn since(link: &str) -> (Vec<&'static str>, Option<String>) {
        let linked = Linked::read(link, LATER).expect("readable").expect("a scenario");
        (linked.changes.iter().map(|change| change.setting).collect(), linked.news())
    }

    #[test]
    fn an_old_link_says_what_changed_for_its_scenario() {
        let (settings, news) = since("#v=1&rps=500&p50=35&connect_ms=100&protocol=http1");
        assert_eq!(settings, ["max_pending_requests", "max_connections"]);
        let news = news.expect("something has changed");
        assert_eq!(
            news,
            "The link was made with the rules of 2026.11. The numbers shown are those of 2027.09."
        );
        assert_eq!(since("#v=1&rps=500&p50=35&protocol=http1").0, ["max_connections"]);
    }

    #[test]
    fn a_link_for_which_nothing_changed_says_nothing() {
        for link in [
            "v=1&rps=500&p50=35",
            "v=2027.03&rps=500&p50=35&protocol=http1",
            "v=2027.09&rps=500&p50=35&protocol=http1",
        ] {
            assert_eq!(since(link), (vec![], None), "{link}");
        }
    }

    #[test]
    fn a_version_is_read_by_both_of_its_names() {
        let by_name = Linked::read("v=2026.11&rps=5&p50=3", LATER).expect("readable").expect("a scenario");
        assert_eq!(by_name.rules.date, "2026-11-30");
        assert_eq!(
            Linked::read("v=1&rps=5&p50=3", LATER).expect("readable").map(|linked| linked.scenario),
            Some(by_name.scenario)
        );
    }

    #[test]
    fn an_unknown_newer_version_is_called_newer_and_nothing_else_is_judged() {
        let error = Linked::read("v=2027.10&rps=x&depth=3", LATER).expect_err("newer");
        assert_eq!(error.problems.len(), 1, "{error:?}");
        assert_eq!((error.problems[0].field.as_str(), error.problems[0].value.as_str()), ("v", "2027.10"));
        let message = &error.problems[0].message;
        assert!(message.contains("rules of 2027.10, a newer version of Headroom."), "{message}");
        assert!(message.contains("up to 2027.09. Reload the page or update Headroom."), "{message}");
    }

    #[test]
    fn an_address_is_a_link_and_so_is_its_fragment() {
        let scenario = Scenario::from_link("v=1&rps=5&p50=3");
        for address in [
            "#v=1&rps=5&p50=3",
            "https://headroom.example/size/?view=audit#v=1&rps=5&p50=3",
            "headroom.example/#v=1&rps=5&p50=3",
        ] {
            assert_eq!(Scenario::from_link(address), scenario, "{address}");
        }
        assert_eq!(Scenario::from_link("https://headroom.example/#"), Ok(None));
        // Typed by hand: the sign of a fragment within a name is part of the name.
        let named = Scenario::from_link("v=1&rps=5&p50=3&name=a#b").expect("readable").expect("a scenario");
        assert_eq!(named.name, "a#b");
    }

    #[test]
    fn every_problem_of_a_link_is_told_at_once() {
        let link = "v=1&rps=%ff&p50=120&p99=110&hosts=0&rsp=5&clients=5&clients=6&name=%c3%28&burst=x&=3&=";
        let error = Scenario::from_link(link).expect_err("ten things are wrong");
        let said: Vec<(&str, &str)> =
            error.problems.iter().map(|p| (p.field.as_str(), p.value.as_str())).collect();
        let expected = [
            ("rps", "%ff"),
            ("rsp", "5"),
            ("clients", "6"),
            ("name", "%c3%28"),
            ("=3", "3"),
            ("=", ""),
            ("p50", "120"),
            ("p99", "110"),
            ("hosts", "0"),
            ("burst", "x"),
        ];
        assert_eq!(said, expected);
        let text = messages(&error.problems);
        for part in [
            "rps: The value is not readable text. Copy the whole link again.",
            "rsp: This is not an input of Headroom. Correct or remove it.",
            "clients: The link names this input twice. Remove one of them.",
            "=3: No input is named before the “=”. Name one, or remove this part of the link.",
            "hosts: 0 is out of range. Allowed: whole numbers 1 to ",
        ] {
            assert!(text.contains(part), "{part} is not in:\n{text}");
        }
    }

    #[test]
    fn a_value_that_is_there_twice_is_judged_too() {
        let error = Scenario::from_link("v=1&rps=-1&rps=2&p50=3").expect_err("two things are wrong");
        assert_eq!(error.problems.iter().filter(|p| p.field == "rps").count(), 2, "{error:?}");
    }

    #[test]
    fn a_version_that_is_none_or_missing_hides_nothing() {
        for (link, says) in [
            ("v=9&rps=x&p50=3", "“9” is no version of a link."),
            ("rps=x&p50=3", "The link has no version."),
            ("v=%ff&rps=x&p50=3", "or not in readable text"),
            ("v=1&v=1&rps=x&p50=3", "names its version twice"),
        ] {
            let error = Scenario::from_link(link).expect_err(link);
            let fields: Vec<&str> = error.problems.iter().map(|p| p.field.as_str()).collect();
            assert_eq!(fields, ["v", "rps"], "{link}: {error:?}");
            assert!(error.problems[0].message.contains(says), "{link}: {error:?}");
        }
    }

    #[test]
    fn links_made_now_name_the_rules_of_now() {
        let link = PRESETS[0].scenario().to_link();
        assert!(link.starts_with(&format!("v={}&", HISTORY.newest().link)), "{link}");
    }
}
