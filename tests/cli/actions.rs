//! The example for GitHub Actions: its commands, taken out of the file and run here, with stand-ins for
//! what only GitHub has.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FILE: &str = "public/examples/github-actions.yml";

fn text() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE)).expect("the example is there")
}

fn workflow() -> Value {
    serde_saphyr::from_str(&text()).expect("the example is YAML")
}

fn steps(workflow: &Value) -> &Vec<Value> {
    workflow["jobs"]["audit"]["steps"].as_array().expect("the job has steps")
}

/// A checkout of a repository with a pull request, and a GitHub that keeps comments in a folder.
struct Runner {
    folder: PathBuf,
    outputs: BTreeMap<String, String>,
}

/// Keeps comments as files; a listing gives those that begin with the mark, as the filter of the example
/// does.
const GH: &str = r#"#!/usr/bin/env bash
echo "$*" >>calls.txt
body() { for word in "$@"; do case $word in body=@*) cat "${word#body=@}" ;; esac; done; }
case "$*" in
  *PATCH*) for word in "$@"; do case $word in repos/o/r/issues/comments/*) body "$@" >"comments/${word##*/}" ;; esac; done ;;
  *POST*repos/o/r/issues/5/comments*) body "$@" >comments/7 ;;
  *repos/o/r/issues/5/comments*) for f in comments/*; do [ "$(head -n 1 "$f")" = "<!-- headroom-audit -->" ] && basename "$f"; done; true ;;
  *) exit 3 ;;
esac
"#;

impl Runner {
    fn new(name: &str, config: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("headroom-actions-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for path in ["envoy", "bin", "comments", ".headroom/target/release"] {
            fs::create_dir_all(folder.join(path)).expect("the temporary folder can be written");
        }
        fs::write(folder.join("envoy/envoy.yaml"), config).expect("a file can be written");
        fs::write(folder.join("comments/1"), "Looks good to me").expect("a file can be written");
        let built = folder.join(".headroom/target/release/headroom");
        fs::copy(env!("CARGO_BIN_EXE_headroom"), built).expect("the program can be copied");
        let runner = Self { folder, outputs: BTreeMap::new() };
        runner.stand_in("gh", GH);
        runner.stand_in("cargo", "#!/usr/bin/env bash\necho \"$*\" >cargo.txt\n");
        runner
    }

    fn stand_in(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.folder.join("bin").join(name);
        fs::write(&path, script).expect("a file can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be made a program");
    }

    /// Runs a step as GitHub does: `bash -e -o pipefail`.
    fn step(&mut self, workflow: &Value, name: &str) -> Output {
        let step = steps(workflow).iter().find(|step| step["name"] == name).expect("the step is there");
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c"])
            .arg(step["run"].as_str().expect("the step has commands"))
            .current_dir(&self.folder)
            .env(
                "PATH",
                format!(
                    "{}:{}",
                    self.folder.join("bin").display(),
                    std::env::var("PATH").unwrap_or_default()
                ),
            )
            .env("GITHUB_STEP_SUMMARY", self.folder.join("summary.md"))
            .env("GITHUB_OUTPUT", self.folder.join("output.txt"))
            .env("GITHUB_REPOSITORY", "o/r");
        for env in [&workflow["env"], &step["env"]] {
            for (key, value) in env.as_object().into_iter().flatten() {
                command.env(key, self.value(value.as_str().expect("texts")));
            }
        }
        let output = command.output().expect("bash starts");
        for line in self.read("output.txt").lines() {
            if let Some((key, value)) = line.split_once('=') {
                self.outputs.insert(key.to_owned(), value.to_owned());
            }
        }
        output
    }

    /// What GitHub puts in place of an expression.
    fn value(&self, text: &str) -> String {
        match text {
            "${{ github.token }}" => "token".to_owned(),
            "${{ github.event.pull_request.number }}" => "5".to_owned(),
            "${{ steps.audit.outputs.status }}" => self.outputs["status"].clone(),
            other => {
                assert!(!other.contains("${{"), "unknown expression {other}");
                other.to_owned()
            }
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }

    /// The whole job; the exit code of its verdict.
    fn job(&mut self) -> Option<i32> {
        let workflow = workflow();
        for name in ["Build Headroom", "Audit", "Comment"] {
            let output = self.step(&workflow, name);
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        }
        self.step(&workflow, "Verdict").status.code()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const BAD: &str = "clusters:\n- name: checkout\n  circuit_breakers: {thresholds: [{max_requests: 0}]}\n";
const GOOD: &str = "clusters:\n- name: checkout\n  connect_timeout: 0.25s\n";

#[test]
fn the_comment_is_written_once_and_then_updated() {
    let mut runner = Runner::new("update", BAD);
    assert_eq!(runner.job(), Some(1), "{}", runner.read("comment.md"));
    let first = runner.read("comments/7");
    assert!(first.starts_with("<!-- headroom-audit -->\n## Headroom audit: "), "{first}");
    assert!(first.contains("HR"), "{first}");
    assert!(runner.read("summary.md").contains("## Headroom audit"));
    fs::write(runner.folder.join("envoy/envoy.yaml"), GOOD).expect("a file can be written");
    assert_eq!(runner.job(), Some(0), "{}", runner.read("comment.md"));
    let calls = runner.read("calls.txt");
    assert_eq!((calls.matches("POST").count(), calls.matches("PATCH").count()), (1, 1), "{calls}");
    let second = runner.read("comments/7");
    assert!(second.contains("| passed |") && first != second, "{second}");
    assert_eq!(runner.read("comments/1"), "Looks good to me", "the comments of others stay");
}

#[test]
fn an_input_that_cannot_be_used_is_told_and_fails() {
    let mut runner = Runner::new("unusable", GOOD);
    fs::remove_dir_all(runner.folder.join("envoy")).expect("it was made above");
    assert_eq!(runner.job(), Some(2));
    let comment = runner.read("comments/7");
    assert!(comment.contains("### The input cannot be used\n\n    headroom: "), "{comment}");
}

#[test]
fn the_scenario_gives_the_findings_numbers() {
    let mut runner = Runner::new("scenario", BAD);
    let scenario = r#"{"name": "checkout", "rps": 500, "latency_ms": {"p50": 35}, "clients": 100}"#;
    fs::write(runner.folder.join("headroom.json"), scenario).expect("a file can be written");
    assert_eq!(runner.job(), Some(1));
    assert!(runner.read("comments/7").contains("× 100 proxies"), "{}", runner.read("comments/7"));
}

#[test]
fn what_it_builds_exists_and_nothing_else_is_fetched() {
    let mut runner = Runner::new("build", GOOD);
    assert_eq!(runner.job(), Some(0));
    let build = runner.read("cargo.txt");
    let manifest = include_str!("../../Cargo.toml");
    assert_eq!(
        build.trim(),
        "build --release --locked --no-default-features --features cli --bin headroom --manifest-path .headroom/Cargo.toml"
    );
    assert!(
        manifest.contains("\ncli = [")
            && manifest.contains("name = \"headroom\"\npath = \"src/cli/main.rs\"")
    );
    let workflow = workflow();
    for step in steps(&workflow) {
        if let Some(uses) = step["uses"].as_str() {
            assert!(uses.starts_with("actions/") && uses.contains("@v"), "{uses}");
        }
    }
    assert!(!text().contains("http"), "no other host is asked");
}
