//! The review's worker: messages of the page in, exchanges of HTML out.
//!
//! Everything is in the library; here, JavaScript's arrays become its types and back.

#[cfg(target_arch = "wasm32")]
mod worker;

fn main() {
    #[cfg(target_arch = "wasm32")]
    worker::start();
}
