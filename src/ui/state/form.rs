//! The form: raw texts, exactly as typed.

use crate::engine::analysis::FieldChange;
use crate::engine::params::{ParamId, by_key};
use crate::engine::scenario::{Draft, Preset};
use leptos::prelude::*;

/// The inputs of latency, in the order of the form.
pub const LATENCY: [ParamId; 7] =
    [ParamId::P50, ParamId::P75, ParamId::P90, ParamId::P95, ParamId::P99, ParamId::P999, ParamId::Mean];

/// The inputs that replace them for streams.
pub const STREAM: [ParamId; 2] = [ParamId::StreamMean, ParamId::StreamP99];

/// The latency inputs that are always offered.
const BASIC: [ParamId; 2] = [ParamId::P50, ParamId::P99];

/// A run of keystrokes in one input, or one press of a button: what "the last edit" means.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edit {
    number: u32,
    input: Option<ParamId>,
    /// How often the texts have come to rest.
    rests: u32,
}

impl Edit {
    /// Whether both belong to one run.
    pub fn is_same_run(self, other: Self) -> bool {
        self.number == other.number
    }

    /// Whether texts have come to rest between the two, by the clock or because another edit began.
    pub fn has_rested_since(self, other: Self) -> bool {
        self.number != other.number || self.rests != other.rests
    }
}

/// The texts and what is unfolded.
#[derive(Clone, Debug)]
pub struct Sheet {
    draft: Draft,
    edit: Edit,
    unfolded: Vec<ParamId>,
}

/// The texts of the form and what is unfolded in it.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    sheet: RwSignal<Sheet>,
}

impl Form {
    /// A form with these texts.
    pub fn new(draft: Draft) -> Self {
        let unfolded = typed(&draft);
        Self { sheet: RwSignal::new(Sheet { draft, edit: Edit::default(), unfolded }) }
    }

    /// Reads the texts and what is unfolded.
    pub fn with<T>(self, read: impl FnOnce(&Sheet) -> T) -> T {
        self.sheet.with(read)
    }

    /// The texts that count, and the edit that led to them. Texts of inputs that the protocol does
    /// not ask for stay typed, but do not count.
    pub fn counting(self) -> (Draft, Edit) {
        self.sheet.with(|sheet| {
            let mut draft = sheet.draft.clone();
            let unasked: &[ParamId] = if sheet.streams() { &LATENCY } else { &STREAM };
            for id in unasked {
                draft.set(*id, "");
            }
            (draft, sheet.edit)
        })
    }

    /// Takes what was typed into an input.
    pub fn set(self, id: ParamId, text: &str) {
        self.sheet.update(|sheet| sheet.set(id, text));
    }

    /// Ends a run of keystrokes: the next one is an edit of its own.
    pub fn end_edit(self) {
        // Nothing to show changes by this.
        self.sheet.update_untracked(|sheet| sheet.edit.input = None);
    }

    /// Told when nothing has been typed for a while: what is there now was meant.
    pub fn rest(self) {
        self.sheet.update_untracked(|sheet| sheet.edit.rests += 1);
    }

    /// Makes the change that a button names.
    pub fn apply(self, change: &FieldChange) {
        if let Some(row) = by_key(change.field) {
            self.end_edit();
            self.set(row.id, &change.value);
            self.end_edit();
        }
    }

    /// Replaces all texts: a preset, a link, the last valid inputs.
    pub fn load(self, draft: Draft) {
        self.sheet.update(|sheet| {
            *sheet = Sheet {
                unfolded: typed(&draft),
                draft,
                edit: Edit { number: sheet.edit.number + 1, input: None, ..sheet.edit },
            };
        });
    }

    /// Back to the worked example.
    pub fn start_over(self) {
        self.load(Preset::first_paint().draft());
    }

    /// Offers all inputs of latency.
    pub fn unfold_latency(self) {
        self.sheet.update(|sheet| sheet.unfolded.extend(LATENCY));
    }
}

impl Sheet {
    /// Whether requests are streams, so that their life counts and not latency.
    fn streams(&self) -> bool {
        self.draft.get(ParamId::Protocol) == "grpc_stream"
    }

    fn set(&mut self, id: ParamId, text: &str) {
        if self.edit.input != Some(id) {
            self.edit = Edit { number: self.edit.number + 1, input: Some(id), ..self.edit };
        }
        // An input that has had a text stays when the text goes.
        self.unfolded.push(id);
        self.unfolded.dedup();
        self.draft.set(id, text);
    }

    /// The text of an input, exactly as typed.
    pub fn text(&self, id: ParamId) -> &str {
        self.draft.get(id)
    }

    /// The first input of latency that is not offered, if there is one to offer.
    pub fn folded(&self) -> Option<ParamId> {
        LATENCY.into_iter().find(|id| !self.streams() && !self.offers(*id))
    }

    /// Whether an input is offered now.
    pub fn offers(&self, id: ParamId) -> bool {
        match (LATENCY.contains(&id), STREAM.contains(&id)) {
            (true, _) => !self.streams() && (BASIC.contains(&id) || self.unfolded.contains(&id)),
            (_, true) => self.streams(),
            _ => true,
        }
    }
}

fn typed(draft: &Draft) -> Vec<ParamId> {
    draft.entries().map(|(id, _)| id).collect()
}
