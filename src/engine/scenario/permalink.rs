//! The scenario in the address bar: `#v=1&rps=500&p50=35&clients=100`.
//!
//! Only what differs from the defaults, and never larger than a chat window accepts. The version is
//! that of the rules the link was made with ([`crate::engine::history`]): what is shown for an old
//! link are today's numbers, with what has changed for it since.
//! A link comes from strangers, so everything about it is checked: length, version, encoding,
//! keys, values. A link that fails gives all of its problems and no scenario.

use super::{Draft, Problem, Scenario};
use crate::engine::history::{Change, HISTORY, History, RulesVersion};
use crate::engine::params::{by_key, param};
use crate::engine::units::display::echo;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Longest link read: the longest valid one is far below.
const MAX_CHARS: usize = 2000;

/// Everything but what is safe and readable in a fragment.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Why a link gives no scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// Everything that is wrong with it.
    pub problems: Vec<Problem>,
}

impl LinkError {
    fn whole(message: String) -> Self {
        Self { problems: vec![Problem { field: "link".to_owned(), value: String::new(), message }] }
    }
}

/// What a link says.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The scenario.
    pub scenario: Scenario,
    /// The rules that it was made with.
    pub rules: &'static RulesVersion,
    /// What has changed for this scenario since, oldest first; nothing for a link of today.
    pub changes: Vec<&'static Change>,
    /// The rules of the numbers it is answered with.
    now: &'static RulesVersion,
}

impl Linked {
    /// Reads a fragment or a whole address; `None` where nothing stands behind the `#`.
    ///
    /// # Errors
    ///
    /// [`LinkError`] with every problem of the link.
    pub fn read(link: &str, history: History) -> Result<Option<Self>, LinkError> {
        // A fragment alone may have a `#` in a text; what stands before that has an equals sign.
        let is_address = |before: &str| !before.contains('=') || before.contains("://");
        let link = match link.split_once('#') {
            Some((before, fragment)) if is_address(before) => fragment,
            _ => link,
        };
        if link.is_empty() {
            return Ok(None);
        }
        if link.len() > MAX_CHARS {
            return Err(LinkError::whole(format!(
                "The link has {} characters after #. Allowed: up to {MAX_CHARS}.",
                link.len()
            )));
        }
        let mut reader = Reader::default();
        reader.read(link);
        let found = reader.version(history)?;
        match (reader.draft.check(), found) {
            (Ok(scenario), Some((rules, later))) if reader.problems.is_empty() => {
                let changes = later.iter().flat_map(|row| row.changes);
                let changes = changes.filter(|change| (change.concerns)(&scenario)).collect();
                Ok(Some(Self { scenario, rules, changes, now: history.newest() }))
            }
            (checked, _) => Err(reader.problems_with(checked.err().unwrap_or_default())),
        }
    }

    /// That the numbers may be others than when the link was made; nothing where they are not.
    pub fn news(&self) -> Option<String> {
        (!self.changes.is_empty()).then(|| {
            format!(
                "The link was made with the rules of {}. The numbers shown are those of {}.",
                self.rules.version, self.now.version
            )
        })
    }
}

impl Scenario {
    /// The scenario as a fragment, without the `#`.
    pub fn to_link(&self) -> String {
        let mut link = "v=".to_owned() + HISTORY.newest().link;
        for (id, text) in Draft::of(self).entries() {
            link.extend(["&", param(id).key, "="]);
            link.extend(utf8_percent_encode(text, ESCAPED));
        }
        link
    }

    /// Reads a fragment or a whole address; one with nothing behind the `#` is `None`.
    ///
    /// # Errors
    ///
    /// [`LinkError`] with every problem of the link.
    pub fn from_link(link: &str) -> Result<Option<Self>, LinkError> {
        Ok(Linked::read(link, HISTORY)?.map(|linked| linked.scenario))
    }
}

/// The rules that a link was made with, and those that came later.
type Found = (&'static RulesVersion, &'static [RulesVersion]);

#[derive(Default)]
struct Reader {
    draft: Draft,
    version: Option<String>,
    problems: Vec<Problem>,
    /// Inputs whose value could not be decoded: nothing else is said about it.
    unreadable: Vec<&'static str>,
}

impl Reader {
    fn read(&mut self, link: &str) {
        for pair in link.split('&').filter(|pair| !pair.is_empty()) {
            let (key, raw) = pair.split_once('=').unwrap_or((pair, ""));
            let decoded = percent_decode_str(raw).decode_utf8();
            match (by_key(key), &decoded) {
                (_, Ok(value)) if key == "v" && self.version.is_none() => {
                    self.version = Some(value.clone().into_owned());
                }
                (Some(p), _) if self.draft.get(p.id).is_empty() => {
                    // An unreadable text stays typed, so that the input is not said to be missing.
                    self.draft.set(p.id, decoded.as_deref().unwrap_or(raw));
                    if decoded.is_err() {
                        self.unreadable.push(p.key);
                        let message = "The value is not readable text. Copy the whole link again.";
                        self.problem(key, raw, message.to_owned());
                    }
                }
                (Some(_), _) => {
                    let message = "The link names this input twice. Remove one of them.";
                    self.problem(key, raw, message.to_owned());
                }
                (None, _) if key == "v" => {
                    let message = "The link names its version twice, or not in readable text. Copy the whole link again.";
                    self.problem(key, raw, message.to_owned());
                }
                (None, _) if key.is_empty() => {
                    let message =
                        "No input is named before the “=”. Name one, or remove this part of the link.";
                    self.problem(pair, raw, message.to_owned());
                }
                (None, _) => {
                    let message = "This is not an input of Headroom. Correct or remove it.";
                    self.problem(key, raw, message.to_owned());
                }
            }
        }
    }

    /// The rules that the link was made with.
    ///
    /// # Errors
    ///
    /// That they are newer than those known here: nothing else about the link can be judged then.
    fn version(&mut self, history: History) -> Result<Option<Found>, LinkError> {
        let version = self.version.take();
        let found = version.as_deref().and_then(|word| history.find(word));
        match version {
            Some(word) if history.is_newer(&word) => {
                let message = format!(
                    "The link was made with the rules of {word}, a newer version of Headroom. Known here are those up to {}. Reload the page or update Headroom.",
                    history.newest().version
                );
                return Err(LinkError {
                    problems: vec![Problem { field: "v".to_owned(), value: word, message }],
                });
            }
            Some(word) if found.is_none() => {
                let message = format!(
                    "“{}” is no version of a link. A link of Headroom starts with #v={}. Copy the whole link again, or open it where it was made, perhaps by another version of Headroom.",
                    echo(&word),
                    history.newest().link
                );
                self.problem("v", &word, message);
            }
            None if self.problems.iter().all(|problem| problem.field != "v") => {
                let message = "The link has no version. A link of Headroom starts with #v=1.";
                self.problem("v", "", message.to_owned());
            }
            _ => {}
        }
        Ok(found)
    }

    /// Everything that is wrong: with the link first, then with the values in it.
    fn problems_with(mut self, more: Vec<Problem>) -> LinkError {
        let unreadable = self.unreadable;
        self.problems.extend(more.into_iter().filter(|p| !unreadable.contains(&p.field.as_str())));
        LinkError { problems: self.problems }
    }

    fn problem(&mut self, key: &str, value: &str, message: String) {
        let field: String = key.chars().filter(|c| !c.is_control()).take(40).collect();
        let problem = Problem { field, value: echo(value), message };
        // A hostile link may say the same a hundred times.
        if !self.problems.iter().any(|p| p.field == problem.field && p.message == problem.message) {
            self.problems.push(problem);
        }
    }
}
