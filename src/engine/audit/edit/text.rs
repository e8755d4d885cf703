//! Steps through the text of a configuration.

/// What ends a line.
const BREAKS: [char; 2] = ['\n', '\r'];

/// Where the line of `at` starts.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind(BREAKS).map_or(0, |b| b + 1)
}

/// Where the line of `at` ends, before its break.
pub fn line_end(text: &str, at: usize) -> usize {
    text[at..].find(BREAKS).map_or(text.len(), |b| at + b)
}

/// Where the line after that of `at` starts, or the end of the text.
pub fn next_line(text: &str, at: usize) -> usize {
    let end = line_end(text, at);
    let length = match &text.as_bytes()[end..] {
        [b'\r', b'\n', ..] => 2,
        [] => 0,
        _ => 1,
    };
    end + length
}

/// The break that the lines around `at` have.
pub fn break_near(text: &str, at: usize) -> &'static str {
    let of = |rest: &str| match rest.find(BREAKS).map(|b| &rest[b..]) {
        Some(rest) if rest.starts_with("\r\n") => Some("\r\n"),
        Some(rest) if rest.starts_with('\r') => Some("\r"),
        Some(_) => Some("\n"),
        None => None,
    };
    of(&text[line_start(text, at)..]).or_else(|| of(text)).unwrap_or("\n")
}

/// The first position from `at` on that is neither a space nor a tab.
pub fn skip_blank(text: &str, at: usize) -> usize {
    at + text[at..].bytes().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// The first position from `at` on that is no space, no line break and no comment.
pub fn skip_space(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') if at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'\r') => {
                at = line_end(text, at);
            }
            _ => return at,
        }
    }
}

/// The first position from `at` on behind anchors (`&name`), tags (`!!str`) and the space after them.
pub fn skip_props(text: &str, at: usize) -> usize {
    let mut at = at;
    while matches!(text.as_bytes().get(at), Some(b'&' | b'!')) {
        let length = text[at..].find([' ', '\t', '\n', '\r']).unwrap_or(text.len() - at);
        at = skip_space(text, at + length);
    }
    at
}

/// Where the value or the comment of a line ends: the space behind it is not counted.
pub fn content_end(text: &str, at: usize) -> usize {
    let end = line_end(text, at);
    at + text[at..end].trim_end().len()
}
