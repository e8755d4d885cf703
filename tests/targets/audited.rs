//! Headroom's own audit finds nothing at warning or error in what is written.

use super::{DIALECTS, all, answer};
use headroom::engine::analysis::Analysis;
use headroom::engine::audit::{Asked, Finding, audit};
use headroom::engine::export::{Target, export};
use headroom::engine::read::{read, source::Input};
use headroom::engine::rules::Severity;
use headroom::engine::scenario::{Draft, Scenario};
use headroom::engine::units::Share;

/// What is said against a text at warning or error, and not against Envoy's own text: that would be a
/// matter of the sizing.
fn against(analysis: &Analysis, target: Target, asked: &Asked) -> Vec<String> {
    let plain = export(analysis, Target::Envoy);
    let plain = audit(read(&[Input::new("plain.yaml", plain)]), asked).findings;
    let text = export(analysis, target);
    let audit = audit(read(&[Input::new("own.yaml", text.as_str())]), asked);
    assert!(!audit.configuration.clusters.is_empty() && !audit.configuration.routes.is_empty(), "{text}");
    let is_bad = |f: &&Finding| f.severity != Severity::Info;
    let is_new = |f: &&Finding| !plain.iter().any(|p| p.code == f.code && p.severity != Severity::Info);
    let new = audit.findings.iter().filter(is_bad).filter(is_new);
    new.map(|f| {
        let line = text.lines().nth(f.at.line() as usize - 1).unwrap_or_default();
        format!("{} {target:?}: {}; {}; {}\n    {line}", f.code, f.message, f.consequence, f.help)
    })
    .collect()
}

#[test]
fn what_is_written_is_clean() {
    let mut bad = Vec::new();
    let nothing = Asked::default();
    for analysis in all() {
        // What arrives has no priorities there, whatever was wished for.
        let arrives = Scenario { high_priority_share: Share(0.0), ..analysis.scenario.clone() };
        let asked = Asked::new(Draft::of(&arrives)).expect("the scenario is one");
        let one = answer(&arrives);
        for (target, asked) in DIALECTS.into_iter().flat_map(|target| [(target, &asked), (target, &nothing)])
        {
            let said = against(&one, target, asked);
            if !said.is_empty() {
                bad.push(format!("{}\n  {}", analysis.scenario.to_link(), said.join("\n  ")));
            }
        }
    }
    assert!(bad.is_empty(), "{} texts\n{}", bad.len(), bad.join("\n"));
}
