//! The texts of the view's form: raw, as they were typed.

use crate::engine::sim::FaultKind;
use crate::engine::sim::compare::PolicyName;
use std::collections::BTreeMap;

/// What the keys of custom settings begin with.
pub const SETTING: &str = "set-";

/// Fields whose meaning depends on the kind of fault.
pub const OF_KIND: [&str; 5] = ["hosts", "clients", "share", "strength", "add"];

/// The names of policies in the order of the menus.
pub const POLICIES: [PolicyName; 4] =
    [PolicyName::Recommended, PolicyName::EnvoyDefaults, PolicyName::Pasted, PolicyName::Custom];

/// Words of the menu of arrivals, with what they say.
pub const ARRIVALS: [(&str, &str); 3] =
    [("poisson", "Poisson"), ("paced", "Equal gaps"), ("closed", "Closed loop")];

/// Texts by key; what is empty is a default and not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts(BTreeMap<String, String>);

impl Texts {
    /// The text of an input without blanks around it; empty for the default.
    pub fn get(&self, key: &str) -> &str {
        self.0.get(key).map_or("", |text| text.trim())
    }

    /// Sets a text.
    pub fn set(&mut self, key: &str, text: &str) {
        if text.trim().is_empty() {
            self.0.remove(key);
        } else {
            self.0.insert(key.to_owned(), text.to_owned());
        }
    }

    /// All that are not empty, by key.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// Those that matter for what is played, by key.
    pub fn played(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_closed = self.get("arrivals") == "closed";
        let is_custom = self.plays(PolicyName::Custom);
        self.entries().filter(move |(key, _)| match *key {
            "callers" | "think" => is_closed,
            key => is_custom || !key.starts_with(SETTING),
        })
    }

    /// The kind of fault: latency where nothing is said.
    pub fn kind(&self) -> FaultKind {
        FaultKind::from_word(self.get("fault")).unwrap_or(FaultKind::Latency)
    }

    /// Takes another kind of fault; what was typed about the last one meant something else.
    pub fn pick(&mut self, kind: FaultKind) {
        if kind == self.kind() {
            return;
        }
        self.set("fault", if kind == FaultKind::Latency { "" } else { kind.spec().word });
        for key in OF_KIND {
            self.set(key, "");
        }
    }

    /// The policies: the recommended one and Envoy's defaults where nothing is said.
    pub fn policies(&self) -> [PolicyName; 2] {
        let read = |key: &str, default: PolicyName| {
            POLICIES.into_iter().find(|name| name.as_str() == self.get(key)).unwrap_or(default)
        };
        [read("a", PolicyName::Recommended), read("b", PolicyName::EnvoyDefaults)]
    }

    /// Whether one of the policies is that one.
    pub fn plays(&self, name: PolicyName) -> bool {
        self.policies().contains(&name)
    }

    /// The settings of the custom policy: key of Envoy and text.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries().filter_map(|(key, text)| Some((key.strip_prefix(SETTING)?, text)))
    }
}
