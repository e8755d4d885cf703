//! From inputs to documents: JSON or YAML, one or several, whole or broken.
//!
//! A broken document costs as little as possible: the list item around the break is left out and
//! the rest read; where that does not help, what stands before the break is kept and marked as
//! unfinished. Later documents are read in any case.

use super::build::{Builder, Full};
use super::config::{Effect, Evidence, ProblemKind, ReadProblem};
use super::embedded;
use super::evidence;
use super::json::{self, Json, offset};
use super::repair;
use super::source::{Budget, Input, MAX_BYTES, MAX_DEPTH, breaks, problem};
use super::tree::Node;
use super::yaml::{self, Base, Remark, Stop};
use super::{Place, Span};

/// One document of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Index of the input.
    pub file: u32,
    /// Index of the document within it.
    pub index: u32,
    /// Its value.
    pub root: Node,
}

/// Everything that could be read of all inputs.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    /// Documents in the order of the inputs.
    pub documents: Vec<Document>,
    /// What running proxies report.
    pub evidence: Evidence,
    /// What is wrong with the texts.
    pub problems: Vec<ReadProblem>,
    /// Files and places of merge keys.
    pub merge_keys: Vec<Place>,
}

/// Reads all inputs.
pub fn documents(inputs: &[Input]) -> Documents {
    let mut out = Documents::default();
    let mut budget = Budget::default();
    for (file, input) in inputs.iter().enumerate() {
        let mut one = One { file: offset(file), out: &mut out, index: 0 };
        one.read(&input.text, &mut budget);
    }
    out
}

struct One<'o> {
    file: u32,
    out: &'o mut Documents,
    index: u32,
}

/// More attempts at a broken text than this do not make it better.
const MAX_REPAIRS: usize = 8;

/// Above this size a broken text is read once more at most, or reading it would take seconds.
const REPAIR_BYTES: usize = 512 * 1024;

/// Most documents of all inputs together.
const MAX_DOCUMENTS: usize = 20_000;

/// After so many broken documents an input is no configuration.
const MAX_BROKEN: usize = 20;

impl One<'_> {
    fn read(&mut self, text: &str, budget: &mut Budget) {
        if text.len() > MAX_BYTES {
            let message = format!("the input has {} bytes, at most {MAX_BYTES} (10 MB) are read", text.len());
            let help = "paste the clusters and routes in question, or split the file";
            self.problem(Span { line: 1, column: 1, ..Span::default() }, ProblemKind::Limit, message, help);
            return;
        }
        let skip = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let body = &text[skip..];
        if let Some(kind) = evidence::recognize(body) {
            let out = &mut *self.out;
            return evidence::read(kind, (self.file, text, skip), &mut out.evidence, &mut out.problems);
        }
        let before = self.out.documents.len();
        let problems = self.out.problems.len();
        match body.trim_start().as_bytes().first() {
            Some(b'{' | b'[') => self.json(text, skip, budget),
            Some(_) => self.yaml(body, Base { bytes: skip, lines: 0 }, budget),
            None => {}
        }
        if self.out.documents.len() == before && self.out.problems.len() == problems {
            let message = "the input is empty";
            self.problem(
                Span { line: 1, column: 1, ..Span::default() },
                ProblemKind::NothingToRead,
                message,
                "paste a cluster, a route or a whole configuration",
            );
        }
    }

    fn problem(&mut self, at: Span, kind: ProblemKind, message: impl Into<String>, help: impl Into<String>) {
        self.out.problems.push(problem(self.file, at, (kind, Effect::Unread), message, help));
    }

    fn document(&mut self, root: Node) {
        if self.out.documents.len() == MAX_DOCUMENTS {
            let message = format!("more than {MAX_DOCUMENTS} documents; the rest is not read");
            self.problem(root.span, ProblemKind::Limit, message, "split the input");
        }
        if !root.is_null() && self.out.documents.len() <= MAX_DOCUMENTS {
            self.out.documents.push(Document { file: self.file, index: self.index, root });
        }
        self.index += 1;
    }

    fn json(&mut self, text: &str, skip: usize, budget: &mut Budget) {
        let mut json = Json::new(text, skip);
        let mut roots = Vec::new();
        let mut stopped = None;
        let mut duplicates = Vec::new();
        let saved = *budget;
        while stopped.is_none() && !json.at_end() {
            let mut tree = Builder::new(budget);
            stopped = json.value(&mut tree).err();
            roots.extend(tree.end());
            duplicates.append(&mut tree.duplicates);
        }
        if let Some(json::Stop::Syntax(at, expected)) = stopped {
            // Flow style and comments are YAML; but a dump that is cut off is not.
            if (at.end as usize) < text.trim_end().len() && text.len() <= REPAIR_BYTES {
                *budget = saved;
                let parsed = yaml::parse(&text[skip..], Base { bytes: skip, lines: 0 }, budget);
                if parsed.stop.is_none() {
                    self.take(parsed.roots, parsed.remarks);
                    return;
                }
            }
            let (message, help) = (
                format!("not valid JSON from here on: expected {expected}"),
                "what stands before it is read; check whether the text was cut off",
            );
            let template = repair::template(text);
            match template {
                Some(at) => self.template(at),
                None => self.problem(at, ProblemKind::Syntax, message, help),
            }
        } else if let Some(json::Stop::Full(at, full)) = stopped {
            self.full(at, full);
        }
        self.take(roots, duplicates.into_iter().map(Remark::Duplicate).collect());
    }

    fn yaml(&mut self, text: &str, base: Base, budget: &mut Budget) {
        let mut rest = (text, base);
        for _ in 0..MAX_BROKEN {
            let (text, base) = rest;
            let saved = *budget;
            let parsed = yaml::parse(text, base, budget);
            let template =
                if parsed.stop.is_some() || parsed.has_complex_key() { repair::template(text) } else { None };
            if let Some(at) = template {
                self.template(shift(at, base));
                return;
            }
            match parsed.stop {
                None => {
                    let maps = parsed.roots.iter().flat_map(|r| embedded::blocks(r, text, base)).collect();
                    self.take(parsed.roots, parsed.remarks);
                    return self.embedded(maps, text, base, budget);
                }
                Some(Stop::Full(at, full)) => {
                    self.full(at, full);
                    return self.take(parsed.roots, parsed.remarks);
                }
                Some(Stop::Syntax { at, ref message, tab }) => {
                    self.syntax(text, base, at, message, tab);
                    let part = repair::document_around(text, at.start as usize - base.bytes);
                    let broken = &text[..part.end];
                    let mended = self.mend(broken, base, at, (saved, budget));
                    let parsed = mended.unwrap_or(parsed);
                    self.take(parsed.roots, parsed.remarks);
                    let Some(next) = part.next else { return };
                    let lines = base.lines + breaks(&text[..next]);
                    rest = (&text[next..], Base { bytes: base.bytes + next, lines });
                }
            }
        }
    }

    /// Reads the texts in a `ConfigMap`, each at its place.
    fn embedded(&mut self, parts: Vec<embedded::Block>, text: &str, base: Base, budget: &mut Budget) {
        for block in parts {
            let inner = &text[block.range.clone()];
            let at = Base { bytes: base.bytes + block.range.start, lines: base.lines + block.lines };
            let parsed = yaml::parse(inner, at, budget);
            match (repair::template(inner).filter(|_| parsed.stop.is_some()), &parsed.stop) {
                (Some(template), _) => self.template(shift(template, at)),
                (None, Some(Stop::Syntax { at: place, message, tab })) => {
                    self.syntax(inner, at, *place, message, *tab);
                }
                (None, Some(Stop::Full(place, full))) => self.full(*place, *full),
                (None, None) => {}
            }
            self.take(parsed.roots, parsed.remarks);
        }
    }

    /// Reads a broken text without the list items around its breaks.
    fn mend(
        &mut self,
        text: &str,
        base: Base,
        first: Span,
        (saved, budget): (Budget, &mut Budget),
    ) -> Option<yaml::Parsed> {
        let repairs = if text.len() > REPAIR_BYTES { 1 } else { MAX_REPAIRS };
        let mut patient = text.to_owned();
        let mut at = first;
        let mut hurt: Option<repair::Item> = None;
        for _ in 0..repairs {
            let byte = (at.start as usize).saturating_sub(base.bytes);
            let item = match &hurt {
                // The break is still there: the item around that one.
                Some(item) if byte <= item.to => repair::parent(&patient, item)?,
                _ => repair::item_around(&patient, byte)?,
            };
            repair::blank(&mut patient, &item);
            *budget = saved;
            let parsed = yaml::parse(&patient, base, budget);
            match parsed.stop {
                None => {
                    let line = base.lines + breaks(&text[..item.from]) + 1;
                    if let Some(last) = self.out.problems.last_mut() {
                        last.help =
                            format!("{}; the list item that starts on line {line} is left out", last.help);
                    }
                    return Some(parsed);
                }
                Some(Stop::Syntax { at: next, ref message, tab }) => {
                    if next.start > offset(base.bytes + item.to) {
                        self.syntax(text, base, next, message, tab);
                    }
                    at = next;
                }
                Some(Stop::Full(..)) => return None,
            }
            hurt = Some(item);
        }
        None
    }

    fn syntax(&mut self, text: &str, base: Base, at: Span, message: &str, tab: bool) {
        let byte = (at.start as usize).saturating_sub(base.bytes);
        if let Some(tab_at) = repair::tab_near(text, byte, tab) {
            self.problem(
                shift(tab_at, base),
                ProblemKind::Tab,
                "a tab indents this line, and YAML does not allow tabs there",
                "indent with spaces only",
            );
        } else {
            let help = "check the indentation and the punctuation of this line and the one above";
            self.problem(at, ProblemKind::Syntax, format!("not valid YAML: {message}"), help);
        }
    }

    fn template(&mut self, at: Span) {
        self.problem(
            at,
            ProblemKind::Template,
            "a template that is not rendered: this is no configuration yet",
            "paste what the template renders to (`helm template …`, `istioctl manifest generate …`)",
        );
    }

    fn full(&mut self, at: Span, full: Full) {
        let (message, help) = match full {
            Full::Depth => (
                format!("nested deeper than {MAX_DEPTH} levels; nothing is read from here on"),
                "no configuration nests that deep",
            ),
            Full::Nodes => (
                "more than 1,000,000 values; nothing is read from here on".to_owned(),
                "paste the clusters and routes in question, or split the file",
            ),
            Full::Aliases => (
                "aliases that stand for more than 200,000 values; nothing is read from here on".to_owned(),
                "write the values out where they are needed",
            ),
        };
        self.problem(at, ProblemKind::Limit, message, help);
    }

    fn take(&mut self, roots: Vec<Node>, remarks: Vec<Remark>) {
        for root in roots {
            self.document(root);
        }
        for remark in remarks {
            match remark {
                Remark::Duplicate(duplicate) => {
                    let message = format!(
                        "`{}` stands twice: first on line {}; the last one counts",
                        duplicate.key, duplicate.first.line
                    );
                    let kind = (ProblemKind::DuplicateKey, Effect::Ignored);
                    let help = "keep one of the two";
                    self.out.problems.push(problem(self.file, duplicate.again, kind, message, help));
                }
                Remark::UnknownAnchor(at, name) => {
                    let message = if name.is_empty() {
                        "this alias stands within its own anchor".to_owned()
                    } else {
                        format!("`*{name}` has no anchor `&{name}` before it in this document")
                    };
                    let kind = (ProblemKind::UnknownAnchor, Effect::Rejected);
                    self.out.problems.push(problem(self.file, at, kind, message, "add the anchor"));
                }
                Remark::MergeKey(at) => {
                    self.out.merge_keys.push(Place { file: self.file, span: at, ..Place::default() });
                }
                Remark::ComplexKey(at) => {
                    let message = "a list or a mapping stands where a key belongs";
                    let kind = (ProblemKind::WrongShape, Effect::Rejected);
                    let help = "quote the key if it starts with a bracket or a brace";
                    self.out.problems.push(problem(self.file, at, kind, message, help));
                }
            }
        }
    }
}

impl yaml::Parsed {
    fn has_complex_key(&self) -> bool {
        self.remarks.iter().any(|r| matches!(r, Remark::ComplexKey(_)))
    }
}

fn shift(at: Span, base: Base) -> Span {
    Span {
        line: at.line + offset(base.lines),
        start: at.start + offset(base.bytes),
        end: at.end + offset(base.bytes),
        ..at
    }
}
