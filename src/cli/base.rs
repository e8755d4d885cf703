//! The scenario that the flags are laid over: nothing, a preset, a link or a file.

use crate::args;
use crate::problems::Complaint;
use crate::words::Words;
use headroom::engine::params::{PARAMS, by_key};
use headroom::engine::scenario::{Draft, PRESETS, Problem, too_large};
use headroom::engine::units::display;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;

/// Stands for a value that was refused already: what depends on it is not judged by its default.
const REFUSED: &str = "?";

/// The draft of file, preset and flags, with what it takes to tell its problems.
pub fn draft(words: &Words, complaints: &mut Vec<Complaint>) -> (Draft, Base) {
    let base = Base::read(words, complaints);
    let mut draft = base.draft.clone();
    for p in PARAMS {
        if words.unusable.contains(&p.key) {
            draft.set(p.id, REFUSED);
        } else if let Some(text) = words.text(p.key) {
            draft.set(p.id, text);
        } else if base.reported.iter().any(|field| field == p.key) {
            draft.set(p.id, REFUSED);
        }
    }
    (draft, base)
}

/// What the flags are laid over.
pub struct Base {
    draft: Draft,
    /// Name of the file, if the draft is from one.
    file: Option<String>,
    /// Fields of the file whose problem is reported already.
    reported: Vec<String>,
    /// Whether the file could not be read, so that it is not known what is missing.
    is_unreadable: bool,
}

impl Base {
    fn read(words: &Words, complaints: &mut Vec<Complaint>) -> Self {
        let mut base =
            Self { draft: Draft::default(), file: None, reported: Vec::new(), is_unreadable: false };
        // A beginning that was refused is not known either.
        base.is_unreadable =
            [args::SCENARIO, args::LINK, args::PRESET].iter().any(|key| words.unusable.contains(key));
        let (file, preset) = (words.file(), words.text(args::PRESET));
        if file.is_some() && preset.is_some() {
            complaints.push(Complaint::flag(
                args::PRESET,
                "A preset and a --scenario are two beginnings. Choose one.",
            ));
        }
        let link = words.text(args::LINK);
        if link.is_some() && (file.is_some() || preset.is_some()) {
            let other = if file.is_some() { args::SCENARIO } else { args::PRESET };
            complaints.push(Complaint::flag(
                args::LINK,
                format!("A link and a --{other} are two beginnings. Choose one."),
            ));
        }
        if let Some(link) = link {
            let draft = crate::link::draft(link, complaints);
            base.is_unreadable |= draft.is_none();
            base.draft = draft.unwrap_or_default();
        }
        if let Some(key) = preset {
            if let Some(preset) = PRESETS.iter().find(|preset| preset.key == key) {
                base.draft = preset.draft();
            } else {
                base.is_unreadable = true;
                complaints.push(Complaint::not_a_choice(args::PRESET, key, &args::preset_keys()));
            }
        }
        if let Some(path) = file {
            base.read_file(path, complaints);
        }
        base
    }

    fn read_file(&mut self, path: &OsStr, complaints: &mut Vec<Complaint>) {
        let name = name_of(path);
        match read_text(path) {
            Ok(text) => {
                let (draft, problems) = Draft::from_json(&text);
                self.draft = draft;
                for problem in problems {
                    self.is_unreadable |= problem.field == args::SCENARIO;
                    complaints.push(of_file(&name, &problem));
                    self.reported.push(problem.field);
                }
            }
            Err(NotRead::Unreadable(why)) => {
                self.is_unreadable = true;
                let message = format!(
                    "{name} cannot be read: {why}. Name a file of scenario JSON, or - for standard input."
                );
                complaints.push(Complaint::flag(args::SCENARIO, message));
            }
            Err(NotRead::Unusable(message)) => {
                self.is_unreadable = true;
                complaints.push(Complaint { place: name.clone(), message });
            }
        }
        self.file = Some(name);
    }

    /// Adds what is wrong with the draft, as far as it is worth telling.
    pub fn complain(&self, words: &Words, problems: &[Problem], complaints: &mut Vec<Complaint>) {
        let new = problems.iter().filter(|problem| self.is_news(words, problem));
        complaints.extend(new.map(|problem| self.complaint(words, problem)));
    }

    /// Whether a problem is worth telling besides those of words and file.
    fn is_news(&self, words: &Words, problem: &Problem) -> bool {
        let is_missing = problem.value.is_empty();
        let object = |key: &str| by_key(key).map(|p| p.path[0]);
        let is_meant = words.meant.iter().any(|key| object(key) == object(&problem.field));
        let is_refused = words.unusable.iter().any(|key| *key == problem.field);
        let is_reported = problem.value == REFUSED && self.reported.contains(&problem.field);
        !is_refused && !is_reported && (!is_missing || !(self.is_unreadable || is_meant))
    }

    /// A problem of the draft with the place where the person can correct it.
    fn complaint(&self, words: &Words, problem: &Problem) -> Complaint {
        match (by_key(&problem.field), &self.file) {
            (Some(p), Some(file)) if words.text(p.key).is_none() && !problem.value.is_empty() => {
                of_file(file, problem)
            }
            (Some(p), _) => Complaint::flag(&args::flag(p), &problem.message),
            (None, _) => Complaint { place: problem.field.clone(), message: problem.message.clone() },
        }
    }
}

/// A problem of a file, by the name that the field has there.
fn of_file(file: &str, problem: &Problem) -> Complaint {
    let place = match by_key(&problem.field) {
        Some(p) => format!("{} in {file}", p.path.join(".")),
        None if problem.field == args::SCENARIO => file.to_owned(),
        None => format!("{} in {file}", problem.field),
    };
    Complaint { place, message: problem.message.clone() }
}

/// Why there is no text.
enum NotRead {
    /// The system says why.
    Unreadable(std::io::Error),
    /// There is something, but no scenario.
    Unusable(String),
}

impl From<std::io::Error> for NotRead {
    fn from(error: std::io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// What a file is called in messages.
pub fn name_of(path: &OsStr) -> String {
    if path == "-" { "standard input".to_owned() } else { path.to_string_lossy().into_owned() }
}

/// The bytes of a file or of standard input, up to a size; the error is the message.
pub fn bytes(path: &OsStr, most: u64, what: &str) -> Result<Vec<u8>, String> {
    let name = name_of(path);
    let unreadable =
        |why: std::io::Error| format!("{name} cannot be read: {why}. Name {what}, or - for standard input.");
    let mut bytes = Vec::new();
    if path == "-" {
        std::io::stdin().lock().take(most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    }
    if bytes.len() as u64 > most {
        let most = display::count(most as f64);
        return Err(format!("{name} has more than {most} bytes. Allowed: up to {most} bytes."));
    }
    Ok(bytes)
}

/// The text of a file or of standard input, up to a size; the error is the message.
pub fn text(path: &OsStr, most: u64, what: &str) -> Result<String, String> {
    String::from_utf8(bytes(path, most, what)?)
        .map_err(|_| format!("{} is no text in UTF-8. Name {what}.", name_of(path)))
}

fn read_text(path: &OsStr) -> Result<String, NotRead> {
    if path == "-" {
        return text_of(std::io::stdin().lock(), None);
    }
    let file = File::open(path)?;
    let about = file.metadata()?;
    text_of(file, about.is_file().then_some(about.len()))
}

/// The text of a source, whose size may be known beforehand.
fn text_of(source: impl Read, size: Option<u64>) -> Result<String, NotRead> {
    let most = Draft::MAX_JSON_BYTES as u64;
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let size = size.filter(|size| *size > most);
        let shown = size.map_or_else(
            || format!("more than {}", display::count(most as f64)),
            |size| display::count(size as f64),
        );
        return Err(NotRead::Unusable(too_large(&shown)));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(NotRead::Unusable("This is text in UTF-16. Save it in UTF-8.".to_owned()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = display::count(error.utf8_error().valid_up_to() as f64 + 1.0);
        NotRead::Unusable(format!(
            "This is no text in UTF-8, from byte {at} on. Name a file of scenario JSON."
        ))
    })
}
