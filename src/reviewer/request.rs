//! What page and worker say to each other.

use crate::engine::params::ParamId;

/// What the page asks for; what is `None` is as it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// What was pressed: a verb and its argument, `accept HR105`; empty where only texts changed.
    pub action: String,
    /// The form's texts.
    pub inputs: Option<Vec<(ParamId, String)>>,
    /// What it is compared with: a link, `pasted`, `choose`, or nothing.
    pub with: Option<String>,
    /// What the audit's worker made of the pasted text: JSON.
    pub pasted: Option<String>,
    /// What the pasted text is called, a file's name; empty for none.
    pub named: Option<String>,
    /// What the simulator's worker has played: which side, and the table as text.
    pub faults: Option<(String, String)>,
    /// The address of the page without query and fragment.
    pub page: Option<String>,
    /// Width that drawings must fit, and height of text, in CSS px.
    pub frame: Option<(f64, f64)>,
}

/// What the simulator has to play: which side, and its scenario.
pub type Play = (String, Vec<(ParamId, String)>);

/// What the worker answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Insides of elements to exchange: id and HTML.
    pub changes: Vec<(String, String)>,
    /// What goes to the clipboard; empty for nothing.
    pub copy: String,
    /// What goes into a file: its name and its text.
    pub file: Option<(String, String)>,
    /// What a screen reader is told; empty for nothing.
    pub said: String,
    /// What the simulator has to play: which side, and its scenario; `None` as it was.
    pub play: Option<Vec<Play>>,
    /// Whether the reader has to be asked about the pasted text.
    pub reads: bool,
}
