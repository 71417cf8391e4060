//! A run of bytes that decides what a generator builds.
//!
//! Generators read choices from it; when it is exhausted, every choice is the first, which is always the simplest. So
//! proptest shrinks whole programs by shrinking bytes, without a strategy for each kind of node.

use proptest::prelude::*;

/// Choices still to be made.
#[derive(Clone, Debug)]
pub struct Tape {
    bytes: Vec<u8>,
    next: usize,
}

/// Tapes of at most `length` bytes.
pub fn tape(length: usize) -> impl Strategy<Value = Tape> {
    prop::collection::vec(any::<u8>(), 0..length).prop_map(|bytes| Tape { bytes, next: 0 })
}

impl Tape {
    /// These choices, for a case that was found before.
    pub fn of(bytes: &[u8]) -> Tape {
        Tape { bytes: bytes.to_vec(), next: 0 }
    }

    /// A number in `0..limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        usize::from(byte) % limit
    }

    /// A number in `lo..=hi`.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as usize) as i64
    }

    /// True once in `of` times; never on an exhausted tape.
    pub fn chance(&mut self, of: usize) -> bool {
        self.below(of) == of - 1
    }

    pub fn pick<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len())]
    }

    /// Whether all choices have been used up.
    pub fn is_exhausted(&self) -> bool {
        self.next >= self.bytes.len()
    }
}
