//! Single values in every form that the programs read, and some they do not.
//!
//! A value that the program refuses but a person understands (`250ms` for Envoy) is returned
//! together with what is wrong, so that the arithmetic goes on; a value that could mean two things
//! (`1_024`) is not guessed.

use super::config::{Corrected, Correction, Effect, ProblemKind};
use super::tree::{Kind, Node, Scalar};
use crate::engine::nearest::nearest;
use crate::engine::units::Percent;

/// How a program reads single values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// Envoy: JSON of protobuf, out of YAML that knows octal numbers and `yes`.
    #[default]
    Proto,
    /// Istio and others: durations as Go writes them (`1h5m`, `250ms`), numbers checked by a schema.
    Go,
    /// Gateway API: whole numbers of at most five digits a unit, at most four units.
    GatewayApi,
}

/// What was read, and what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<T> {
    /// The value, if there is no doubt about it.
    pub value: Option<T>,
    /// What is wrong.
    pub flaw: Option<Flaw>,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Flaw {
    /// Its kind.
    pub kind: ProblemKind,
    /// What follows.
    pub effect: Effect,
    /// What is wrong, as the end of a sentence that starts with the field.
    pub what: String,
    /// What to write.
    pub help: String,
    /// The value that is right in its place, where there is no doubt.
    pub correction: Option<Box<Correction>>,
}

impl<T> Reading<T> {
    /// A value that is right.
    pub fn good(value: T) -> Self {
        Self { value: Some(value), flaw: None }
    }

    /// A value that is understood and refused.
    pub fn refused(value: T, kind: ProblemKind, what: String, help: String) -> Self {
        Self { value: Some(value), ..Self::bad(kind, what, help) }
    }

    /// No value.
    pub fn bad(kind: ProblemKind, what: String, help: String) -> Self {
        let flaw = Flaw { kind, effect: Effect::Rejected, what, help, correction: None };
        Self { value: None, flaw: Some(flaw) }
    }

    /// Says how the value has to be written.
    #[must_use]
    pub fn correct(mut self, node: &Node, to: impl Into<String>, value: Corrected) -> Self {
        if let Some(flaw) = &mut self.flaw {
            let correction = Correction { from: shown(node), to: to.into(), value };
            flaw.correction = Some(Box::new(correction));
        }
        self
    }
}

/// A value or a text for a message, short.
pub fn shown(node: &Node) -> String {
    match &node.kind {
        Kind::Scalar(scalar) => match scalar.text.char_indices().nth(40) {
            Some((at, _)) => format!("{}…", &scalar.text[..at]),
            None => scalar.text.clone(),
        },
        _ => node.what().to_owned(),
    }
}

/// The scalar, or the flaw of a list, a map or a placeholder in its place.
///
/// # Errors
///
/// The reading to return: there is no single value here.
pub fn scalar<'n, T>(node: &'n Node, kind: &ProblemKind, help: &str) -> Result<&'n Scalar, Reading<T>> {
    let Kind::Scalar(scalar) = &node.kind else {
        return Err(Reading::bad(ProblemKind::WrongShape, format!("is {}", node.what()), help.to_owned()));
    };
    if scalar.text.contains("{{") || scalar.text.contains("${") {
        let what = format!("is the placeholder `{}`", shown(node));
        return Err(Reading {
            value: None,
            flaw: Some(Flaw {
                kind: ProblemKind::Template,
                effect: Effect::Unread,
                what,
                help: "paste the text with its placeholders filled in".to_owned(),
                correction: None,
            }),
        });
    }
    if scalar.text.is_empty() {
        return Err(Reading::bad(kind.clone(), "is empty".to_owned(), help.to_owned()));
    }
    Ok(scalar)
}

/// A whole number up to `max`: decimal, hexadecimal, octal, quoted, or with an exponent.
pub fn whole(node: &Node, notation: Notation, max: u64) -> Reading<u64> {
    const KIND: ProblemKind = ProblemKind::BadNumber;
    let scalar = match scalar(node, &KIND, "write a whole number") {
        Ok(scalar) => scalar,
        Err(flaw) => return flaw,
    };
    let text = scalar.text.as_str();
    let Some(number) = number(scalar, notation) else {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let like = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '_' | ',' | ' '));
        let help = if like && !digits.is_empty() {
            format!("write {digits} without separators if that is meant")
        } else {
            "write a whole number".to_owned()
        };
        return Reading::bad(KIND, format!("is `{}`, not a number", shown(node)), help);
    };
    if number.fract() != 0.0 {
        return Reading::bad(
            KIND,
            format!("is {text}, not a whole number"),
            "write a whole number".to_owned(),
        );
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
    if number < 0.0 || number > max as f64 {
        let what = format!("is {text}, outside 0 to {max}");
        let help = if number < 0.0 { "write 0 or more" } else { "write a smaller number" };
        Reading::bad(ProblemKind::OutOfRange, what, help.to_owned())
    } else if scalar.quoted && notation != Notation::Proto {
        let what = format!("is the text \"{text}\", and the schema wants a number");
        let number = number as u64;
        Reading::refused(number, ProblemKind::WrongShape, what, format!("write {text} without quotes"))
            .correct(node, number.to_string(), Corrected::Count(number))
    } else {
        Reading::good(number as u64)
    }
}

/// A number with a fraction.
pub fn float(node: &Node, notation: Notation) -> Reading<f64> {
    const KIND: ProblemKind = ProblemKind::BadNumber;
    match scalar(node, &KIND, "write a number") {
        Err(flaw) => flaw,
        Ok(scalar) => match number(scalar, notation) {
            Some(number) => Reading::good(number),
            None => {
                Reading::bad(KIND, format!("is `{}`, not a number", shown(node)), "write a number".to_owned())
            }
        },
    }
}

/// A number as the program's YAML reader has it (measured on Envoy 1.40: `010` is 8, `"010"` is
/// 10, `0xff` is 255 with and without quotes, `1e3` is 1000, `1_024` is refused).
fn number(scalar: &Scalar, notation: Notation) -> Option<f64> {
    let text = scalar.text.as_str();
    let go = notation != Notation::Proto;
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    let (hex, octal) = (unsigned.get(..2), unsigned.strip_prefix('0'));
    if hex.is_some_and(|p| p.eq_ignore_ascii_case("0x")) {
        let digits = unsigned.get(2..)?;
        return u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+')).map(|n| n as f64);
    }
    if let Some(digits) = octal.filter(|d| !d.is_empty() && !scalar.quoted) {
        let digits = if go { digits.strip_prefix('o').unwrap_or(digits) } else { digits };
        if digits.bytes().all(|b| (b'0'..=b'7').contains(&b)) {
            return u64::from_str_radix(digits, 8).ok().map(|n| n as f64);
        }
    }
    if go && !scalar.quoted && text.contains('_') {
        // YAML as Go reads it allows underscores between digits.
        return plain_number(&text.replace('_', ""));
    }
    plain_number(text)
}

/// A decimal number, with a fraction or an exponent; no words such as `inf`.
pub fn plain_number(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let starts = unsigned.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'.');
    if !starts || text.len() > 60 {
        return None;
    }
    text.parse().ok().filter(|n: &f64| n.is_finite())
}

/// A truth value: `true`, `yes`, `on` and their opposites, in any case, quoted or not.
pub fn truth(node: &Node, notation: Notation) -> Reading<bool> {
    const KIND: ProblemKind = ProblemKind::BadBool;
    let scalar = match scalar(node, &KIND, "write true or false") {
        Ok(scalar) => scalar,
        Err(flaw) => return flaw,
    };
    let value = match scalar.text.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "y" => true,
        "false" | "no" | "off" | "n" => false,
        _ => {
            let what = format!("is `{}`, neither true nor false", shown(node));
            return Reading::bad(KIND, what, "write true or false".to_owned());
        }
    };
    if scalar.quoted && notation != Notation::Proto {
        let what = format!("is the text \"{}\", and the schema wants true or false", scalar.text);
        return Reading::refused(
            value,
            ProblemKind::WrongShape,
            what,
            format!("write {value} without quotes"),
        )
        .correct(node, value.to_string(), Corrected::Flag(value));
    }
    Reading::good(value)
}

/// `type.v3.Percent`: `{value: 20}`; the empty message is 0.
pub fn percent_message(node: &Node) -> Reading<Percent> {
    let Some(entries) = node.entries() else {
        let number = node.text().map(|t| t.trim().trim_end_matches('%').trim_end()).and_then(plain_number);
        let shown = shown(node);
        return match number {
            Some(number) => {
                let message = format!("{{value: {number}}}");
                let reading = Reading::refused(
                    Percent(number),
                    ProblemKind::WrongShape,
                    format!("is the bare number {shown}, and a percentage is a message here"),
                    format!("write {message}"),
                );
                if (0.0..=100.0).contains(&number) {
                    reading.correct(node, message, Corrected::Percent(Percent(number)))
                } else {
                    reading
                }
            }
            None => Reading::bad(
                ProblemKind::WrongShape,
                format!("is `{shown}`, and a percentage is a message here"),
                "write {value: 20}".to_owned(),
            ),
        };
    };
    let value = match node.get("value") {
        None => Reading::good(0.0),
        Some(value) => float(value, Notation::Proto),
    };
    let mut reading = Reading { value: value.value.map(Percent), flaw: value.flaw };
    if let Some(percent) = reading.value.filter(|p| !(0.0..=100.0).contains(&p.0)) {
        reading = Reading::refused(
            percent,
            ProblemKind::OutOfRange,
            format!("is {}%, outside 0 to 100", percent.0),
            "write a percentage from 0 to 100".to_owned(),
        );
    }
    if let Some(strange) = entries.iter().find(|e| e.key != "value") {
        let what = format!("has the field `{}`, and a percentage has only `value`", strange.key);
        let help = format!("move {} out of the percentage", strange.key);
        let kind = ProblemKind::UnknownField { nearest: None };
        reading.flaw = Some(Flaw { kind, effect: Effect::Rejected, what, help, correction: None });
    }
    reading
}

/// A word of an enumeration in any case, or its number.
pub fn word<T: Copy>(node: &Node, words: &[(&str, T)]) -> Reading<T> {
    const KIND: ProblemKind = ProblemKind::BadEnum;
    let names = || words.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let scalar = match scalar(node, &KIND, "write a word") {
        Ok(scalar) => scalar,
        Err(flaw) => return flaw,
    };
    let text = scalar.text.as_str();
    let by_number = text.parse::<usize>().ok().and_then(|n| words.get(n));
    let found = words.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).or(by_number);
    if let Some((_, value)) = found {
        return Reading::good(*value);
    }
    let near = nearest(&text.to_ascii_uppercase(), words.iter().map(|(name, _)| *name));
    let help = near.map_or_else(|| format!("choose one of {}", names()), |n| format!("did you mean {n}?"));
    let reading = Reading::bad(KIND, format!("is `{}`, not one of {}", shown(node), names()), help);
    match near {
        Some(near) => reading.correct(node, near, Corrected::Word(near.to_owned())),
        None => reading,
    }
}
