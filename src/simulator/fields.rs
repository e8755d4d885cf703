//! The numbers of the form: labels, units, defaults, ranges, and how they are read.

use super::texts::Texts;
use crate::engine::params::Unit;
use crate::engine::scenario::Scenario;
use crate::engine::sim::FaultKind;
use crate::engine::sim::Hosts;
use crate::engine::sim::Nanos;
use crate::engine::units::display::{self, echo};
use crate::engine::units::parse;

/// A number of the form.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Key, and with `sim-` before it the id.
    pub key: &'static str,
    /// Label.
    pub label: &'static str,
    /// Unit beside the input.
    pub unit: String,
    /// What it is where nothing is typed.
    pub default: f64,
    /// Lowest and highest.
    pub range: (f64, f64),
    /// Whether fractions have no meaning.
    pub is_whole: bool,
}

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Key of the input.
    pub key: String,
    /// Its label.
    pub label: String,
    /// What is wrong, what is allowed and what to do.
    pub message: String,
}

/// The longest run of the page, in seconds.
pub const LONGEST_S: f64 = 3600.0;
/// The largest seed: whole numbers are exact up to it in every program that a link may pass.
const LARGEST_SEED: f64 = 9_007_199_254_740_991.0;

fn field(key: &'static str, label: &'static str, unit: &str, default: f64, range: (f64, f64)) -> Field {
    Field { key, label, unit: unit.to_owned(), default, range, is_whole: false }
}

fn whole(key: &'static str, label: &'static str, unit: &str, default: f64, range: (f64, f64)) -> Field {
    Field { is_whole: true, ..field(key, label, unit, default, range) }
}

/// The fields that a kind of fault takes, in a run of that length.
pub fn of_fault(kind: FaultKind, scenario: &Scenario, length: f64) -> Vec<Field> {
    let spec = kind.spec();
    let (hosts, clients) = (scenario.hosts, scenario.clients);
    let filled = kind.fault(Nanos::ZERO, Nanos::ZERO, hosts, clients);
    let n = |part: &Hosts| if let Hosts::Count(n) = part { f64::from(*n) } else { 1.0 };
    let mut fields = Vec::new();
    let of = |n: u32| format!("of {}", display::count(f64::from(n)));
    if spec.takes.hosts {
        let range = (1.0, f64::from(hosts));
        fields.push(whole("hosts", "Hosts affected", &of(hosts), n(&filled.hosts), range));
    }
    if spec.takes.clients {
        let range = (1.0, f64::from(clients));
        fields.push(whole("clients", "Proxies affected", &of(clients), n(&filled.clients), range));
    }
    if spec.takes.share {
        fields.push(field("share", "Requests affected", "%", spec.share * 100.0, (0.0, 100.0)));
    }
    if let Some(s) = spec.strength {
        fields.push(field("strength", s.label, s.unit, s.default, (s.min, s.max)));
    }
    if kind == FaultKind::Latency {
        fields.push(field("add", "Latency added", "ms", 0.0, (0.0, 86_400_000.0)));
    }
    let third = display::round_to(length / 3.0, 2);
    fields.push(field("from", "Starts at", "s", third, (0.0, LONGEST_S)));
    fields.push(field("lasts", "Lasts", "s", third, (0.001, LONGEST_S)));
    fields
}

/// Length of the run.
pub fn length() -> Field {
    field("length", "Length", "s", 60.0, (1.0, LONGEST_S))
}

/// The numbers of the run.
pub fn of_run(is_closed: bool) -> Vec<Field> {
    let mut fields = vec![
        length(),
        whole("runs", "Runs", "seeds", 5.0, (1.0, 20.0)),
        whole("seed", "First seed", "", 42.0, (0.0, LARGEST_SEED)),
    ];
    if is_closed {
        fields.push(whole("callers", "Callers", "a proxy", 10.0, (1.0, 10_000.0)));
        fields.push(field("think", "Think time", "ms", 1000.0, (0.0, 3_600_000.0)));
    }
    fields
}

impl Field {
    /// The number that the texts give, or what is wrong with it.
    pub fn read(&self, texts: &Texts) -> Result<f64, Wrong> {
        let text = texts.get(self.key);
        if text.is_empty() {
            return Ok(self.default);
        }
        let unit = match self.unit.as_str() {
            "s" => Unit::S,
            "ms" => Unit::Ms,
            "times" => Unit::Times,
            _ => Unit::None,
        };
        // The unit says percent already; its sign changes nothing.
        let bare = if self.unit == "%" { text.trim_end_matches('%') } else { text };
        let wrong = |what: String| Wrong {
            key: self.key.to_owned(),
            label: self.label.to_owned(),
            message: format!("{what} Enter {}.", self.allowed()),
        };
        let value =
            parse::number(bare, unit).map_err(|_| wrong(format!("“{}” is not a number.", echo(text))))?;
        if value < self.range.0 || value > self.range.1 {
            return Err(wrong(format!("{} is out of range.", echo(text))));
        }
        if self.is_whole && value.fract() != 0.0 {
            return Err(wrong(format!("{} is not a whole number.", echo(text))));
        }
        Ok(value)
    }

    /// What the input takes: `1 to 12`, `seconds, 0 to 3,600`.
    fn allowed(&self) -> String {
        let what = match self.unit.as_str() {
            "s" => "seconds, ",
            "ms" => "milliseconds, ",
            "%" => "percent, ",
            _ if self.is_whole => "a whole number, ",
            _ => "",
        };
        format!("{what}{} to {}", display::number(self.range.0), display::number(self.range.1))
    }
}
