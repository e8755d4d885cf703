//! What the page knows: texts, what follows from them, when they have settled, the theme, and the address.

mod derived;
mod form;
mod settled;
mod theme;
mod url;
mod view;

pub use derived::{Derived, Outcome};
pub use form::{Edit, Form, LATENCY, STREAM, Sheet};
pub use settled::Settling;
pub use theme::Theme;
pub use url::{address_of, follow_address, read_address, write_address};
pub use view::{LinkSaid, Seen, View};
