//! Light, dark, or as the system says; remembered where the browser allows it.
//!
//! `public/theme.js` applies the remembered choice before the first paint.

use gloo_storage::{LocalStorage, Storage as _};
use leptos::prelude::*;

/// Key in localStorage; `public/theme.js` reads it too.
const KEY: &str = "headroom-theme";

/// What the page looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Light, whatever the system says.
    Light,
    /// Dark, whatever the system says.
    Dark,
}

impl Theme {
    /// The theme after this one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Auto => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::Auto,
        }
    }

    /// The value of `data-theme`; none for the system's choice.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Auto => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// The theme in words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Auto => "Theme: follows the system",
            Self::Light => "Theme: light",
            Self::Dark => "Theme: dark",
        }
    }

    /// The remembered theme.
    pub fn remembered() -> Self {
        let word = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
        word.map_or(Self::Auto, |word| Self::from_word(&word))
    }

    /// Remembers the theme and shows it on the document.
    pub fn apply(self) {
        if let Some(root) = document().document_element() {
            _ = match self.word() {
                Some(word) => root.set_attribute("data-theme", word),
                None => root.remove_attribute("data-theme"),
            };
        }
        let Some(storage) = storage() else { return };
        // A full storage costs the memory of the choice, not the choice.
        _ = match self.word() {
            Some(word) => storage.set_item(KEY, word),
            None => storage.remove_item(KEY),
        };
    }

    fn from_word(word: &str) -> Self {
        match word {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::Auto,
        }
    }
}

/// The storage, where the browser allows one; `gloo-storage` alone would panic where it does not.
fn storage() -> Option<web_sys::Storage> {
    matches!(window().local_storage(), Ok(Some(_))).then(LocalStorage::raw)
}
