//! Things that come and go by the million: kept in place, named by a number, reused.
//!
//! A request needs no allocation once the slab has grown to the most that were alive at once.

use std::ops::{Index, IndexMut};

/// The number of nothing.
pub const NONE: u32 = u32::MAX;

/// Items under numbers that stay the same while an item lives.
#[derive(Clone, Debug)]
pub struct Slab<T> {
    items: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { items: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Keeps an item; its number is that of the item released last, or a new one.
    #[inline]
    pub fn insert(&mut self, item: T) -> u32 {
        if let Some(at) = self.free.pop() {
            self.items[at as usize] = item;
            return at;
        }
        let at = u32::try_from(self.items.len()).unwrap_or(NONE);
        self.items.push(item);
        at
    }

    /// Gives the number back. What was there can be read until the number is given out again.
    #[inline]
    pub fn release(&mut self, at: u32) {
        self.free.push(at);
    }

    /// Numbers ever given out.
    pub fn numbers(&self) -> u32 {
        u32::try_from(self.items.len()).unwrap_or(NONE)
    }

    /// Numbers in use.
    pub fn live(&self) -> usize {
        self.items.len() - self.free.len()
    }
}

impl<T> Index<u32> for Slab<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: u32) -> &T {
        &self.items[at as usize]
    }
}

impl<T> IndexMut<u32> for Slab<T> {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut T {
        &mut self.items[at as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_reused_and_memory_stays() {
        let mut slab = Slab::default();
        let a = slab.insert("a");
        let b = slab.insert("b");
        slab.release(a);
        assert_eq!(slab.live(), 1);
        assert_eq!(slab.insert("c"), a);
        assert_eq!((slab[a], slab[b], slab.numbers()), ("c", "b", 2));
    }
}
