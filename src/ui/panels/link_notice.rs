//! What was wrong with a link.

use crate::engine::params::by_key;
use crate::engine::scenario::LinkError;
use crate::markup::{Html, Icon};

/// A hostile link could name a hundred problems; the first ones show that it is broken.
const MOST_SHOWN: usize = 5;

/// Says why the address gave no scenario, until dismissed.
pub fn link_notice(out: &mut Html, error: &LinkError) {
    out.put(
        "<div class=\"hr-banner hr-banner--link\" role=\"alert\" data-testid=\"link-problems\">{}<div>\
         <p><b>This link gives no scenario.</b> The inputs stay as they are.</p><ul>",
        &[&Icon("danger", "")],
    );
    for problem in error.problems.iter().take(MOST_SHOWN) {
        match by_key(&problem.field) {
            Some(p) => out.put("<li><b>{}:</b> {}</li>", &[&p.label, &problem.message]),
            None => out.put("<li><code>{}</code> {}</li>", &[&problem.field, &problem.message]),
        }
    }
    out.raw(
        "</ul><button class=\"hr-link\" type=\"button\" data-do=\"dismiss\">Dismiss</button></div></div>",
    );
}
