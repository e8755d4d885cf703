//! The frame of every resource, its durations, and several of them as one text.

use super::names::Names;
use crate::engine::envoy::emit::{self, Comment};
use crate::engine::envoy::model::Duration;
use crate::engine::envoy::style;
use crate::engine::units::Millis;
use serde::{Serialize, Serializer};
use std::fmt::Write as _;

/// A resource of Kubernetes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource<S> {
    api_version: &'static str,
    kind: &'static str,
    metadata: Metadata,
    spec: S,
}

#[derive(Serialize)]
struct Metadata {
    #[serde(serialize_with = "word")]
    name: String,
    #[serde(serialize_with = "word")]
    namespace: String,
}

impl<S: Serialize> Resource<S> {
    /// A resource for the service.
    pub fn new(api_version: &'static str, kind: &'static str, names: &Names, spec: S) -> Self {
        let metadata = Metadata { name: names.resource.clone(), namespace: names.namespace.clone() };
        Self { api_version, kind, metadata, spec }
    }

    /// The same in another namespace.
    pub fn within(mut self, namespace: &str) -> Self {
        namespace.clone_into(&mut self.metadata.namespace);
        self
    }

    /// The resource as YAML below a header.
    pub fn to_yaml(&self, header: &[String], comments: &[Comment]) -> String {
        emit::to_yaml(self, header, comments)
    }
}

/// A name; quoted also where only YAML 1.1, which Kubernetes reads, takes it for something else.
pub fn word<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    const TRUTHS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "true", "false"];
    if TRUTHS.contains(&text) {
        serde_saphyr::DoubleQuoted(text).serialize(serializer)
    } else {
        style::name(text, serializer)
    }
}

/// The texts as one file.
pub fn join(documents: &[String]) -> String {
    documents.join("---\n")
}

/// Sentences as lines of a header.
pub fn paragraphs<S: AsRef<str>>(sentences: &[S]) -> Vec<String> {
    sentences.iter().flat_map(|sentence| emit::paragraph(sentence.as_ref(), 0)).collect()
}

/// A duration in the notation of Go, in whole milliseconds: `950ms`, `30s`, `1h`.
///
/// No unit but the hours has more than five digits, as the Gateway API wants it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units(Millis);

const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

impl Units {
    /// The longest of the Gateway API: 99,999 hours and all but a millisecond of another.
    pub const LONGEST_IN_GATEWAY: Millis = Millis(359_999_999_999.0);

    /// A setting, rounded as in the text for Envoy.
    pub fn new(duration: Millis) -> Self {
        Self(Duration::in_whole_millis(duration).0)
    }

    /// A setting of the Gateway API: at most [`Self::LONGEST_IN_GATEWAY`].
    pub fn in_gateway(duration: Millis) -> Self {
        Self::new(duration.min(Self::LONGEST_IN_GATEWAY))
    }

    fn whole(self) -> u64 {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole milliseconds; a float becomes the nearest integer in range"
        )]
        let ms = self.0.0.round() as u64;
        ms
    }
}

impl std::fmt::Display for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const DIGITS: u64 = 100_000;
        let ms = self.whole();
        // One unit where its digits suffice, so that 90 s stay 90s.
        for (unit, name) in [(HOUR, "h"), (SECOND, "s"), (1, "ms")] {
            if ms >= unit && ms.is_multiple_of(unit) && ms / unit < DIGITS {
                return write!(f, "{}{name}", ms / unit);
            }
        }
        let mut text = String::new();
        let mut rest = ms;
        for (unit, name) in [(HOUR, "h"), (MINUTE, "m"), (SECOND, "s"), (1, "ms")] {
            if rest >= unit {
                // Writing to a string cannot fail.
                let _ = write!(text, "{}{name}", rest / unit);
                rest %= unit;
            }
        }
        f.write_str(if text.is_empty() { "0s" } else { &text })
    }
}

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_at_most_five_digits_a_unit() {
        for (ms, text) in [
            (0.0, "0s"),
            (0.2, "1ms"),
            (950.0, "950ms"),
            (1_500.0, "1500ms"),
            (60_000.0, "60s"),
            (99_999.0, "99999ms"),
            (100_001.0, "1m40s1ms"),
            (2_600_000.0, "2600s"),
            (3_600_000.0, "1h"),
            (360_000_001.0, "100h1ms"),
            (99_999_000.0, "99999s"),
            (100_000_000.0, "27h46m40s"),
            (9.2e12, "2555555h33m20s"),
        ] {
            assert_eq!(Units::new(Millis(ms)).to_string(), text, "{ms}");
        }
        assert_eq!(Units::in_gateway(Millis(9.2e12)).to_string(), "99999h59m59s999ms");
    }
}
