//! Brings what a page shows from one HTML to the next by its smallest parts.
//!
//! Most of what differs after a keystroke is a number in a text or a coordinate in an attribute.
//! Parsing HTML for it would cost more than everything that is computed, so both texts are walked
//! side by side, and only nodes that differ are touched. Both are texts of [`super::Html`]: every
//! element is closed or void, values stand in double quotes, nothing is a comment. What does not fit
//! that, or a document that somebody else has changed, gets the new HTML as a whole.

/// A node of the document that is brought up to date.
pub trait Node: Sized {
    /// Its first child.
    fn first(&self) -> Option<Self>;
    /// The node after it.
    fn next(&self) -> Option<Self>;
    /// How many children it has.
    fn count(&self) -> usize;
    /// Whether it is a text.
    fn is_text(&self) -> bool;
    /// Replaces the text that it is.
    fn set_text(&self, text: &str);
    /// Sets an attribute of the element that it is, or takes it away.
    fn set_attribute(&self, name: &str, value: Option<&str>);
    /// Takes it out of the document.
    fn remove(&self);
    /// Replaces all children.
    fn fill(&self, html: &str);
    /// Adds nodes before the element that it is.
    fn insert(&self, html: &str);
    /// Adds nodes after its last child.
    fn append(&self, html: &str);
}

/// Brings the inside of a node from one HTML to the next.
pub fn patch(inside: &impl Node, before: &str, now: &str) {
    if before != now && (before.is_empty() || now.is_empty() || level(inside, before, now).is_none()) {
        inside.fill(now);
    }
}

/// The same child by child; nothing if it is not possible, and then some of it may be done.
fn level<N: Node>(inside: &N, before: &str, now: &str) -> Option<()> {
    let (old, new) = (children(before)?, children(now)?);
    if inside.count() != old.len() {
        return None;
    }
    let same = |(a, b): &(&Child<'_>, &Child<'_>)| a.whole == b.whole;
    let head = old.iter().zip(&new).take_while(same).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
    let (gone, come) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut at = inside.first();
    for _ in 0..head {
        at = at?.next();
    }
    // From both ends, what stays what it is; what is left between comes or goes.
    let like = |(a, b): &(&Child<'_>, &Child<'_>)| a.is_like(b);
    let n_first = gone.iter().zip(come).take_while(like).count();
    let n_last = gone[n_first..].iter().rev().zip(come[n_first..].iter().rev()).take_while(like).count();
    update_all(&mut at, &gone[..n_first], &come[..n_first])?;
    for _ in n_first..gone.len() - n_last {
        let node = at?;
        at = node.next();
        node.remove();
    }
    if let [first, .., last] | [first @ last] = &come[n_first..come.len() - n_last] {
        let html = &now[first.start..last.start + last.whole.len()];
        match &at {
            None => inside.append(html),
            Some(node) if node.is_text() => return None,
            Some(node) => node.insert(html),
        }
    }
    update_all(&mut at, &gone[gone.len() - n_last..], &come[come.len() - n_last..])
}

/// Brings nodes from one state to the next, in pairs, and moves on behind them; nothing if they are not
/// there.
fn update_all<N: Node>(at: &mut Option<N>, before: &[Child<'_>], now: &[Child<'_>]) -> Option<()> {
    for (a, b) in before.iter().zip(now) {
        let node = at.take()?;
        if node.is_text() != a.name.is_empty() {
            return None;
        }
        *at = node.next();
        if a.whole != b.whole {
            update(&node, a, b);
        }
    }
    Some(())
}

fn update(node: &impl Node, before: &Child<'_>, now: &Child<'_>) {
    if now.name.is_empty() {
        return node.set_text(&unescape(now.whole));
    }
    if before.tag != now.tag {
        for (name, value) in attributes(now.tag) {
            if attribute(before.tag, name) != Some(value) {
                node.set_attribute(name, Some(&unescape(value)));
            }
        }
        for (name, _) in attributes(before.tag) {
            if attribute(now.tag, name).is_none() {
                node.set_attribute(name, None);
            }
        }
    }
    patch(node, before.inside, now.inside);
}

/// An element or a text.
struct Child<'a> {
    start: usize,
    whole: &'a str,
    /// Empty for a text.
    name: &'a str,
    /// The opening tag after the name.
    tag: &'a str,
    inside: &'a str,
}

impl Child<'_> {
    /// Whether one can become the other. An element with another id is another element: whoever has
    /// the focus would act on something else.
    fn is_like(&self, other: &Self) -> bool {
        self.name == other.name && attribute(self.tag, "id") == attribute(other.tag, "id")
    }
}

fn children(html: &str) -> Option<Vec<Child<'_>>> {
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
    let (mut close, mut end) = (open, open);
    let mut depth = usize::from(!is_void(name, tag));
    while depth > 0 {
        close = find(html, end, b'<')?;
        if html.as_bytes().get(close + 1) == Some(&b'/') {
            end = find(html, close, b'>')? + 1;
            depth -= 1;
        } else {
            let (name, tag, after) = opening(html, close)?;
            end = after;
            depth += usize::from(!is_void(name, tag));
        }
    }
    Some(Child { start, whole: &html[start..end], name, tag, inside: &html[open..close] })
}

/// Name and attributes of the opening tag that begins there, and where it ends.
fn opening(html: &str, start: usize) -> Option<(&str, &str, usize)> {
    let end = find(html, start, b'>')?;
    let inside = &html[start + 1..end];
    let name = inside.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (name > 0).then(|| (&inside[..name], &inside[name..], end + 1))
}

fn is_void(name: &str, tag: &str) -> bool {
    tag.ends_with('/') || matches!(name, "br" | "input" | "img")
}

/// Names and values, as they are written.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
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

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    attributes(tag).find(|(other, _)| *other == name).map(|(_, value)| value)
}

fn find(html: &str, from: usize, sign: u8) -> Option<usize> {
    html.as_bytes()[from..].iter().position(|byte| *byte == sign).map(|at| from + at)
}

/// What an escaped text says.
fn unescape(text: &str) -> std::borrow::Cow<'_, str> {
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
