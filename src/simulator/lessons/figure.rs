//! A lesson that was played, as HTML: what happened in a sentence, two curves, a table.

use super::chart::{Chart, draw};
use super::{Outcome, SEED, Second};
use crate::engine::sim::compare::{MEASURES, Measure, served, served_share, share, window};
use crate::engine::sim::verdict::fault_sentence;
use crate::engine::sim::{Before, Bucket, FaultKind, Report};
use crate::engine::units::display;
use crate::markup::Html;

/// The rows of the table: keys of [`MEASURES`].
const ROWS: [&str; 9] = [
    "served_before",
    "served_during",
    "served_after",
    "refused",
    "failed",
    "amplification",
    "host_in_flight_max",
    "ejections",
    "recovery_s",
];

/// Sentence, curves and table.
pub fn figure(outcome: &Outcome) -> Html {
    let mut out = Html::default();
    out.put("<p class=\"hr-lesson-say\">{}</p>", &[&sentence(outcome)]);
    out.raw("<div class=\"hr-lesson-pair\">");
    curves(&mut out, outcome, "Served in time", &|b| share(b.outcomes.served, &b.outcomes));
    match outcome.lesson.second {
        Second::Refused => {
            curves(&mut out, outcome, "Refused by a limit", &|b| share(b.outcomes.refused(), &b.outcomes));
        }
        Second::Failed => {
            curves(&mut out, outcome, "Timeout or error", &|b| share(b.outcomes.failed(), &b.outcomes));
        }
    }
    out.raw("</div>");
    table(&mut out, outcome);
    out.put("<p class=\"hr-sub\">{}</p>", &[&condition(outcome)]);
    out
}

/// What the two runs show, in words: also what a screen reader is told.
pub fn sentence(outcome: &Outcome) -> String {
    let [wrong, right] = [0, 1].map(|k| &outcome.sides[k].report);
    let [during, after] = [Before::During, Before::After].map(|part| of(wrong, part));
    let [during_right, after_right] = [Before::During, Before::After].map(|part| of(right, part));
    format!(
        "As set here, {during} of the requests are served during the fault and {after} after it{}. \
         The recommended policy serves {during_right} and {after_right}.",
        course(outcome, wrong),
    )
}

/// How the run ended, where it did not recover with the end of the fault.
fn course(outcome: &Outcome, report: &Report) -> String {
    let lesson = outcome.lesson;
    let Some(recovery) = report.recovery.filter(|recovery| recovery.hurt) else { return String::new() };
    match recovery.after_s {
        None => format!(
            "; it has not recovered when the run ends, {} after its cause was gone",
            seconds(lesson.length_s - lesson.span_s.1)
        ),
        Some(after) if after >= 1.0 => {
            format!("; it recovers {} after its cause was gone", seconds(display::round_to(after, 2)))
        }
        Some(_) => String::new(),
    }
}

fn of(report: &Report, part: Before) -> String {
    window(report, part).and_then(|w| served(&w.outcomes)).map_or("none".to_owned(), served_share)
}

/// What is played, in words.
fn condition(outcome: &Outcome) -> String {
    let s = &outcome.analysis.scenario;
    format!(
        "Simulated: {} from {} proxies to {} hosts, each of which gets slower beyond {} in flight; p50 {}, \
         p99 {}. {} {}A run of {} from cold, seed {SEED}.",
        display::rate(s.rps),
        display::words(s.clients),
        display::words(s.hosts),
        s.host_concurrency.map_or_else(String::new, display::number),
        s.latency_ms.p50.map_or_else(String::new, display::millis),
        s.latency_ms.p99.map_or_else(String::new, display::millis),
        fault(outcome),
        callers(outcome),
        seconds(outcome.lesson.length_s),
    )
}

fn fault(outcome: &Outcome) -> String {
    let (from, to) = outcome.lesson.span_s;
    let experiment = &outcome.sides[0].experiment;
    let strength = experiment.faults.first().map_or(1.0, |fault| fault.strength);
    let times = match outcome.lesson.fault {
        FaultKind::Latency | FaultKind::BreakerOverflow => {
            format!(", {} times the latency", display::number(strength))
        }
        _ => String::new(),
    };
    format!(
        "{}{times}, from {} to {}.",
        fault_sentence(experiment).trim_end_matches('.'),
        seconds(from),
        seconds(to)
    )
}

fn callers(outcome: &Outcome) -> String {
    match outcome.sides[0].experiment.load.caller.retries {
        0 => String::new(),
        1 => "Callers ask once more after a failed answer. ".to_owned(),
        2 => "Callers ask up to twice more after a failed answer. ".to_owned(),
        n => format!("Callers ask up to {} times more after a failed answer. ", display::words(n)),
    }
}

fn seconds(value: f64) -> String {
    format!("{}{}s", display::number(value), display::NBSP)
}

fn curves(out: &mut Html, outcome: &Outcome, title: &'static str, of: &dyn Fn(&Bucket) -> Option<f64>) {
    let lesson = outcome.lesson;
    let curve = |k: usize| -> Vec<Option<f64>> {
        let steps = outcome.sides[k].report.series.iter();
        // What ends after the last arrival is not part of the picture.
        steps.filter(|b| b.t_s < lesson.length_s).map(of).collect()
    };
    let chart = Chart {
        says: &format!("{title} over time; the table below has the numbers."),
        curves: [curve(0), curve(1)],
        length_s: lesson.length_s,
        span_s: lesson.span_s,
    };
    out.put(
        "<figure class=\"hr-lesson-fig\"><figcaption><b>{}</b> <span class=\"hr-sub\">share of requests, by the second</span></figcaption>",
        &[&title],
    );
    draw(out, &chart);
    out.raw("</figure>");
}

fn table(out: &mut Html, outcome: &Outcome) {
    out.raw(
        "<table class=\"hr-lesson-table\"><caption class=\"hr-vh\">Both runs in numbers</caption><thead><tr><th scope=\"col\">Whole run unless it says otherwise</th><th scope=\"col\">As set here</th><th scope=\"col\">Recommended</th></tr></thead><tbody>",
    );
    for measure in ROWS.iter().filter_map(|key| MEASURES.iter().find(|m| m.key == *key)) {
        let [a, b] = [0, 1].map(|k| cell(measure, &outcome.sides[k].report));
        let part = if measure.part == "whole run" { "" } else { measure.part };
        out.put(
            "<tr><th scope=\"row\">{} <small>{}</small></th><td>{}</td><td>{}</td></tr>",
            &[&measure.label, &part, &a, &b],
        );
    }
    out.raw("</tbody></table>");
}

fn cell(measure: &Measure, report: &Report) -> String {
    match (measure.of)(report) {
        Some(value) => measure.shown(value),
        None if measure.key == "recovery_s" => "not in this run".to_owned(),
        None => "–".to_owned(),
    }
}
