//! A formula with its values put in, written when it is shown.

use super::units::display;
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A text with a number for each `{}`. Most are never looked at, and writing them took a fifth of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    text: Cow<'static, str>,
    values: Vec<f64>,
}

/// A text of the program with those values.
pub fn filled(text: &'static str, values: impl Into<Vec<f64>>) -> Filled {
    let values = values.into();
    debug_assert_eq!(text.matches("{}").count(), values.len(), "a value for each place of {text:?}");
    Filled { text: text.into(), values }
}

impl From<&'static str> for Filled {
    fn from(text: &'static str) -> Self {
        filled(text, [])
    }
}

/// A finished text; braces in it are braces.
impl From<String> for Filled {
    fn from(text: String) -> Self {
        Self { text: text.into(), values: Vec::new() }
    }
}

impl fmt::Display for Filled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.text.as_ref();
        for value in &self.values {
            let Some((before, after)) = rest.split_once("{}") else { break };
            f.write_str(before)?;
            f.write_str(&display::number(*value))?;
            rest = after;
        }
        f.write_str(rest)
    }
}

impl Serialize for Filled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{Filled, filled};

    #[test]
    fn each_place_has_its_number() {
        assert_eq!(filled("{} × {} ms", [1913.4, 39.508]).to_string(), "1,913 × 39.5 ms");
        assert_eq!(filled("0, off", []).to_string(), "0, off");
        assert_eq!(Filled::from("{} of yours".to_owned()).to_string(), "{} of yours");
    }
}
