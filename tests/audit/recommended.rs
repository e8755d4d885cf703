//! What Headroom itself recommends is clean: no rule finds harm in it.

use headroom::engine::analyze;
use headroom::engine::audit::{Asked, audit};
use headroom::engine::export::{Target, export};
use headroom::engine::params::{Kind, PARAMS, Param, ParamId, Range};
use headroom::engine::read::{read, source::Input};
use headroom::engine::rules::Severity;
use headroom::engine::scenario::{Draft, PRESETS};
use proptest::prelude::*;

/// Everything harmful that is found in the policy that fits a draft.
fn harm(draft: &Draft) -> Vec<String> {
    let Ok(scenario) = draft.check() else { return Vec::new() };
    let Ok(analysis) = analyze(&scenario) else { return Vec::new() };
    let asked = Asked::new(draft.clone()).expect("a draft that was checked");
    let text = export(&analysis, Target::Envoy);
    let found = audit(read(&[Input::new("own.yaml", text.clone())]), &asked).findings;
    found
        .into_iter()
        .filter(|f| f.severity != Severity::Info)
        .map(|f| format!("{} {}; {}\n{text}", f.code, f.message, f.consequence))
        .collect()
}

#[test]
fn presets_are_clean() {
    for preset in PRESETS {
        let found = harm(&preset.draft());
        assert!(found.is_empty(), "{}: {}", preset.key, found.join("\n"));
    }
}

/// A text for an input, from its row in the table.
fn text_for(p: &'static Param) -> BoxedStrategy<String> {
    let inside = |range: Range| {
        let low = if range.min > 0.0 { range.min } else { range.max * 1e-9 };
        (low.ln()..range.max.min(1e6).ln()).prop_map(f64::exp)
    };
    let typed = match p.kind {
        Kind::Number(range) => inside(range).prop_map(|n| n.to_string()).boxed(),
        Kind::Whole(range) => inside(range).prop_map(|n| n.ceil().to_string()).boxed(),
        Kind::Choice(words) => proptest::sample::select(words).prop_map(str::to_owned).boxed(),
        Kind::Flag => any::<bool>().prop_map(|flag| flag.to_string()).boxed(),
        Kind::Text { .. } => Just("shop".to_owned()).boxed(),
    };
    prop_oneof![Just(String::new()), typed].boxed()
}

/// A draft with a rate and a mean, so that most of them are whole.
fn draft() -> impl Strategy<Value = Draft> {
    let texts = PARAMS.iter().map(text_for).collect::<Vec<_>>();
    (texts, 1.0..1e5f64, 0.5..5e3f64).prop_map(|(texts, rps, mean)| {
        let mut draft = Draft::default();
        for (p, text) in PARAMS.iter().zip(texts) {
            draft.set(p.id, text);
        }
        let streams = draft.get(ParamId::Protocol) == "grpc_stream";
        for id in [ParamId::P50, ParamId::P75, ParamId::P90, ParamId::P95, ParamId::P99, ParamId::P999] {
            draft.set(id, "");
        }
        draft.set(ParamId::Rps, rps.to_string());
        draft.set(if streams { ParamId::StreamMean } else { ParamId::Mean }, mean.to_string());
        draft.set(if streams { ParamId::Mean } else { ParamId::StreamMean }, "");
        draft.set(ParamId::StreamP99, "");
        draft
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_scenario_gets_a_clean_policy(draft in draft()) {
        let found = harm(&draft);
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
