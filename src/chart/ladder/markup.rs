//! The ladder as rows of a list, and its chain of inequalities.

use super::{Chain, Ladder, Mark, Rung};
use crate::markup::{Html, LabeledIcon};

impl Ladder {
    /// Writes the list.
    pub fn write(&self, out: &mut Html) {
        out.slot("<p hidden id=\"{}\">", "s-ladder-alt", &self.alt, "</p>");
        out.raw("<ul class=\"hr-rows\" aria-labelledby=\"s-ladder-alt\">");
        for rung in &self.rungs {
            self.rung(out, rung);
        }
        out.row_axis(self.axis_note, &self.labels);
        out.raw("</ul>");
    }

    fn rung(&self, out: &mut Html, rung: &Rung) {
        out.put(
            "<li><span>{}<small>{}</small></span><svg class=\"hr-svg\" aria-hidden=\"true\">",
            &[&rung.name, &rung.note],
        );
        out.grid(&self.grid);
        if let Some(at) = self.cut {
            out.vertical("hr-ref", at);
        }
        for mark in &rung.marks {
            match mark {
                Mark::Line(from, to) => out.horizontal("hr-axis", *from, *to),
                Mark::Dot(at) => out.dot("hr-mark hr-bar--ink", *at, 4),
                Mark::Wait(from, to) => out.horizontal("hr-bar hr-bar--wait", *from, *to),
                Mark::Try(from, to) => out.horizontal("hr-bar", *from, *to),
                Mark::Pause(from, to) => out.horizontal("hr-bar hr-bar--range", *from, *to),
                Mark::Limit(from, to) => out.horizontal("hr-bar hr-bar--thin hr-bar--ink", *from, *to),
                Mark::Text(label) => out.row_label(label),
            }
        }
        out.put("</svg><span class=\"hr-num\">{}</span></li>", &[&rung.value]);
    }
}

impl Chain {
    /// Writes the content of the paragraph.
    pub fn write(&self, out: &mut Html) {
        let (class, icon) = if self.holds() { ("hr-ok", "ok") } else { ("hr-caution", "caution") };
        out.put("{}", &[&LabeledIcon(icon, class, self.verdict())]);
        for link in &self.links {
            if let Some(relation) = link.relation {
                let tag = if link.holds { "<i>{}</i>" } else { "<i class=\"hr-caution\">{}</i>" };
                out.put(tag, &[&relation]);
            }
            out.put("<span><b>{}</b> <small>{}</small></span>", &[&link.value, &link.name]);
        }
    }
}
