//! The state of the desk, and what an action does to it.

use super::fields::Wrong;
use super::job::{Job, Progress};
use super::matrix::Matrix;
use super::panels::{self, Shown};
use super::request::{Frame, Reply, Request};
use super::setup::{SCENARIO, Setup};
use super::texts::Texts;
use super::{lessons, link, speed};
use crate::engine::analysis::Analysis;
use crate::engine::analyze;
use crate::engine::params::ParamId;
use crate::engine::scenario::Draft;
use crate::engine::sim::HandedOver as Pasted;
use crate::engine::sim::compare::{Row, rows};
use crate::engine::sim::verdict::{Side, Verdict, verdict};
use crate::engine::sim::{FaultKind, Report};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How long the desk works at a time, and how far apart two pictures are, in milliseconds.
const SLICE_MS: f64 = 40.0;
const PICTURE_MS: f64 = 95.0;

/// The first picture comes as soon as there is something in it.
const FIRST_MS: f64 = 15.0;

/// Runs that are whole, and what they show.
pub struct Whole {
    /// What was played.
    pub setup: Rc<Setup>,
    /// The runs of each policy.
    pub reports: [Vec<Report>; 2],
    /// In words.
    pub verdict: Verdict,
    /// In numbers.
    pub rows: Vec<Row>,
}

/// What the charts show: the runs with the first seed, whole or as far as they are.
pub struct Live {
    /// What is played.
    pub setup: Rc<Setup>,
    /// The run of each policy.
    pub reports: [Report; 2],
}

/// Why nothing is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Halt {
    /// Everything asked for was played.
    #[default]
    None,
    /// The person stopped it, with so many runs whole.
    Stopped(u32),
}

/// The desk.
#[derive(Default)]
pub struct Desk {
    pub(super) texts: Texts,
    pub(super) inputs: Vec<(ParamId, String)>,
    pub(super) analysis: Option<Rc<Analysis>>,
    pub(super) pasted: Pasted,
    pub(super) wrongs: Vec<Wrong>,
    pub(super) link_wrongs: Vec<Wrong>,
    pub(super) job: Option<Job>,
    pub(super) halt: Halt,
    pub(super) whole: Option<Whole>,
    pub(super) live: Option<Live>,
    pub(super) matrix: Option<Matrix>,
    pub(super) frame: Option<Frame>,
    pub(super) at: Option<f64>,
    pub(super) open_tables: BTreeSet<String>,
    is_still: bool,
    /// Whether the person wants to see again what was played already.
    is_again: bool,
    /// When the last picture was shown, by the caller's clock.
    drawn_at: f64,
    shown: Shown,
}

impl Desk {
    /// Does what is asked for; `clock` gives milliseconds since some moment.
    pub fn answer(&mut self, request: &Request, clock: &dyn Fn() -> f64) -> Reply {
        let (verb, argument) = request.action.split_once(' ').unwrap_or((&request.action, ""));
        if verb == "lesson" {
            // A page that teaches has no form of this view.
            return lessons::answer(argument, request.texts.as_deref().unwrap_or_default());
        }
        let mut reply = Reply::default();
        let mut is_new = self.take(request);
        is_new |= self.run(verb, argument, &mut reply, clock);
        if is_new {
            self.prepare();
        }
        let is_due = if verb == "work" { self.work(clock, &mut reply) } else { true };
        self.show(&mut reply, is_due);
        if is_due {
            self.drawn_at = clock();
        }
        reply.is_busy = self.job.is_some() || self.matrix.as_ref().is_some_and(|m| !m.rests());
        reply
    }

    /// Takes what came along; whether that changes what is played.
    fn take(&mut self, request: &Request) -> bool {
        let mut is_new = false;
        if let Some(inputs) = request.inputs.as_ref().filter(|inputs| **inputs != self.inputs) {
            self.inputs.clone_from(inputs);
            is_new = true;
        }
        if let Some(texts) = &request.texts {
            is_new |= self.take_texts(texts);
        }
        if let Some(json) = &request.pasted {
            self.pasted = Pasted::from_json(json);
            is_new = true;
        }
        if let Some(query) = &request.link {
            is_new |= self.take_link(query);
        }
        if let Some(frame) = request.frame {
            self.frame = Some(frame);
        }
        if let Some(at) = request.at.filter(|at| at.is_finite()) {
            self.at = Some(at);
        }
        if let Some(is_still) = request.is_still {
            self.is_still = is_still;
        }
        is_new
    }

    fn take_texts(&mut self, texts: &[(String, String)]) -> bool {
        let before = self.texts.clone();
        let find = |key: &str| texts.iter().find(|(k, _)| k == key).map(|(_, text)| text.as_str());
        if let Some(kind) = find("fault").and_then(FaultKind::from_word) {
            // The fields of the last kind are still on the page.
            if kind != self.texts.kind() {
                self.texts.pick(kind);
                return true;
            }
        }
        for (key, text) in texts.iter().filter(|(key, _)| key != "fault") {
            let is_default = matches!(
                (key.as_str(), text.as_str()),
                ("a", "recommended") | ("b", "envoy-defaults") | ("arrivals", "poisson")
            );
            self.texts.set(key, if is_default { "" } else { text });
        }
        self.texts != before
    }

    fn take_link(&mut self, query: &str) -> bool {
        let before = std::mem::take(&mut self.texts);
        match link::from_link(query) {
            Ok(texts) => {
                self.texts = texts;
                self.link_wrongs.clear();
            }
            Err(wrongs) => self.link_wrongs = wrongs,
        }
        // Numbers are checked against the scenario: a link may have come without its own.
        if let Some(analysis) = self.analyzed()
            && let Err(wrongs) = Setup::new(&self.texts, &analysis, &self.pasted)
        {
            let of_link = |w: &Wrong| w.key != SCENARIO && w.key != "pasted";
            let wrongs: Vec<Wrong> = wrongs.into_iter().filter(of_link).collect();
            if !wrongs.is_empty() {
                self.texts = Texts::default();
                self.link_wrongs.extend(wrongs);
            }
        }
        self.shown.forget_values();
        self.texts != before || self.live.is_none()
    }

    /// Whether what is played may have changed.
    fn run(&mut self, verb: &str, argument: &str, reply: &mut Reply, clock: &dyn Fn() -> f64) -> bool {
        match verb {
            "pick" => {
                if let Some(kind) = FaultKind::from_word(argument) {
                    self.texts.pick(kind);
                    self.shown.forget_values();
                }
                true
            }
            "run" => {
                self.is_again = true;
                true
            }
            "stop" => {
                self.stop();
                false
            }
            "matrix" => {
                if let Some(matrix) = &mut self.matrix {
                    matrix.set_stopped(argument == "stop");
                }
                false
            }
            "table" => {
                let (name, is_open) = argument.split_once(' ').unwrap_or((argument, "open"));
                if is_open == "open" {
                    self.open_tables.insert(name.to_owned());
                } else {
                    self.open_tables.remove(name);
                }
                false
            }
            "dismiss" => {
                self.link_wrongs.clear();
                false
            }
            "copy" => {
                reply.copy = panels::markdown(self);
                false
            }
            "speed" => {
                reply.copy = speed::measure(argument.parse().unwrap_or(1.0), clock).to_string();
                false
            }
            _ => false,
        }
    }

    fn analyzed(&self) -> Option<Rc<Analysis>> {
        let mut draft = Draft::default();
        for (id, text) in &self.inputs {
            draft.set(*id, text.clone());
        }
        let scenario = draft.check().ok()?;
        analyze(&scenario).ok().map(Rc::new)
    }

    /// Reads everything, and begins to play what is new.
    fn prepare(&mut self) {
        let setup = match self.analyzed() {
            None => Err(vec![Wrong {
                key: SCENARIO.to_owned(),
                label: "Scenario".to_owned(),
                message: "Inputs of the scenario need attention: correct them in the Size view.".to_owned(),
            }]),
            Some(analysis) => {
                self.analysis = Some(Rc::clone(&analysis));
                Setup::new(&self.texts, &analysis, &self.pasted)
            }
        };
        match setup {
            Ok(setup) => {
                self.wrongs.clear();
                self.play(Rc::new(setup));
            }
            Err(wrongs) => {
                // What was asked for before is nobody's question any more.
                self.job = None;
                self.wrongs = wrongs;
            }
        }
    }

    fn play(&mut self, setup: Rc<Setup>) {
        let is_shown = self.live.as_ref().is_some_and(|live| is_same(&live.setup, &setup));
        let is_again = std::mem::take(&mut self.is_again);
        if is_shown && !is_again && (self.job.is_some() || self.halt == Halt::None) {
            return;
        }
        if !self.matrix.as_ref().is_some_and(|matrix| matrix.suits(&setup)) {
            self.matrix = Some(Matrix::new(Rc::clone(&setup)));
        }
        self.halt = Halt::None;
        let job = Job::new(Rc::clone(&setup));
        self.live = Some(Live { setup, reports: job.first() });
        self.job = Some(job);
        // Whatever was looked at belongs to another run.
        self.drawn_at = f64::NEG_INFINITY;
    }

    fn stop(&mut self) {
        let Some(job) = self.job.take() else { return };
        self.halt = Halt::Stopped(job.n_whole());
        self.live = Some(Live { setup: Rc::clone(job.setup()), reports: job.first() });
        if job.n_whole() > 0 {
            self.judge(job);
        }
        if let Some(matrix) = &mut self.matrix {
            matrix.set_stopped(true);
        }
    }

    /// Plays for a slice; whether it is time for a picture.
    fn work(&mut self, clock: &dyn Fn() -> f64, reply: &mut Reply) -> bool {
        let start = clock();
        let is_first = self.drawn_at == f64::NEG_INFINITY;
        let slice = if is_first && self.job.is_some() { FIRST_MS } else { SLICE_MS };
        while clock() - start < slice {
            if let Some(job) = &mut self.job {
                job.step();
                if job.is_done() {
                    self.finish(reply);
                    return true;
                }
            } else if let Some(matrix) = self.matrix.as_mut().filter(|m| !m.rests()) {
                matrix.step();
            } else {
                return true;
            }
        }
        let is_due = is_first || clock() - self.drawn_at >= PICTURE_MS;
        if let Some(job) = self.job.as_ref().filter(|_| is_due && !self.is_still) {
            self.live = Some(Live { setup: Rc::clone(job.setup()), reports: job.first() });
        }
        is_due
    }

    fn finish(&mut self, reply: &mut Reply) {
        let Some(job) = self.job.take() else { return };
        self.live = Some(Live { setup: Rc::clone(job.setup()), reports: job.first() });
        self.judge(job);
        if let Some(whole) = &self.whole {
            let reason = whole.verdict.reason.as_ref();
            let reason = reason.map(|r| format!(" {}: {}", r.lead, r.words)).unwrap_or_default();
            reply.said = format!("{}{reason}", whole.verdict.sentence);
        }
    }

    fn judge(&mut self, job: Job) {
        let setup = Rc::clone(job.setup());
        let reports = job.into_whole();
        let side = |k: usize| Side { name: setup.names[k], policy: &setup.policies[k], reports: &reports[k] };
        let verdict = verdict(&setup.prepared[0].experiment, &[side(0), side(1)]);
        let rows = rows(&reports[0], Some(&reports[1]));
        self.whole = Some(Whole { setup, reports, verdict, rows });
    }

    /// How far the runs are; `None` while nothing is played.
    pub(super) fn progress(&self) -> Option<Progress> {
        self.job.as_ref().map(Job::progress)
    }

    /// Whether the answer in words is not that of the inputs, or not yet.
    pub(super) fn is_stale(&self) -> bool {
        if !self.wrongs.is_empty() || self.job.is_some() {
            return true;
        }
        match (&self.whole, &self.live) {
            (Some(whole), Some(live)) => !is_same(&whole.setup, &live.setup),
            _ => false,
        }
    }

    /// The time that is looked at, within the run that is shown.
    pub(super) fn looked_at(&self) -> Option<f64> {
        let setup = &self.live.as_ref()?.setup;
        let (from, to) = setup.span();
        let end = setup.plan.duration.as_secs();
        Some(self.at.unwrap_or(f64::midpoint(from, to)).clamp(0.0, end))
    }

    fn show(&mut self, reply: &mut Reply, is_due: bool) {
        let mut shown = std::mem::take(&mut self.shown);
        if is_due {
            shown.update(self, reply);
        }
        self.shown = shown;
        reply.invalid = self.wrongs.iter().map(|wrong| format!("sim-{}", wrong.key)).collect();
        if self.wrongs.is_empty()
            && let Some(live) = &self.live
        {
            reply.link.clone_from(&live.setup.link);
        }
        if let (Some(live), Some(at)) = (&self.live, self.looked_at()) {
            let share = at / live.setup.plan.duration.as_secs();
            reply.at = (share, panels::spoken(live, at));
        }
    }
}

/// Whether two experiments are one: the same would be played.
fn is_same(a: &Setup, b: &Setup) -> bool {
    a.link == b.link && a.policies == b.policies && a.analysis.scenario == b.analysis.scenario
}
