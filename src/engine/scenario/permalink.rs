//! The scenario in the address bar: `#v=1&rps=500&p50=35&clients=100`.
//!
//! Versioned, only what differs from the defaults, and never larger than a chat window accepts.
//! A link comes from strangers, so everything about it is checked: length, version, encoding,
//! keys, values. A link that fails gives its problems and no scenario.

use super::{Draft, Problem, Scenario};
use crate::engine::params::{by_key, param};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Version of the rules that turn a scenario into numbers; stands in every output.
pub const RULES_VERSION: &str = "2026.11";

/// Version of the link's own form.
const LINK_VERSION: &str = "1";

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

impl Scenario {
    /// The scenario as a fragment, without the `#`.
    pub fn to_link(&self) -> String {
        let mut link = format!("v={LINK_VERSION}");
        for (id, text) in Draft::of(self).entries() {
            link.extend(["&", param(id).key, "="]);
            link.extend(utf8_percent_encode(text, ESCAPED));
        }
        link
    }

    /// Reads a fragment, with or without the `#`; an empty one is `None`.
    ///
    /// # Errors
    ///
    /// [`LinkError`] with every problem of the link.
    pub fn from_link(link: &str) -> Result<Option<Self>, LinkError> {
        let link = link.strip_prefix('#').unwrap_or(link);
        if link.is_empty() {
            return Ok(None);
        }
        if link.len() > MAX_CHARS {
            return Err(LinkError::whole(format!(
                "The link has {} characters after #. Allowed: up to {MAX_CHARS}.",
                link.len()
            )));
        }
        let draft = read(link)?;
        draft.check().map(Some).map_err(|problems| LinkError { problems })
    }
}

fn read(link: &str) -> Result<Draft, LinkError> {
    let mut draft = Draft::default();
    let mut problems = Vec::new();
    let mut version = None;
    for pair in link.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let Ok(value) = percent_decode_str(value).decode_utf8() else {
            problems.push(problem(key, "The value is not readable text. Copy the whole link again."));
            continue;
        };
        match by_key(key) {
            _ if key == "v" => version = Some(value.into_owned()),
            Some(p) if draft.get(p.id).is_empty() => draft.set(p.id, value.into_owned()),
            Some(_) => problems.push(problem(key, "The link names this input twice. Remove one of them.")),
            None => problems.push(problem(key, "This is not an input of Headroom. Remove it from the link.")),
        }
    }
    match version.as_deref() {
        Some(LINK_VERSION) => {}
        Some(_) => problems.insert(
            0,
            problem("v", "The link was made by another version of Headroom and cannot be read here."),
        ),
        None => {
            problems.insert(0, problem("v", "The link has no version. A link of Headroom starts with #v=1."));
        }
    }
    if problems.is_empty() { Ok(draft) } else { Err(LinkError { problems }) }
}

fn problem(key: &str, message: &str) -> Problem {
    let field: String = key.chars().filter(|c| !c.is_control()).take(40).collect();
    Problem { field, value: String::new(), message: message.to_owned() }
}
