//! The hash table beside the stored states: from a hash to the numbers of states that may have it.
//!
//! Open addressing with linear probing. A cell holds as many low bits as a state number needs, and a tag from the hash
//! in the rest, so that most misses are seen without touching a state. Cells take four bytes, or three beside states so
//! small that four would double them; the all-ones cell is free.

use super::StateNo;

/// The table grows when it is this full.
const MAX_LOAD_PERCENT: usize = 80;
/// States of at most this many bytes get cells of three bytes.
const NARROW_STATES: usize = 6;
/// Cells of three bytes can number this many states.
const NARROW_CAPACITY: usize = 1 << 24;

#[derive(Debug)]
pub(super) struct Table {
    /// One byte longer than the cells, so that reading four bytes is always possible.
    cells: Vec<u8>,
    capacity: usize,
    /// Bytes per cell.
    width: usize,
    /// The bits of a cell, all set: a free cell.
    free: u32,
    /// Bits of a cell that hold the number.
    index_bits: u32,
}

impl Table {
    /// A table for states of `bytes` bytes, all cells free.
    pub(super) fn new(capacity: usize, bytes: usize) -> Table {
        let width = width(capacity, bytes);
        Table {
            cells: vec![u8::MAX; capacity * width + 1],
            capacity,
            width,
            free: if width == 3 { 0x00FF_FFFF } else { u32::MAX },
            index_bits: usize::BITS - capacity.leading_zeros(),
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn memory(&self) -> usize {
        self.cells.capacity()
    }

    /// The first number entered with this hash that `is_meant`.
    pub(super) fn find(&self, hash: u64, is_meant: impl Fn(StateNo) -> bool) -> Option<StateNo> {
        let tag = self.tag(hash);
        let mut place = self.home(hash);
        loop {
            let cell = self.cell(place);
            if cell == self.free {
                return None;
            }
            let number = cell & self.number_mask();
            // A tag of zeros may stand for one of ones, which would have looked like a free cell.
            let alike = cell ^ number == tag || cell == number;
            if alike && is_meant(number) {
                return Some(number);
            }
            place = self.after(place);
        }
    }

    /// Enters a number that is not there. There must be a free cell.
    pub(super) fn enter(&mut self, number: StateNo, hash: u64) {
        let mut place = self.home(hash);
        while self.cell(place) != self.free {
            place = self.after(place);
        }
        let cell = number | self.tag(hash);
        let cell = if cell == self.free { number } else { cell };
        let first = place * self.width;
        self.cells[first..first + self.width].copy_from_slice(&cell.to_le_bytes()[..self.width]);
    }

    fn cell(&self, place: usize) -> u32 {
        let first = place * self.width;
        let bytes = self.cells[first..first + 4].try_into().expect("invariant: four bytes");
        u32::from_le_bytes(bytes) & self.free
    }

    fn number_mask(&self) -> u32 {
        if self.index_bits >= 32 { u32::MAX } else { (1 << self.index_bits) - 1 }
    }

    /// The low bits of the hash; the high ones choose the place.
    fn tag(&self, hash: u64) -> u32 {
        if self.index_bits >= 32 { 0 } else { ((hash as u32) << self.index_bits) & self.free }
    }

    fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.capacity as u128) >> 64) as usize
    }

    fn after(&self, place: usize) -> usize {
        if place + 1 == self.capacity { 0 } else { place + 1 }
    }
}

pub(super) fn size(capacity: usize, bytes: usize) -> usize {
    capacity * width(capacity, bytes) + 1
}

/// Whether a table of this capacity has to grow for `len` states.
pub(super) fn is_overfull(len: usize, capacity: usize) -> bool {
    len * 100 > capacity * MAX_LOAD_PERCENT
}

/// The table grows so much that it takes no more than the states themselves, but at least by a third (or it would be
/// rebuilt all the time) and at most to double its size.
pub(super) fn next_capacity(capacity: usize, bytes: usize) -> usize {
    capacity / 100 * (bytes * 17).clamp(134, 200) + 116
}

fn width(capacity: usize, bytes: usize) -> usize {
    // Numbers and one reserved pattern must fit a cell.
    if bytes <= NARROW_STATES && capacity < NARROW_CAPACITY { 3 } else { 4 }
}
