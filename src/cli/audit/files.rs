//! The texts to judge: files, folders, standard input.

use crate::problems::Complaint;
use headroom::engine::read::source::{Input, MAX_BYTES};
use headroom::engine::units::display;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// What standard input is called.
pub const STDIN: &str = "standard input";

/// Endings of files that are read in a folder.
const ENDINGS: [&str; 10] = ["yaml", "yml", "json", "txt", "log", "text", "conf", "cfg", "out", "dump"];

/// So many bytes are read of a folder at most; a mesh has a few megabytes.
const MAX_FOLDER_BYTES: usize = 20 * MAX_BYTES;

/// The beginning that tells whether a file is a binary.
const SNIFFED: usize = 8_000;

/// What was found.
#[derive(Default)]
pub struct Found {
    /// The texts.
    pub inputs: Vec<Input>,
    /// Whether each was found in a folder, and not named itself.
    pub walked: Vec<bool>,
    /// What was left out.
    pub notes: Vec<String>,
}

/// Reads everything that is named, each file once.
pub fn read(names: &[OsString], stdin_is_taken: bool, complaints: &mut Vec<Complaint>) -> Found {
    let mut search = Search { found: Found::default(), complaints, seen: BTreeSet::new(), bytes: 0 };
    let mut stdin = stdin_is_taken;
    for name in names {
        if name != "-" {
            search.named(Path::new(name));
        } else if std::mem::replace(&mut stdin, true) {
            search.complain(STDIN, "It can be read once only. Put all but one into files.");
        } else {
            let text = bytes_of(std::io::stdin().lock());
            search.take(STDIN.to_owned(), text, None);
        }
    }
    search.found
}

struct Search<'c> {
    found: Found,
    complaints: &'c mut Vec<Complaint>,
    /// Files and folders so far, without links.
    seen: BTreeSet<PathBuf>,
    bytes: usize,
}

/// What is left out of a folder.
#[derive(Default)]
struct LeftOut {
    hidden: usize,
    others: usize,
    full: usize,
}

impl Search<'_> {
    fn complain(&mut self, place: &str, message: impl Into<String>) {
        self.complaints.push(Complaint { place: place.to_owned(), message: message.into() });
    }

    /// A file or a folder that is named itself: whatever is wrong with it is worth a complaint.
    fn named(&mut self, path: &Path) {
        let name = name_of(path);
        match fs::metadata(path) {
            Ok(about) if about.is_dir() => self.folder_named(path, &name),
            Ok(about) if self.is_new(path, &about) => {
                let bytes = File::open(path).and_then(bytes_of);
                self.take(name, bytes, about.is_file().then_some(about.len()));
            }
            Ok(_) => {}
            Err(error) => self.complain(
                &name,
                format!("It cannot be read: {error}. Name a file, a folder, or - for standard input."),
            ),
        }
    }

    /// Whether a file or a folder was not there yet, under whatever name.
    fn is_new(&mut self, path: &Path, about: &Metadata) -> bool {
        // Pipes have no other name.
        let is_lasting = about.is_file() || about.is_dir();
        !is_lasting || fs::canonicalize(path).is_ok_and(|real| self.seen.insert(real))
    }

    /// Takes what was read of a file that is named itself.
    fn take(&mut self, name: String, bytes: std::io::Result<Vec<u8>>, size: Option<u64>) {
        match bytes {
            Err(error) => self.complain(&name, format!("It cannot be read: {error}.")),
            Ok(bytes) if bytes.len() > MAX_BYTES => {
                let shown = size
                    .map_or_else(|| format!("more than {}", count(MAX_BYTES)), |n| display::count(n as f64));
                let most = count(MAX_BYTES);
                self.complain(&name, format!("It has {shown} bytes. Allowed: up to {most} bytes. Split it."));
            }
            Ok(bytes) if is_binary(&bytes) => {
                self.complain(
                    &name,
                    "It is a binary, no text. Name a configuration, an admin page or a log.",
                );
            }
            Ok(bytes) => self.keep(name, &bytes, false),
        }
    }

    fn keep(&mut self, name: String, bytes: &[u8], walked: bool) {
        self.bytes += bytes.len();
        self.found.inputs.push(Input::from_bytes(name, bytes));
        self.found.walked.push(walked);
    }

    fn folder_named(&mut self, path: &Path, name: &str) {
        let before = (self.found.inputs.len(), self.complaints.len());
        let mut left_out = LeftOut::default();
        if !fs::canonicalize(path).is_ok_and(|real| self.seen.insert(real)) {
            return;
        }
        self.folder(path, &mut left_out);
        self.found.notes.extend(left_out.note(name));
        if before == (self.found.inputs.len(), self.complaints.len()) {
            let endings = ENDINGS.map(|e| format!(".{e}")).join(", ");
            self.complain(name, format!("The folder holds no file with one of the endings {endings}."));
        }
    }

    fn folder(&mut self, path: &Path, left_out: &mut LeftOut) {
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.complain(&name_of(path), format!("It cannot be read: {error}.")),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if is_hidden(&entry.file_name()) {
                left_out.hidden += 1;
                continue;
            }
            match fs::metadata(&path) {
                Ok(about) if about.is_dir() => {
                    if self.is_new(&path, &about) {
                        self.folder(&path, left_out);
                    }
                }
                Ok(_) if !has_ending(&path) => left_out.others += 1,
                Ok(about) if self.is_new(&path, &about) => self.file(&path, &about, left_out),
                Ok(_) => {}
                // A link to nowhere.
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    self.found.notes.push(format!("left out: {}, a link to nothing", name_of(&path)));
                }
                Err(error) => self.complain(&name_of(&path), format!("It cannot be read: {error}.")),
            }
        }
    }

    /// A file of a folder: what is no configuration is left out.
    fn file(&mut self, path: &Path, about: &Metadata, left_out: &mut LeftOut) {
        let name = name_of(path);
        if !about.is_file() {
            self.found.notes.push(format!("left out: {name}, no regular file"));
        } else if about.len() > MAX_BYTES as u64 {
            let (size, most) = (display::count(about.len() as f64), count(MAX_BYTES));
            self.found.notes.push(format!("left out: {name}, {size} bytes where {most} are read"));
        } else if self.bytes >= MAX_FOLDER_BYTES {
            left_out.full += 1;
        } else {
            match File::open(path).and_then(bytes_of) {
                Ok(bytes) if is_binary(&bytes) => {
                    self.found.notes.push(format!("left out: {name}, a binary"));
                }
                Ok(bytes) => self.keep(name, &bytes, true),
                Err(error) => self.complain(&name, format!("It cannot be read: {error}.")),
            }
        }
    }
}

impl LeftOut {
    fn note(&self, folder: &str) -> Option<String> {
        let parts =
            [(self.hidden, "hidden"), (self.others, "with other endings"), (self.full, "beyond 200 MB")];
        let said: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        (!said.is_empty()).then(|| format!("left out in {folder}: {}", said.join(", ")))
    }
}

fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn count(bytes: usize) -> String {
    display::count(bytes as f64)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn has_ending(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|e| ENDINGS.contains(&e.as_str()))
}

/// A zero byte is in no text but UTF-16, which says so at its start.
fn is_binary(bytes: &[u8]) -> bool {
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    !wide && bytes[..bytes.len().min(SNIFFED)].contains(&0)
}

fn bytes_of(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
