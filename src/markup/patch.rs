//! The steps that bring what a page shows from one HTML to the next, by its smallest parts.
//!
//! Most of what differs after a keystroke is a number in a text or a coordinate in an attribute.
//! Parsing HTML for it would cost more than everything that is computed, so both texts are walked
//! side by side, and only nodes that differ are named. Both are texts of [`super::Html`]: every
//! element is closed or void, values stand in double quotes, nothing is a comment. What does not fit
//! that gets the new HTML as a whole.
//!
//! The steps are one text, because a thousand calls into the browser cost more than what they do:
//! `public/patch.js` takes them. Each is a sign, a place and a text, and a zero ends it. Texts with as
//! many elements are walked once, tag by tag; where that ends at a difference, child by child.
//!
//! | sign | text | what is done |
//! |---|---|---|
//! | `#` | id | goes to the element with that id, without a place |
//! | `*` | number | expects so many elements in it, at any depth |
//! | `t` | text | replaces the text |
//! | `a` | name, space, value | sets the attribute |
//! | `r` | name | takes the attribute away |
//! | `-` | number | takes so many nodes out, this one first |
//! | `+` | HTML | adds nodes before this one |
//! | `&` | HTML | adds nodes after the last child |
//! | `=` | HTML | replaces all children |
//!
//! A place is the way from the element with the id: how far down the way of the last step stays, how many
//! levels it goes down from there, and for each the number of the child; all are characters, from the space.

/// Steps for parts of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    text: String,
    /// Numbers of children on the way to where the walk is.
    way: Vec<usize>,
    /// The way to the node of the last step.
    last: Vec<usize>,
}

impl Steps {
    /// Brings the inside of the element with that id from one HTML to the next.
    pub fn change(&mut self, id: &str, before: &str, now: &str) {
        self.go(id);
        if !before.is_empty() {
            self.step('*', &elements(before).to_string());
        }
        self.inside(before, now);
    }

    /// Replaces the inside of the element with that id, whatever is in it.
    pub fn fill(&mut self, id: &str, now: &str) {
        self.go(id);
        self.step('=', now);
    }

    /// The steps as one text; empty if there is nothing to do.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn go(&mut self, id: &str) {
        self.text.push('#');
        self.end(id);
        self.last.clear();
    }

    /// Does that to the node where the walk is.
    fn step(&mut self, sign: char, text: &str) {
        let n_same = self.way.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        let further = &self.way[n_same..];
        self.text.push(sign);
        self.text.extend([n_same, further.len()].iter().chain(further).map(|n| number(*n)));
        self.last.clone_from(&self.way);
        self.end(text);
    }

    /// Does that to the child with that number, after which the children are others.
    fn step_at(&mut self, n: usize, sign: char, text: &str) {
        self.way.push(n);
        self.step(sign, text);
        self.way.pop();
        self.last.pop();
    }

    fn end(&mut self, text: &str) {
        // A zero is what ends a step; as HTML it would be read as this sign too.
        self.text.extend(text.chars().map(|c| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }));
        self.text.push('\0');
    }

    fn inside(&mut self, before: &str, now: &str) {
        if before == now {
            return;
        }
        let (text, way, last) = (self.text.len(), self.way.len(), self.last.clone());
        let undo = |all: &mut Self| {
            all.text.truncate(text);
            all.way.truncate(way);
            all.last.clone_from(&last);
        };
        if before.is_empty() || now.is_empty() {
            return self.step('=', now);
        }
        if elements(before) == elements(now) {
            if self.same_tags(before, now).is_some() {
                return;
            }
            undo(self);
        }
        if self.level(before, now).is_none() {
            undo(self);
            self.step('=', now);
        }
    }

    /// Both tag by tag; nothing if they do not have the same tags and texts in the same order.
    fn same_tags(&mut self, before: &str, now: &str) -> Option<()> {
        let (mut a, mut b) = (0, 0);
        self.way.push(0);
        while a < before.len() && b < now.len() {
            let (old, new) = (Token::read(before, a)?, Token::read(now, b)?);
            (a, b) = (a + old.len, b + new.len);
            if old.is_close && new.is_close {
                self.way.pop();
            } else if old.is_close || new.is_close || !is_like((old.name, old.tag), (new.name, new.tag)) {
                return None;
            } else if new.name.is_empty() {
                if old.tag != new.tag {
                    self.step('t', &unescape(new.tag));
                }
            } else {
                self.attributes(old.tag, new.tag);
                if !is_void(new.name, new.tag) {
                    self.way.push(0);
                    continue;
                }
            }
            *self.way.last_mut()? += 1;
        }
        self.way.pop();
        (a == before.len() && b == now.len()).then_some(())
    }

    /// Both child by child; nothing if it is not possible.
    fn level(&mut self, before: &str, now: &str) -> Option<()> {
        let (old, new) = (children(before)?, children(now)?);
        let same = |(a, b): &(&Child<'_>, &Child<'_>)| a.whole == b.whole;
        let head = old.iter().zip(&new).take_while(same).count();
        let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
        let (gone, come) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
        // From both ends, what stays what it is; what is left between comes or goes.
        let like = |(a, b): &(&Child<'_>, &Child<'_>)| is_like((a.name, a.tag), (b.name, b.tag));
        let n_first = gone.iter().zip(come).take_while(like).count();
        let n_last = gone[n_first..].iter().rev().zip(come[n_first..].iter().rev()).take_while(like).count();
        let (stays, comes) = (gone.len() - n_last, come.len() - n_last);
        self.update_all(head, &gone[..n_first], &come[..n_first]);
        let at = head + n_first;
        if n_first < stays {
            self.step_at(at, '-', &(stays - n_first).to_string());
        }
        if let [first, .., last] | [first @ last] = &come[n_first..comes] {
            let html = &now[first.start..last.start + last.whole.len()];
            match old.get(head + stays) {
                // A browser adds HTML beside an element, not beside a text.
                Some(next) if next.name.is_empty() => return None,
                Some(_) => self.step_at(at, '+', html),
                None => self.step('&', html),
            }
        }
        self.update_all(head + comes, &gone[stays..], &come[comes..]);
        Some(())
    }

    /// Brings nodes from one state to the next, in pairs; the first is the child with that number.
    fn update_all(&mut self, first: usize, before: &[Child<'_>], now: &[Child<'_>]) {
        for (n, (a, b)) in before.iter().zip(now).enumerate().filter(|(_, (a, b))| a.whole != b.whole) {
            self.way.push(first + n);
            if b.name.is_empty() {
                self.step('t', &unescape(b.whole));
            } else {
                self.attributes(a.tag, b.tag);
                self.inside(a.inside, b.inside);
            }
            self.way.pop();
        }
    }

    fn attributes(&mut self, before: &str, now: &str) {
        if before == now {
            return;
        }
        let mut old = attributes(before);
        let mut are_paired = true;
        for (name, value) in attributes(now) {
            let pair = old.next().filter(|(other, _)| *other == name);
            are_paired &= pair.is_some();
            let value_before = pair.map(|(_, value)| value).or_else(|| attribute(before, name));
            if value_before != Some(value) {
                self.step('a', &(name.to_owned() + " " + &unescape(value)));
            }
        }
        if are_paired && old.next().is_none() {
            return;
        }
        for (name, _) in attributes(before) {
            if attribute(now, name).is_none() {
                self.step('r', name);
            }
        }
    }
}

/// A number of a place as a character; there is one for each of the first 55,000.
fn number(n: usize) -> char {
    u32::try_from(n + 32).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// How many elements there are, at any depth.
fn elements(html: &str) -> usize {
    let mut last = 0;
    html.bytes().filter(|byte| std::mem::replace(&mut last, *byte) == b'<' && *byte != b'/').count()
}

/// Whether one node can become the other, each with its name and its attributes. An element with another id
/// is another element: whoever has the focus would act on something else.
fn is_like(a: (&str, &str), b: (&str, &str)) -> bool {
    let is_text = a.0.is_empty();
    a.0 == b.0 && (is_text || a.1 == b.1 || attribute(a.1, "id") == attribute(b.1, "id"))
}

/// The next tag or text of an HTML.
struct Token<'a> {
    len: usize,
    /// Empty for a text.
    name: &'a str,
    /// The opening tag after the name, or the text.
    tag: &'a str,
    is_close: bool,
}

impl<'a> Token<'a> {
    fn read(html: &'a str, start: usize) -> Option<Self> {
        if html.as_bytes()[start] != b'<' {
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
struct Child<'a> {
    start: usize,
    whole: &'a str,
    /// Empty for a text.
    name: &'a str,
    /// The opening tag after the name.
    tag: &'a str,
    inside: &'a str,
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
