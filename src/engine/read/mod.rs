//! Pasted configurations: text in, what it says out, with line and column for every field.
//!
//! The types ([`config`], [`effective`]) are always there; the readers need the feature `read`,
//! which brings the YAML parser, so that a program that only shows results does not carry it.

pub mod config;
pub mod duration;
pub mod effective;

pub mod scalar;
pub mod source;
mod span;
pub mod tree;

#[cfg(feature = "read")]
mod build;
#[cfg(feature = "read")]
mod documents;
#[cfg(feature = "read")]
mod embedded;
#[cfg(feature = "read")]
mod envoy;
#[cfg(feature = "read")]
mod evidence;
#[cfg(feature = "read")]
mod field;
#[cfg(feature = "read")]
mod gateway;
#[cfg(feature = "read")]
mod istio;
#[cfg(feature = "read")]
mod join;
#[cfg(feature = "read")]
mod json;
#[cfg(feature = "read")]
mod kubernetes;
#[cfg(feature = "read")]
mod merge;
#[cfg(feature = "read")]
mod others;
#[cfg(feature = "read")]
mod reading;
#[cfg(feature = "read")]
mod repair;
#[cfg(feature = "read")]
mod yaml;

#[cfg(feature = "read")]
pub use documents::{Document, Documents, documents};
#[cfg(feature = "read")]
pub(crate) use envoy::words;
#[cfg(feature = "read")]
pub(crate) use field::cut_key;
#[cfg(feature = "read")]
pub use reading::{read, read_documents};

pub use span::{Place, Setting, Span, Spanned, value};
