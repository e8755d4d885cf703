//! The state of the desk, and what an action does to it.

use super::panels::{self, Shown};
use super::{Play, Reply, Request};
use crate::engine::analysis::Analysis;
use crate::engine::analyze;
use crate::engine::export::Target;
use crate::engine::params::{ParamId, by_key};
use crate::engine::scenario::{Draft, Scenario};
use crate::engine::sim::{FaultTable, HandedOver};
use crate::markup::{Changes, Html};
use crate::review::compare::{Side, compare};
use crate::review::document::Document;
use crate::review::markdown;
use crate::review::pack::{Extras, Faults, pack};
use std::collections::BTreeMap;

/// Id of the element that holds the view.
pub const ID: &str = "review";

/// Width of paper in CSS px that is sure to be there, A4 and Letter, and height of text on it.
const PAPER: (f64, f64) = (640.0, 11.0);

/// The word for the pasted configuration in place of a link, and the one for nothing chosen yet.
pub const PASTED: &str = "pasted";
pub const CHOOSE: &str = "choose";

/// Longest note to a finding.
const MAX_NOTE: usize = 300;

/// The desk.
#[derive(Default)]
pub struct Desk {
    inputs: Vec<(ParamId, String)>,
    analysis: Option<Analysis>,
    /// Inputs are wrong, so that the last answer stands.
    is_stale: bool,
    with: String,
    other: Option<Analysis>,
    /// What is wrong with the other side, in sentences.
    wrong: Vec<String>,
    pasted: HandedOver,
    accepted: BTreeMap<String, String>,
    faults: FaultTable,
    other_faults: FaultTable,
    /// The address of the page: links in what is taken away lead there.
    page: String,
    /// What the pasted text is called; empty for no name.
    named: String,
    frame: Option<(f64, f64)>,
    drawn: Vec<(String, String)>,
    shown: Html,
    /// What the simulator was last asked for.
    asked: Option<Vec<Play>>,
}

impl Desk {
    /// Does what is asked for.
    pub fn answer(&mut self, request: Request) -> Reply {
        let mut reply = Reply::default();
        let action = request.action.clone();
        self.take(request);
        let (verb, argument) = action.split_once(' ').unwrap_or((&action, ""));
        self.run(verb, argument);
        let document = self.document();
        match (verb, &document) {
            ("copy" | "save", Some(document)) if !self.is_stale => {
                let text = markdown::write(document);
                if verb == "copy" {
                    reply.copy = text;
                } else {
                    reply.file = Some((self.file_name(), text));
                }
            }
            ("copy" | "save", _) => {
                "Nothing was copied: inputs need attention.".clone_into(&mut reply.said);
            }
            _ => {}
        }
        self.show(document.as_ref(), &mut reply);
        reply.reads = self.with == PASTED;
        reply.play = self.plays();
        reply
    }

    fn take(&mut self, request: Request) {
        if let Some(inputs) = request.inputs {
            self.take_inputs(inputs);
        }
        if let Some(page) = request.page {
            self.page = page;
        }
        if let Some(named) = request.named {
            self.named = named;
        }
        if let Some(json) = request.pasted {
            self.pasted = HandedOver::from_json(&json);
            self.faults = FaultTable::default();
            self.asked = None;
        }
        if let Some(with) = request.with {
            self.take_other(with);
        }
        if let Some((side, text)) = request.faults {
            let table = FaultTable::from_text(&text);
            if side == "this" { self.faults = table } else { self.other_faults = table }
        }
        if request.frame.is_some() {
            self.frame = request.frame;
        }
    }

    fn take_inputs(&mut self, inputs: Vec<(ParamId, String)>) {
        let mut draft = Draft::default();
        for (id, text) in &inputs {
            draft.set(*id, text.clone());
        }
        match draft.check().and_then(|scenario| analyze(&scenario)) {
            Ok(analysis) => {
                if self.analysis.as_ref().is_none_or(|old| old.scenario != analysis.scenario) {
                    self.faults = FaultTable::default();
                }
                // What was accepted for one service was not accepted for another.
                if self.analysis.as_ref().is_some_and(|old| old.scenario.name != analysis.scenario.name) {
                    self.accepted.clear();
                }
                self.analysis = Some(analysis);
                self.inputs = inputs;
                self.is_stale = false;
            }
            Err(_) => self.is_stale = true,
        }
    }

    fn take_other(&mut self, with: String) {
        self.wrong.clear();
        self.other = None;
        self.other_faults = FaultTable::default();
        self.faults = FaultTable::default();
        self.asked = None;
        self.with = with;
        if self.with.is_empty() || self.with == PASTED || self.with == CHOOSE {
            return;
        }
        // Whatever stands before the mark is the address of some page.
        let link = self.with.rsplit_once('#').map_or(self.with.as_str(), |(_, fragment)| fragment);
        if let Some(why) = no_link(link) {
            self.wrong.push(why);
            return;
        }
        match Scenario::from_link(link) {
            Ok(Some(scenario)) => match analyze(&scenario) {
                Ok(analysis) => self.other = Some(analysis),
                Err(problems) => self.wrong = problems.into_iter().map(|p| p.message).collect(),
            },
            Ok(None) => self.wrong.push("The link has no scenario: nothing stands behind its #.".to_owned()),
            Err(error) => self.wrong = error.problems.into_iter().map(|p| p.message).collect(),
        }
    }

    fn run(&mut self, verb: &str, argument: &str) {
        let is_known =
            |code: &str| self.analysis.as_ref().is_some_and(|a| a.findings.iter().any(|f| f.code == code));
        match verb {
            "accept" if is_known(argument) && self.accepted.remove(argument).is_none() => {
                self.accepted.insert(argument.to_owned(), String::new());
            }
            "note" => {
                let (code, note) = argument.split_once(' ').unwrap_or((argument, ""));
                if let Some(kept) = self.accepted.get_mut(code) {
                    *kept = note.chars().take(MAX_NOTE).collect();
                }
            }
            _ => {}
        }
    }

    /// What the view shows: the pack, or the comparison.
    fn document(&self) -> Option<Document> {
        let analysis = &self.located(self.analysis.as_ref()?);
        if self.with.is_empty() {
            let faults = Faults::Played(self.faults.clone());
            let accepted = self.accepted.clone();
            return Some(pack(analysis, &Extras { target: Target::Envoy, faults, accepted }));
        }
        let (a, b, faults) = self.sides(analysis)?;
        Some(compare(&a, &b, faults).document())
    }

    fn sides(&self, analysis: &Analysis) -> Option<(Side, Side, Option<FaultTable>)> {
        if self.with == PASTED {
            let HandedOver::Read(reading) = &self.pasted else { return None };
            let mut notes: Vec<String> =
                reading.policy.not_simulated.iter().map(|note| format!("{note}.")).collect();
            if !reading.cluster.is_empty() {
                let cluster = &reading.cluster;
                notes.insert(0, format!("What is in force for the cluster {cluster} is compared."));
            }
            let a = Side::recommended("Recommended", analysis.clone());
            let name = if self.named.is_empty() { "Pasted" } else { &self.named };
            let b = Side::written(name, analysis.clone(), reading.policy.clone(), notes);
            return Some((a, b, Some(self.faults.clone())));
        }
        let other = self.located(self.other.as_ref()?);
        let a = Side::recommended("This scenario", analysis.clone());
        // A name that both have, or that nobody gave, tells nothing.
        let draft = Draft::of(&other.scenario);
        let given = draft.get(ParamId::Name);
        let name = if given.is_empty() || given == analysis.scenario.name { "Pasted" } else { given };
        let faults = self.faults.beside(&self.other_faults, &["This scenario", name]);
        let b = Side::recommended(name, other);
        Some((a, b, Some(faults)))
    }

    /// With the whole address as its link: what is taken away is not read on this page.
    fn located(&self, analysis: &Analysis) -> Analysis {
        Analysis { link: format!("{}{}", self.page, analysis.link), ..analysis.clone() }
    }

    /// What the simulator has to play for what is shown, where that has changed.
    fn plays(&mut self) -> Option<Vec<Play>> {
        let mut plays = Vec::new();
        let is_ready = self.with != CHOOSE
            && self.wrong.is_empty()
            && (self.with != PASTED || matches!(self.pasted, HandedOver::Read(_)));
        if self.analysis.is_some() && !self.is_stale && is_ready {
            plays.push(("this".to_owned(), self.inputs.clone()));
        }
        if let Some(other) = &self.other {
            let draft = Draft::of(&other.scenario);
            let texts = draft.entries().map(|(id, text)| (id, text.to_owned()));
            plays.push(("other".to_owned(), texts.collect()));
        }
        if self.asked.as_ref() == Some(&plays) {
            return None;
        }
        self.asked = Some(plays.clone());
        Some(plays)
    }

    fn file_name(&self) -> String {
        let name = self.analysis.as_ref().map_or("", |a| a.scenario.name.as_str());
        let safe: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let what = if self.with.is_empty() { "review" } else { "comparison" };
        format!("{}-{what}.md", safe.trim_matches('-'))
    }

    fn show(&mut self, document: Option<&Document>, reply: &mut Reply) {
        let mut now = Html::default();
        let pasted = match &self.pasted {
            HandedOver::Unusable(problems) if self.with == PASTED => problems.clone(),
            _ => Vec::new(),
        };
        let wrong = [self.wrong.clone(), pasted].concat();
        panels::desk(&mut now, &Shown { document, is_stale: self.is_stale, with: &self.with, wrong: &wrong });
        reply.changes = match now.changes(&self.shown) {
            Changes::All => vec![(ID.to_owned(), now.as_str().to_owned())],
            Changes::Slots(slots) => {
                slots.into_iter().map(|slot| (slot.id.to_owned(), slot.now.to_owned())).collect()
            }
        };
        self.shown = now;
        self.draw(document, reply);
    }

    /// Drawings that are new, or whose place was exchanged.
    fn draw(&mut self, document: Option<&Document>, reply: &mut Reply) {
        let Some(document) = document else { return };
        let mut drawings = document.drawings("paper", PAPER.0, PAPER.1);
        if let Some((width, text_px)) = self.frame.filter(|(width, _)| *width > 0.0) {
            drawings.extend(document.drawings("plot", width, text_px));
        }
        let is_exchanged =
            |id: &str| reply.changes.iter().any(|(_, html)| html.contains(&format!("id=\"{id}\"")));
        let new: Vec<(String, String)> =
            drawings.iter().filter(|d| !self.drawn.contains(d) || is_exchanged(&d.0)).cloned().collect();
        reply.changes.extend(new);
        self.drawn = drawings;
    }
}

/// Why a text is no link at all: none of its parts is an input, and its version is none. Of such a text one
/// sentence is worth more than all that a link would have to have.
fn no_link(text: &str) -> Option<String> {
    let keys = || text.split('&').map(|pair| pair.split_once('=').map_or(pair, |(key, _)| key));
    let problems = Scenario::from_link(text).err()?.problems;
    let is_input = keys().any(|key| by_key(key).is_some());
    let version = problems.into_iter().find(|problem| problem.field == "v").filter(|_| !is_input)?;
    Some(if keys().any(|key| key == "v") {
        version.message
    } else {
        "This is no link of Headroom: it has no version and no input. A link starts with #v=1. Copy the whole link again."
            .to_owned()
    })
}
