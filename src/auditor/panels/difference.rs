//! The pasted text beside what it becomes with every fix.

use super::{Model, number};
use crate::engine::audit::edit::{self, Mark};
use crate::markup::Html;

/// Most lines of a difference that are shown.
const MAX_LINES: usize = 2_000;

/// The lines that all fixes together change.
pub fn difference(out: &mut Html, m: &Model<'_>) {
    let (fixed, _) = edit::apply_all(m.files, m.asked);
    out.raw("<section class=\"hr-block\" aria-labelledby=\"h-difference\"><h2 id=\"h-difference\">Pasted and fixed</h2>");
    let mut left = MAX_LINES;
    for (old, new) in m.files.iter().zip(&fixed) {
        let lines = edit::changed(&old.text, &new.text);
        if m.files.len() > 1 {
            out.put("<h3>{}</h3>", &[&old.name]);
        }
        if lines.is_empty() {
            out.raw("<p class=\"hr-sub\">No line changes.</p>");
            continue;
        }
        out.raw("<div class=\"hr-editor\" tabindex=\"0\" role=\"region\" aria-label=\"Changed lines\"><ol>");
        for line in lines.iter().take(left) {
            let (mark, word, at) = match line.mark {
                Mark::Removed => ("removed", "−", line.old),
                Mark::Added => ("added", "+", line.new),
                Mark::Same => ("same", "", line.new),
            };
            let at = at.map(|n| n.to_string()).unwrap_or_default();
            out.put(
                "<li data-change=\"{}\"><span>{}</span><i>{}</i><code>{}</code></li>",
                &[&mark, &word, &at, &line.text],
            );
        }
        out.raw("</ol></div>");
        if let Some(more) = lines.len().checked_sub(left).filter(|n| *n > 0) {
            out.put("<p class=\"hr-sub\">{} more lines are not shown.</p>", &[&number(more)]);
        }
        left = left.saturating_sub(lines.len());
    }
    out.raw("</section>");
}
