//! The page's program: everything is in the library.

fn main() {
    headroom::ui::start();
}
