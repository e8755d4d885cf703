//! The ladder as rows of a list, and its chain of inequalities.

use super::{Chain, Ladder, Mark, Rung};
use crate::chart::markup::Markup;

impl Ladder {
    /// The content of the list element.
    pub fn markup(&self) -> String {
        let mut out = Markup::default();
        for rung in &self.rungs {
            self.rung(&mut out, rung);
        }
        out.row_axis(self.axis_note, &self.labels);
        out.finish()
    }

    fn rung(&self, out: &mut Markup, rung: &Rung) {
        out.open("li", &[]);
        out.open("span", &[]);
        out.words(&rung.name);
        out.text("small", &[], &rung.note);
        out.close("span");
        out.open("svg", &[("class", &"hr-svg"), ("aria-hidden", &"true")]);
        for at in &self.grid {
            out.vertical("hr-grid", *at);
        }
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
        out.close("svg");
        out.text("span", &[("class", &"hr-num")], &rung.value);
        out.close("li");
    }
}

impl Chain {
    /// The content of the paragraph.
    pub fn markup(&self) -> String {
        let mut out = Markup::default();
        let (class, icon) = if self.holds() { ("hr-ok", "ok") } else { ("hr-caution", "caution") };
        out.icon(class, icon, self.verdict());
        for link in &self.links {
            if let Some(relation) = link.relation {
                out.text("i", &[("class", &if link.holds { "" } else { "hr-caution" })], relation);
            }
            out.open("span", &[]);
            out.text("b", &[], &link.value);
            out.words(" ");
            out.text("small", &[], &link.name);
            out.close("span");
        }
        out.finish()
    }
}
