//! Status, sentence, reason; what goes on meanwhile, and what the answer belongs to.

use crate::engine::sim::compare::PolicyName;
use crate::engine::sim::verdict::{Status, Told};
use crate::engine::units::display::{self, NBSP};
use crate::markup::{Html, Icon};
use crate::simulator::desk::{Desk, Halt, Whole};
use crate::simulator::setup::SCENARIO;

/// The head of the answer.
pub fn hero(out: &mut Html, desk: &Desk) {
    out.begin("<div id=\"{}\">", "s-sim-notices");
    notices(out, desk);
    out.end("</div><div class=\"hr-hero\">");
    out.begin("<div class=\"hr-sim-state\" id=\"{}\">", "s-sim-state");
    state(out, desk);
    out.end("</div>");
    out.begin("<div class=\"hr-sim-words\" id=\"{}\">", "s-sim-words");
    words(out, desk);
    out.end("</div></div>");
}

/// The result in a line, for screens on which the form fills the first view.
pub fn bar(out: &mut Html, desk: &Desk) {
    match (desk.progress(), desk.whole.as_ref().and_then(|whole| whole.verdict.statuses.first())) {
        (Some(progress), _) => {
            out.put(
                "<span>{}</span><span>Run {} of {}</span>",
                &[&Icon("play", ""), &progress.run, &progress.runs],
            );
        }
        (None, Some(told)) => {
            let (icon, tone) = sign(told.status);
            out.put("<span>{}</span><span>{}</span>", &[&Icon(icon, tone), &told.words]);
        }
        (None, None) => out.raw("<span></span><span>Not played</span>"),
    }
    out.raw("<button class=\"hr-link\" type=\"button\" id=\"sim-see\" data-do=\"sim-see\">See why</button>");
}

fn notices(out: &mut Html, desk: &Desk) {
    if !desk.link_wrongs.is_empty() {
        out.put(
            "<div class=\"hr-banner hr-banner--caution\" role=\"alert\">{}<div><p><b>The link was not understood.</b> The \
             defaults are played instead.</p><ul>",
            &[&Icon("caution", "")],
        );
        for wrong in desk.link_wrongs.iter().take(8) {
            out.put("<li><code>{}</code> {}</li>", &[&wrong.label, &wrong.message]);
        }
        out.raw("</ul><p><button class=\"hr-link\" type=\"button\" id=\"sim-dismiss\" data-do=\"sim dismiss\">Close</button></p></div></div>");
    }
    if !desk.wrongs.is_empty() {
        let what = if desk.whole.is_some() {
            "This result is still the one of your last valid inputs."
        } else {
            "Nothing is played until the inputs are corrected."
        };
        out.put(
            "<div class=\"hr-banner hr-banner--caution\" role=\"status\">{}<div><p><b>Not updated.</b> {}</p>",
            &[&Icon("caution", ""), &what],
        );
        for wrong in desk.wrongs.iter().filter(|wrong| wrong.key == SCENARIO || wrong.key == "length") {
            out.put("<p>{}</p>", &[&wrong.message]);
        }
        out.raw("</div></div>");
    }
}

fn state(out: &mut Html, desk: &Desk) {
    if let Some(progress) = desk.progress() {
        out.put(
            "<p class=\"hr-status hr-info\">{}Run {} of {} <span>{} of {} requests</span></p>",
            &[
                &Icon("play", ""),
                &progress.run,
                &progress.runs,
                &display::count(progress.done),
                &display::count(display::round_to(progress.all, 3).max(progress.done)),
            ],
        );
        out.put(
            "<progress class=\"hr-progress\" max=\"{}\" value=\"{}\" aria-label=\"Simulation\"></progress>",
            &[&whole(progress.all), &whole(progress.done)],
        );
        return;
    }
    if let Halt::Stopped(n) = desk.halt {
        let runs = desk.live.as_ref().map_or(0, |live| live.setup.runs);
        let words = match n {
            0 => "before the first run was whole".to_owned(),
            n => format!("after {n} of {runs} runs"),
        };
        out.put(
            "<p class=\"hr-status hr-caution\">{}Stopped <span>{}</span></p>",
            &[&Icon("caution", ""), &words],
        );
        return;
    }
    match &desk.whole {
        Some(result) => statuses(out, &result.verdict.statuses),
        None if desk.wrongs.is_empty() => {
            out.put("<p class=\"hr-status hr-info\">{}Starting</p>", &[&Icon("play", "")]);
        }
        None => out.put("<p class=\"hr-status hr-caution\">{}Not played</p>", &[&Icon("caution", "")]),
    }
}

fn whole(n: f64) -> String {
    format!("{n:.0}")
}

fn statuses(out: &mut Html, told: &[Told]) {
    let Some((first, others)) = told.split_first() else { return };
    let (icon, tone) = sign(first.status);
    out.raw("<p class=\"hr-status ");
    out.text(tone);
    out.put("\">{}{}", &[&Icon(icon, ""), &first.words]);
    for other in others {
        let (icon, tone) = sign(other.status);
        out.put(" <span>{} {}</span>", &[&Icon(icon, tone), &other.words]);
    }
    out.raw("</p>");
}

/// Icon and tone of a status.
pub fn sign(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::NoFault | Status::Unhurt | Status::RecoversDuring => ("ok", "hr-ok"),
        Status::RecoversAfter => ("caution", "hr-caution"),
        Status::StaysDown => ("danger", "hr-danger"),
    }
}

fn words(out: &mut Html, desk: &Desk) {
    let Some(result) = &desk.whole else {
        out.raw("<p class=\"hr-say\">");
        out.text(if desk.wrongs.is_empty() {
            "The two policies are played against the same fault."
        } else {
            ""
        });
        out.raw("</p><p class=\"hr-reason\"></p>");
        return;
    };
    out.raw("<div class=\"hr-hero");
    out.put_some(" {}", if desk.is_stale() { "hr-stale" } else { "" });
    out.raw("\"><p class=\"hr-say\">");
    emphasized(out, &result.verdict.sentence, result.setup.names[0]);
    out.raw("</p><p class=\"hr-reason\">");
    reason(out, result);
    out.raw("</p></div>");
}

fn reason(out: &mut Html, result: &Whole) {
    if let Some(reason) = &result.verdict.reason {
        out.put("<b>{}:</b> {}", &[&reason.lead, &reason.words]);
    }
}

/// The sentence with the numbers of the first policy in accent.
fn emphasized(out: &mut Html, sentence: &str, first: PolicyName) {
    let subject = first.subject();
    let starts = |clause: &str| {
        let mut letters = clause.chars();
        let head = letters.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
        let same = format!("{head}{}", letters.as_str());
        same.starts_with(&subject.to_lowercase()) || clause.starts_with(subject) || clause.starts_with("Both")
    };
    let mut rest = sentence;
    while !rest.is_empty() {
        let (clause, after) =
            rest.split_once(". ").map_or((rest, ""), |(clause, _)| rest.split_at(clause.len() + 2));
        if starts(clause) {
            strong_numbers(out, clause);
        } else {
            out.text(clause);
        }
        rest = after;
    }
}

fn strong_numbers(out: &mut Html, clause: &str) {
    for (at, word) in clause.split(' ').enumerate() {
        if at > 0 {
            out.text(" ");
        }
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        if !is_number {
            out.text(word);
            continue;
        }
        let end = word.trim_end_matches(['.', ',', ':', ';']).len();
        out.put("<strong>{}</strong>", &[&&word[..end]]);
        out.text(&word[end..]);
    }
    debug_assert!(!clause.contains(&format!("{NBSP} ")), "units stand behind a no-break space");
}
