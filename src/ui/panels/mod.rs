//! The areas of the page, one a file.
//!
//! Each is a function that writes HTML from a [`Model`]. It knows neither page nor browser, so it can
//! be tested and used without one.

mod announcer;
mod answer;
mod attention;
mod blank;
mod derived_lines;
mod findings;
mod form;
mod hero;
mod ladder;
mod limits;
mod link_notice;
mod model;
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
pub use answer::answer;
pub use blank::blank;
pub use form::{EXAMPLES_ID, derived, form, underived};
pub use limits::{Column, LIMITS, Limit};
pub use link_notice::link_notice;
pub use model::Model;
pub use result_bar::result_bar;
pub use top::{LINK_ID, by_hand, top};
pub use yaml::{YAML_ID, file_name, yaml};
pub use yaml_lines::{Line, YamlText};

use findings::findings;
use hero::hero;
use ladder::ladder;
use outlier::outlier;
use retry::retry;
use stale::stale;
use thresholds::thresholds;
use window::window;
