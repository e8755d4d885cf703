//! What holds for every rule: its metadata, its words, its fixes.

mod cases;
mod fixes;
mod registry;
mod words;

// The rules of the audit come with the reader.
#[cfg(feature = "read")]
mod audit;
#[cfg(feature = "read")]
mod page;
#[cfg(feature = "read")]
mod recommended;
#[cfg(feature = "read")]
#[path = "../audit/texts.rs"]
mod texts;
