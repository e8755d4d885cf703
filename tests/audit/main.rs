//! The audit: public misconfigurations, sample files, laws.

mod cases;
mod coverage;
mod edit;
mod generate;
mod laws;
mod recommended;
mod robust;
mod support;
mod texts;
