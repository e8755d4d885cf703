//! Reusable parts of the page that know no domain.

mod copy_button;
mod field;
mod live;
mod region;
pub mod yaml_tokens;

pub use copy_button::{Copied, CopyButton};
pub use field::{Field, NOTE, error_id, note_id};
pub use live::exchange;
pub use region::{follow, region, writes};

/// Attributes of a button that is off; the output's note says why.
pub const OFF: &str = " aria-disabled=\"true\" aria-describedby=\"copy-off\"";
