//! What a host may choose: panels, locked and hidden inputs, theme, accent.
//!
//! The query comes from strangers: everything in it is checked, what is not understood is said and
//! left out, and the calculator is there in any case.

use super::accent::Chosen;
use crate::engine::nearest::nearest;
use crate::engine::params::{PARAMS, ParamId, by_key};
use crate::engine::units::display::echo;
use percent_encoding::percent_decode_str;

/// Longest query read: the longest sensible one is far below.
const MAX_CHARS: usize = 2000;

/// A part of the embed that can be chosen. Sentence, gauge and buttons are always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// Inputs.
    Form,
    /// All limits with their fleet sums.
    Thresholds,
    /// The timeout ladder.
    Ladder,
    /// What trips first.
    Chart,
    /// The configuration.
    Yaml,
    /// A failure, played when asked for.
    Simulate,
}

impl Panel {
    /// All.
    pub const ALL: [Self; 6] =
        [Self::Form, Self::Thresholds, Self::Ladder, Self::Chart, Self::Yaml, Self::Simulate];

    /// The word in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Thresholds => "thresholds",
            Self::Ladder => "ladder",
            Self::Chart => "chart",
            Self::Yaml => "yaml",
            Self::Simulate => "simulate",
        }
    }
}

/// Light, dark, or as the reader's system says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Theme {
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    /// The word in the address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// What was chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The panels, in the order of the page; `None` where nothing was chosen.
    pub panels: Option<Vec<Panel>>,
    /// Inputs that can be read and not changed.
    pub locked: Vec<ParamId>,
    /// Inputs that are not shown.
    pub hidden: Vec<ParamId>,
    /// Light or dark.
    pub theme: Theme,
    /// The color of what matters.
    pub accent: Option<Chosen>,
    /// What was not understood, as sentences.
    pub notices: Vec<String>,
}

/// The parameters of the address.
const NAMES: [&str; 6] = ["embed", "panels", "lock", "hide", "theme", "accent"];

impl Options {
    /// The options of a query, with or without its `?`.
    pub fn from_query(query: &str) -> Self {
        let mut options = Self::default();
        let query = query.strip_prefix('?').unwrap_or(query);
        if query.len() > MAX_CHARS {
            options.notices.push(format!(
                "The address has {} characters of settings. Allowed: up to {MAX_CHARS}. None of them was read.",
                query.len()
            ));
            return options;
        }
        let mut seen: Vec<String> = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = value.replace('+', " ");
            let (Ok(name), Ok(value)) =
                (percent_decode_str(name).decode_utf8(), percent_decode_str(&value).decode_utf8())
            else {
                options.notices.push("A setting in the address is not readable text.".to_owned());
                continue;
            };
            if seen.iter().any(|seen| *seen == *name) {
                options.notices.push(format!("“{}” is set twice. The first one counts.", echo(&name)));
                continue;
            }
            seen.push(name.clone().into_owned());
            options.take(&name, value.trim());
        }
        options
    }

    /// Whether a panel is shown.
    pub fn shows(&self, panel: Panel) -> bool {
        match &self.panels {
            Some(panels) => panels.contains(&panel),
            None => panel == Panel::Form,
        }
    }

    fn take(&mut self, name: &str, value: &str) {
        match name {
            "embed" => {}
            "panels" => self.panels = self.read_panels(value),
            "lock" => self.locked = self.inputs(name, value),
            "hide" => self.hidden = self.inputs(name, value),
            "theme" => {
                match [Theme::Auto, Theme::Light, Theme::Dark].into_iter().find(|t| t.as_str() == value) {
                    Some(theme) => self.theme = theme,
                    None if value.is_empty() => {}
                    None => self.notices.push(format!("theme “{}” is not light, dark or auto.", echo(value))),
                }
            }
            "accent" if value.is_empty() => {}
            "accent" => {
                self.accent = Chosen::from_hex(value);
                if self.accent.is_none() {
                    let text = echo(value);
                    self.notices.push(format!(
                        "accent “{text}” is not a color of six hexadecimal digits, such as 2046b0."
                    ));
                }
            }
            _ => {
                let near = did_you_mean(name, NAMES);
                let text = echo(name);
                self.notices.push(format!("“{text}” is not a setting of the embed.{near} There are panels, lock, hide, theme and accent."));
            }
        }
    }

    fn read_panels(&mut self, value: &str) -> Option<Vec<Panel>> {
        let mut wanted = Vec::new();
        for word in words(value) {
            if let Some(panel) = Panel::ALL.into_iter().find(|panel| panel.as_str() == word) {
                wanted.push(panel);
                continue;
            }
            let names = Panel::ALL.map(Panel::as_str);
            let near = did_you_mean(word, names);
            self.notices.push(format!(
                "There is no panel “{}”.{near} There are {}.",
                echo(word),
                names.join(", ")
            ));
        }
        (!wanted.is_empty()).then_some(wanted)
    }

    fn inputs(&mut self, name: &str, value: &str) -> Vec<ParamId> {
        let mut found = Vec::new();
        for word in words(value) {
            if let Some(p) = by_key(word) {
                found.push(p.id);
                continue;
            }
            let near = did_you_mean(word, PARAMS.iter().map(|p| p.key));
            self.notices.push(format!("{name}: “{}” is not an input.{near}", echo(word)));
        }
        found
    }
}

/// ` Did you mean rps?`; empty where nothing is near.
fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, known).map_or_else(String::new, |near| format!(" Did you mean {near}?"))
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ' ']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_read() {
        let options = Options::from_query(
            "?embed&panels=form,yaml&lock=rps,p99&hide=hosts&theme=dark&accent=%23e91e63",
        );
        assert_eq!(options.panels, Some(vec![Panel::Form, Panel::Yaml]));
        assert_eq!(options.locked, [ParamId::Rps, ParamId::P99]);
        assert_eq!(options.hidden, [ParamId::Hosts]);
        assert_eq!(options.theme, Theme::Dark);
        assert!(options.accent.is_some());
        assert_eq!(options.notices, Vec::<String>::new());
        assert!(options.shows(Panel::Yaml) && !options.shows(Panel::Ladder));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let options =
            Options::from_query("panel=form&panels=fom,ladder&lock=rsp&theme=blue&accent=red&theme=dark");
        assert_eq!(options.panels, Some(vec![Panel::Ladder]));
        assert_eq!(options.theme, Theme::Auto);
        assert_eq!(
            options.notices,
            [
                "“panel” is not a setting of the embed. Did you mean panels? There are panels, lock, hide, theme and accent.",
                "There is no panel “fom”. Did you mean form? There are form, thresholds, ladder, chart, yaml, simulate.",
                "lock: “rsp” is not an input. Did you mean rps?",
                "theme “blue” is not light, dark or auto.",
                "accent “red” is not a color of six hexadecimal digits, such as 2046b0.",
                "“theme” is set twice. The first one counts.",
            ]
        );
    }

    #[test]
    fn nothing_breaks_it() {
        for query in [
            "",
            "?",
            "?embed",
            "&&&",
            "=",
            "panels=",
            "panels=,,,",
            "%",
            "%ff=%ff",
            "lock=__proto__",
            "a=b=c",
        ] {
            let options = Options::from_query(query);
            assert!(options.shows(Panel::Form), "{query}");
        }
        assert_eq!(Options::from_query(&"a".repeat(5000)).notices.len(), 1);
    }
}
