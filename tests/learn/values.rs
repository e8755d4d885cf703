//! Numbers in the text: `{{name}}` is looked up in what was computed, so no number of a run or of the
//! sizing is typed by hand.
//!
//! - `wrong.KEY`, `right.KEY`: a measure of the run of a policy
//! - `wrong.counter.NAME`, `right.counter.NAME`: a counter of Envoy, all simulated proxies together
//! - `wrong.set.NAME`, `right.set.NAME`: a setting of a policy
//! - `number.ID`, `given.KEY`: a number of the ledger, an input of the scenario
//! - `fault.from`, `fault.to`, `fault.strength`, `fault.share`
//! - with `control=place,…/` before it: the same of a run with other choices

use headroom::engine::params::by_key;
use headroom::engine::scenario::Draft;
use headroom::engine::sim::compare::MEASURES;
use headroom::engine::sim::custom;
use headroom::engine::units::{Share, display};
use headroom::simulator::lessons::{Chosen, Lesson, Outcome, play};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The runs of a lesson, by choices.
pub struct Values {
    lesson: &'static Lesson,
    runs: RefCell<BTreeMap<String, Outcome>>,
}

impl Values {
    pub fn of(lesson: &'static Lesson) -> Self {
        Self { lesson, runs: RefCell::default() }
    }

    /// The run that the page is written with.
    pub fn default_run(&self) -> Outcome {
        self.run("")
    }

    fn run(&self, choices: &str) -> Outcome {
        let mut runs = self.runs.borrow_mut();
        runs.entry(choices.to_owned())
            .or_insert_with(|| {
                let mut chosen = Chosen::default_of(self.lesson);
                for choice in choices.split(',').filter(|choice| !choice.is_empty()) {
                    let (key, place) = choice.split_once('=').expect("control=place");
                    let before = chosen.clone();
                    chosen.choose(self.lesson, key, place);
                    assert_ne!(before, chosen, "{choice}: no such choice, or the default one");
                }
                play(self.lesson, &chosen).expect("lessons can be played")
            })
            .clone()
    }

    /// A text with its places filled.
    pub fn fill(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            if let Some(block) = after.strip_prefix('{') {
                let (name, tail) = block.split_once("}}}").expect("a block ends");
                for part in [before, "{{{", name, "}}}"] {
                    out += part;
                }
                rest = tail;
                continue;
            }
            let (name, tail) = after.split_once("}}").expect("a place ends");
            out += before;
            out += &self.value(name.trim());
            rest = tail;
        }
        out + rest
    }

    fn value(&self, name: &str) -> String {
        let (choices, name) = name.split_once('/').unwrap_or(("", name));
        value(&self.run(choices), name)
            .unwrap_or_else(|| panic!("{}: nothing is called {name}", self.lesson.id))
    }
}

fn value(outcome: &Outcome, name: &str) -> Option<String> {
    let (of, key) = name.split_once('.')?;
    match of {
        "wrong" => of_side(outcome, 0, key),
        "right" => of_side(outcome, 1, key),
        "number" => number(outcome, key),
        "given" => Some(grouped(Draft::of(&outcome.analysis.scenario).get(by_key(key)?.id).to_owned())),
        "fault" => fault(outcome, key),
        _ => None,
    }
}

fn of_side(outcome: &Outcome, side: usize, key: &str) -> Option<String> {
    let played = &outcome.sides[side];
    if let Some(name) = key.strip_prefix("counter.") {
        let n = played.report.counters.get(name)?;
        return Some(display::count(*n as f64));
    }
    if let Some(name) = key.strip_prefix("set.") {
        let texts = custom::texts(&played.experiment.policy);
        return texts.into_iter().find(|(of, _)| *of == name).map(|(_, text)| grouped(text));
    }
    let measure = MEASURES.iter().find(|measure| measure.key == key)?;
    (measure.of)(&played.report).map(|value| measure.shown(value))
}

/// 1024 as 1,024.
fn grouped(text: String) -> String {
    text.parse::<u32>().map_or(text, |n| display::count(f64::from(n)))
}

fn number(outcome: &Outcome, id: &str) -> Option<String> {
    let number = outcome.analysis.numbers.iter().find(|number| number.id == id)?;
    Some(shown(number.value?, number.unit))
}

/// A number of the ledger with its unit, as in the page.
pub fn shown(value: f64, unit: &str) -> String {
    if unit == "share" {
        return display::share(Share(value));
    }
    display::quantity(value, unit)
}

fn fault(outcome: &Outcome, key: &str) -> Option<String> {
    let fault = outcome.sides[0].experiment.faults.first()?;
    Some(match key {
        "from" => display::number(outcome.lesson.span_s.0),
        "to" => display::number(outcome.lesson.span_s.1),
        "strength" => display::number(fault.strength),
        "share" => display::share(Share(fault.share)),
        _ => return None,
    })
}
