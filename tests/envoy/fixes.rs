//! Envoy accepts what the fixes of the audit make of a bad configuration.

use crate::generate::{Generated, generated};
use crate::process::{folder, machine, refusal};
use headroom::engine::audit::Asked;
use headroom::engine::audit::edit::apply_all;
use headroom::engine::params::by_key;
use headroom::engine::read::source::Input;
use headroom::engine::scenario::Draft;
use std::fs;
use std::path::Path;

/// Clusters of one bootstrap at most, and at least so many in all.
const TOGETHER: usize = 8;
const N_CLUSTERS: usize = 200;
/// Envoys at once.
const N_THREADS: u64 = 2;

fn asked(inputs: &str) -> Asked {
    let mut draft = Draft::default();
    for pair in inputs.split_whitespace() {
        let (key, value) = pair.split_once('=').expect("an input is key=value");
        draft.set(by_key(key).expect("an input that exists").id, value);
    }
    Asked::new(draft).expect("inputs that fit together")
}

#[test]
fn fixed_configurations_are_accepted() {
    let _machine = machine();
    let folder = folder("fixes");
    std::thread::scope(|scope| {
        for thread in 0..N_THREADS {
            let folder = &folder;
            scope.spawn(move || check_from(thread, folder));
        }
    });
}

fn check_from(thread: u64, folder: &Path) {
    let mut seed = 1_000_000 + thread;
    let mut n = 0;
    while n < N_CLUSTERS / usize::try_from(N_THREADS).expect("few") {
        let bad = generated(seed, TOGETHER);
        let (fixed, audit) = apply_all(&[Input::new("bad", bad.text.as_str())], &asked(&bad.asked));
        accepted(folder, seed, &bad, &bad.text);
        accepted(folder, seed, &bad, &fixed[0].text);
        n += audit.configuration.clusters.len();
        seed += N_THREADS;
    }
}

fn accepted(folder: &Path, seed: u64, bad: &Generated, text: &str) {
    // Envoy tells JSON from YAML by the name.
    let path = folder.join(format!("{seed}.yaml"));
    fs::write(&path, text.trim_start_matches('\u{feff}')).expect("the folder can be written");
    let refusal = refusal(&path);
    let is_fixed = text != bad.text;
    assert_eq!(
        refusal, None,
        "seed {seed} ({}), fixed: {is_fixed}\n{}\n---- it was\n{}",
        bad.asked, text, bad.text
    );
    fs::remove_file(&path).expect("it was written above");
}
