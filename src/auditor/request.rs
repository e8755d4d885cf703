//! What page and worker say to each other.

use crate::engine::params::ParamId;
use crate::engine::read::source::Input;

/// What the page asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// What was pressed: a verb and its argument, `fix 3`; empty where only texts or inputs changed.
    pub action: String,
    /// The texts, where they changed.
    pub files: Option<Vec<Input>>,
    /// The form's texts, where they changed; none at all while the form still shows the worked
    /// example, which says nothing about the traffic of a pasted file.
    pub inputs: Option<Vec<(ParamId, String)>>,
}

/// What the worker answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Insides of elements to exchange: id and HTML.
    pub changes: Vec<(String, String)>,
    /// The texts, where an action changed them.
    pub files: Option<Vec<Input>>,
    /// What a screen reader is told; empty for nothing.
    pub said: String,
    /// The id of the element to go to; empty for none.
    pub go: String,
    /// Inputs of the form that the files answer, where the form has nothing of its own yet.
    pub fill: Vec<(ParamId, String)>,
}
