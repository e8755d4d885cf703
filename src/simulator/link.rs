//! The experiment in the address: `?view=simulate&sim=1&fault=slow_host&seed=7`.
//!
//! Versioned, and only what differs from the defaults. The scenario has its own part behind `#`, a
//! pasted text has none. A link comes from strangers: length, version, keys and words are checked here,
//! numbers by the form's own rules.

use super::fields::Wrong;
use super::texts::{ARRIVALS, OF_KIND, POLICIES, SETTING, Texts};
use crate::engine::sim::FaultKind;
use crate::engine::sim::custom::KNOBS;
use crate::engine::units::display::echo;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

const VERSION: &str = "1";

/// Longest query read; the longest valid one is below it.
const MAX_CHARS: usize = 4000;

const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b',');

/// Keys of numbers besides those of the fault's kind.
const NUMBERS: [&str; 7] = ["from", "lasts", "length", "runs", "seed", "callers", "think"];

/// The query of these texts, without `?`.
pub fn to_link(texts: &Texts) -> String {
    let mut link = "view=simulate".to_owned();
    if texts.played().next().is_some() {
        link.extend(["&sim=", VERSION]);
    }
    for (key, text) in texts.played() {
        link.extend(["&", key, "="]);
        link.extend(utf8_percent_encode(text.trim(), ESCAPED));
    }
    link
}

/// The texts of a query; what it says of other things is not looked at.
pub fn from_link(query: &str) -> Result<Texts, Vec<Wrong>> {
    let query = query.strip_prefix('?').unwrap_or(query);
    if query.len() > MAX_CHARS {
        return Err(vec![wrong("sim", "The link is longer than any link of this view.".to_owned())]);
    }
    let (mut texts, mut problems, mut version) = (Texts::default(), Vec::new(), None);
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let Ok(value) = percent_decode_str(value).decode_utf8() else {
            problems.push(wrong(key, "is not readable text. Copy the whole link again.".to_owned()));
            continue;
        };
        match key {
            "view" => {}
            "sim" => version = Some(value.into_owned()),
            _ if !is_known(key) => problems.push(wrong(key, "is no input of this view.".to_owned())),
            _ if !texts.get(key).is_empty() => {
                problems.push(wrong(key, "stands in the link twice.".to_owned()));
            }
            _ => match word(key, &value) {
                Ok(()) => texts.set(key, &value),
                Err(message) => problems.push(wrong(key, message)),
            },
        }
    }
    match version.as_deref() {
        Some(VERSION) => {}
        None if texts == Texts::default() && problems.is_empty() => {}
        None => problems.insert(0, wrong("sim", "is missing: the link has no version.".to_owned())),
        Some(_) => {
            let message = "The link was made by another version of Headroom and cannot be read here.";
            return Err(vec![wrong("sim", message.to_owned())]);
        }
    }
    if problems.is_empty() { Ok(texts) } else { Err(problems) }
}

fn is_known(key: &str) -> bool {
    let is_setting = key.strip_prefix(SETTING).is_some_and(|name| KNOBS.iter().any(|knob| knob.key == name));
    is_setting
        || ["fault", "a", "b", "arrivals"].contains(&key)
        || OF_KIND.contains(&key)
        || NUMBERS.contains(&key)
}

/// Whether a menu has that word; numbers are read later.
fn word(key: &str, value: &str) -> Result<(), String> {
    let is_fine = match key {
        "fault" => FaultKind::from_word(value).is_some(),
        "a" | "b" => POLICIES.iter().any(|name| name.as_str() == value),
        "arrivals" => ARRIVALS.iter().any(|(word, _)| *word == value),
        _ => value.len() <= 200,
    };
    if is_fine { Ok(()) } else { Err(format!("has no choice “{}”.", echo(value))) }
}

fn wrong(key: &str, message: String) -> Wrong {
    let key = echo(key);
    Wrong { label: key.clone(), key, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_gives_back_its_texts() {
        let mut texts = Texts::default();
        assert_eq!(to_link(&texts), "view=simulate");
        for (key, text) in
            [("fault", "slow_host"), ("seed", "7"), ("b", "custom"), ("set-retry_on", "5xx,reset")]
        {
            texts.set(key, text);
        }
        let link = to_link(&texts);
        assert_eq!(link, "view=simulate&sim=1&b=custom&fault=slow_host&seed=7&set-retry_on=5xx,reset");
        assert_eq!(from_link(&format!("?{link}")), Ok(texts));
        assert_eq!(from_link("?view=simulate"), Ok(Texts::default()));
    }

    #[test]
    fn strangers_get_messages() {
        for (query, word) in [
            ("?sim=2&seed=1", "another version"),
            ("?seed=1", "no version"),
            ("?sim=1&seed=1&seed=2", "twice"),
            ("?sim=1&fault=<script>", "no choice"),
            ("?sim=1&__proto__=1", "no input"),
            ("?sim=1&a=%ff", "not readable"),
            ("?sim=1&set-nothing=1", "no input"),
        ] {
            let problems = from_link(query).expect_err(query);
            let said: String = problems.iter().map(|p| p.message.as_str()).collect();
            assert!(said.contains(word), "{query}: {said}");
        }
        assert!(from_link(&format!("?sim=1&seed={}", "9".repeat(5000))).is_err());
    }
}
