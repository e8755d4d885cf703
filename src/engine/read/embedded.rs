//! Configurations that are a text within another one: the files of a `ConfigMap`.

use super::source::breaks;
use super::tree::{Kind, Node};
use super::yaml::Base;
use std::ops::Range;

/// The lines of a text block.
pub struct Block {
    /// Its bytes in the outer text, whole lines.
    pub range: Range<usize>,
    /// Lines of the outer text before it.
    pub lines: usize,
}

/// What a file's text holds if it is one of Envoy's.
const MARKS: [&str; 6] =
    ["static_resources", "circuit_breakers", "resources:", "virtual_hosts", "clusters:", "outlier_detection"];

/// The text blocks in the data of a `ConfigMap` that hold a configuration.
///
/// Only literal blocks (`|`) are taken: their lines are those of the inner text, so that every place
/// in it is a place in the outer one.
pub fn blocks(root: &Node, text: &str, base: Base) -> Vec<Block> {
    if root.text_of("kind") != Some("ConfigMap") {
        return Vec::new();
    }
    let entries = root.get("data").and_then(Node::entries).unwrap_or_default();
    let mut out = Vec::new();
    for entry in entries {
        let Kind::Scalar(scalar) = &entry.value.kind else { continue };
        if !scalar.quoted || !MARKS.iter().any(|mark| scalar.text.contains(mark)) {
            continue;
        }
        let from = (entry.key_span.end as usize).saturating_sub(base.bytes).min(text.len());
        let to = (entry.value.span.end as usize).saturating_sub(base.bytes).clamp(from, text.len());
        let Some(header) = text.get(from..to).and_then(|t| t.split_once('\n')) else { continue };
        let is_literal = header.0.contains('|');
        if is_literal {
            let start = from + header.0.len() + 1;
            let lines = breaks(&text[..start]);
            out.push(Block { range: start..to, lines });
        }
    }
    out
}
