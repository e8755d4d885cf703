//! The table. A version that is published is never edited; a changed number is a new row.

use super::{History, RULES_VERSION, RulesVersion};

/// All versions, oldest first.
pub const HISTORY: History =
    History(&[RulesVersion { version: RULES_VERSION, link: "1", date: "2026-11-30", changes: &[] }]);
