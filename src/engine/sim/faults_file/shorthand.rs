//! `latency:from=20,to=50,hosts=2`: a fault in a word. `hosts=2` is a count, `hosts=#3+#7` are these.

use super::{Given, Item, at};
use crate::engine::scenario::Problem;
use crate::engine::units::display::echo;

/// The item of a shorthand, and what is wrong with its form.
pub fn item(text: &str) -> (Item, Vec<Problem>) {
    let (kind, fields) = text.split_once(':').unwrap_or((text, ""));
    let kind = kind.trim();
    let mut item =
        Item { place: echo(kind), fields: vec![("kind".to_owned(), Given::Text(kind.to_owned()))] };
    let mut problems = Vec::new();
    for part in fields.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once('=') {
            Some((key, value)) => item.fields.push((long(key.trim()).to_owned(), given(value.trim()))),
            None => problems.push(at(
                &item,
                "",
                &echo(part),
                format!("“{}” is no field and value. Write field=value, for example from=20.", echo(part)),
            )),
        }
    }
    (item, problems)
}

/// The names of the file for the short ones.
fn long(key: &str) -> &str {
    match key {
        "from" => "from_s",
        "to" => "to_s",
        "add" => "add_ms",
        _ => key,
    }
}

fn given(value: &str) -> Given {
    if value.starts_with('#') {
        Given::List(value.split('+').map(|part| part.trim().trim_start_matches('#').to_owned()).collect())
    } else {
        Given::Text(value.to_owned())
    }
}
