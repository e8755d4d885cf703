//! The formulas solved backwards: which value of one input makes a problem go away.
//!
//! Every answer comes from putting candidates into the forward formulas, so that a button never
//! leads to the same finding again, and so that a changed formula needs no change here.

mod deadline;
mod room;
mod search;

pub use deadline::{TOLERATED_CUT, deadline_where, tolerated_cut};
pub use room::{Goal, Room};
pub use search::{hosts_surviving, hosts_where};
