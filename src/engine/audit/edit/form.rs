//! How the value of a setting is written in a field.

use super::plan::{At, Editor, Refused};
use super::scalar::{Single, duration};
use crate::engine::audit::Value;
use crate::engine::envoy::model::PercentValue;
use crate::engine::read::scalar::Notation;
use crate::engine::units::Millis;

/// The form of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `5`
    Count,
    /// `0.25s`, `250ms`, or a message if one stands there.
    Duration,
    /// `250`
    Millis,
    /// `{value: 20}`
    PercentMessage,
    /// `{numerator: 20, denominator: 100}`
    Fraction,
    /// `true`
    Flag,
    /// `HIGH`
    Word,
    /// `5xx,reset`
    Comma,
    /// `[5xx, reset]`
    List,
    /// `[503]`
    Codes,
}

impl Form {
    /// The form of a value in a field that is known by what stands there and by its name only.
    pub fn of(value: &Value, is_map: bool, path: &str) -> Self {
        match value {
            Value::Duration(_) if path.ends_with("_ms") || path.ends_with("Ms") => Self::Millis,
            Value::Duration(_) => Self::Duration,
            Value::Percent(_)
                if is_map || path.ends_with("budget_percent") || path.ends_with("panic_threshold") =>
            {
                Self::PercentMessage
            }
            Value::Count(_) | Value::Percent(_) => Self::Count,
            Value::Flag(_) => Self::Flag,
            Value::Word(_) => Self::Word,
            Value::Words(_) => Self::Comma,
            Value::Numbers(_) => Self::Codes,
        }
    }
}

const WRONG: &str = "the fix has a value of another kind than the field";

/// Writes a value under a key, or leaves the key out.
///
/// # Errors
///
/// As [`Editor::set`] and [`Editor::clear`].
pub fn write(
    editor: &mut Editor<'_>,
    map: At,
    field: &str,
    value: Option<&Value>,
    (form, notation): (Form, Notation),
) -> Result<(), Refused> {
    let Some(value) = value else { return editor.clear(map, field) };
    if let Some(at) = editor.get(map, field) {
        return write_at(editor, at, value, form, notation);
    }
    match form {
        Form::PercentMessage | Form::Fraction => {
            let message = editor.enter_as(map, field, true)?;
            parts(editor, message, value, form)
        }
        Form::List | Form::Codes => {
            let list = list(editor, value)?;
            editor.put(map, field, list)
        }
        _ => {
            let text = text(value, form, notation)?;
            editor.set(map, field, text, notation)
        }
    }
}

/// Writes a value over another.
///
/// # Errors
///
/// As [`Editor::write`].
pub fn write_at(
    editor: &mut Editor<'_>,
    at: At,
    value: &Value,
    form: Form,
    notation: Notation,
) -> Result<(), Refused> {
    let is_map = editor.is_map(at);
    match form {
        Form::PercentMessage | Form::Fraction => {
            if is_map {
                let message = editor.open(at)?;
                return parts(editor, message, value, form);
            }
            let new = editor.new_map(true);
            parts(editor, At::New(new), value, form)?;
            editor.replace(at, new)
        }
        Form::List | Form::Codes => {
            let list = list(editor, value)?;
            editor.replace(at, list)
        }
        Form::Duration if is_map => {
            let message = editor.open(at)?;
            duration_parts(editor, message, value)
        }
        _ => {
            let text = text(value, form, notation)?;
            editor.write(at, text, notation)
        }
    }
}

fn parts(editor: &mut Editor<'_>, message: At, value: &Value, form: Form) -> Result<(), Refused> {
    let n = Notation::Proto;
    if form == Form::PercentMessage {
        return editor.set(message, "value", Single::bare(number(value).ok_or(WRONG)?), n);
    }
    let percent = match value {
        Value::Percent(percent) => percent.0,
        _ => number(value).ok_or(WRONG)?,
    };
    let (numerator, denominator) = fraction(percent / 100.0);
    editor.set(message, "numerator", Single::bare(numerator), n)?;
    let has_denominator = editor.get(message, "denominator").is_some();
    if has_denominator || denominator != 100 {
        editor.set(message, "denominator", Single::bare(denominator), n)?;
    }
    Ok(())
}

/// Two whole numbers for a share: hundredths if that is exact, else thousandths, else the simplest
/// that is: a sixth is 1 of 6.
fn fraction(share: f64) -> (u32, u32) {
    const FINEST: u32 = 10_000;
    let is_exact = |of: &u32| {
        let numerator = share * f64::from(*of);
        (numerator - numerator.round()).abs() < 1e-7
    };
    let denominator = [100, 1000, FINEST].into_iter().chain(1..FINEST).find(is_exact).unwrap_or(1_000_000);
    // A limit is rounded down.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of at most a million"
    )]
    let numerator = (share * f64::from(denominator) + 1e-6).floor() as u32;
    (numerator, denominator)
}

/// A duration in the message that stands there: Envoy's seconds and nanos, App Mesh's unit and value.
fn duration_parts(editor: &mut Editor<'_>, message: At, value: &Value) -> Result<(), Refused> {
    let Value::Duration(millis) = value else { return Err(WRONG.to_owned()) };
    let millis = whole(*millis);
    let n = Notation::Proto;
    if editor.get(message, "unit").is_some() {
        editor.set(message, "unit", Single::text("ms"), n)?;
        return editor.set(message, "value", Single::bare(millis), n);
    }
    editor.set(message, "seconds", Single::bare(millis / 1000), n)?;
    let nanos = millis % 1000 * 1_000_000;
    if nanos == 0 {
        return editor.clear(message, "nanos");
    }
    editor.set(message, "nanos", Single::bare(nanos), n)
}

fn text(value: &Value, form: Form, notation: Notation) -> Result<Single, Refused> {
    let text = match (form, value) {
        (Form::Count, Value::Count(_) | Value::Percent(_)) => Single::bare(number(value).ok_or(WRONG)?),
        (Form::Duration, Value::Duration(d)) => Single::text(duration(*d, notation)),
        (Form::Millis, Value::Duration(d)) => Single::bare(whole(*d)),
        (Form::Flag, Value::Flag(flag)) => Single::bare(flag),
        (Form::Word | Form::Comma, Value::Word(word)) => Single::text(word.clone()),
        (Form::Comma, Value::Words(words)) => Single::text(words.join(",")),
        _ => return Err(WRONG.to_owned()),
    };
    Ok(text)
}

fn list(editor: &mut Editor<'_>, value: &Value) -> Result<usize, Refused> {
    let texts: Vec<Single> = match value {
        Value::Words(words) => words.iter().cloned().map(Single::text).collect(),
        Value::Word(word) => vec![Single::text(word.clone())],
        Value::Numbers(numbers) => numbers.iter().map(Single::bare).collect(),
        _ => return Err(WRONG.to_owned()),
    };
    let items = texts.into_iter().map(|text| editor.new_text(text)).collect();
    Ok(editor.new_list(items))
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Count(count) => Some(*count as f64),
        // A third in binary is no text to read.
        Value::Percent(percent) => Some(PercentValue::from(*percent).value),
        _ => None,
    }
}

/// Whole milliseconds, as they are written.
fn whole(duration: Millis) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and not negative")]
    let millis = crate::engine::envoy::model::Duration::in_whole_millis(duration).0.0 as u64;
    millis
}

#[cfg(test)]
mod tests {
    use super::fraction;

    #[test]
    fn shares_are_simple_fractions() {
        let rows = [
            (0.2, (20, 100)),
            (0.125, (125, 1000)),
            (1.0 / 6.0, (1, 6)),
            (0.0, (0, 100)),
            (1.0, (100, 100)),
            (2.0 / 7.0, (2, 7)),
            (0.123_456_7, (123_456, 1_000_000)),
        ];
        for (share, wanted) in rows {
            assert_eq!(fraction(share), wanted, "{share}");
        }
    }
}
