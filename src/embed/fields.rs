//! The inputs of the embed: few, in one or two lines.

use super::options::Options;
use crate::engine::params::{Default as ParamDefault, Kind, PARAMS, Param, ParamId, param};
use crate::engine::scenario::{Draft, Problem};
use crate::markup::{Html, Icon};

/// The inputs that are always offered.
const QUICK: [ParamId; 4] = [ParamId::Rps, ParamId::P99, ParamId::Clients, ParamId::Hosts];

/// Those of streams, whose life counts and not their latency.
const QUICK_STREAM: [ParamId; 4] = [ParamId::Rps, ParamId::StreamMean, ParamId::Clients, ParamId::Hosts];

/// What the inputs are written from.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// The texts.
    pub draft: &'a Draft,
    /// Locked and hidden ones.
    pub options: &'a Options,
    /// What is wrong with the texts.
    pub problems: &'a [Problem],
}

impl Fields<'_> {
    fn streams(&self) -> bool {
        self.draft.get(ParamId::Protocol) == "grpc_stream"
    }

    /// Whether an input means something for the protocol.
    fn is_asked(&self, p: &Param) -> bool {
        match p.path.first() {
            Some(&"latency_ms") => !self.streams(),
            Some(&"stream_duration_s") => self.streams(),
            _ => true,
        }
    }

    /// The inputs beside the answer, and those that are folded away.
    pub fn shown(&self) -> (Vec<&'static Param>, Vec<&'static Param>) {
        let quick = if self.streams() { QUICK_STREAM } else { QUICK };
        let is_up = |p: &&'static Param| quick.contains(&p.id) || self.options.locked.contains(&p.id);
        let offered = PARAMS.iter().filter(|p| self.is_asked(p) && !self.options.hidden.contains(&p.id));
        let (mut up, rest): (Vec<&'static Param>, Vec<_>) = offered.partition(is_up);
        // The few come first, in their order; what was locked follows.
        up.sort_by_key(|p| quick.iter().position(|id| *id == p.id).unwrap_or(quick.len()));
        let rest = if self.options.panels.is_some() { rest } else { Vec::new() };
        (up, rest)
    }

    /// Writes the inputs.
    pub fn write(&self, out: &mut Html) {
        let (up, rest) = self.shown();
        out.raw(
            "<form class=\"hr-embed__form\" id=\"form\" aria-label=\"Scenario\"><div class=\"hr-quick\">",
        );
        for p in up {
            self.field(out, p);
        }
        out.raw("</div>");
        if !rest.is_empty() {
            out.raw("<details class=\"hr-details\" id=\"more\"><summary>More inputs</summary><div class=\"hr-quick\">");
            for p in rest {
                self.field(out, p);
            }
            out.raw("</div></details>");
        }
        out.raw("</form>");
    }

    fn field(&self, out: &mut Html, p: &'static Param) {
        let is_locked = self.options.locked.contains(&p.id);
        out.raw("<div class=\"hr-field");
        if matches!(p.kind, Kind::Text { .. } | Kind::Choice(_)) {
            out.raw(" hr-field--word");
        }
        out.raw("\">");
        match p.kind {
            Kind::Flag => Self::flag(out, p, is_locked),
            Kind::Choice(words) => self.choice(out, p, words, is_locked),
            _ => self.text(out, p, is_locked),
        }
        self.error(out, p);
        out.raw("</div>");
    }

    fn label(&self, out: &mut Html, p: &Param) {
        out.put("<label for=\"{}\">{}</label>", &[&p.key, &label(p, self.streams())]);
    }

    fn text(&self, out: &mut Html, p: &'static Param, is_locked: bool) {
        self.label(out, p);
        let (class, keys) = match p.kind {
            Kind::Text { .. } => ("hr-input hr-input--text", "text"),
            Kind::Whole(_) => ("hr-input", "numeric"),
            _ => ("hr-input", "decimal"),
        };
        out.put(
            "<input class=\"{}\" id=\"{}\" name=\"{}\" inputmode=\"{}\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"{}\"",
            &[&class, &p.key, &p.key, &keys, &blank(p)],
        );
        out.raw(if is_locked { " readonly>" } else { ">" });
    }

    fn choice(&self, out: &mut Html, p: &'static Param, words: &[&str], is_locked: bool) {
        self.label(out, p);
        if is_locked {
            // A menu that cannot be opened is no menu: the word can still be read and copied.
            out.put(
                "<input class=\"hr-input hr-input--text\" id=\"{}\" name=\"{}\" readonly>",
                &[&p.key, &p.key],
            );
            return;
        }
        out.put("<select class=\"hr-input hr-input--text\" id=\"{}\" name=\"{}\">", &[&p.key, &p.key]);
        for word in words {
            out.put("<option value=\"{}\">{}</option>", &[word, word]);
        }
        out.raw("</select>");
    }

    fn flag(out: &mut Html, p: &'static Param, is_locked: bool) {
        let tag = if is_locked {
            "<label class=\"hr-pick\"><input type=\"checkbox\" id=\"{}\" name=\"{}\" disabled>{}</label>"
        } else {
            "<label class=\"hr-pick\"><input type=\"checkbox\" id=\"{}\" name=\"{}\">{}</label>"
        };
        out.put(tag, &[&p.key, &p.key, &p.label]);
    }

    fn error(&self, out: &mut Html, p: &Param) {
        out.begin("<div class=\"hr-embed__error\" id=\"{}\">", &format!("s-notes-{}", p.key));
        for problem in self.problems.iter().filter(|problem| problem.field == p.key) {
            out.put(
                "<p class=\"hr-field__error\" id=\"{}-error\">{}<span>{}</span></p>",
                &[&p.key, &Icon("danger", ""), &problem.message],
            );
        }
        out.end("</div>");
    }

    /// Id and text of every input that is shown.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        let (up, rest) = self.shown();
        up.into_iter().chain(rest).map(|p| (p.key, text_of(self.draft, p.id))).collect()
    }
}

/// The text that an input shows; a menu shows its default.
fn text_of(draft: &Draft, id: ParamId) -> String {
    let text = draft.get(id);
    match (param(id).kind, param(id).default) {
        (Kind::Choice(_), ParamDefault::Word(word)) if text.is_empty() => word.to_owned(),
        _ => text.to_owned(),
    }
}

/// A label that carries its unit: the embed has no column for it.
fn label(p: &Param, streams: bool) -> String {
    match (p.id, p.unit_label) {
        (ParamId::Rps, _) if streams => "streams/s".to_owned(),
        (ParamId::Rps, unit) => unit.to_owned(),
        (ParamId::P50 | ParamId::P75 | ParamId::P90 | ParamId::P95 | ParamId::P99 | ParamId::P999, unit) => {
            format!("{}, {unit}", p.label.trim_start_matches("Latency "))
        }
        (ParamId::Clients | ParamId::Hosts, _) | (_, "") => p.label.to_owned(),
        (_, unit) => format!("{}, {unit}", p.label),
    }
}

/// What an empty input counts as.
fn blank(p: &Param) -> String {
    match p.default {
        ParamDefault::Number(value) => crate::engine::units::display::input(value),
        ParamDefault::Word(word) => word.to_owned(),
        ParamDefault::Derived(_) => "derived".to_owned(),
        ParamDefault::Absent => "unknown".to_owned(),
        ParamDefault::Required => String::new(),
    }
}
