//! The areas of the page, one a file. They read what is derived and change only the form.

mod announcer;
mod answer;
mod attention;
mod derived_lines;
mod examples;
mod findings;
mod hero;
mod input;
mod inputs;
mod ladder;
mod limits;
mod link_notice;
mod outlier;
mod result_bar;
mod retry;
mod stale;
mod thresholds;
mod top;
mod why;
mod window;
mod yaml;
mod yaml_lines;

pub use announcer::{ANNOUNCER_ID, Announcer};
pub use answer::Answer;
pub use inputs::Inputs;
pub use link_notice::link_notice;
pub use result_bar::ResultBar;
pub use top::Top;
pub use yaml::YamlPane;
