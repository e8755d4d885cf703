//! What the reader has chosen to see; none of it changes an answer.

use super::theme::Theme;
use crate::engine::scenario::{LinkError, Linked, Problem};
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
    /// What is to be said of the link, until dismissed.
    pub link_said: Option<LinkSaid>,
    /// Light or dark.
    pub theme: Theme,
}

/// What is to be said of a link: that it gives no scenario, or that its numbers are others by now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkSaid {
    /// That, in a sentence.
    pub title: String,
    /// The problems, or the settings that have changed, each with how.
    pub items: Vec<Problem>,
    /// Whether it gives no scenario.
    pub is_error: bool,
}

impl LinkSaid {
    /// What has changed since a link was made, if anything has.
    pub fn news(linked: &Linked) -> Option<Self> {
        let items = linked.changes.iter().map(|change| Problem {
            field: change.setting.to_owned(),
            value: String::new(),
            message: change.how.to_owned(),
        });
        Some(Self { title: linked.news()?, items: items.collect(), is_error: false })
    }
}

impl From<LinkError> for LinkSaid {
    fn from(error: LinkError) -> Self {
        let title = "This link gives no scenario. The inputs stay as they are.".to_owned();
        Self { title, items: error.problems, is_error: true }
    }
}

impl View {
    /// The view of someone who has just come, perhaps by a link that something is to be said of.
    pub fn new(link_said: Option<LinkSaid>) -> Self {
        // The first derivation is open, to show that there is something to open.
        let open = vec!["why-default-max_requests".to_owned()];
        Self(RwSignal::new(Seen { open, link_said, theme: Theme::remembered(), ..Seen::default() }))
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
