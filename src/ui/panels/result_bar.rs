//! The answer at the foot of a small screen.

use super::Model;
use super::hero::look_of;
use crate::engine::sentence::Status;
use crate::engine::units::{Share, display};
use crate::markup::{Html, LabeledIcon};

/// Value, refusals, status and the way to the answer.
pub fn result_bar(out: &mut Html, m: &Model<'_>) {
    let a = m.answer();
    let ((icon, tone), label, refused) = if m.now.is_stale() {
        (look_of(Status::Caution), "Inputs need attention", "not updated".to_owned())
    } else {
        let refused = display::one_in(Share(a.forecast.refused_at_peak.0.max(f64::MIN_POSITIVE)));
        (look_of(a.headline.status), a.headline.status_text.as_str(), refused + " refused")
    };
    let value = display::count(f64::from(a.window.chosen));
    out.slot("<span><b id=\"{}\">", "s-result", &value, "</b> per proxy</span>");
    out.slot("<span id=\"{}\">", "s-result-refused", &refused, "</span>");
    out.slot("<span id=\"{}\">", "s-result-status", &LabeledIcon(icon, tone, label), "</span>");
    out.raw("<a href=\"#answer\" data-do=\"go answer\">See why</a>");
}
