//! Reusable parts of the page that know no domain.

mod choice_field;
mod code_lines;
mod copy_button;
mod field;
mod icon;
mod rich;
mod segmented;
mod text_input;
pub mod yaml_tokens;

pub use choice_field::{CheckField, SelectInput};
pub use code_lines::{CodeLine, Piece, patch_lines};
pub use copy_button::CopyButton;
pub use field::{Field, FieldNotes, HelpButton, described_by};
pub use icon::{ChangingIcon, Icon, LabeledIcon};
pub use rich::rich;
pub use segmented::Segmented;
pub use text_input::TextInput;
