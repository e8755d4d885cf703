//! No text and no input makes the audit fail: damaged samples, configurations beside evidence.

use crate::support::{all_words, asked};
use headroom::engine::audit::audit;
use headroom::engine::read::{read, source::Input};
use proptest::prelude::*;

const SAMPLES: [&str; 12] = [
    include_str!("../samples/a01-clusters.txt"),
    include_str!("../samples/a02-stats.txt"),
    include_str!("../samples/a03-prometheus.txt"),
    include_str!("../samples/a05-access.log"),
    include_str!("../samples/a06-access-json.log"),
    include_str!("../samples/a07-stats.json"),
    include_str!("../samples/a04-config-dump.json"),
    include_str!("../samples/y01-bootstrap-thresholds-as-map.yaml"),
    include_str!("../samples/y06-anchors-and-merge-keys.yaml"),
    include_str!("../samples/y08-istio-unknown-keys.yaml"),
    include_str!("../samples/y09-envoy-gateway-btp.yaml"),
    include_str!("../samples/y16-kuma-policies.yaml"),
];

const ASKED: [&str; 5] = [
    "",
    "hosts=1",
    "hosts=3 envoy_version=1.25",
    "rps=500 mean=40 hosts=10 clients=100 host_concurrency=4",
    "name=wharf rps=100000000 mean=0.001 hosts=100000 clients=1 error_rate=1",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn damaged_texts_are_judged(
        first in prop::sample::select(&SAMPLES[..]),
        second in prop::sample::select(&SAMPLES[..]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[0-9]{0,20}|[ -~]{0,6}"), 0..8),
        inputs in prop::sample::select(&ASKED[..]),
    ) {
        let is_whole = edits.is_empty();
        let mut chars: Vec<char> = first.chars().collect();
        for (at, length, put) in edits {
            let at = at.index(chars.len() + 1);
            let to = (at + length).min(chars.len());
            chars.splice(at..to, put.chars());
        }
        let damaged: String = chars.into_iter().collect();
        let both = [Input::new("a", damaged.as_str()), Input::new("b", second)];
        let found = audit(read(&both), &asked(inputs)).findings;
        for f in &found {
            let words = all_words(f);
            prop_assert!(!words.contains("NaN") && !words.contains("∞"), "{words}");
            // A damaged name may begin with a space; words of whole texts are whole too.
            prop_assert!(!is_whole || f.code.starts_with("HR9") || !words.contains("  "), "{words}");
            prop_assert!(!f.message.is_empty() && !f.message.ends_with('.'), "{}", f.message);
        }
    }
}
