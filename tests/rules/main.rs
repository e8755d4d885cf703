//! What holds for every rule: its metadata, its words, its fixes.

mod cases;
mod fixes;
mod registry;
mod words;
