//! What page and worker say to each other.

use crate::engine::params::ParamId;

/// What the page asks for; what is `None` is as it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// What was pressed: a verb and its argument, `pick latency`; `work` goes on with the runs.
    pub action: String,
    /// The texts of the view's form.
    pub texts: Option<Vec<(String, String)>>,
    /// The texts of the scenario's form.
    pub inputs: Option<Vec<(ParamId, String)>>,
    /// The query of the address.
    pub link: Option<String>,
    /// What the audit's worker made of the pasted text: JSON.
    pub pasted: Option<String>,
    /// What drawings must fit.
    pub frame: Option<Frame>,
    /// The time that is looked at, in seconds.
    pub at: Option<f64>,
    /// Whether nothing may move while runs go on.
    pub is_still: Option<bool>,
}

/// What drawings must fit, in CSS px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width of a chart that stands alone.
    pub width: f64,
    /// Width of one that stands in a pair.
    pub half: f64,
    /// Height of text.
    pub text_px: f64,
}

/// What the worker answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Insides of elements to exchange: id and HTML.
    pub changes: Vec<(String, String)>,
    /// Texts that inputs of the view have now: id and text, where the desk changed them or wrote them anew.
    pub values: Vec<(String, String)>,
    /// Ids of inputs that are wrong.
    pub invalid: Vec<String>,
    /// What a screen reader is told; empty for nothing.
    pub said: String,
    /// The query that leads here; empty while inputs are wrong.
    pub link: String,
    /// What goes to the clipboard; empty for nothing.
    pub copy: String,
    /// The time that is looked at as a share of the run, and in words.
    pub at: (f64, String),
    /// Whether there is more to do: the page asks for `work`.
    pub is_busy: bool,
}
