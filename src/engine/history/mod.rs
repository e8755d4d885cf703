//! The versions of the rules: when each came, and which recommended numbers it changed.
//!
//! A link names the version it was made with. Old links stay readable forever; they give today's
//! numbers, and what has changed for their scenario since then is said, from this table.

mod table;

pub use table::HISTORY;

use super::scenario::Scenario;

/// Version of the rules that turn a scenario into numbers; stands in every output.
pub const RULES_VERSION: &str = "2026.11";

/// A version of the rules.
#[derive(Clone, Copy, Debug)]
pub struct RulesVersion {
    /// Its name, year and month: names sort by age.
    pub version: &'static str,
    /// How links name it. Links of the first version say `v=1`, which was there before versions were.
    pub link: &'static str,
    /// The day it was published, as ISO 8601 writes it.
    pub date: &'static str,
    /// The recommended numbers that differ from those of the version before.
    pub changes: &'static [Change],
}

/// A recommended number that a version of the rules has changed.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The setting, in Envoy's words: `max_requests`.
    pub setting: &'static str,
    /// How, and why: a sentence.
    pub how: &'static str,
    /// Whether the number may differ for a scenario.
    pub concerns: fn(&Scenario) -> bool,
}

/// The versions known, oldest first, or those that a test puts in their place.
#[derive(Clone, Copy, Debug)]
pub struct History(pub &'static [RulesVersion]);

impl History {
    /// The newest version.
    pub fn newest(self) -> &'static RulesVersion {
        self.0.last().expect("there has been a first version")
    }

    /// The version that a link names, and those that came after it.
    pub fn find(self, word: &str) -> Option<(&'static RulesVersion, &'static [RulesVersion])> {
        let at = self.0.iter().position(|row| row.link == word || row.version == word)?;
        Some((self.0.get(at)?, self.0.get(at + 1..)?))
    }

    /// Whether a word is the name of a version that is newer than all that are known.
    pub fn is_newer(self, word: &str) -> bool {
        let is_name = word.len() == RULES_VERSION.len()
            && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        is_name && word > self.newest().version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_ends_with_the_rules_of_now() {
        assert_eq!(HISTORY.newest().version, RULES_VERSION);
    }

    #[test]
    fn versions_and_days_rise_and_names_are_not_used_twice() {
        for pair in HISTORY.0.windows(2) {
            assert!(pair[0].version < pair[1].version && pair[0].date < pair[1].date, "{pair:?}");
        }
        for (at, row) in HISTORY.0.iter().enumerate() {
            assert_eq!(row.version.len(), "2026.11".len(), "{row:?}");
            assert!(row.date.starts_with(&row.version.replace('.', "-")), "{row:?}");
            let same = |other: &&RulesVersion| other.link == row.link || other.version == row.link;
            assert_eq!(HISTORY.0.iter().filter(same).count(), 1, "{row:?}");
            assert!(at == 0 || row.link == row.version, "only the first version has a word of its own");
            for change in row.changes {
                assert!(!change.setting.is_empty() && change.how.ends_with('.'), "{change:?}");
            }
        }
    }

    #[test]
    fn only_names_of_versions_are_newer() {
        assert!(HISTORY.is_newer("2099.01"));
        for word in ["2026.11", "2025.01", "1", "9", "99999", "zzzz.zz", "2099-01", ""] {
            assert!(!HISTORY.is_newer(word), "{word}");
        }
    }
}
