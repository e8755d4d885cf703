//! The steps that bring what a page shows from one HTML to the next, by its smallest parts.
//!
//! Most of what differs after a keystroke is a number in a text or a coordinate in an attribute.
//! Parsing HTML for it would cost more than everything that is computed, so both texts are walked
//! side by side, and only nodes that differ are named. Both are texts of [`super::Html`]: every
//! element is closed or void, values stand in double quotes, nothing is a comment. What does not fit
//! that gets the new HTML as a whole.
//!
//! The steps are one text, because a thousand calls into the browser cost more than what they do:
//! `public/patch.js` takes them. Each is a sign, a place and a text, and a zero ends it. Both
//! texts are walked tag by tag; where they have other tags, child by child, in pairs that read alike.
//!
//! | sign | text | what is done |
//! |---|---|---|
//! | `#` | id | goes to the element with that id, without a place |
//! | `*` | number | expects so many elements in it, at any depth |
//! | `t` | text | replaces the text |
//! | `w` | text | replaces the text that is all there is in it |
//! | `a` | name, space, value | sets the attribute |
//! | `r` | name | takes the attribute away |
//! | `-` | number | takes so many nodes out, this one first |
//! | `+` | HTML | adds nodes before this one |
//! | `&` | HTML | adds nodes after the last child |
//! | `=` | HTML | replaces all children |
//!
//! A place is the way from the element with the id: how far down the way of the last step stays, how many
//! levels it goes down from there, and for each the number of the child; all are characters, from the space.

use super::pairs::{is_same, n_alike, pairs};
use super::read::{Child, Token, attribute, attributes, children, close_of, is_void, unescape};

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
        if !before.is_empty() && !now.is_empty() && !before.contains('<') && !now.contains('<') {
            return self.step('w', &unescape(now));
        }
        // First, since steps that count children would do something else where there are others.
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
        self.place(sign);
        self.end(text);
    }

    fn place(&mut self, sign: char) {
        let n_same = self.way.iter().zip(&self.last).take_while(|(a, b)| a == b).count();
        let further = &self.way[n_same..];
        self.text.push(sign);
        self.text.extend([n_same, further.len()].iter().chain(further).map(|n| number(*n)));
        self.last.clone_from(&self.way);
    }

    /// Does that to the child with that number, after which the children are others.
    fn step_at(&mut self, n: usize, sign: char, text: &str) {
        self.way.push(n);
        self.step(sign, text);
        self.way.pop();
        self.last.pop();
    }

    fn end(&mut self, text: &str) {
        if text.as_bytes().contains(&0) {
            // A zero is what ends a step; as HTML it would be read as this sign too.
            self.text.extend(text.chars().map(|c| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }));
        } else {
            self.text.push_str(text);
        }
        self.text.push('\0');
    }

    /// Both tag by tag; where they part, the element that holds the place is done child by child.
    fn inside(&mut self, before: &str, now: &str) {
        if is_same(before, now) {
            return;
        }
        if before.is_empty() || now.is_empty() {
            return self.step('=', now);
        }
        let (steps, depth) = (self.text.len(), self.way.len());
        if self.walk(&mut Walk::new(before, now, steps), depth).is_none() {
            // Not texts of ours.
            self.undo(steps, depth);
            self.step('=', now);
        }
        self.way.truncate(depth);
    }

    fn walk(&mut self, walk: &mut Walk<'_>, depth: usize) -> Option<()> {
        self.way.push(0);
        while walk.a < walk.before.len() || walk.b < walk.now.len() {
            match self.meet(walk) {
                Some(Met::Opening) => {
                    walk.open.push(Inside { a: walk.a, b: walk.b, steps: self.text.len() });
                    self.way.push(0);
                    continue;
                }
                Some(Met::Closing) => {
                    walk.open.pop().filter(|_| !walk.open.is_empty())?;
                    self.way.pop();
                }
                Some(Met::Whole) => {}
                None => {
                    let from = *walk.open.last()?;
                    let (a, b) = walk.ends()?;
                    self.undo(from.steps, depth + walk.open.len() - 1);
                    self.children(&walk.before[from.a..a], &walk.now[from.b..b]);
                    self.way.push(0);
                    (walk.a, walk.b, walk.n_alike) = (a, b, 0);
                    continue;
                }
            }
            *self.way.last_mut()? += 1;
        }
        Some(())
    }

    /// Forgets all steps after so many bytes, and goes up to that depth.
    fn undo(&mut self, steps: usize, depth: usize) {
        self.text.truncate(steps);
        self.way.truncate(depth);
        // Wherever the last step is now, its way begins at the top.
        self.last.clear();
    }

    /// The next tags or texts of both; nothing if they are of two kinds, or one text has ended.
    fn meet(&mut self, walk: &mut Walk<'_>) -> Option<Met> {
        let (a, b) = (walk.a, walk.b);
        let (before, now) = (walk.before, walk.now);
        let old = Token::read(before, a)?;
        if walk.n_alike <= old.len {
            walk.n_alike = n_alike(&before.as_bytes()[a..], &now.as_bytes()[b..]);
        }
        // A text that ends where they part may go on in the other.
        let n_alike = walk.n_alike;
        let is_same = old.len < n_alike || n_alike == before.len() - a && n_alike == now.len() - b;
        let new = if is_same { old } else { Token::read(now, b)? };
        (walk.a, walk.b) = (a + old.len, b + new.len);
        walk.n_alike = if is_same { n_alike - old.len } else { 0 };
        if old.is_close && new.is_close {
            return Some(Met::Closing);
        }
        if old.is_close != new.is_close || !is_same && old.name != new.name {
            return None;
        }
        if new.name.is_empty() {
            if !is_same && old.tag != new.tag {
                self.step('t', &unescape(new.tag));
            }
            return Some(Met::Whole);
        }
        if !is_same {
            self.attributes(old.tag, new.tag)?;
        }
        Some(if is_void(new.name, new.tag) { Met::Whole } else { Met::Opening })
    }

    fn children(&mut self, before: &str, now: &str) {
        let (steps, depth) = (self.text.len(), self.way.len());
        if before.is_empty() || now.is_empty() || self.level(before, now).is_none() {
            self.undo(steps, depth);
            self.step('=', now);
        }
    }

    /// Both child by child; nothing if it is not possible.
    fn level(&mut self, before: &str, now: &str) -> Option<()> {
        let (old, new) = (children(before)?, children(now)?);
        let same = |(a, b): &(&Child<'_>, &Child<'_>)| is_same(a.whole, b.whole);
        let head = old.iter().zip(&new).take_while(same).count();
        let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(same).count();
        let (gone, come) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
        let next = old.get(old.len() - tail);
        let (mut i, mut j) = (0, 0);
        for (pair, to) in pairs(gone, come).into_iter().chain([(gone.len(), come.len())]) {
            let at = head + j;
            if i < pair {
                self.step_at(at, '-', &(pair - i).to_string());
            }
            if let [first, .., last] | [first @ last] = &come[j..to] {
                let html = &now[first.start..last.start + last.whole.len()];
                match gone.get(pair).or(next) {
                    // A browser adds HTML beside an element, not beside a text.
                    Some(next) if next.name.is_empty() => return None,
                    Some(_) => self.step_at(at, '+', html),
                    None => self.step('&', html),
                }
            }
            if let (Some(a), Some(b)) = (gone.get(pair), come.get(to)) {
                self.node(head + to, a, b)?;
            }
            (i, j) = (pair + 1, to + 1);
        }
        Some(())
    }

    /// Brings the child with that number from one state to the next.
    fn node(&mut self, n: usize, before: &Child<'_>, now: &Child<'_>) -> Option<()> {
        if is_same(before.whole, now.whole) {
            return Some(());
        }
        self.way.push(n);
        if now.name.is_empty() {
            self.step('t', &unescape(now.whole));
        } else {
            self.attributes(before.tag, now.tag)?;
            self.inside(before.inside, now.inside);
        }
        self.way.pop();
        Some(())
    }

    /// Nothing if they have different ids: an element with another id is another element, and whoever has
    /// the focus would act on something else.
    fn attributes(&mut self, before: &str, now: &str) -> Option<()> {
        if before == now {
            return Some(());
        }
        let mut old = attributes(before);
        let mut are_paired = true;
        for (name, value) in attributes(now) {
            let pair = old.next().filter(|(other, _)| *other == name);
            are_paired &= pair.is_some();
            let value_before = pair.map(|(_, value)| value).or_else(|| attribute(before, name));
            if value_before != Some(value) {
                if name == "id" {
                    return None;
                }
                self.place('a');
                self.text.push_str(name);
                self.text.push(' ');
                self.end(&unescape(value));
            }
        }
        if are_paired && old.next().is_none() {
            return Some(());
        }
        for (name, _) in attributes(before) {
            if attribute(now, name).is_none() {
                if name == "id" {
                    return None;
                }
                self.step('r', name);
            }
        }
        Some(())
    }
}

/// Two texts that are read side by side.
struct Walk<'a> {
    before: &'a str,
    now: &'a str,
    /// Where the next tag of each is.
    a: usize,
    b: usize,
    /// How far both read alike from there: up to there, one is read for both.
    n_alike: usize,
    /// The elements that are open, outermost first; at the bottom is what both texts are in.
    open: Vec<Inside>,
}

/// Where the inside of an element begins in both, and how long the steps were there.
#[derive(Clone, Copy)]
struct Inside {
    a: usize,
    b: usize,
    steps: usize,
}

/// What both texts have at a place.
enum Met {
    Opening,
    Closing,
    /// A text, or an element with nothing in it.
    Whole,
}

impl<'a> Walk<'a> {
    fn new(before: &'a str, now: &'a str, steps: usize) -> Self {
        Self { before, now, a: 0, b: 0, n_alike: 0, open: vec![Inside { a: 0, b: 0, steps }] }
    }

    /// Where the innermost open element ends.
    fn ends(&self) -> Option<(usize, usize)> {
        match self.open.as_slice() {
            [_] => Some((self.before.len(), self.now.len())),
            [.., last] => Some((close_of(self.before, last.a)?, close_of(self.now, last.b)?)),
            [] => None,
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
