//! The answer for a person at a terminal, in the manner of a compiler.

use super::paint::{self, Paint, clean};
use super::report::{Report, Spot, flag};
use headroom::engine::audit::Finding;
use headroom::engine::rules::Severity;

/// The whole answer.
pub fn document(report: &Report) -> String {
    written(report, Paint::of_stdout())
}

fn written(report: &Report, paint: Paint) -> String {
    let of_file = |file: u32| report.audit.findings.iter().filter(move |f| f.at.file == file);
    let findings = files(report).into_iter().flat_map(of_file).map(|f| finding(report, f, paint) + "\n");
    let notes = notes(report).into_iter().map(|note| format!("{}: {}\n", paint.bold("note"), clean(&note)));
    let questions = report.questions().into_iter().map(|q| format!("{}: {q}\n", paint.bold("hint")));
    findings.chain(notes).chain(questions).chain([summary(report, paint)]).collect()
}

/// The files with findings: the one with the worst first, then in their order.
fn files(report: &Report) -> Vec<u32> {
    let findings = &report.audit.findings;
    let mut files: Vec<(Severity, u32)> = Vec::new();
    // The worst comes first, so the first of a file is its worst.
    for f in findings {
        if files.iter().all(|(_, file)| *file != f.at.file) {
            files.push((f.severity, f.at.file));
        }
    }
    files.sort_unstable();
    files.into_iter().map(|(_, file)| file).collect()
}

fn finding(report: &Report, f: &Finding, paint: Paint) -> String {
    let spot = report.spot(&f.at);
    let gutter = spot.line.to_string().len();
    let head = paint.severity(f.severity, &format!("{}[{}]", f.severity.as_str(), f.code));
    let subject = report.subject(f);
    let about = if subject.is_empty() { String::new() } else { format!(" ({})", clean(&subject)) };
    let mut lines = vec![
        format!("{head}{}", paint.bold(&format!(": {}", clean(&f.message)))),
        format!("{:gutter$}{} {}{about}", "", paint.frame("-->"), clean(&spot.title())),
    ];
    lines.extend(shown(&spot, gutter, f.severity, paint));
    let mut remark = |name: &str, text: &str| {
        if !text.is_empty() {
            let frame = paint.frame("=");
            lines.push(format!("{:gutter$} {frame} {}: {}", "", paint.bold(name), clean(text)));
        }
    };
    remark("note", &f.consequence);
    remark("help", &f.help);
    remark("fix", f.fix.as_ref().map_or("", |fix| &fix.label));
    for related in &f.related {
        let spot = report.spot(&related.at);
        remark("see", &format!("{}: {}", spot.title(), related.message));
    }
    if let Some(id) = f.asks {
        remark("asks", &format!("{} would settle it", flag(id)));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The line with carets below what is meant.
fn shown(spot: &Spot<'_>, gutter: usize, severity: Severity, paint: Paint) -> Vec<String> {
    let excerpt = &spot.excerpt;
    if excerpt.text.trim().is_empty() {
        return Vec::new();
    }
    let text = paint::line(excerpt.text);
    let columns = |from: usize, n: usize| text.chars().skip(from).take(n).map(paint::width).sum::<usize>();
    let before = " ".repeat(columns(0, excerpt.offset));
    let carets = "^".repeat(columns(excerpt.offset, excerpt.length).max(1));
    let bar = paint.frame("|");
    vec![
        format!("{:gutter$} {bar}", ""),
        format!("{} {bar} {}", paint.frame(&spot.line.to_string()), text.trim_end()),
        format!("{:gutter$} {bar} {before}{}", "", paint.severity(severity, &carets)),
    ]
}

/// What was left out, and what the reader noticed.
fn notes(report: &Report) -> Vec<String> {
    let of_reader = report.reader_notes().into_iter().map(|(at, message, more)| {
        let more = match more {
            0 => String::new(),
            1 => " (and in one more place)".to_owned(),
            n => format!(" (and in {n} more places)"),
        };
        format!("{}: {message}{more}", report.spot(at).title())
    });
    report.notes.iter().cloned().chain(of_reader).collect()
}

fn summary(report: &Report, paint: Paint) -> String {
    let counts = report.counts();
    let worst = report.audit.findings.first().map(|f| f.severity);
    let counts = worst.map_or_else(|| paint.bold(&counts), |worst| paint.severity(worst, &counts));
    let version = env!("CARGO_PKG_VERSION");
    format!("{counts}; {}. Headroom {version}, Envoy {}\n", report.extent(), report.envoy_version())
}
