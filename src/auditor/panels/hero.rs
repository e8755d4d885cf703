//! Status, sentence, what it was checked against, and what can be done with all of it.

use super::{Model, count, number};
use crate::engine::audit::{Audit, rules};
use crate::engine::read::config::{Configuration, Dialect, Effect};
use crate::engine::rules::Severity;
use crate::engine::units::display::{self, plural};
use crate::markup::{Html, Icon, Rich};

/// What to read aloud.
pub fn hero(out: &mut Html, m: &Model<'_>) {
    out.raw("<div class=\"hr-answer\"><div class=\"hr-hero\">");
    match m.audit {
        Some(audit) => judged(out, m, audit),
        None => out.raw(
            "<p class=\"hr-say\">Paste the configuration you have. The findings name the line, the number and the fix.</p>\
             <p class=\"hr-reason\">Envoy bootstrap, clusters, routes, config_dump; Istio, Envoy Gateway, Contour, Emissary, \
             Consul, Kuma, Gloo, Cilium and App Mesh resources. Nothing leaves this page.</p>",
        ),
    }
    out.raw("</div></div>");
}

fn judged(out: &mut Html, m: &Model<'_>, audit: &Audit) {
    let [errors, warnings, notes] =
        [Severity::Error, Severity::Warning, Severity::Info].map(|severity| count(audit, severity));
    let (icon, tone) = match (errors, warnings) {
        (0, 0) => ("ok", "hr-ok"),
        (0, _) => ("caution", "hr-caution"),
        _ => ("danger", "hr-danger"),
    };
    let counts = [(errors, "error", "errors"), (warnings, "warning", "warnings"), (notes, "note", "notes")];
    let words: Vec<String> = counts
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| plural(n as f64, one, many))
        .collect();
    let status = if words.is_empty() { "Nothing found".to_owned() } else { words.join(", ") };
    out.put(
        "<p class=\"hr-status {}\">{}{} <span>{}</span></p>",
        &[&tone, &Icon(icon, ""), &status, &extent(&audit.configuration)],
    );
    out.put("<p class=\"hr-say\">{}</p>", &[&Rich(&sentence(audit))]);
    out.put("<p class=\"hr-reason\">{}</p>", &[&Rich(&basis(m, audit))]);
    actions(out, m, audit);
}

/// `Envoy and Istio, 3 clusters, 2 routes`
fn extent(c: &Configuration) -> String {
    let mut dialects: Vec<Dialect> = c.clusters.iter().map(|c| c.origin.dialect).collect();
    dialects.extend(c.routes.iter().map(|r| r.origin.dialect));
    dialects.sort_unstable();
    dialects.dedup();
    let titles: Vec<&str> = dialects.into_iter().map(Dialect::title).collect();
    format!(
        "{}, {}, {}",
        if titles.is_empty() { "nothing recognized".to_owned() } else { titles.join(" and ") },
        plural(c.clusters.len() as f64, "cluster", "clusters"),
        plural(c.routes.len() as f64, "route", "routes"),
    )
}

/// What a new text comes to, for those who do not see it.
pub fn spoken(audit: &Audit) -> String {
    sentence(audit).replace('`', "")
}

/// Whether it would be accepted, and the worst that would happen.
fn sentence(audit: &Audit) -> String {
    let c = &audit.configuration;
    // The worst sorts first.
    let accepted = match c.problems.iter().map(|p| p.effect).min() {
        _ if c.is_empty() => "Nothing here to judge.",
        Some(Effect::Rejected) => "This text is refused as it stands.",
        Some(Effect::Unread) => "A part of this text cannot be read.",
        _ => "Nothing in this text is refused on loading.",
    };
    match audit.findings.first() {
        None if c.is_empty() => accepted.to_owned(),
        None => format!("{accepted} No rule of {} fires.", rules::all().count()),
        Some(worst) => {
            let mut said = format!("{accepted} The worst: {}", worst.message);
            if !worst.consequence.is_empty() {
                said.push_str("; ");
                said.push_str(&worst.consequence);
            }
            said.push('.');
            said
        }
    }
}

/// What the numbers rest on.
fn basis(m: &Model<'_>, audit: &Audit) -> String {
    let version = audit.facts.first().map(|f| f.envoy_version.to_string());
    let version = version.map(|v| format!(" Envoy {v}.")).unwrap_or_default();
    let wrong = match m.n_wrong {
        0 => String::new(),
        n => format!(" {} left out until corrected.", plural(n as f64, "input is", "inputs are")),
    };
    let Some(traffic) = audit.facts.iter().find_map(|f| f.traffic.as_deref()) else {
        return format!(
            "No traffic is known: this follows from the text alone. Enter rate and latency in the scenario to get numbers.{version}{wrong}"
        );
    };
    let s = &traffic.scenario;
    let survive =
        s.host_concurrency.map(|n| format!(" that survive {} each", display::count(n))).unwrap_or_default();
    format!(
        "Checked against {} at peak, mean {}, {}, {}{survive}.{version}{wrong}",
        display::rate(s.rps),
        display::millis(traffic.sizing.latency.mean_ms),
        plural(f64::from(s.clients), "proxy", "proxies"),
        plural(f64::from(s.hosts), "host", "hosts"),
    )
}

fn actions(out: &mut Html, m: &Model<'_>, audit: &Audit) {
    let fixable =
        audit.findings.iter().filter(|f| f.fix.is_some() && f.severity <= Severity::Warning).count();
    out.raw("<div class=\"hr-actions\">");
    if fixable > 0 {
        let main = "<button class=\"hr-btn hr-btn--main\" type=\"button\" id=\"fix-all\" data-do=\"audit fix-all\">Fix {}</button>";
        out.put(main, &[&if fixable == 1 { "it".to_owned() } else { format!("all {}", number(fixable)) }]);
    }
    if m.can_undo {
        out.raw("<button class=\"hr-btn\" type=\"button\" id=\"undo\" data-do=\"audit undo\">Undo</button>");
    }
    out.raw("<button class=\"hr-btn\" type=\"button\" id=\"audit-copy\" data-do=\"audit-copy\">");
    out.put("{}<span id=\"audit-copied\">Copy text</span></button>", &[&Icon("copy", "")]);
    out.raw(
        "<button class=\"hr-btn\" type=\"button\" id=\"audit-save\" data-do=\"audit-save\">Download</button>",
    );
    toggle(out, "compare", "Compare with fixed", m.view.has_difference);
    toggle(out, "effective", "What is in force", m.view.has_effective);
    out.raw("</div>");
}

fn toggle(out: &mut Html, what: &'static str, label: &'static str, is_on: bool) {
    out.put(
        "<button class=\"hr-btn hr-btn--quiet\" type=\"button\" id=\"audit-{}\" data-do=\"audit {}\" aria-pressed=\"{}\">{}</button>",
        &[&what, &what, &if is_on { "true" } else { "false" }, &label],
    );
}
