//! What happens in the embed: texts in, exchanges of HTML, a link and JSON out.
//!
//! It knows no browser, so all of it is tested on the host.

use super::options::Options;
use super::panels::{self, Model};
use crate::engine::analysis::Analysis;
use crate::engine::analyze;
use crate::engine::export::{Target, export};
use crate::engine::params::by_key;
use crate::engine::scenario::{Draft, Preset, Problem, Scenario};
use crate::markup::{Changes, Html};

/// The element that holds the embed.
pub const ID: &str = "embed";

/// The embed's state.
#[derive(Debug)]
pub struct Desk {
    options: Options,
    draft: Draft,
    answer: Analysis,
    problems: Vec<Problem>,
    notices: Vec<String>,
    by_hand: bool,
    shown: Html,
}

/// What the page does after a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Insides of elements to exchange: id and HTML.
    pub changes: Vec<(String, String)>,
    /// Texts of the inputs where they were set by somebody else than the person.
    pub values: Vec<(&'static str, String)>,
    /// Ids of inputs that are wrong.
    pub invalid: Vec<String>,
    /// What a screen reader is told; empty for nothing.
    pub said: String,
    /// The problems of what the host has sent, as JSON; empty for none.
    pub refused: String,
}

impl Default for Desk {
    fn default() -> Self {
        let preset = Preset::first_paint();
        Self {
            options: Options::default(),
            draft: preset.draft(),
            answer: analyze(&preset.scenario()).expect("a test analyzes every preset"),
            problems: Vec::new(),
            notices: Vec::new(),
            by_hand: false,
            shown: Html::default(),
        }
    }
}

impl Desk {
    /// Starts with the query and the fragment of the address.
    pub fn start(&mut self, query: &str, fragment: &str) -> Reply {
        self.options = Options::from_query(query);
        match Scenario::from_link(fragment).map_err(|error| error.problems).and_then(|s| match s {
            Some(scenario) => self.take(&scenario),
            None => Ok(()),
        }) {
            Ok(()) => {}
            Err(problems) => self.notices = vec![no_scenario("Shown is an example.", &problems)],
        }
        self.all()
    }

    /// Follows the address, whose fragment was changed. One without a scenario is said as at the start, and to
    /// the host.
    pub fn follow(&mut self, fragment: &str) -> Reply {
        let scenario = Scenario::from_link(fragment).map_err(|error| error.problems);
        let scenario = scenario.map(|scenario| scenario.unwrap_or_else(|| Preset::first_paint().scenario()));
        let Err(problems) = scenario.and_then(|scenario| self.take(&scenario)) else {
            return self.taken();
        };
        let said = no_scenario("The inputs stay as they are.", &problems);
        let refused = serde_json::to_string(&problems).expect("structs with text keys have a JSON form");
        let mut reply = Reply { refused, said: said.clone(), ..Reply::default() };
        self.notices = vec![said];
        self.show(&mut reply);
        reply
    }

    /// Takes other settings from the host.
    pub fn choose(&mut self, query: &str) -> Reply {
        self.options = Options::from_query(query);
        self.all()
    }

    /// Takes what a person has typed.
    pub fn typed(&mut self, key: &str, text: &str) -> Reply {
        let Some(p) = by_key(key).filter(|p| !self.options.locked.contains(&p.id)) else {
            return Reply::default();
        };
        self.draft.set(p.id, text);
        self.notices.clear();
        let answered = self.draft.check().and_then(|scenario| analyze(&scenario));
        match answered {
            Ok(answer) => {
                self.answer = answer;
                self.problems.clear();
            }
            Err(problems) => self.problems = problems,
        }
        let mut reply = Reply::default();
        // Another protocol asks for other inputs, which are there with their texts.
        if key == "protocol" {
            reply.values = self.fields();
        }
        self.show(&mut reply);
        reply
    }

    /// Takes a scenario from the host as JSON.
    pub fn set_json(&mut self, json: &str) -> Reply {
        let scenario = Scenario::from_json(json);
        self.set(scenario)
    }

    /// Takes a scenario from the host as a link.
    pub fn set_link(&mut self, link: &str) -> Reply {
        let scenario = Scenario::from_link(link).map_err(|error| error.problems);
        self.set(scenario.map(|scenario| scenario.unwrap_or_else(|| Preset::first_paint().scenario())))
    }

    /// Shows the configuration, for copying by hand.
    pub fn by_hand(&mut self) -> Reply {
        self.by_hand = true;
        self.all()
    }

    /// The configuration; empty while inputs are wrong.
    pub fn yaml(&self) -> String {
        if self.problems.is_empty() { export(&self.answer, Target::Envoy) } else { String::new() }
    }

    /// Scenario and analysis as JSON: `{"scenario": …, "analysis": …}`; empty while inputs are wrong.
    pub fn json(&self) -> String {
        if !self.problems.is_empty() {
            return String::new();
        }
        let json =
            |result: serde_json::Result<String>| result.expect("structs with text keys have a JSON form");
        let scenario = json(serde_json::to_string(&self.answer.scenario));
        let analysis = json(serde_json::to_string(&self.answer));
        format!("{{\"scenario\":{scenario},\"analysis\":{analysis}}}")
    }

    /// The texts of the scenario, for the simulator.
    pub fn inputs(&self) -> Vec<(&'static str, String)> {
        let draft = Draft::of(&self.answer.scenario);
        draft.entries().map(|(id, text)| (crate::engine::params::param(id).key, text.to_owned())).collect()
    }

    /// What the host has chosen.
    pub fn options(&self) -> &Options {
        &self.options
    }

    fn set(&mut self, scenario: Result<Scenario, Vec<Problem>>) -> Reply {
        match scenario.and_then(|scenario| self.take(&scenario)) {
            Ok(()) => self.taken(),
            // What is shown stays: half a scenario is nobody's.
            Err(problems) => {
                let refused = serde_json::to_string(&problems);
                Reply {
                    refused: refused.expect("structs with text keys have a JSON form"),
                    ..Reply::default()
                }
            }
        }
    }

    fn taken(&mut self) -> Reply {
        self.notices.clear();
        let mut reply = self.all();
        reply.said = self.answer.headline.sentence_text();
        reply
    }

    fn take(&mut self, scenario: &Scenario) -> Result<(), Vec<Problem>> {
        self.answer = analyze(scenario)?;
        self.draft = Draft::of(scenario);
        self.problems.clear();
        Ok(())
    }

    fn all(&mut self) -> Reply {
        let mut reply = Reply { values: self.fields(), ..Reply::default() };
        self.show(&mut reply);
        reply
    }

    fn fields(&self) -> Vec<(&'static str, String)> {
        super::fields::Fields { draft: &self.draft, options: &self.options, problems: &self.problems }
            .values()
    }

    fn show(&mut self, reply: &mut Reply) {
        let mut now = Html::default();
        panels::embed(
            &mut now,
            &Model {
                answer: &self.answer,
                draft: &self.draft,
                problems: &self.problems,
                options: &self.options,
                notices: &self.notices,
                by_hand: self.by_hand,
            },
        );
        reply.changes = match now.changes(&self.shown) {
            Changes::All => vec![(ID.to_owned(), now.as_str().to_owned())],
            Changes::Slots(slots) => {
                slots.into_iter().map(|slot| (slot.id.to_owned(), slot.now.to_owned())).collect()
            }
        };
        // All inputs were written anew, without their texts.
        if matches!(reply.changes.as_slice(), [(id, _)] if id == ID) {
            reply.values = self.fields();
        }
        reply.invalid = self.problems.iter().map(|problem| problem.field.clone()).collect();
        if !reply.changes.is_empty() && self.problems.is_empty() && reply.said.is_empty() {
            reply.said = self.answer.headline.sentence_text();
        }
        self.shown = now;
    }
}

/// That an address has no scenario, in the words of the page.
fn no_scenario(shown: &str, problems: &[Problem]) -> String {
    let words = problems.iter().map(in_words).collect::<Vec<_>>().join(" ");
    format!("This link gives no scenario. {shown} {words}")
}

fn in_words(problem: &Problem) -> String {
    let label = by_key(&problem.field).map_or(problem.field.as_str(), |p| p.label);
    format!("{label}: {}", problem.message)
}
