//! How the text around a place is written.

use super::outline::{Outline, Shape};
use super::text::break_near;
use super::write::Style;

/// Columns of a level where the text has none to go by.
const STEP: usize = 2;

/// The style of what is written into or in the place of a value.
pub fn style(outline: &Outline<'_>, slot: usize) -> Style {
    let (is_json, is_tight) = braces(outline, slot);
    Style {
        eol: break_near(outline.text, outline.slots[slot].start),
        step: step(outline, slot),
        dash: dash(outline),
        is_json,
        is_tight,
    }
}

/// Whether the braces around a value are JSON.
pub fn is_json(outline: &Outline<'_>, slot: usize) -> bool {
    braces(outline, slot).0
}

/// Whether the nearest braces have their keys in quotes, and no space behind their colons.
fn braces(outline: &Outline<'_>, slot: usize) -> (bool, bool) {
    let mut at = Some(slot);
    while let Some(here) = at {
        let s = &outline.slots[here];
        if s.shape == Shape::Flow
            && s.is_map()
            && let Some(first) = s.children.first().map(|c| &outline.slots[*c])
        {
            let is_json = outline.text.as_bytes().get(first.start) == Some(&b'"');
            let colon = outline.text.get(first.head..first.value).unwrap_or_default();
            return (is_json, colon.is_empty());
        }
        at = s.parent;
    }
    (false, false)
}

/// Columns between a map and the one below its key: as here, else as anywhere in the document.
fn step(outline: &Outline<'_>, slot: usize) -> usize {
    let of = |slot: usize| {
        let s = &outline.slots[slot];
        let first = s.children.first().map(|c| outline.slots[*c].start)?;
        let key = s.key.filter(|_| s.is_map() && outline.is_first_on_line(first))?;
        outline
            .column(first)
            .checked_sub(outline.column(key.key_span.start as usize))
            .filter(|step| *step > 0)
    };
    let mut at = Some(slot);
    while let Some(here) = at {
        if let Some(step) = of(here) {
            return step;
        }
        at = outline.slots[here].parent;
    }
    (0..outline.slots.len()).find_map(of).unwrap_or(STEP)
}

/// Columns between a key and the dashes below it, as in the first list of the document.
fn dash(outline: &Outline<'_>) -> usize {
    let of = |slot: &super::outline::Slot<'_>| {
        let first = slot.children.first().map(|c| outline.slots[*c].start)?;
        let key = slot.key.filter(|_| slot.is_list() && outline.is_first_on_line(first))?;
        outline.column(first).checked_sub(outline.column(key.key_span.start as usize))
    };
    outline.slots.iter().find_map(of).unwrap_or(0)
}

/// Whether fields in and around a value are spelled `maxRequests`, up to the block it belongs to.
pub fn is_camel(outline: &Outline<'_>, slot: usize, up_to: usize) -> bool {
    let mut at = Some(slot);
    while let Some(here) = at {
        if let Some(is_camel) = spelling(outline, here, 0) {
            return is_camel;
        }
        at = outline.slots[here].parent.filter(|_| here != up_to);
    }
    false
}

/// Levels below a block whose keys show how it is spelled.
const DEPTH: usize = 4;

/// The spelling of the first key of several words in a block.
fn spelling(outline: &Outline<'_>, slot: usize, depth: usize) -> Option<bool> {
    let children = || outline.slots[slot].children.iter().copied();
    let own = children().find_map(|c| {
        let key = outline.slots[c].key?.key.as_str();
        let is_word = key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let has_capital = key.bytes().any(|b| b.is_ascii_uppercase());
        match (key.contains('_'), has_capital) {
            _ if !is_word => None,
            (true, false) => Some(false),
            (false, true) => Some(true),
            _ => None,
        }
    });
    if own.is_some() || depth == DEPTH {
        return own;
    }
    children().find_map(|c| spelling(outline, c, depth + 1))
}
