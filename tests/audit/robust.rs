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
    #[test]
    fn damaged_texts_are_judged(
        first in prop::sample::select(&SAMPLES[..]),
        second in prop::sample::select(&SAMPLES[..]),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[0-9]{0,20}|[ -~]{0,6}"), 0..8),
        inputs in prop::sample::select(&ASKED[..]),
    ) {
        let mut chars: Vec<char> = first.chars().collect();
        for (at, length, put) in edits {
            let at = at.index(chars.len() + 1);
            let to = (at + length).min(chars.len());
            chars.splice(at..to, put.chars());
        }
        let damaged: String = chars.into_iter().collect();
        let found = audit(read(&[Input::new("a", damaged), Input::new("b", second)]), &asked(inputs)).findings;
        for f in &found {
            let words = all_words(f);
            // What is wrong with the text itself is said in the words of the text.
            let spaced = words.contains("  ") && !f.code.starts_with("HR9");
            prop_assert!(!words.contains("NaN") && !words.contains("∞") && !spaced, "{words}");
            prop_assert!(!f.message.is_empty() && !f.message.ends_with('.'), "{}", f.message);
        }
    }
}
