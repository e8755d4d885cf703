//! What the reader has chosen to see; none of it changes an answer.

use super::theme::Theme;
use crate::engine::scenario::LinkError;
use crate::ui::components::Copied;
use leptos::prelude::*;

/// What is unfolded, chosen and said. One signal for all of it: Leptos compiles its machinery for
/// each type, and what is written from it is compared before anything is exchanged.
#[derive(Clone, Copy, Debug)]
pub struct View(RwSignal<Seen>);

/// What there is to see.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Ids of what is unfolded.
    pub open: Vec<String>,
    /// Place of the output format among the tabs.
    pub tab: usize,
    /// What was copied last, for two seconds.
    pub copied: Copied,
    /// Whether the link is shown for copying by hand.
    pub by_hand: bool,
    /// What was wrong with a link, until dismissed.
    pub link_error: Option<LinkError>,
    /// Light or dark.
    pub theme: Theme,
}

impl View {
    /// The view of someone who has just come, perhaps by a broken link.
    pub fn new(link_error: Option<LinkError>) -> Self {
        // The first derivation is open, to show that there is something to open.
        let open = vec!["why-default-max_requests".to_owned()];
        Self(RwSignal::new(Seen { open, link_error, theme: Theme::remembered(), ..Seen::default() }))
    }

    /// Reads it.
    pub fn with<T>(self, read: impl FnOnce(&Seen) -> T) -> T {
        read(&self.0.read())
    }

    /// Changes it.
    pub fn update(self, change: impl FnOnce(&mut Seen)) {
        // The page may be gone by the time the clipboard or the clock answers.
        if let Some(mut seen) = self.0.try_write() {
            change(&mut seen);
        }
    }

    /// Unfolds or folds.
    pub fn unfold(self, id: &str, is_open: bool) {
        if self.is_open(id) != is_open {
            self.update(|seen| {
                seen.open.retain(|open| open != id);
                if is_open {
                    seen.open.push(id.to_owned());
                }
            });
        }
    }

    /// Whether something is unfolded now.
    pub fn is_open(self, id: &str) -> bool {
        self.0.read_untracked().open.iter().any(|open| open == id)
    }
}
