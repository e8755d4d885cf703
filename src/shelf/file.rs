//! The file of saved scenarios; what the browser keeps has the same form.
//!
//! `{"headroom": "scenarios", "version": 1, "scenarios": [{"name": "checkout", "link": "v=1&rps=500"}]}`

use super::entries::{Entries, Entry};
use super::names::check_name;
use crate::engine::scenario::Scenario;
use crate::engine::units::display::{self, echo};
use serde_json::Value;

/// Largest file read, in bytes: far above the largest that is written.
pub const MAX_BYTES: usize = 1 << 20;

/// What the value of `headroom` says.
const KIND: &str = "scenarios";

/// The version of the form.
const VERSION: u64 = 1;

/// The text of a file.
pub fn write(entries: &[Entry]) -> String {
    let quoted = |text: &str| Value::from(text).to_string();
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| format!("\n{{\"name\":{},\"link\":{}}}", quoted(&entry.name), quoted(&entry.link)))
        .collect();
    format!("{{\"headroom\":\"{KIND}\",\"version\":{VERSION},\"scenarios\":[{}\n]}}\n", lines.join(","))
}

/// The entries of a file that can be used, and everything that is wrong with the others.
///
/// `is_strict` looks into the links too. What the browser has kept is not judged so: a link of a newer version
/// must not be lost because an older one is running.
pub fn read(text: &str, is_strict: bool) -> (Entries, Vec<String>) {
    let mut reader = Reader { entries: Entries::default(), problems: Vec::new(), is_strict };
    if text.len() > MAX_BYTES {
        reader.problem(too_large(text.len()));
    } else {
        match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
            Ok(root) => reader.root(&root),
            Err(error) => reader.problem(format!(
                "The file is not valid JSON: {error}. Choose a file that was exported here."
            )),
        }
    }
    (reader.entries, reader.problems)
}

/// What is said of a file of that many bytes.
pub fn too_large(bytes: usize) -> String {
    let count = |n: usize| display::count(n as f64);
    format!("The file has {} bytes. Allowed: up to {}.", count(bytes), count(MAX_BYTES))
}

struct Reader {
    entries: Entries,
    problems: Vec<String>,
    is_strict: bool,
}

impl Reader {
    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    fn root(&mut self, root: &Value) {
        if root.get("headroom").and_then(Value::as_str) != Some(KIND) {
            let is_scenario = root.get("rps").is_some();
            self.problem(if is_scenario {
                "This is one scenario as JSON, for headroom size --scenario. Choose a file that was exported here.".to_owned()
            } else {
                "The file holds no scenarios of Headroom (\"headroom\": \"scenarios\"). Choose a file that was exported here.".to_owned()
            });
        } else if root.get("version").and_then(Value::as_u64) != Some(VERSION) {
            let version = root.get("version").map_or_else(|| "missing".to_owned(), ToString::to_string);
            self.problem(format!(
                "The version of the file is {}. Allowed: {VERSION}. It may be from a newer Headroom: reload the page.",
                echo(&version)
            ));
        } else if let Some(list) = root.get("scenarios").and_then(Value::as_array) {
            for (at, item) in list.iter().enumerate() {
                self.item(at + 1, item);
            }
        } else {
            self.problem("\"scenarios\" is not a list. Choose a file that was exported here.".to_owned());
        }
    }

    /// One entry. Everything about it is looked at, also where its name is wrong already.
    fn item(&mut self, number: usize, item: &Value) {
        let before = self.problems.len();
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let name = text("name").map(check_name);
        match &name {
            None => self.problem(format!("Scenario {number}: its name is missing or no text.")),
            Some(Err(why)) => self.problem(format!("Scenario {number}: {why}")),
            Some(Ok(_)) => {}
        }
        let shown = match &name {
            Some(Ok(name)) => format!("“{}”", echo(name)),
            _ => format!("Scenario {number}"),
        };
        match text("link") {
            None => self.problem(format!("{shown}: its link is missing or no text.")),
            Some(link) if self.is_strict => self.link(&shown, link),
            Some(_) => {}
        }
        let (Some(Ok(name)), Some(link)) = (name, text("link")) else { return };
        if self.problems.len() > before {
            return;
        }
        if self.entries.has_room() {
            let name = self.entries.free(name);
            let link = link.strip_prefix('#').unwrap_or(link).to_owned();
            self.entries.put(usize::MAX, Entry { name, link });
        } else {
            self.problem(format!("{shown}: there is room for 200 scenarios only."));
        }
    }

    fn link(&mut self, shown: &str, link: &str) {
        match Scenario::from_link(link) {
            Ok(Some(_)) => {}
            Ok(None) => self.problem(format!("{shown}: its link is empty.")),
            Err(error) => {
                for problem in error.problems {
                    self.problem(format!("{shown}: {problem}"));
                }
            }
        }
    }
}
