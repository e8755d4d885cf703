//! What Headroom recommends is clean by its own audit.

use super::cases::{self, any_scenario};
use headroom::engine::audit::{Asked, audit};
use headroom::engine::export::{Target, export};
use headroom::engine::read::{read, source::Input};
use headroom::engine::rules::Severity;
use headroom::engine::scenario::{Draft, PRESETS, Preset, Scenario};
use proptest::prelude::*;

/// What the audit says against the recommended configuration of a scenario, with the same scenario.
fn against(s: &Scenario) -> Vec<String> {
    let analysis = cases::answer(s);
    let asked = Asked::new(Draft::of(s)).expect("the scenario is one");
    let mut said = Vec::new();
    for target in [Target::Envoy, Target::EnvoyBootstrap] {
        let text = export(&analysis, target);
        let audit = audit(read(&[Input::new("recommended.yaml", text.as_str())]), &asked);
        assert!(!audit.configuration.clusters.is_empty() && !audit.configuration.routes.is_empty(), "{text}");
        let bad = audit.findings.iter().filter(|f| f.severity != Severity::Info);
        said.extend(bad.map(|f| {
            let line = text.lines().nth(f.at.line() as usize - 1).unwrap_or_default();
            format!("{} {:?}: {}; {}; {}\n    {line}", f.code, target, f.message, f.consequence, f.help)
        }));
    }
    said
}

#[test]
fn presets_and_cases_are_clean() {
    let presets = PRESETS.iter().map(Preset::scenario);
    let mut bad = Vec::new();
    for s in presets.chain(cases::all()) {
        let said = against(&s);
        if !said.is_empty() {
            bad.push(format!("{}\n  {}", s.to_link(), said.join("\n  ")));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn any_recommendation_is_clean(s in any_scenario()) {
        let said = against(&s);
        prop_assert!(said.is_empty(), "{}\n  {}", s.to_link(), said.join("\n  "));
    }
}
