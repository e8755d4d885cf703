//! Colors, on a terminal that wants them, and texts of others without what moves its cursor.

use headroom::engine::rules::Severity;
use std::io::IsTerminal;

/// How texts are painted.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For standard output.
    pub fn of_stdout() -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
            || std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        Self { on: std::io::stdout().is_terminal() && !refused }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.on { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    pub fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What stands beside an excerpt.
    pub fn frame(self, text: &str) -> String {
        self.with("1;34", text)
    }

    pub fn severity(self, severity: Severity, text: &str) -> String {
        let code = match severity {
            Severity::Error => "1;31",
            Severity::Warning => "1;33",
            Severity::Info => "1;36",
        };
        self.with(code, text)
    }
}

/// A text on one line, without marks that a terminal obeys or that turn the direction of writing.
pub fn clean(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// A line of a file, each character in one place: tabs can be seen.
pub fn line(text: &str) -> String {
    text.chars().map(|c| if c == '\t' { '→' } else { shown(c) }).collect()
}

fn shown(c: char) -> char {
    match c {
        '\u{a0}' => ' ',
        _ if c.is_control() || turns(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

/// Whether a character turns the direction of writing, so that a text looks like another one.
pub fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Columns that a character takes on a terminal: none for marks on letters, two for wide ones.
pub fn width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200d | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
