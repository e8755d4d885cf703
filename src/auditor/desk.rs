//! The state of the desk, and what an action does to it.

use super::panels::{self, View};
use super::{Reply, Request, example};
use crate::engine::audit::{Asked, Audit, audit, edit};
use crate::engine::params::ParamId;
use crate::engine::read::read;
use crate::engine::read::source::Input;
use crate::engine::rules::Severity;
use crate::engine::scenario::Draft;
use crate::engine::units::display;
use crate::markup::{Changes, Html};

/// Id of the element that holds the view.
pub const ID: &str = "audit";

/// Texts, inputs, what is shown of them, and the page that shows it.
#[derive(Debug, Default)]
pub struct Desk {
    files: Vec<Input>,
    /// The texts before the last change by a fix, to go back to.
    before: Option<Vec<Input>>,
    draft: Draft,
    asked: Asked,
    /// Inputs that are wrong and left out meanwhile.
    n_wrong: usize,
    audit: Option<Audit>,
    view: View,
    shown: Html,
}

impl Desk {
    /// Does what is asked for.
    pub fn answer(&mut self, request: Request) -> Reply {
        let mut reply = Reply::default();
        let has_inputs = request.inputs.is_some_and(|inputs| self.take_inputs(inputs));
        let mut has_text = request.files.is_some_and(|files| self.take_files(files));
        let (verb, argument) = request.action.split_once(' ').unwrap_or((&request.action, ""));
        has_text |= self.run(verb, argument, &mut reply);
        if has_text || has_inputs || self.audit.is_none() {
            self.judge();
            reply.fill = self.fill();
        }
        if let Some(audit) = self.audit.as_ref().filter(|_| has_text && reply.said.is_empty()) {
            reply.said = panels::spoken(audit);
        }
        self.show(&mut reply);
        reply
    }

    fn take_inputs(&mut self, inputs: Vec<(ParamId, String)>) -> bool {
        let mut draft = Draft::default();
        for (id, text) in inputs {
            draft.set(id, text);
        }
        if draft == self.draft {
            return false;
        }
        self.draft = draft;
        true
    }

    fn take_files(&mut self, files: Vec<Input>) -> bool {
        if files == self.files {
            return false;
        }
        // An empty paste is no file.
        self.files = files.into_iter().filter(|file| !file.text.trim().is_empty()).collect();
        self.before = None;
        self.view.file = self.view.file.min(self.files.len().saturating_sub(1));
        true
    }

    /// Whether what is judged has changed.
    fn run(&mut self, verb: &str, argument: &str, reply: &mut Reply) -> bool {
        let number = argument.parse().ok();
        match verb {
            "fix" => number.is_some_and(|at| self.fix(at, reply)),
            "fix-all" => self.fix_all(reply),
            "undo" => self.undo(reply),
            "example" => {
                self.replace(vec![Input::new(example::NAME, example::TEXT)], reply);
                true
            }
            "clear" => {
                self.replace(Vec::new(), reply);
                self.view = View::default();
                true
            }
            "show" => {
                self.view.only = [Severity::Error, Severity::Warning, Severity::Info]
                    .into_iter()
                    .find(|s| s.as_str() == argument);
                false
            }
            "file" => {
                self.view.file = number.unwrap_or(0);
                false
            }
            "edit" => {
                self.view.is_editing = !self.view.is_editing;
                false
            }
            "effective" => {
                self.view.has_effective = !self.view.has_effective;
                false
            }
            "compare" => {
                self.view.has_difference = !self.view.has_difference;
                false
            }
            "all-lines" => {
                self.view.is_unfolded = !self.view.is_unfolded;
                false
            }
            _ => false,
        }
    }

    fn replace(&mut self, files: Vec<Input>, reply: &mut Reply) {
        self.before = Some(std::mem::replace(&mut self.files, files));
        self.view.is_editing = false;
        self.view.file = self.view.file.min(self.files.len().saturating_sub(1));
        reply.files = Some(self.files.clone());
    }

    fn fix(&mut self, at: usize, reply: &mut Reply) -> bool {
        let Some(audit) = &self.audit else { return false };
        let applied = edit::apply(&self.files, audit, &[at]);
        if let Some((_, why)) = applied.refused.first() {
            reply.said = format!("Nothing was changed: {why}.");
            return false;
        }
        let code = audit.findings.get(at).map_or("", |f| f.code);
        reply.said = format!("{code} is fixed.");
        "h-findings".clone_into(&mut reply.go);
        self.replace(applied.inputs, reply);
        true
    }

    fn fix_all(&mut self, reply: &mut Reply) -> bool {
        let (files, left) = edit::apply_all(&self.files, &self.asked);
        if files == self.files {
            "Nothing was changed.".clone_into(&mut reply.said);
            return false;
        }
        let n = left.findings.len();
        reply.said = format!("Fixed. {} left.", display::plural(n as f64, "finding is", "findings are"));
        "h-findings".clone_into(&mut reply.go);
        self.replace(files, reply);
        true
    }

    fn undo(&mut self, reply: &mut Reply) -> bool {
        let Some(before) = self.before.take() else { return false };
        self.replace(before, reply);
        "The texts are as before.".clone_into(&mut reply.said);
        "h-findings".clone_into(&mut reply.go);
        true
    }

    fn judge(&mut self) {
        (self.asked, self.n_wrong) = self.asked();
        self.audit = (!self.files.is_empty()).then(|| audit(read(&self.files), &self.asked));
    }

    /// What the form says, without the inputs that are wrong.
    fn asked(&self) -> (Asked, usize) {
        let mut draft = self.draft.clone();
        let mut n_wrong = 0;
        // Each round takes out what it complains about, so it ends.
        while let Err(problems) = Asked::new(draft.clone()) {
            let before = draft.clone();
            for problem in &problems {
                if let Some(row) = crate::engine::params::by_key(&problem.field) {
                    draft.set(row.id, "");
                    n_wrong += 1;
                }
            }
            if draft == before {
                return (Asked::default(), n_wrong);
            }
        }
        (Asked::new(draft).unwrap_or_default(), n_wrong)
    }

    /// Name, hosts and protocol of the first cluster, while nothing was said of the traffic.
    fn fill(&self) -> Vec<(ParamId, String)> {
        let of_example = self.files.iter().any(|f| f.name == example::NAME);
        let Some(audit) = self.audit.as_ref().filter(|_| self.draft == Draft::default() && !of_example)
        else {
            return Vec::new();
        };
        let Some(cluster) = audit.configuration.clusters.first() else { return Vec::new() };
        let facts = cluster.facts();
        [
            (ParamId::Name, facts.name),
            (ParamId::Hosts, facts.hosts.map(|n| n.to_string())),
            (ParamId::Protocol, facts.protocol.map(|p| p.as_str().to_owned())),
        ]
        .into_iter()
        .filter_map(|(id, text)| Some((id, text?)))
        .collect()
    }

    fn show(&mut self, reply: &mut Reply) {
        let mut now = Html::default();
        let model = panels::Model {
            files: &self.files,
            audit: self.audit.as_ref(),
            asked: &self.asked,
            n_wrong: self.n_wrong,
            can_undo: self.before.as_ref().is_some_and(|before| !before.is_empty()),
            view: &self.view,
        };
        panels::desk(&mut now, &model);
        reply.changes = match now.changes(&self.shown) {
            Changes::All => vec![(ID.to_owned(), now.as_str().to_owned())],
            Changes::Slots(slots) => {
                slots.into_iter().map(|slot| (slot.id.to_owned(), slot.now.to_owned())).collect()
            }
        };
        self.shown = now;
    }
}
