//! The parts of the Audit view, as functions that write HTML.

mod difference;
mod editor;
mod effective;
mod findings;
mod hero;
mod lines;

pub use hero::spoken;

use crate::engine::audit::{Asked, Audit, Finding};
use crate::engine::read::source::Input;
use crate::engine::rules::Severity;
use crate::markup::Html;

/// What is shown of it all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "four switches that are turned one by one")]
pub struct View {
    /// Place of the file in the editor.
    pub file: usize,
    /// Findings of this severity only.
    pub only: Option<Severity>,
    /// Whether the text is open for typing.
    pub is_editing: bool,
    /// Whether what is in force is shown.
    pub has_effective: bool,
    /// Whether the difference to the fixed text is shown.
    pub has_difference: bool,
    /// Whether a long text is shown with all of its lines.
    pub is_unfolded: bool,
}

/// What the parts are written from.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// The texts.
    pub files: &'a [Input],
    /// What was found; none without texts.
    pub audit: Option<&'a Audit>,
    /// What is known of the traffic.
    pub asked: &'a Asked,
    /// Inputs that are wrong and left out.
    pub n_wrong: usize,
    /// Whether there are texts to go back to.
    pub can_undo: bool,
    /// What is shown.
    pub view: &'a View,
}

/// The whole view.
pub fn desk(out: &mut Html, m: &Model<'_>) {
    out.raw("<h1 class=\"hr-vh\">Audit of a configuration</h1>");
    out.begin("<div id=\"{}\">", "s-audit-hero");
    hero::hero(out, m);
    out.end("</div>");
    out.begin("<div class=\"hr-audit\" id=\"{}\">", "s-audit-body");
    out.raw("<section aria-labelledby=\"h-editor\"><div class=\"hr-block\">");
    editor::editor(out, m);
    out.raw("</div></section>");
    if let Some(audit) = m.audit {
        out.raw("<section aria-labelledby=\"h-findings\"><div class=\"hr-block\">");
        findings::findings(out, m, audit);
        out.raw("</div></section>");
    }
    out.end("</div>");
    out.begin("<div id=\"{}\">", "s-audit-difference");
    if m.audit.is_some() && m.view.has_difference {
        difference::difference(out, m);
    }
    out.end("</div>");
    out.begin("<div id=\"{}\">", "s-audit-effective");
    if let Some(audit) = m.audit.filter(|_| m.view.has_effective) {
        effective::effective(out, m, audit);
    }
    out.end("</div>");
}

/// Findings of a severity.
fn count(audit: &Audit, severity: Severity) -> usize {
    audit.findings.iter().filter(|f| f.severity == severity).count()
}

/// Icon, class and word of a severity.
fn look_of(severity: Severity) -> (&'static str, &'static str, &'static str) {
    match severity {
        Severity::Error => ("danger", "hr-danger", "Error"),
        Severity::Warning => ("caution", "hr-caution", "Warning"),
        Severity::Info => ("info", "hr-info", "Note"),
    }
}

/// Id of the line that a finding points at.
fn line_id(f: &Finding) -> String {
    format!("L{}-{}", f.at.file, f.at.line())
}

/// A count as it is written.
fn number(n: usize) -> String {
    crate::engine::units::display::count(n as f64)
}
