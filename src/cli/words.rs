//! The words behind the command, sorted by flag.
//!
//! A parser that stops at the first slip would hide all the others, and those of the scenario too.
//! So the words are sorted here, and whatever fits nowhere is one more problem.

use crate::args::{self, Flag, Takes, Task};
use crate::problems::Complaint;
use headroom::engine::nearest::nearest;
use headroom::engine::units::display::echo;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// What the words say.
#[derive(Debug)]
pub struct Words {
    task: Task,
    texts: BTreeMap<&'static str, String>,
    /// Texts of flags that may be there several times, in their order.
    lists: BTreeMap<&'static str, Vec<String>>,
    /// Paths need not be text.
    paths: BTreeMap<&'static str, OsString>,
    /// Words that belong to no flag, where these are files.
    pub files: Vec<OsString>,
    /// What is wrong with the words.
    pub complaints: Vec<Complaint>,
    /// Keys whose value cannot be used; a complaint says why.
    pub unusable: Vec<&'static str>,
    /// Keys that a slip stands for: their input is misspelled, not missing.
    pub meant: Vec<&'static str>,
    /// The flag that asks for help.
    pub help: Option<&'static str>,
}

impl Words {
    fn new(task: Task) -> Self {
        Self {
            task,
            texts: BTreeMap::new(),
            lists: BTreeMap::new(),
            paths: BTreeMap::new(),
            files: Vec::new(),
            complaints: Vec::new(),
            unusable: Vec::new(),
            meant: Vec::new(),
            help: None,
        }
    }

    /// The text of a flag.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }

    /// The path of the scenario file.
    pub fn file(&self) -> Option<&OsStr> {
        self.path(args::SCENARIO)
    }

    /// The path of a flag that takes one.
    pub fn path(&self, key: &str) -> Option<&OsStr> {
        self.paths.get(key).map(OsString::as_os_str)
    }

    /// The texts of a flag that may be there several times.
    pub fn list(&self, key: &str) -> &[String] {
        self.lists.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a flag was there, with whatever value.
    pub fn has(&self, key: &str) -> bool {
        self.texts.contains_key(key) || self.unusable.contains(&key)
    }

    fn complain(&mut self, place: &str, message: impl Into<String>) {
        let complaint = Complaint { place: echo(place), message: message.into() };
        if !self.complaints.contains(&complaint) {
            self.complaints.push(complaint);
        }
    }

    fn refuse(&mut self, flag: &Flag, message: impl Into<String>) {
        self.complain(&format!("--{}", flag.name), message);
        self.unusable.push(flag.key);
    }

    fn take(&mut self, flag: &Flag, value: OsString) {
        let is_there = self.has(flag.key) || self.paths.contains_key(flag.key);
        if is_there && flag.takes != Takes::List {
            return self.refuse(flag, "The flag is there twice. Remove one of them.");
        }
        if value.to_str().is_some_and(|text| text.trim().is_empty()) {
            return self.refuse(flag, "No value is given. Give the value, or leave the flag out.");
        }
        if flag.takes == Takes::File {
            self.paths.insert(flag.key, value);
            return;
        }
        match value.into_string() {
            Ok(text) if flag.takes == Takes::List => self.lists.entry(flag.key).or_default().push(text),
            Ok(text) => drop(self.texts.insert(flag.key, text)),
            Err(_) => self.refuse(flag, "The value is not text in UTF-8. Type it again."),
        }
    }

    fn unknown_flag(&mut self, name: &str) {
        let flags: Vec<Flag> = self.task.flags().collect();
        let near = nearest(name, flags.iter().map(|flag| flag.name.as_str()));
        let near = flags.iter().find(|flag| near == Some(&flag.name));
        let hint = near.map_or_else(String::new, |near| format!(" Did you mean --{}?", near.name));
        self.meant.extend(near.map(|near| near.key));
        let task = self.task.as_str();
        self.complain(name, format!("This is not a flag of headroom {task}.{hint}"));
    }

    fn extra(&mut self, word: OsString) {
        if self.task.takes_files() {
            return self.files.push(word);
        }
        let word = word.to_string_lossy();
        let hint = if word.to_ascii_lowercase().ends_with(".json") {
            format!(" Did you mean --scenario {}?", echo(&word))
        } else {
            String::new()
        };
        self.complain(&format!("“{}”", echo(&word)), format!("The word belongs to no flag.{hint}"));
    }
}

/// Sorts the words.
pub fn sort(words: Vec<OsString>, task: Task) -> Words {
    let mut sorted = Words::new(task);
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        if word == "--" && task.takes_files() {
            sorted.files.extend(words);
            break;
        }
        let (name, value) = split(&word);
        let known = name.strip_prefix("--").and_then(|name| task.flags().find(|flag| flag.name == name));
        match known {
            Some(flag) => match value {
                Some(value) => sorted.take(&flag, value),
                None if flag.takes == Takes::Switch => {
                    // A file may follow a switch.
                    let value = words.next_if(|next| {
                        if task.takes_files() { is_truth(next) } else { !starts_with_dash(next) }
                    });
                    sorted.take(&flag, value.unwrap_or_else(|| "true".into()));
                }
                None => match words.next_if(|next| !is_flag(next)) {
                    Some(value) => sorted.take(&flag, value),
                    None => sorted.refuse(&flag, no_value(words.peek())),
                },
            },
            None if name == "-h" => sorted.help = Some("-h"),
            None if name == "--help" => sorted.help = Some("--help"),
            None if name.trim_start_matches('-') != name && name.chars().any(|c| c != '-') => {
                sorted.unknown_flag(&name);
                if value.is_none() {
                    // What follows a flag is its value, also if the flag has a slip in it.
                    words.next_if(|next| !starts_with_dash(next) || is_number(next));
                }
            }
            None => sorted.extra(word),
        }
    }
    sorted
}

fn no_value(next: Option<&OsString>) -> String {
    let follows = next.map_or_else(String::new, |next| {
        let (name, _) = split(next);
        format!(", {} follows it", echo(&name))
    });
    format!("No value is given{follows}. Give the value, or leave the flag out.")
}

/// Whether a word is a flag and not the value of the one before: a single dash may begin a
/// negative number or a name, and stands for standard input.
fn is_flag(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"--")
}

fn starts_with_dash(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

fn is_truth(word: &OsStr) -> bool {
    word.to_str().is_some_and(|word| ["true", "false", "yes", "no"].contains(&word))
}

fn is_number(word: &OsStr) -> bool {
    word.as_encoded_bytes().get(1).is_some_and(|b| b.is_ascii_digit() || *b == b'.')
}

/// A word at its first equals sign.
fn split(word: &OsStr) -> (String, Option<OsString>) {
    let bytes = word.as_encoded_bytes();
    let Some(at) = bytes.iter().position(|b| *b == b'=').filter(|_| starts_with_dash(word)) else {
        return (word.to_string_lossy().into_owned(), None);
    };
    (String::from_utf8_lossy(&bytes[..at]).into_owned(), Some(os_text(&bytes[at + 1..])))
}

#[cfg(unix)]
fn os_text(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

/// Elsewhere only text can be cut out of a word safely.
#[cfg(not(unix))]
fn os_text(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}
