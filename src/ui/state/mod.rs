//! What the page knows: texts, what follows from them, the theme, and the address.

mod derived;
mod form;
mod theme;
mod url;

pub use derived::{Derived, Outcome};
pub use form::{Edit, Form, LATENCY, STREAM};
pub use theme::{Theme, ThemeChoice};
pub use url::{LinkNotice, address_of, follow_address, read_address, write_address};
