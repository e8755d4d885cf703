//! Two scenarios, or two policies, side by side: what differs, and what that does.

mod effects;
mod settings;

pub use effects::Effect;
pub use settings::{Group, Setting, settings};

use super::document::{Block, Document, Mark, Section, Table, difference};
use super::pack::{fault_table, input_text, plain};
use crate::engine::analysis::Analysis;
use crate::engine::export::{Target, export};
use crate::engine::params::PARAMS;
use crate::engine::scenario::Draft;
use crate::engine::sim::{FaultTable, Policy};
use serde::Serialize;

/// One of the two.
#[derive(Clone, Debug)]
pub struct Side {
    /// What to call it: a file, `This scenario`, `Pasted`.
    pub name: String,
    /// The traffic that it is for.
    pub analysis: Analysis,
    /// What is in force.
    pub policy: Policy,
    /// Whether the policy is what Headroom recommends for that traffic.
    pub is_recommended: bool,
    /// Whether the traffic is known: without it nothing is said of refusals and exposure.
    pub has_traffic: bool,
    /// What is worth knowing about it, as sentences.
    pub notes: Vec<String>,
}

impl Side {
    /// A scenario with what is recommended for it.
    pub fn recommended(name: &str, analysis: Analysis) -> Self {
        let policy = Policy::recommended(&analysis);
        Self {
            name: name.to_owned(),
            analysis,
            policy,
            is_recommended: true,
            has_traffic: true,
            notes: Vec::new(),
        }
    }

    /// A policy that somebody wrote, for the traffic of a scenario.
    pub fn written(name: &str, analysis: Analysis, policy: Policy, notes: Vec<String>) -> Self {
        Self { name: name.to_owned(), analysis, policy, is_recommended: false, has_traffic: true, notes }
    }
}

/// What differs.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Whether inputs and settings are all the same.
    pub same: bool,
    /// What the sides are called.
    pub names: [String; 2],
    /// Inputs that differ: label, and the text in both.
    pub inputs: Vec<Differing>,
    /// Settings that differ.
    pub settings: Vec<Differing>,
    /// What both do, whether it differs or not.
    pub effects: Vec<Effect>,
    /// What both cost in ten faults; none where nothing was simulated.
    #[serde(skip)]
    pub faults: Option<FaultTable>,
    /// Lines that differ, with what is around them.
    #[serde(skip)]
    pub lines: Vec<(Mark, String)>,
    /// What the lines are of.
    #[serde(skip)]
    pub lines_of: &'static str,
    /// What is worth knowing about the sides, as sentences.
    pub notes: Vec<String>,
}

/// Something that has a text on either side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Differing {
    /// What it belongs to.
    pub group: &'static str,
    /// What it is called.
    pub name: String,
    /// On the first side.
    pub a: String,
    /// On the second side.
    pub b: String,
}

/// Names that are longer stand once, above the tables.
const MAX_NAME: usize = 24;

/// Compares the two.
pub fn compare(a: &Side, b: &Side, faults: Option<FaultTable>) -> Comparison {
    let inputs = inputs(a, b);
    let settings = settings::differences(&a.policy, &b.policy);
    let (lines, lines_of) = if a.is_recommended && b.is_recommended {
        let text = |side: &Side| export(&side.analysis, Target::Envoy);
        (difference(&text(a), &text(b)), "The YAML of both")
    } else {
        let text = |side: &Side| settings::text(&side.policy);
        (difference(&text(a), &text(b)), "What is in force in both, one setting a line")
    };
    Comparison {
        same: inputs.is_empty() && a.policy == b.policy,
        names: [a.name.clone(), b.name.clone()],
        inputs,
        settings,
        effects: if a.has_traffic && b.has_traffic { effects::effects(a, b) } else { Vec::new() },
        faults,
        lines,
        lines_of,
        notes: [a, b]
            .iter()
            .flat_map(|side| side.notes.iter().map(|note| format!("{}: {note}", plain(&side.name))))
            .collect(),
    }
}

fn inputs(a: &Side, b: &Side) -> Vec<Differing> {
    let drafts = [a, b].map(|side| Draft::of(&side.analysis.scenario));
    let differing = PARAMS.iter().filter(|p| drafts[0].get(p.id) != drafts[1].get(p.id));
    differing
        .map(|p| {
            let [a, b] = [a, b].map(|side| input_text(p, &side.analysis));
            Differing { group: "input", name: p.label.to_owned(), a, b }
        })
        .collect()
}

impl Comparison {
    /// How much differs, in a sentence.
    pub fn verdict(&self) -> String {
        let count =
            |n: usize, one: &str, many: &str| crate::engine::units::display::plural(n as f64, one, many);
        if self.same {
            return "No difference: the same inputs and the same settings.".to_owned();
        }
        if self.inputs.is_empty() && self.settings.is_empty() {
            return "What can be compared is the same; they differ in settings that are not played (see the notes)."
                .to_owned();
        }
        format!(
            "{} and {} differ.",
            count(self.inputs.len(), "input", "inputs"),
            count(self.settings.len(), "setting", "settings")
        )
    }

    /// As a document.
    pub fn document(&self) -> Document {
        let names = self.names.clone().map(|name| plain(&name));
        let is_short = names.iter().all(|name| name.chars().count() <= MAX_NAME);
        let [a, b] = if is_short { names.clone() } else { ["A", "B"].map(str::to_owned) };
        let about =
            if is_short { Vec::new() } else { vec![format!("A is {}; B is {}.", names[0], names[1])] };
        let mut sections = vec![Section {
            id: "verdict",
            title: "What differs".to_owned(),
            blocks: vec![Block::Lead(self.verdict())],
        }];
        let mut differing = |rows: &[Differing], caption: &str| {
            if rows.is_empty() {
                return;
            }
            let mut table = Table::new(caption, &["", "what"]);
            table.columns.extend([(a.clone(), false), (b.clone(), false)]);
            for row in rows {
                table.row([
                    format!("`{}`", plain(&row.name)),
                    row.group.to_owned(),
                    plain(&row.a),
                    plain(&row.b),
                ]);
            }
            if let Some(first) = sections.first_mut() {
                first.blocks.push(Block::Table(table));
            }
        };
        differing(&self.inputs, "Inputs that differ");
        differing(&self.settings, "Settings that differ");
        if !self.effects.is_empty() {
            sections.push(self.effects_section(&a, &b));
        }
        sections.extend(self.faults_section(&[a.clone(), b.clone()]));
        if !self.lines.is_empty() {
            let blocks = vec![
                Block::Text(format!("{}; - is {a}, + is {b}.", self.lines_of)),
                Block::Difference(self.lines.clone()),
            ];
            sections.push(Section { id: "lines", title: "Line by line".to_owned(), blocks });
        }
        if !self.notes.is_empty() {
            let blocks = vec![Block::List(self.notes.iter().map(|note| plain(note)).collect())];
            sections.push(Section { id: "notes", title: "Notes".to_owned(), blocks });
        }
        Document { title: format!("{a} against {b}"), about, link: None, sections }
    }

    fn effects_section(&self, a: &str, b: &str) -> Section {
        let mut table = Table::new("Effect of both", &["effect"]);
        table.columns.extend([(a.to_owned(), true), (b.to_owned(), true)]);
        for effect in &self.effects {
            table.row([effect.what.clone(), effect.a.clone(), effect.b.clone()]);
        }
        Section {
            id: "effects",
            title: "Refusals and exposure".to_owned(),
            blocks: vec![
                Block::Table(table),
                Block::Text(
                    "Refusals are those of the busiest proxy in the worst second, DEFAULT priority, each side with its own traffic."
                        .to_owned(),
                ),
            ],
        }
    }

    fn faults_section(&self, names: &[String]) -> Option<Section> {
        let faults = self.faults.as_ref().filter(|faults| !faults.rows.is_empty())?;
        let faults = &FaultTable { names: names.to_vec(), ..faults.clone() };
        let mut blocks = vec![Block::Text(faults.about.clone()), Block::Table(fault_table(faults))];
        if !faults.is_whole() {
            let (done, all) = faults.progress;
            blocks.push(Block::Text(format!("{done} of {all} runs are played; the rest is open.")));
        }
        Some(Section { id: "faults", title: "Recovery: ten faults, simulated".to_owned(), blocks })
    }
}
