//! The embed's program: what the page asks, as texts in and texts out.
//!
//! Everything is in the library; here, JavaScript's arrays become its types and back.

#[cfg(target_arch = "wasm32")]
mod page;

fn main() {
    #[cfg(target_arch = "wasm32")]
    page::start();
}
