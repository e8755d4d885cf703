//! What the tests share.

use headroom::engine::read::config::{Configuration, Effect, ProblemKind};
use headroom::engine::read::{read, source::Input};

/// Reads one text.
pub fn config(text: &str) -> Configuration {
    read(&[Input::new("test.yaml", text)])
}

/// Reads a sample file.
pub fn sample(name: &str) -> Configuration {
    let path = format!("{}/tests/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    read(&[Input::from_bytes(name, &std::fs::read(path).unwrap())])
}

/// Line, kind and effect of every problem.
pub fn problems(config: &Configuration) -> Vec<(u32, ProblemKind, Effect)> {
    config.problems.iter().map(|p| (p.at.line(), p.kind.clone(), p.effect)).collect()
}

/// A cluster with one field, in the notation of Envoy.
pub fn cluster_with(field: &str) -> Configuration {
    config(&format!("name: a\n{field}\n"))
}
