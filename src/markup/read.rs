//! Tags, texts and attributes of an HTML that [`super::Html`] has written.

/// The next tag or text of an HTML.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub len: usize,
    /// Empty for a text.
    pub name: &'a str,
    /// The opening tag after the name, or the text.
    pub tag: &'a str,
    pub is_close: bool,
}

impl<'a> Token<'a> {
    pub fn read(html: &'a str, start: usize) -> Option<Self> {
        if *html.as_bytes().get(start)? != b'<' {
            let end = find(html, start, b'<').unwrap_or(html.len());
            return Some(Self { len: end - start, name: "", tag: &html[start..end], is_close: false });
        }
        if html.as_bytes().get(start + 1) == Some(&b'/') {
            let end = find(html, start, b'>')? + 1;
            return Some(Self { len: end - start, name: "", tag: "", is_close: true });
        }
        let (name, tag, end) = opening(html, start)?;
        Some(Self { len: end - start, name, tag, is_close: false })
    }
}

/// An element or a text.
pub(super) struct Child<'a> {
    pub start: usize,
    pub whole: &'a str,
    /// Empty for a text.
    pub name: &'a str,
    /// The opening tag after the name.
    pub tag: &'a str,
    pub inside: &'a str,
}

impl<'a> Child<'a> {
    /// What tells it from others of its kind.
    pub fn text(&self) -> &'a str {
        if self.inside.is_empty() { self.whole } else { self.inside }
    }
}

pub(super) fn children(html: &str) -> Option<Vec<Child<'_>>> {
    let mut all = Vec::new();
    let mut start = 0;
    while start < html.len() {
        let child = child(html, start)?;
        start += child.whole.len();
        all.push(child);
    }
    Some(all)
}

/// The node that begins there.
fn child(html: &str, start: usize) -> Option<Child<'_>> {
    if html.as_bytes()[start] != b'<' {
        let end = find(html, start, b'<').unwrap_or(html.len());
        return Some(Child { start, whole: &html[start..end], name: "", tag: "", inside: "" });
    }
    let (name, tag, open) = opening(html, start)?;
    let close = if is_void(name, tag) { open } else { close_of(html, open)? };
    let end = if is_void(name, tag) { open } else { find(html, close, b'>')? + 1 };
    Some(Child { start, whole: &html[start..end], name, tag, inside: &html[open..close] })
}

/// Where the closing tag of the element begins whose inside begins there.
pub(super) fn close_of(html: &str, inside: usize) -> Option<usize> {
    let mut depth = 1;
    let mut at = inside;
    loop {
        at = find(html, at, b'<')?;
        if html.as_bytes().get(at + 1) == Some(&b'/') {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
            at = find(html, at, b'>')?;
        } else {
            let (name, tag, after) = opening(html, at)?;
            depth += usize::from(!is_void(name, tag));
            at = after;
        }
    }
}

/// Name and attributes of the opening tag that begins there, and where it ends.
fn opening(html: &str, start: usize) -> Option<(&str, &str, usize)> {
    let end = find(html, start, b'>')?;
    let inside = &html[start + 1..end];
    let name = inside.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (name > 0).then(|| (&inside[..name], &inside[name..], end + 1))
}

pub(super) fn is_void(name: &str, tag: &str) -> bool {
    tag.ends_with('/') || matches!(name, "br" | "input" | "img")
}

/// Names and values, as they are written.
pub(super) fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = tag.trim_end_matches('/');
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(' ');
        let end = rest.bytes().position(|byte| byte == b'=' || byte == b' ').unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (value, after) = match after.strip_prefix("=\"") {
            Some(after) => after.split_once('"')?,
            None => ("", after),
        };
        rest = after;
        (!name.is_empty()).then_some((name, value))
    })
}

pub(super) fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    attributes(tag).find(|(other, _)| *other == name).map(|(_, value)| value)
}

/// Where a sign of ASCII stands next. Eight bytes at a time: texts are read to the end of each tag, and markup
/// to its next place, many times with each keystroke.
pub(super) fn find(html: &str, from: usize, sign: u8) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let bytes = &html.as_bytes()[from..];
    let lacks = |word: &&[u8; 8]| {
        // A byte is zero where it is the sign; of zeros alone, one less has the highest bit and they have not.
        let zeros = u64::from_ne_bytes(**word) ^ (ONES * u64::from(sign));
        zeros.wrapping_sub(ONES) & !zeros & (ONES << 7) == 0
    };
    let at = 8 * bytes.as_chunks::<8>().0.iter().take_while(lacks).count();
    bytes[at..].iter().position(|byte| *byte == sign).map(|n| from + at + n)
}

/// What an escaped text says.
pub(super) fn unescape(text: &str) -> std::borrow::Cow<'_, str> {
    if find(text, 0, b'&').is_none() {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = find(rest, 0, b'&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = super::pieces::ESCAPED.iter().find(|(name, _)| rest.starts_with(name));
        let (name, sign) = known.copied().unwrap_or(("&", '&'));
        out.push(sign);
        rest = &rest[name.len()..];
    }
    out.push_str(rest);
    out.into()
}
