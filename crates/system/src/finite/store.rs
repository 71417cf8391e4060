//! The set of states seen, in discovery order.
//!
//! States lie packed in blocks, so a state's number is its place in the breadth-first order and the set is its own
//! queue. Beside it stands a hash table of numbers that grows in small steps, so that it takes no more bytes per state
//! than the state itself (or 5, for states smaller than that).
//!
//! Parents are not stored. In breadth-first order the parent of state *k* never comes after the parent of *k*+1, so
//! one number per [`PARENT_STEP`] states is enough to find the parent again among a few candidates.

mod table;

use super::pack::words_from_bytes;
use table::{Table, is_overfull, next_capacity};

/// Bytes per block, about.
const BLOCK: usize = 1 << 16;
/// One parent is kept for this many states.
pub const PARENT_STEP: usize = 64;
const FIRST_STATES: usize = 16;
/// Entries of the first table.
const FIRST_CAPACITY: usize = 1 << 12;
const MAX_STATES: usize = u32::MAX as usize - 1;

pub type StateNo = u32;

/// Why a state could not be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// It would exceed the memory limit.
    Memory,
    /// There are too many states to number.
    Count,
}

/// A set of packed states.
#[derive(Debug)]
pub struct Store {
    bytes: usize,
    per_block: usize,
    blocks: Vec<Vec<u8>>,
    len: usize,
    table: Table,
    parents: Vec<StateNo>,
    memory_limit: usize,
}

impl Store {
    /// An empty set of states of `bytes` bytes that takes at most `memory_limit` bytes.
    pub fn new(bytes: usize, memory_limit: usize) -> Store {
        let per_block = (BLOCK / bytes).max(1);
        Store {
            bytes,
            per_block,
            blocks: Vec::new(),
            len: 0,
            table: Table::new(FIRST_CAPACITY, bytes),
            parents: Vec::new(),
            memory_limit,
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes taken by states, table and parents.
    pub fn memory(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(Vec::capacity).sum();
        blocks + self.table.memory() + self.parents.capacity() * 4
    }

    pub fn get(&self, state: StateNo) -> &[u8] {
        let (block, place) = (state as usize / self.per_block, state as usize % self.per_block);
        &self.blocks[block][place * self.bytes..(place + 1) * self.bytes]
    }

    /// The number of a state that is in the set.
    pub fn find(&self, state: &[u8], hash: u64) -> Option<StateNo> {
        self.table.find(hash, |number| self.get(number) == state)
    }

    /// Adds a state whose parent is `parent`. `None` if it was there.
    pub fn insert(
        &mut self,
        state: &[u8],
        hash: u64,
        parent: StateNo,
    ) -> Result<Option<StateNo>, StoreError> {
        if self.find(state, hash).is_some() {
            return Ok(None);
        }
        self.make_room()?;
        let number = self.len as StateNo;
        if self.len.is_multiple_of(PARENT_STEP) {
            self.parents.push(parent);
        }
        self.blocks[self.len / self.per_block].extend_from_slice(state);
        self.len += 1;
        self.table.enter(number, hash);
        Ok(Some(number))
    }

    /// Whether `count` more states fit for certain.
    pub fn has_room_for(&self, count: usize) -> bool {
        let len = self.len + count;
        let mut table = self.table.capacity();
        while is_overfull(len, table) {
            table = next_capacity(table, self.bytes);
        }
        let tables = table::size(table, self.bytes) * if table > self.table.capacity() { 2 } else { 1 };
        let parents = 2 * (len / PARENT_STEP + FIRST_STATES);
        let blocks = len.div_ceil(self.per_block) * self.per_block * self.bytes;
        len <= MAX_STATES && blocks + tables + 4 * parents <= self.memory_limit
    }

    /// States among which the parent of `state` is, given that it has one.
    pub fn parent_candidates(&self, state: StateNo) -> std::ops::RangeInclusive<StateNo> {
        let step = state as usize / PARENT_STEP;
        let first = self.parents[step];
        let last = self.parents.get(step + 1).copied().unwrap_or(state.saturating_sub(1));
        first..=last.min(state.saturating_sub(1))
    }

    /// Makes room for one more state, or changes nothing.
    fn make_room(&mut self) -> Result<(), StoreError> {
        if self.len >= MAX_STATES {
            return Err(StoreError::Count);
        }
        let (block, parents, table) = (self.block_growth(), self.parents_growth(), self.table_growth());
        if block + parents + table == 0 {
            return Ok(());
        }
        // Old and new table exist side by side for a moment.
        let table_bytes = if table > 0 { table::size(table, self.bytes) } else { 0 };
        if self.memory() + block + 4 * parents + table_bytes > self.memory_limit {
            return Err(StoreError::Memory);
        }
        if self.len.is_multiple_of(self.per_block) {
            self.blocks.push(Vec::new());
        }
        let last = self.blocks.last_mut().expect("invariant: there is a block with room");
        last.reserve_exact(if block > 0 { last.capacity() - last.len() + block } else { 0 });
        self.parents.reserve_exact(parents);
        if table > 0 {
            self.grow(table);
        }
        Ok(())
    }

    /// Bytes to add to the last block, or to begin one with. The first block grows on demand, so that small searches
    /// stay small.
    fn block_growth(&self) -> usize {
        let full = self.per_block * self.bytes;
        if self.len.is_multiple_of(self.per_block) {
            return if self.len == 0 { full.min(FIRST_STATES * self.bytes) } else { full };
        }
        let capacity = self.blocks.last().map_or(0, Vec::capacity);
        let has_room = (self.len % self.per_block + 1) * self.bytes <= capacity;
        if has_room { 0 } else { full.min(2 * capacity) - capacity }
    }

    /// Entries to add to the parents, which are full if any.
    fn parents_growth(&self) -> usize {
        let full = self.len.is_multiple_of(PARENT_STEP) && self.parents.len() == self.parents.capacity();
        if full { self.parents.len() / 2 + FIRST_STATES } else { 0 }
    }

    /// Entries of a new table, if one is needed.
    fn table_growth(&self) -> usize {
        if is_overfull(self.len + 1, self.table.capacity()) {
            next_capacity(self.table.capacity(), self.bytes)
        } else {
            0
        }
    }

    fn grow(&mut self, capacity: usize) {
        let mut table = Table::new(capacity, self.bytes);
        let mut words = vec![0; self.bytes.div_ceil(8)];
        for number in 0..self.len as StateNo {
            words_from_bytes(self.get(number), &mut words);
            table.enter(number, hash(&words));
        }
        self.table = table;
    }
}

/// The hash of a packed state: each word is folded in by a widening multiplication.
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    let fold = |value: u64, factor: u64| {
        let product = u128::from(value) * u128::from(factor);
        (product >> 64) as u64 ^ product as u64
    };
    let mixed = words.iter().fold(0x9E37_79B9_7F4A_7C15, |hash, &word| {
        fold(hash ^ word, 0xD6E8_FEB8_6659_FD93).wrapping_add(0xA076_1D64_78BD_642F)
    });
    fold(mixed, 0xE703_7ED1_A0B4_28DB)
}
