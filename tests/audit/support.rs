//! What the tests share.

use crate::coverage::FIRED;
use headroom::engine::audit::{Asked, Audit, Finding, audit};
use headroom::engine::params::by_key;
use headroom::engine::read::{read, source::Input};
use headroom::engine::scenario::Draft;
use std::io::Write;

/// A public misconfiguration.
pub struct Case {
    /// Its number in the collection, and where it was reported.
    pub id: &'static str,
    /// The configuration: one text, or several one after another.
    pub texts: &'static [&'static str],
    /// What is known of the traffic: `rps=500 mean=40 clients=100`.
    pub asked: &'static str,
    /// Findings that must be there: code, and what its words must contain (numbers above all).
    pub expects: &'static [(&'static str, &'static [&'static str])],
    /// Words that no finding may contain: the trap answer.
    pub never: &'static [&'static str],
    /// Codes that must not fire.
    pub silent: &'static [&'static str],
}

impl Case {
    /// Checks all of it, and says everything that differs at once.
    #[track_caller]
    pub fn check(&self) {
        let found = self.audit().findings;
        let mut wrong = Vec::new();
        for (code, words) in self.expects {
            let of_code: Vec<String> = found.iter().filter(|f| f.code == *code).map(all_words).collect();
            let said = |text: &String| words.iter().all(|word| text.contains(word));
            if !of_code.iter().any(said) {
                wrong.push(format!("no {code} says {words:?}; it says {of_code:#?}"));
            }
        }
        for f in &found {
            let text = all_words(f);
            wrong
                .extend(self.never.iter().filter(|w| text.contains(**w)).map(|w| format!("“{w}” in {text}")));
            if self.silent.contains(&f.code) {
                wrong.push(format!("{} fires: {text}", f.code));
            }
        }
        assert!(wrong.is_empty(), "{}:\n{}", self.id, wrong.join("\n"));
        tell(&found);
    }

    fn audit(&self) -> Audit {
        let inputs: Vec<Input> =
            self.texts.iter().enumerate().map(|(i, text)| Input::new(format!("{i}.yaml"), *text)).collect();
        audit(read(&inputs), &asked(self.asked))
    }
}

/// Writes down which rules fired, where the test of all rules asks for it.
fn tell(found: &[Finding]) {
    let Some(path) = std::env::var_os(FIRED) else { return };
    let lines: String = found.iter().flat_map(|f| [f.code, "\n"]).collect();
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(path).expect("the file can be written");
    file.write_all(lines.as_bytes()).expect("as above");
}

/// The inputs `rps=600 p50=100`.
#[track_caller]
pub fn asked(inputs: &str) -> Asked {
    let mut draft = Draft::default();
    for pair in inputs.split_whitespace() {
        let (key, value) = pair.split_once('=').expect("an input is key=value");
        draft.set(by_key(key).expect("an input that exists").id, value);
    }
    Asked::new(draft).unwrap_or_else(|problems| panic!("{inputs}: {problems:?}"))
}

/// Everything that a finding says, with plain spaces.
pub fn all_words(f: &Finding) -> String {
    format!("{}; {}; {}", f.message, f.consequence, f.help).replace('\u{a0}', " ")
}
