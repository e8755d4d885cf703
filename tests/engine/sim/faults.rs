//! Faults from files and from the shorthand.

use headroom::engine::scenario::Problem;
use headroom::engine::sim::faults_file::{Faults, Stage, from_json, from_shorthand, to_json};
use headroom::engine::sim::{FAULTS, FaultKind, Hosts, Nanos};
use proptest::prelude::*;

const STAGE: Stage = Stage { duration: Nanos(60_000_000_000), hosts: 10, clients: 100 };

fn told(result: Result<Faults, Vec<Problem>>) -> Vec<(String, String)> {
    result.expect_err("it is refused").into_iter().map(|p| (p.field, p.message)).collect()
}

#[test]
fn a_kind_alone_is_a_fault() {
    let faults = from_json(r#"[{"kind": "latency"}]"#, &STAGE).unwrap();
    let fault = &faults.list[0];
    assert_eq!(fault.kind, FaultKind::Latency);
    assert_eq!((fault.from, fault.to), (Nanos::from_secs(20.0), Nanos::from_secs(40.0)));
    // A fifth of ten hosts, forty times as slow.
    assert_eq!(fault.hosts, Hosts::Count(2));
    assert_eq!(fault.clients, Hosts::Count(100));
    assert_eq!((fault.share.to_bits(), fault.strength.to_bits()), (1.0_f64.to_bits(), 40.0_f64.to_bits()));
    assert_eq!(faults.notes, Vec::<String>::new());
}

#[test]
fn every_field_is_read() {
    let text = r#"[{"kind": "partition", "from_s": 5, "to_s": 10.5, "hosts": [9, 0], "clients": 30},
                   {"kind": "latency", "share": "50%", "strength": 3, "add_ms": 250, "hosts": 1}]"#;
    let faults = from_json(text, &STAGE).unwrap().list;
    assert_eq!((faults[0].from, faults[0].to), (Nanos::from_secs(5.0), Nanos(10_500_000_000)));
    assert_eq!((&faults[0].hosts, &faults[0].clients), (&Hosts::These(vec![9, 0]), &Hosts::Count(30)));
    assert_eq!(faults[1].share.to_bits(), 0.5_f64.to_bits());
    assert_eq!((faults[1].strength.to_bits(), faults[1].add), (3.0_f64.to_bits(), Nanos(250_000_000)));
}

#[test]
fn the_shorthand_says_the_same() {
    let short = from_shorthand("partition:from=5,to=10.5,hosts=#9+#0,clients=30", &STAGE).unwrap();
    let long = r#"[{"kind": "partition", "from_s": 5, "to_s": 10.5, "hosts": [9, 0], "clients": 30}]"#;
    assert_eq!(short, from_json(long, &STAGE).unwrap());
    assert_eq!(
        from_shorthand("load_surge", &STAGE).unwrap(),
        from_json(r#"[{"kind": "load_surge"}]"#, &STAGE).unwrap()
    );
}

#[test]
fn words_and_aliases_of_every_kind_are_understood() {
    for spec in &FAULTS {
        for word in spec.aliases.iter().copied().chain([spec.word]) {
            let shouted = word.to_uppercase().replace('_', "-");
            for word in [word, &shouted] {
                let faults = from_shorthand(word, &STAGE).unwrap_or_else(|p| panic!("{word}: {p:?}"));
                assert_eq!(faults.list[0].kind, spec.kind, "{word}");
            }
        }
    }
}

#[test]
fn all_problems_of_all_items_are_told_at_once() {
    let text = r#"[
        {"kind": "latencyy", "from_s": -1, "to_s": "soon", "hosts": 11, "clients": 0, "share": 1.5},
        {"from_s": 30, "to_s": 30},
        {"kind": "slow_host", "strength": 0.5, "hosts": [3, 3, 10], "hsots": 1, "share": [1]},
        7
    ]"#;
    let want = [
        ("item 1.kind", "“latencyy” is no kind of fault. Did you mean latency?"),
        ("item 1.from_s", "-1 is out of range. Allowed: seconds, 0 to 86,400."),
        ("item 1.to_s", "“soon” is not understood. Enter seconds, 0 to 86,400."),
        (
            "item 1.hosts",
            "11 is out of range. Allowed: 1 to 10, the number of hosts, or a list of indices from 0.",
        ),
        (
            "item 1.clients",
            "0 is out of range. Allowed: 1 to 100, the number of proxies, or a list of indices from 0.",
        ),
        ("item 1.share", "1.5 is out of range. Allowed: a share, 0 to 1."),
        ("item 2.to_s", "to_s 30\u{a0}s is not after from_s 30\u{a0}s. Raise to_s, or lower from_s."),
        ("item 3.strength", "0.5 is out of range. Allowed: 1 to 10,000, a multiple."),
        ("item 3.hosts", "3 stands in the list twice. Remove one of them."),
        ("item 3.hosts", "10 is no index of hosts. Allowed: whole numbers 0 to 9."),
        ("item 3.hsots", "hsots is not a field of a fault. Did you mean hosts?"),
        ("item 3.share", "[1] is no number. Enter a share, 0 to 1."),
        ("item 4", "The item is no JSON object. Write {\"kind\": \"latency\"}."),
    ];
    let got = told(from_json(text, &STAGE));
    for (field, message) in want {
        assert!(got.contains(&(field.to_owned(), message.to_owned())), "{field}: {got:#?}");
    }
    assert!(got.iter().any(|(field, m)| field == "item 2.kind" && m.starts_with("kind is missing.")));
    assert_eq!(got.len(), want.len() + 1, "{got:#?}");
}

#[test]
fn a_key_that_stands_twice_is_told() {
    let got = told(from_json(r#"[{"kind": "latency", "hosts": 1, "hosts": 2}]"#, &STAGE));
    assert_eq!(got, [("item 1.hosts".to_owned(), "hosts stands here twice. Remove one of them.".to_owned())]);
}

#[test]
fn texts_that_are_no_list_are_told() {
    for text in ["", "{", "{}", "3", "null", "\"latency\"", "[[]]"] {
        assert_eq!(told(from_json(text, &STAGE)).len(), 1, "{text}");
    }
    assert!(from_json("[]", &STAGE).unwrap().list.is_empty());
}

#[test]
fn what_lies_beyond_the_run_and_what_has_no_effect_is_said() {
    let notes = |text: &str| from_shorthand(text, &STAGE).unwrap().notes;
    assert_eq!(
        notes("latency:from=50,to=90"),
        ["latency lasts until 90\u{a0}s, beyond the run of 60\u{a0}s: nothing is seen of the time after it."]
    );
    assert_eq!(
        notes("latency:from=70,to=90"),
        ["latency begins at 70\u{a0}s, after the run of 60\u{a0}s: it does not happen."]
    );
    assert_eq!(
        notes("breaker_overflow:hosts=3"),
        ["hosts has no effect on breaker_overflow and is not looked at."]
    );
    assert_eq!(notes("latency:from=0,to=60"), Vec::<String>::new());
}

proptest! {
    #[test]
    fn faults_are_written_as_they_are_read(
        at in 0..FAULTS.len(), from in 0_u32..1000, length in 1_u32..1000, hosts in 1_u32..=10, share in 0.0..=1.0_f64,
    ) {
        let (from, to) = (f64::from(from) / 10.0, f64::from(from + length) / 10.0);
        let text = format!(
            r#"[{{"kind": "{}", "from_s": {from}, "to_s": {to}, "hosts": {hosts}, "share": {share}}}]"#,
            FAULTS[at].word,
        );
        let faults = from_json(&text, &STAGE).unwrap();
        prop_assert_eq!(from_json(&to_json(&faults.list), &STAGE).unwrap().list, faults.list);
    }

    #[test]
    fn no_text_makes_it_panic(text in r#"[-\[\]{}":,.#+=a-z0-9_ ]{0,60}"#) {
        for result in [from_json(&text, &STAGE), from_shorthand(&text, &STAGE)] {
            if let Err(problems) = result {
                prop_assert!(!problems.is_empty());
                prop_assert!(problems.iter().all(|p| !p.message.is_empty()));
            }
        }
    }
}
