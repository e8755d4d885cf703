//! Envoy accepts everything that is emitted.

use crate::embed;
use crate::process::{Envoy, assert_valid, folder, machine};
use crate::scenarios::{self, Random, TRAPS};
use headroom::engine::analyze;
use headroom::engine::export::{Target, export};
use headroom::engine::scenario::{PRESETS, Preset, Protocol, Scenario};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PROTOCOLS: [Protocol; 4] = [Protocol::Http1, Protocol::Http2, Protocol::Grpc, Protocol::GrpcStream];

/// Scenarios of each protocol.
const N_SCENARIOS: usize = 2500;
/// Clusters of one file: enough to make the start of Envoy cheap.
const N_TOGETHER: usize = 100;
/// Scenarios of each protocol whose bootstrap is checked as it is.
const N_VERBATIM: usize = 40;

#[track_caller]
fn check(path: &Path, yaml: &str) {
    fs::write(path, yaml).expect("the folder can be written");
    assert_valid(path);
    fs::remove_file(path).expect("it was written above");
}

fn goldens(target: Target) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(target.as_str());
    let files = fs::read_dir(&folder).expect("there are goldens").map(|file| file.expect("readable").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    assert!(files.len() >= PRESETS.len(), "{} has no golden for every preset", folder.display());
    files
}

#[test]
fn goldens_are_accepted() {
    let _machine = machine();
    for path in goldens(Target::EnvoyBootstrap) {
        assert_valid(&path);
    }
    let folder = folder("goldens");
    for path in goldens(Target::Envoy) {
        let fragment = fs::read_to_string(&path).expect("a golden can be read");
        check(&folder.join(path.file_name().expect("a file has a name")), &embed::bootstrap(&[fragment]));
    }
}

#[test]
fn names_mean_the_same_to_envoy() {
    let _machine = machine();
    let named = |name: &&str| Scenario { name: (*name).to_owned(), ..Preset::first_paint().scenario() };
    let fragments: Vec<String> =
        TRAPS.iter().map(|name| export(&analyze(&named(name)).expect("an answer"), Target::Envoy)).collect();
    let envoy = Envoy::start("names", &embed::bootstrap(&fragments), 1);
    assert_eq!(envoy.cluster_names(), TRAPS.iter().map(|name| (*name).to_owned()).collect());
}

#[test]
fn random_bootstraps_are_accepted_as_they_are() {
    let _machine = machine();
    let folder = folder("verbatim");
    let mut random = Random::new(1);
    for protocol in PROTOCOLS {
        for at in 0..N_VERBATIM {
            let analysis = scenarios::analysis(&mut random, protocol);
            let path = folder.join(format!("{}-{at}.yaml", protocol.as_str()));
            check(&path, &export(&analysis, Target::EnvoyBootstrap));
        }
    }
}

#[test]
fn random_fragments_are_accepted() {
    let _machine = machine();
    let folder = folder("fragments");
    std::thread::scope(|scope| {
        for (seed, protocol) in (2..).zip(PROTOCOLS) {
            let folder = &folder;
            scope.spawn(move || check_fragments(&mut Random::new(seed), protocol, folder));
        }
    });
}

fn check_fragments(random: &mut Random, protocol: Protocol, folder: &Path) {
    let path = folder.join(format!("{}.yaml", protocol.as_str()));
    let mut n_checked = 0;
    while n_checked < N_SCENARIOS {
        let (mut names, mut fragments) = (BTreeSet::new(), Vec::new());
        while fragments.len() < N_TOGETHER {
            let analysis = scenarios::analysis(random, protocol);
            // Envoy wants different names in one file.
            if names.insert(analysis.scenario.name.clone()) {
                fragments.push(export(&analysis, Target::Envoy));
            }
        }
        check(&path, &embed::bootstrap(&fragments));
        n_checked += fragments.len();
    }
}
