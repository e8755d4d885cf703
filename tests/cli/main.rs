//! The command line as a program: arguments, files and standard input in; output, messages and
//! exit codes out.

mod actions;
mod audit;
mod diff;
mod input;
mod inputs;
mod links;
mod output;
mod sarif;
mod simulate;

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const MINIMAL: [&str; 4] = ["--rps", "500", "--p50", "35"];

fn headroom(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headroom"));
    command.args(args).env_remove("NO_COLOR").env("COLUMNS", "100");
    command
}

fn run(args: &[&str]) -> Output {
    headroom(args).stdin(Stdio::null()).output().expect("the program starts")
}

fn run_with_input(args: &[&str], input: &str) -> Output {
    let mut child = headroom(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped above");
    // The program may stop reading before the end.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn size(args: &[&str]) -> Output {
    run(&[&["size"], args].concat())
}

#[track_caller]
fn stdout(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(stderr, "");
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

/// The messages of unusable input: exit code 2 and nothing on standard output.
#[track_caller]
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).expect("messages are text")
}

#[track_caller]
fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).expect("output is JSON")
}

#[track_caller]
fn assert_all_in(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

/// A file that is gone when the test is over.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, content: &[u8]) -> Self {
        let path = std::env::temp_dir().join(format!("headroom-{}-{name}", std::process::id()));
        std::fs::write(&path, content).expect("the temporary folder can be written");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the path is text")
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
