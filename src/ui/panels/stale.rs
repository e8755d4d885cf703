//! The banner over an answer that is not that of the inputs.

use super::Model;
use crate::engine::mapping::inputs;
use crate::markup::{Html, Icon};

/// Says which inputs the answer belongs to, and offers them back; nothing while it is theirs.
pub fn stale(out: &mut Html, m: &Model<'_>) {
    if !m.now.is_stale() {
        return;
    }
    out.put(
        "<div class=\"hr-banner hr-banner--caution\" role=\"status\" data-testid=\"stale\">{}<div>\
         <p><b>Not updated.</b> This answer is still the one for your last valid inputs.</p>\
         <p>{}. <button class=\"hr-link\" type=\"button\" id=\"restore\" data-do=\"restore\">Restore them</button></p>\
         </div></div>",
        &[&Icon("caution", ""), &inputs(&m.answer().scenario).join(", ")],
    );
}
