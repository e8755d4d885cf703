//! From a number of 64 bits to one of 32: which pool is that of this worker, host and priority?
//!
//! Pools are made when they are first needed: 200 proxies of 256 workers before 100 000 hosts could
//! have ten billion. Open addressing with linear probing; nothing is ever taken out.

use super::rng::mix;
use super::slab::NONE;

/// The table.
#[derive(Clone, Debug, Default)]
pub struct Lookup {
    slots: Vec<(u64, u32)>,
    used: usize,
}

const FREE: (u64, u32) = (0, NONE);

impl Lookup {
    /// What stands at that key; [`NONE`] where nothing does.
    #[inline]
    pub fn get(&self, key: u64) -> u32 {
        if self.slots.is_empty() { NONE } else { self.slots[self.place(key)].1 }
    }

    /// Puts a number at a key that has none yet, or replaces it.
    pub fn put(&mut self, key: u64, value: u32) {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let at = self.place(key);
        self.used += usize::from(self.slots[at].1 == NONE);
        self.slots[at] = (key, value);
    }

    /// The slot of the key, or the free one where it belongs.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        #[allow(clippy::cast_possible_truncation, reason = "the mask keeps the low bits")]
        let mut at = mix(key) as usize & mask;
        while self.slots[at].1 != NONE && self.slots[at].0 != key {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let twice = vec![FREE; (self.slots.len() * 2).max(16)];
        for (key, value) in std::mem::replace(&mut self.slots, twice) {
            if value != NONE {
                let at = self.place(key);
                self.slots[at] = (key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_finds_its_value() {
        let mut lookup = Lookup::default();
        assert_eq!(lookup.get(0), NONE);
        for n in 0..10_000_u32 {
            lookup.put(u64::from(n) << 20, n);
        }
        assert!((0..10_000_u32).all(|n| lookup.get(u64::from(n) << 20) == n));
        assert_eq!(lookup.get(1), NONE);
        lookup.put(0, 5);
        assert_eq!(lookup.get(0), 5);
    }
}
