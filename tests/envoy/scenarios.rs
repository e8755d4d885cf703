//! Random valid scenarios, made from the table of inputs: the same ones in every run.

use headroom::engine::analysis::Analysis;
use headroom::engine::analyze;
use headroom::engine::params::{Kind, PARAMS, Param, ParamId, Range};
use headroom::engine::scenario::{Draft, Protocol};

/// A small generator (SplitMix64): the same numbers everywhere.
pub struct Random(u64);

impl Random {
    /// The stream of numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in (0, 1).
    pub fn unit(&mut self) -> f64 {
        const TWO_TO_53: f64 = 9_007_199_254_740_992.0;
        ((self.next() >> 11) as f64 + 0.5) / TWO_TO_53
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("smaller than a usize")
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// An analysis of some valid scenario of that protocol.
pub fn analysis(random: &mut Random, protocol: Protocol) -> Analysis {
    loop {
        if let Some(analysis) = attempt(random, protocol) {
            return analysis;
        }
    }
}

/// Inputs that contradict each other are given up one after the other, as a person would.
fn attempt(random: &mut Random, protocol: Protocol) -> Option<Analysis> {
    const ROUNDS: usize = 6;
    let mut draft = Draft::default();
    for p in PARAMS {
        draft.set(p.id, text(random, p));
    }
    draft.set(ParamId::Protocol, protocol.as_str());
    draft.set(ParamId::Name, name(random));
    for _ in 0..ROUNDS {
        let problems = match draft.check().and_then(|scenario| analyze(&scenario)) {
            Ok(analysis) => return Some(analysis),
            Err(problems) => problems,
        };
        for problem in problems {
            let p = PARAMS.iter().find(|p| p.key == problem.field)?;
            let is_empty = draft.get(p.id).is_empty() || matches!(p.id, ParamId::Rps | ParamId::P50);
            draft.set(p.id, if is_empty { number(random, p) } else { String::new() });
        }
    }
    None
}

/// A text for an input: often none, sometimes an end of the range.
fn text(random: &mut Random, p: &Param) -> String {
    match p.kind {
        _ if random.below(3) == 0 => String::new(),
        Kind::Choice(words) => (*random.pick(words)).to_owned(),
        Kind::Flag => (*random.pick(&["true", "false"])).to_owned(),
        Kind::Text { .. } => String::new(),
        Kind::Number(_) | Kind::Whole(_) => number(random, p),
    }
}

fn number(random: &mut Random, p: &Param) -> String {
    let (Kind::Number(range) | Kind::Whole(range)) = p.kind else { return String::new() };
    let value = within(random, range);
    let value = if matches!(p.kind, Kind::Whole(_)) { value.round().max(range.min) } else { value };
    value.to_string()
}

/// Log-uniform, so that small values are as likely as large ones.
fn within(random: &mut Random, range: Range) -> f64 {
    let low = if range.min > 0.0 { range.min } else { range.max * 1e-9 };
    match random.below(12) {
        0 => range.max,
        1 if range.above_min => low,
        1 => range.min,
        _ => (low.ln() + random.unit() * (range.max.ln() - low.ln())).exp().clamp(low, range.max),
    }
}

/// Words that YAML readers take for something else than text.
pub const TRAPS: &[&str] = &[
    "yes",
    "No",
    "ON",
    "off",
    "y",
    "N",
    "true",
    "FALSE",
    "null",
    "~",
    "NULL",
    "1.0",
    "0",
    "-1",
    "+1",
    "1e3",
    "0x1F",
    "017",
    "0o7",
    "0b1",
    "1_000",
    ".5",
    "5.",
    ".inf",
    "-.INF",
    ".nan",
    "inf",
    "nan",
    "Infinity",
    "0x1p3",
    "1:30",
    "2026-11-01",
    "<<",
    "=",
    "-",
    "- a",
    "--- a",
    "---",
    "...",
    "a: b",
    "a:",
    ":a",
    "a #b",
    "#a",
    "'",
    "\"",
    "\\",
    "{}",
    "[]",
    "{a: b}",
    "&a",
    "*a",
    "!a",
    "!!str a",
    "|",
    ">",
    ">-",
    "%a",
    "@a",
    "`a`",
    "?",
    "? a",
    ",",
    "max_requests: 1",
    "a\u{2028}b",
    "\u{feff}x",
    "\u{202e}live",
    "支払い",
    "🦀",
    "ünïcode",
    "a  b",
    "C:\\new",
    "${HOME}",
    "%DOWNSTREAM%",
    "a/b.c_d-e",
    "]]",
    "}}",
];

const PIECES: &[&str] = &[
    "a", "B", "7", "0", " ", "-", "_", ".", "/", ":", ": ", " #", "'", "\"", "\\", "{", "}", "[", "]", ",",
    "&", "*", "!", "|", ">", "%", "@", "`", "~", "=", "+", "e5", "0x", "ß", "語", "🦀", "\u{301}",
    "\u{200d}", "\u{a0}", "\u{2028}",
];

/// Some name a person may give a cluster, the stranger the better.
fn name(random: &mut Random) -> String {
    match random.below(4) {
        0 => (*random.pick(TRAPS)).to_owned(),
        1 => format!("{}{}", random.pick(&["", "-", "+", "0x", "0", ".", "1e", "1:"]), random.below(1 << 20)),
        _ => (0..=random.below(30)).map(|_| *random.pick(PIECES)).collect(),
    }
}
