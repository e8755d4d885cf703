//! What differs between two texts of the same panel.

use super::Html;
use super::pairs::is_same;

/// What has to be exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes<'a> {
    /// Everything: the texts differ outside of all slots.
    All,
    /// The insides of these slots; nothing if the texts are the same.
    Slots(Vec<Exchange<'a>>),
}

/// A slot whose inside differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange<'a> {
    /// The id of its element.
    pub id: &'a str,
    /// What it shows.
    pub before: &'a str,
    /// What it has to show.
    pub now: &'a str,
}

impl Html {
    /// What has to be exchanged in a page that shows `before`, to show this.
    pub fn changes<'a>(&'a self, before: &'a Self) -> Changes<'a> {
        let mut changed = Vec::new();
        let same_frame = Frame::whole(self).compare(&Frame::whole(before), &mut changed);
        if same_frame { Changes::Slots(changed) } else { Changes::All }
    }
}

/// A text between two places, and the slots in it.
struct Frame<'a> {
    html: &'a Html,
    start: usize,
    end: usize,
    slots: std::ops::Range<usize>,
}

impl<'a> Frame<'a> {
    fn whole(html: &'a Html) -> Self {
        Self { html, start: 0, end: html.text.len(), slots: 0..html.slots.len() }
    }

    /// The slots directly within.
    fn children(&self) -> impl Iterator<Item = (&'a str, Self)> + use<'a> {
        let (html, mut at, end) = (self.html, self.slots.start, self.slots.end);
        std::iter::from_fn(move || {
            let slot = html.slots.get(at).filter(|_| at < end)?;
            let frame = Self { html, start: slot.start, end: slot.end, slots: at + 1..slot.next };
            at = slot.next;
            Some((html.text.get(slot.id.clone())?, frame))
        })
    }

    fn text(&self) -> &'a str {
        &self.html.text[self.start..self.end]
    }

    /// Whether the two are the same but for the insides of slots; those that differ are added.
    fn compare(&self, before: &Self, changed: &mut Vec<Exchange<'a>>) -> bool {
        if is_same(self.text(), before.text()) {
            return true;
        }
        let n = changed.len();
        let (mut here, mut there) = (self.start, before.start);
        let (mut old, mut new) = (before.children(), self.children());
        loop {
            let (next, last) = (new.next(), old.next());
            let (to, from) = match (&next, &last) {
                (Some((id, next)), Some((last_id, last))) if id == last_id => (next.start, last.start),
                (None, None) => (self.end, before.end),
                _ => break,
            };
            if !is_same(&self.html.text[here..to], &before.html.text[there..from]) {
                break;
            }
            let (Some((id, next)), Some((_, last))) = (next, last) else { return true };
            if !next.compare(&last, changed) {
                changed.push(Exchange { id, before: last.text(), now: next.text() });
            }
            (here, there) = (next.end, last.end);
        }
        // Whoever exchanges all of it needs none of its parts.
        changed.truncate(n);
        false
    }
}
