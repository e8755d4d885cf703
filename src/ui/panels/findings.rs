//! What is wrong or worth knowing, with one fix each.

use super::Model;
use crate::engine::rules::{Finding, Fix, RULES, Severity};
use crate::markup::{Html, LabeledIcon, Rich};
use crate::ui::words::summarize_findings;

/// The findings, worst first.
pub fn findings(out: &mut Html, m: &Model<'_>) {
    let a = m.answer();
    out.raw(
        "<section class=\"hr-block\" aria-labelledby=\"h-find\"><div class=\"hr-head--row\">\
         <h2 id=\"h-find\" tabindex=\"-1\">Findings</h2>",
    );
    out.slot("<p class=\"hr-sub\" id=\"{}\">", "s-counts", &summarize_findings(a, RULES.len()), "</p></div>");
    out.begin("<ul class=\"hr-finds\" id=\"{}\">", "s-finds");
    for (at, finding) in (0u32..).zip(&a.findings) {
        row(out, m, at, finding);
    }
    out.end("</ul></section>");
}

/// A finding. Its numbers change more often than its rule, so only they are in a slot.
fn row(out: &mut Html, m: &Model<'_>, at: u32, finding: &Finding) {
    let (icon, tone, word) = match finding.severity {
        Severity::Error => ("danger", "hr-danger", "Error"),
        Severity::Warning => ("caution", "hr-caution", "Warning"),
        Severity::Info => ("info", "hr-info", "Note"),
    };
    // Named by its rule, so that no finding becomes another. A rule that fires twice says why once.
    let n_earlier = m.answer().findings.iter().take(at as usize).filter(|f| f.code == finding.code).count();
    let again = if n_earlier == 0 { String::new() } else { format!("{}-{n_earlier}", finding.code) };
    let name = if n_earlier == 0 { finding.code } else { again.as_str() };
    out.put("<li id=\"find-{}\">{}", &[&name, &LabeledIcon(icon, tone, word)]);
    out.put("<span class=\"hr-code\">{}</span>", &[&finding.code]);
    out.begin("<p id=\"s-find-{}\">", name);
    out.put("{}", &[&Rich(&finding.message)]);
    // A button says what to do already.
    let help = if finding.fix.is_some() { "" } else { &finding.help };
    for text in [&finding.consequence, help] {
        if !text.is_empty() {
            out.put("<small>{}</small>", &[&Rich(text)]);
        }
    }
    out.end("</p>");
    out.begin("<div id=\"s-fix-{}\">", name);
    if let Some((label, fix)) = &finding.fix {
        out.put("<button class=\"hr-btn\" type=\"button\" id=\"fix-{}\"", &[&name]);
        match fix {
            Fix::SetInput(_) => out.put(" data-do=\"fix {}\"", &[&at]),
            Fix::AskInput { field } => out.put(" data-do=\"ask {}\"", &[field]),
        }
        out.raw(m.waits());
        out.put(">{}</button>", &[label]);
    }
    out.end("</div>");
    if n_earlier == 0 {
        why(out, m, finding);
    }
    out.raw("</li>");
}

/// Why the rule is one, and who says so. No `details`: one costs as much as the rest of the finding.
fn why(out: &mut Html, m: &Model<'_>, finding: &Finding) {
    let Some(rule) = RULES.iter().find(|rule| rule.meta.code == finding.code) else { return };
    let code = finding.code;
    out.begin("<div class=\"hr-finds__why\" id=\"s-why-{}\">", code);
    out.put(
        "<button class=\"hr-link\" type=\"button\" id=\"open-why-{}\" data-do=\"unfold why-{}\" aria-label=\"Why {}\"",
        &[&code, &code, &code],
    );
    if m.is_open(&("why-".to_owned() + code)) {
        out.put(" aria-expanded=\"true\" aria-controls=\"why-{}\">Why</button>", &[&code]);
        out.put(
            "<div id=\"why-{}\"><p>{}</p><p class=\"hr-source\">Sources: {}.</p></div>",
            &[&code, &Rich(rule.meta.rationale), &Rich(&rule.meta.sources.join("; "))],
        );
    } else {
        out.raw(" aria-expanded=\"false\">Why</button>");
    }
    out.end("</div>");
}
