//! Cuts a line of YAML into tokens for coloring.
//!
//! It knows the YAML that Headroom writes, not all of YAML: block and flow mappings on one line,
//! plain and double-quoted scalars, comments on lines of their own or after a space. Text that it
//! does not know comes out as plain, so that nothing is ever lost.

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// Indentation, punctuation and whatever is unknown.
    Plain,
    /// A comment.
    Comment,
    /// The key of a mapping.
    Key,
    /// A word or a quoted text.
    Text,
    /// A number, with its unit if it has one, and `true`, `false`, `null`.
    Number,
}

impl Token {
    /// The class of its color; empty where it has that of the text around it.
    pub fn class(self) -> &'static str {
        match self {
            Self::Plain | Self::Key => "",
            Self::Comment => "hr-y-comment",
            Self::Text => "hr-y-text",
            Self::Number => "hr-y-number",
        }
    }
}

/// The tokens of a line; their texts joined are the line.
pub fn tokens(line: &str) -> impl Iterator<Item = (Token, &str)> {
    let mut rest = line;
    let piece = move || {
        let (token, length) = (!rest.is_empty()).then(|| next(rest))?;
        rest = &rest[length..];
        Some((token, length))
    };
    let mut pieces = std::iter::from_fn(piece).peekable();
    let mut at = 0;
    std::iter::from_fn(move || {
        let (token, mut length) = pieces.next()?;
        // Punctuation and spaces in a row are one piece.
        while token == Token::Plain
            && let Some((_, more)) = pieces.next_if(|(next, _)| *next == Token::Plain)
        {
            length += more;
        }
        let start = at;
        at += length;
        Some((token, &line[start..at]))
    })
}

/// The first token of `rest`, and its length in bytes.
fn next(rest: &str) -> (Token, usize) {
    if rest.starts_with('#') {
        return (Token::Comment, rest.len());
    }
    if let Some(inside) = rest.strip_prefix('"') {
        let length = quoted(inside) + 1;
        return (kind_of(&rest[length..], Token::Text), length);
    }
    let plain = rest.find(|c: char| !" {}[],".contains(c)).unwrap_or(rest.len());
    if plain > 0 {
        return (Token::Plain, plain);
    }
    if rest.starts_with("- ") {
        return (Token::Plain, 2);
    }
    let end = scalar_end(rest);
    if end == 0 {
        return (Token::Plain, rest.chars().next().map_or(rest.len(), char::len_utf8));
    }
    let value = if is_number(&rest[..end]) { Token::Number } else { Token::Text };
    (kind_of(&rest[end..], value), end)
}

/// Bytes up to and with the closing quote.
fn quoted(inside: &str) -> usize {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    inside.len()
}

/// Bytes of a plain scalar: up to `: `, a comma or bracket of a flow, or a comment.
fn scalar_end(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let after = bytes.get(at + 1).copied();
        match byte {
            b':' if after.is_none_or(|b| b == b' ') => return at,
            b'}' | b']' => return at,
            b',' if after.is_none_or(|b| b == b' ') => return at,
            b' ' if after == Some(b'#') => return at,
            _ => {}
        }
    }
    bytes.len()
}

/// A scalar before a colon is a key.
fn kind_of(after: &str, value: Token) -> Token {
    if after == ":" || after.starts_with(": ") { Token::Key } else { value }
}

fn is_number(scalar: &str) -> bool {
    let digits = scalar.strip_suffix('s').unwrap_or(scalar);
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    let is_numeric = |c: char| c.is_ascii_digit() || c == '.';
    matches!(scalar, "true" | "false" | "null")
        || (digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(is_numeric))
}

#[cfg(test)]
mod tests {
    use super::Token::{Comment, Key, Number, Plain, Text};
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[(Token, &str)]) {
        assert_eq!(tokens(line).collect::<Vec<_>>(), expected);
        assert_eq!(tokens(line).map(|(_, text)| text).collect::<String>(), line);
    }

    #[test]
    fn block_mappings() {
        check("  max_requests: 7", &[(Plain, "  "), (Key, "max_requests"), (Plain, ": "), (Number, "7")]);
        check("- name: checkout", &[(Plain, "- "), (Key, "name"), (Plain, ": "), (Text, "checkout")]);
        check("clusters:", &[(Key, "clusters"), (Plain, ":")]);
        check("  timeout: 0.95s", &[(Plain, "  "), (Key, "timeout"), (Plain, ": "), (Number, "0.95s")]);
    }

    #[test]
    fn flow_mappings() {
        check(
            "budget_percent: {value: 20}",
            &[
                (Key, "budget_percent"),
                (Plain, ": {"),
                (Key, "value"),
                (Plain, ": "),
                (Number, "20"),
                (Plain, "}"),
            ],
        );
    }

    #[test]
    fn comments() {
        check("    # 2 of 10 hosts", &[(Plain, "    "), (Comment, "# 2 of 10 hosts")]);
        check("a: b # why", &[(Key, "a"), (Plain, ": "), (Text, "b"), (Plain, " "), (Comment, "# why")]);
    }

    #[test]
    fn quoted_texts() {
        check(
            "\"@type\": type.googleapis.com/a.b",
            &[(Key, "\"@type\""), (Plain, ": "), (Text, "type.googleapis.com/a.b")],
        );
        check("a: \"x: # y\"", &[(Key, "a"), (Plain, ": "), (Text, "\"x: # y\"")]);
    }

    #[test]
    fn values_with_commas_are_one_text() {
        check("retry_on: reset,5xx", &[(Key, "retry_on"), (Plain, ": "), (Text, "reset,5xx")]);
    }

    #[test]
    fn anything_comes_out_whole() {
        for line in ["", ":", "::", "- - -", "ä: ö # ü", "\"open", "a:b", "{[,]}", "- ", "🙂: 🙂"] {
            check(line, &tokens(line).collect::<Vec<_>>());
        }
    }
}
