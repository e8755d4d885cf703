//! A pasted policy that was read elsewhere: by the audit's module, which has the reader, and handed over as
//! JSON.

use super::Policy;
use serde::Deserialize;

/// What is known of the pasted text.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum HandedOver {
    /// Nothing was pasted.
    #[default]
    Missing,
    /// It has nothing to play; why, in sentences.
    Unusable(Vec<String>),
    /// What is in force in it.
    Read(Box<Reading>),
}

/// What is in force in a text, and which part of it that is.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Reading {
    /// The policy.
    pub policy: Policy,
    /// Name of the cluster; empty where the text has none.
    pub cluster: String,
    /// What the route is called or matches.
    pub route: Option<String>,
}

#[derive(Deserialize)]
struct Problems {
    problems: Vec<String>,
}

impl HandedOver {
    /// From the JSON of the audit's worker; empty for no text.
    pub fn from_json(json: &str) -> Self {
        if json.is_empty() {
            return Self::Missing;
        }
        if let Ok(found) = serde_json::from_str::<Problems>(json) {
            return Self::Unusable(found.problems);
        }
        match serde_json::from_str::<Reading>(json) {
            Ok(reading) => Self::Read(Box::new(reading)),
            Err(_) => {
                Self::Unusable(vec!["The reader's answer is not understood. Reload the page.".to_owned()])
            }
        }
    }
}
