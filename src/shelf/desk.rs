//! The desk: what is asked of the shelf in, what is shown, said and done out.
//!
//! Another tab may write at any time, so each change reads what is kept, changes that, and writes it back;
//! an entry is found by its name, not by where it was shown.

use super::entries::{Entries, Entry};
use super::file;
use super::names::check_name;
use super::panel::{self, Notice, View};
use crate::engine::params::ParamId;
use crate::engine::scenario::{Draft, Scenario};
use crate::engine::units::display::echo;

/// What a store answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// The text that is kept; empty where nothing is.
    Text(String),
    /// The browser allows no storage here.
    Blocked,
}

/// Where texts are kept.
pub trait Store {
    /// What is kept.
    fn read(&self) -> Stored;
    /// Keeps a text; `false` where that failed, because there is no room or no leave.
    fn write(&self, text: &str) -> bool;
    /// Keeps a text that cannot be read aside, before it is written over.
    fn set_aside(&self, text: &str);
}

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// What to do, and to which of the entries shown: `open 2`.
    pub action: String,
    /// What was typed for it.
    pub text: String,
    /// The texts of the form as it stands.
    pub inputs: Vec<(ParamId, String)>,
    /// Files to import; none in place of a text that is too large.
    pub files: Vec<(String, Option<String>)>,
}

/// What to show, say and do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// The whole panel, when it is opened.
    pub panel: Option<String>,
    /// Parts of the panel by id of their place.
    pub parts: Vec<(&'static str, String)>,
    /// Id of what is to have the focus; empty to leave it.
    pub focus: String,
    /// The link to go to; empty for none.
    pub go: String,
    /// A file to offer: its name and text.
    pub file: Option<(String, String)>,
}

/// How the last change is taken back.
#[derive(Clone, Debug)]
struct Undo {
    at: usize,
    entry: Entry,
    /// Whether another entry of that name has taken its place.
    was_replaced: bool,
}

/// The desk.
#[derive(Debug, Default)]
pub struct Desk {
    entries: Entries,
    /// Why nothing is kept beyond this page, if so.
    memory_only: Option<&'static str>,
    /// What the store was last seen to hold.
    seen: String,
    renaming: Option<String>,
    notice: Notice,
    undo: Option<Undo>,
}

/// That the browser refuses.
const BLOCKED: &str = "This browser allows no storage for this page";
/// That there is no room.
pub(super) const FULL: &str = "The browser’s storage is full";

impl Desk {
    /// Answers a request.
    pub fn answer(&mut self, request: &Request, store: &dyn Store) -> Reply {
        let shown: Vec<String> = self.entries.0.iter().map(|entry| entry.name.clone()).collect();
        let before = self.entries.clone();
        let (verb, at) = request.action.split_once(' ').unwrap_or((&request.action, ""));
        if !matches!(verb, "storage" | "open" | "export" | "export-all") {
            self.notice = Notice::default();
        }
        self.sync(store);
        let name = at.parse().ok().and_then(|at: usize| shown.get(at)).cloned().unwrap_or_default();
        let mut reply = Reply::default();
        let had_room = self.memory_only.is_none();
        match verb {
            "show" => {
                self.renaming = None;
                self.undo = None;
                reply.focus = "shelf-name".into();
                reply.panel = Some(panel::frame(&prefill(&request.inputs)));
            }
            "storage" if self.entries == before => return Reply::default(),
            "storage" => {
                self.undo = None;
                self.say("The list was changed in another tab.");
            }
            "save" => self.save(request, store, &mut reply),
            "undo" => self.take_back(store, &mut reply),
            "import" => self.import(&request.files, store),
            "export-all" => {
                reply.file = Some(("headroom-scenarios.json".to_owned(), file::write(&self.entries.0)));
            }
            "cancel" => {
                if let Some(name) = self.renaming.take() {
                    reply.focus = self.row("rename", &name);
                }
            }
            "renamed" => self.rename(&request.text, store, &mut reply),
            _ => self.with_entry(verb, &name, store, &mut reply),
        }
        if had_room && self.memory_only == Some(FULL) {
            self.notice.add(
                "It is on this page only, since the browser’s storage is full. Export all, then make room: what to do stands below."
                    .to_owned(),
            );
        }
        reply.parts = self.parts();
        reply
    }

    /// What is done with one of the entries.
    fn with_entry(&mut self, verb: &str, name: &str, store: &dyn Store, reply: &mut Reply) {
        let Some(entry) = self.entries.get(name).cloned() else {
            self.say(&format!("“{}” is no longer there: another tab has removed or renamed it.", echo(name)));
            return;
        };
        match verb {
            "open" => reply.go = format!("#{}", entry.link),
            "export" => reply.file = Some((file_name(name), file::write(&[entry]))),
            "rename" => {
                self.renaming = Some(entry.name);
                reply.focus = "shelf-rename".into();
            }
            "duplicate" => {
                if !self.entries.has_room() {
                    return self.full();
                }
                let copy = self.entries.free(name);
                let at = self.entries.place(name).map_or(0, |at| at + 1);
                self.entries.put(at, Entry { name: copy.clone(), link: entry.link });
                self.keep(store);
                self.say(&format!("“{copy}” is a copy of “{name}”."));
                reply.focus = self.row("rename", &copy);
            }
            "delete" => {
                if let Some((at, entry)) = self.entries.take(name) {
                    self.undo = Some(Undo { at, entry, was_replaced: false });
                    self.keep(store);
                    self.notice = Notice::undoable(format!("“{name}” deleted."));
                    reply.focus = "shelf-undo".into();
                }
            }
            _ => {}
        }
    }

    fn save(&mut self, request: &Request, store: &dyn Store, reply: &mut Reply) {
        let mut draft = Draft::default();
        for (id, text) in &request.inputs {
            draft.set(*id, text.as_str());
        }
        let name = check_name(&request.text);
        let scenario = draft.check();
        let mut wrong: Vec<String> = name.as_ref().err().cloned().into_iter().collect();
        wrong.extend(scenario.as_ref().err().into_iter().flatten().map(ToString::to_string));
        let (Ok(name), Ok(scenario)) = (name, scenario) else {
            self.notice = Notice::problems("Not saved.".to_owned(), wrong);
            return;
        };
        let entry = Entry { name: name.to_owned(), link: scenario.to_link() };
        match self.entries.take(name) {
            Some((at, old)) if old == entry => {
                self.entries.put(at, entry);
                self.say(&format!("“{name}” is saved already, with these inputs."));
            }
            Some((at, old)) => {
                self.entries.put(at, entry);
                self.undo = Some(Undo { at, entry: old, was_replaced: true });
                self.keep(store);
                self.notice = Notice::undoable(format!("“{name}” replaced by the inputs of now."));
            }
            None if !self.entries.has_room() => self.full(),
            None => {
                self.entries.put(0, entry);
                self.keep(store);
                self.say(&format!("“{name}” saved."));
            }
        }
        reply.focus = "shelf-name".into();
    }

    fn rename(&mut self, text: &str, store: &dyn Store, reply: &mut Reply) {
        let Some(old) = self.renaming.clone() else { return };
        reply.focus = "shelf-rename".into();
        let new = match check_name(text) {
            Ok(new) => new.to_owned(),
            Err(why) => {
                self.notice = Notice::problems("Not renamed.".to_owned(), vec![why]);
                return;
            }
        };
        if new != old && self.entries.get(&new).is_some() {
            let why = format!("There is a “{new}” already. Choose another name.");
            self.notice = Notice::problems("Not renamed.".to_owned(), vec![why]);
            return;
        }
        self.renaming = None;
        let Some(entry) = self.entries.0.iter_mut().find(|entry| entry.name == old) else {
            self.say(&format!("“{}” is no longer there: another tab has removed or renamed it.", echo(&old)));
            reply.focus = "shelf-name".into();
            return;
        };
        entry.name.clone_from(&new);
        self.keep(store);
        self.say(&format!("“{old}” is “{new}” now."));
        reply.focus = self.row("rename", &new);
    }

    fn take_back(&mut self, store: &dyn Store, reply: &mut Reply) {
        let Some(undo) = self.undo.take() else { return };
        if undo.was_replaced {
            self.entries.take(&undo.entry.name);
        }
        if !self.entries.has_room() {
            self.undo = Some(undo);
            return self.full();
        }
        // Another tab may have used the name meanwhile.
        let name = self.entries.free(&undo.entry.name);
        self.entries.put(undo.at, Entry { name: name.clone(), ..undo.entry });
        self.keep(store);
        self.say(&format!("“{name}” is back."));
        reply.focus = self.row("open", &name);
    }

    fn import(&mut self, files: &[(String, Option<String>)], store: &dyn Store) {
        let (mut n_new, mut n_known, mut problems) = (0_u32, 0_u32, Vec::new());
        for (file, text) in files {
            let (found, wrong) = match text {
                Some(text) => file::read(text, true),
                None => (
                    Entries::default(),
                    vec![file::too_large(file::MAX_BYTES + 1).replace("has", "has more than")],
                ),
            };
            problems.extend(wrong.into_iter().map(|what| format!("{}: {what}", echo(file))));
            for entry in found.0 {
                if self.entries.get(&entry.name) == Some(&entry) {
                    n_known += 1;
                } else if self.entries.has_room() {
                    let name = self.entries.free(&entry.name);
                    self.entries.put(usize::MAX, Entry { name, ..entry });
                    n_new += 1;
                } else {
                    problems.push(format!(
                        "{}: no room for “{}”, 200 scenarios are kept.",
                        echo(file),
                        echo(&entry.name)
                    ));
                }
            }
        }
        if n_new > 0 {
            self.keep(store);
        }
        let mut said = match n_new {
            0 => "Nothing imported.".to_owned(),
            1 => "One scenario imported.".to_owned(),
            n => format!("{n} scenarios imported."),
        };
        if n_known > 0 {
            said = format!("{said} There already: {n_known}.");
        }
        self.notice = Notice::problems(said, problems);
    }

    /// Takes over what is kept, which another tab may have changed.
    fn sync(&mut self, store: &dyn Store) {
        if self.memory_only.is_some() {
            return;
        }
        match store.read() {
            Stored::Blocked => self.memory_only = Some(BLOCKED),
            Stored::Text(text) if text.is_empty() => {
                self.entries = Entries::default();
                self.seen = text;
            }
            Stored::Text(text) => {
                let (entries, problems) = file::read(&text, false);
                self.entries = entries;
                self.seen.clone_from(&text);
                if !problems.is_empty() {
                    store.set_aside(&text);
                    self.keep(store);
                    self.notice = Notice::problems(
                        "Some of what this browser had kept cannot be read and was set aside.".to_owned(),
                        problems,
                    );
                }
            }
        }
    }

    /// Keeps the list. Where there was no room it is tried again with each change, unless another tab has
    /// written meanwhile: what this one has never seen must not be written over.
    fn keep(&mut self, store: &dyn Store) {
        let is_tried = match self.memory_only {
            None => true,
            Some(FULL) => store.read() == Stored::Text(self.seen.clone()),
            Some(_) => false,
        };
        if !is_tried {
            return;
        }
        let text = file::write(&self.entries.0);
        let is_kept = store.write(&text);
        self.memory_only = (!is_kept).then_some(FULL);
        if is_kept {
            self.seen = text;
        }
    }

    fn say(&mut self, text: &str) {
        self.notice = Notice::said(text.to_owned());
    }

    fn full(&mut self) {
        self.say("There is room for 200 scenarios. Delete one first, or export them and delete all you do not need.");
    }

    /// The id of a button of an entry.
    fn row(&self, verb: &str, name: &str) -> String {
        self.entries.place(name).map_or_else(|| "shelf-name".to_owned(), |at| format!("shelf-{verb}-{at}"))
    }

    fn parts(&self) -> Vec<(&'static str, String)> {
        let view = View {
            entries: &self.entries.0,
            renaming: self.renaming.as_deref(),
            notice: &self.notice,
            memory_only: self.memory_only,
        };
        panel::parts(&view)
    }
}

/// The name that is offered: the service's.
fn prefill(inputs: &[(ParamId, String)]) -> String {
    let name = inputs.iter().find(|(id, _)| *id == ParamId::Name).map_or("", |(_, text)| text.trim());
    if name.is_empty() { "my-service".to_owned() } else { name.chars().take(super::MAX_NAME).collect() }
}

/// A file name of the name's letters and digits.
fn file_name(name: &str) -> String {
    let safe: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let safe = safe.trim_matches('-');
    format!("headroom-{}.json", if safe.is_empty() { "scenario" } else { safe })
}

/// What a link is about, in a few words.
pub(super) fn about(link: &str) -> String {
    match Scenario::from_link(link) {
        Ok(Some(s)) => crate::engine::mapping::inputs(&s).join(", "),
        _ => "cannot be read by this version; opening it says why".to_owned(),
    }
}
