//! The engine against independent vectors, published values and its own laws.

mod properties;
mod sim;
mod sizing;
mod support;
mod tables;
mod vectors;
