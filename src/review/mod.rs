//! The design-review pack and the comparison: documents as plain data, and their two writers.
//!
//! A [`Document`] is what a review reads: headings, sentences, tables, findings, charts, code. It is
//! made from an analysis ([`pack`]) or from two sides that are compared ([`compare`]), and written as
//! Markdown ([`markdown`]) or as HTML ([`html`]). Both writers escape; no text that a person typed can
//! become markup in either.

pub mod compare;
pub mod document;
pub mod html;
pub mod markdown;
pub mod pack;
pub mod text;

pub use document::Document;
