//! Findings with their status.

use crate::engine::analysis::Analysis;
use crate::engine::rules::RULES;
use crate::review::document::{Block, Remark, Section, sentence};
use std::collections::BTreeMap;

/// Every finding, open or accepted.
pub fn findings(a: &Analysis, accepted: &BTreeMap<String, String>) -> Section {
    let n_rules = RULES.len();
    let remarks: Vec<Remark> = a
        .findings
        .iter()
        .map(|f| {
            let parts = [&f.message, &f.consequence, &f.help].into_iter().filter(|text| !text.is_empty());
            Remark {
                code: f.code,
                name: f.name,
                severity: f.severity,
                text: parts.map(|text| sentence(text)).collect::<Vec<_>>().join(" "),
                accepted: accepted.get(f.code).cloned(),
            }
        })
        .collect();
    let version = a.scenario.envoy_version;
    let checked = match (remarks.len(), remarks.iter().filter(|r| r.accepted.is_some()).count()) {
        (0, _) => format!("{n_rules} rules checked, none fired. Envoy {version}."),
        (n, done) => {
            format!(
                "{n_rules} rules checked, {n} fired: {} open, {done} accepted by design. Envoy {version}.",
                n - done
            )
        }
    };
    let mut blocks = vec![Block::Text(checked)];
    if !remarks.is_empty() {
        blocks.push(Block::Findings(remarks));
    }
    Section { id: "findings", title: "Findings".to_owned(), blocks }
}
