//! Analyses to draw, and what no drawing may contain.

use headroom::chart::text::{Label, Shown};

use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::params::ParamId;
use headroom::engine::scenario::{Draft, PRESETS};
use headroom::markup::Html;

/// The worked example of the look: a hundred sidecars, ten hosts.
pub fn worked_example() -> Draft {
    let mut draft = PRESETS.iter().find(|p| p.key == "sidecar-mesh").expect("the preset exists").draft();
    draft.set(ParamId::Hosts, "10");
    draft
}

/// The analysis of a draft after some changes.
#[track_caller]
pub fn analysis(mut draft: Draft, changes: &[(ParamId, &str)]) -> Analysis {
    for (id, text) in changes {
        draft.set(*id, *text);
    }
    draft.check().and_then(|scenario| analyze(&scenario)).expect("the draft is valid")
}

/// Presets, and scenarios at the ends of the ranges.
pub fn many() -> Vec<(String, Analysis)> {
    use ParamId as P;
    let changes: &[&[(ParamId, &str)]] = &[
        &[],
        &[(P::Clients, "400")],
        &[(P::Clients, "1000000")],
        &[(P::Clients, "4"), (P::HostConcurrency, "")],
        &[(P::Clients, "10")],
        &[(P::Idempotent, "true")],
        &[(P::Idempotent, "true"), (P::DeadlineMs, "20"), (P::P50, "1"), (P::P99, "2")],
        &[(P::Slowdown, "1"), (P::RetryOverhead, "0"), (P::HostConcurrency, "1000")],
        &[(P::Slowdown, "1"), (P::RetryOverhead, "0"), (P::HostConcurrency, "")],
        &[(P::Slowdown, "20"), (P::Clients, "3"), (P::HostConcurrency, "20")],
        &[(P::Rps, "1e8"), (P::Clients, "1"), (P::HostConcurrency, "1e9"), (P::Hosts, "100000")],
        &[(P::Rps, "0.001"), (P::ShedTarget, "1e-9"), (P::Clients, "1")],
        &[(P::ShedTarget, "0.1")],
        &[(P::HighPriorityShare, "1")],
        &[(P::HighPriorityShare, "0.3")],
        &[(P::Rps, "52000"), (P::Clients, "1"), (P::Hosts, "60")],
        &[(P::P50, "90000000"), (P::P99, "100000000"), (P::Rps, "0.01")],
        &[(P::P50, "0.001"), (P::P99, "0.002")],
    ];
    let presets = PRESETS.iter().map(|p| (p.key.to_owned(), analysis(p.draft(), &[])));
    let edges = changes.iter().map(|edits| (format!("{edits:?}"), analysis(worked_example(), edits)));
    presets.chain(edges).collect()
}

/// Whether a label is shown when a plot is `width` wide.
pub fn is_shown(label: &Label, width: f64) -> bool {
    let is_narrow = width < headroom::chart::gauge::WIDTHS.1;
    match label.shown {
        _ if label.is_blank() => false,
        Shown::Always => true,
        Shown::Narrow => is_narrow,
        Shown::Wide => !is_narrow,
        Shown::Roomy => width > 600.0,
    }
}

/// What a chart writes.
pub fn written(write: impl FnOnce(&mut Html)) -> String {
    let mut out = Html::default();
    write(&mut out);
    out.into_string()
}

/// Fails if markup is not clean, or if an element is not ended where it should be.
#[track_caller]
pub fn assert_well_formed(name: &str, markup: &str) {
    assert_clean(name, markup);
    let mut open = Vec::new();
    for part in markup.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("{name}: <{part} has no end"));
        assert!(!text.contains('>'), "{name}: unescaped text {text:?}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{name}: an attribute of <{tag}> has no end");
        let word = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
        match tag {
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(word), "{name}: {markup}"),
            _ if tag.ends_with('/') => {}
            _ => open.push(word),
        }
    }
    assert!(open.is_empty(), "{name}: {open:?} are not ended");
}

/// Fails if a text holds something that is no position or no safe markup.
#[track_caller]
pub fn assert_clean(name: &str, text: &str) {
    for bad in ["NaN", "inf", "style=", "<script", "\"--"] {
        assert!(!text.contains(bad), "{name}: {bad:?} in {text}");
    }
}
