//! States as bits: how the explorer stores them.
//!
//! Each slot takes just enough bits for its domain and one more value for "undefined". A packed state is a run of
//! whole bytes; all states of an instance have the same length.

use super::layout::{Layout, UNDEFINED};

/// How to pack the states of one layout.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<Field>,
    bytes: usize,
    bits: usize,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    lo: i64,
    width: u32,
    /// The word that holds its lowest bit, and where in it.
    word: u32,
    shift: u32,
}

impl Packing {
    pub fn new(layout: &Layout) -> Packing {
        let mut bits = 0;
        let mut fields = Vec::with_capacity(layout.slots.len());
        for slot in 0..layout.slots.len() {
            let domain = layout.slot_domain(slot);
            let (lo, width) = encoding(domain.lo(), domain.hi());
            fields.push(Field { lo, width, word: (bits / 64) as u32, shift: (bits % 64) as u32 });
            bits += width as usize;
        }
        Packing { fields, bytes: bits.div_ceil(8).max(1), bits }
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn bits(&self) -> usize {
        self.bits
    }

    pub fn slots(&self) -> usize {
        self.fields.len()
    }

    /// 64-bit words that hold a packed state.
    pub fn words(&self) -> usize {
        self.bytes.div_ceil(8)
    }

    /// Packs a state into whole words; unused high bits are zero.
    pub fn pack(&self, state: &[i64], words: &mut [u64]) {
        words.fill(0);
        for (field, &value) in self.fields.iter().zip(state) {
            let code = field.encode(value);
            words[field.word as usize] |= code << field.shift;
            if field.crosses() {
                words[field.word as usize + 1] |= code >> (64 - field.shift);
            }
        }
    }

    /// Packs a state that is `known` but for a few slots, given the packed words of `known`.
    pub fn repack(&self, known: &[i64], known_words: &[u64], state: &[i64], words: &mut [u64]) {
        words.copy_from_slice(known_words);
        for ((field, &before), &after) in self.fields.iter().zip(known).zip(state) {
            if before == after {
                continue;
            }
            let flipped = field.encode(before) ^ field.encode(after);
            words[field.word as usize] ^= flipped << field.shift;
            if field.crosses() {
                words[field.word as usize + 1] ^= flipped >> (64 - field.shift);
            }
        }
    }

    pub fn unpack(&self, words: &[u64], state: &mut [i64]) {
        for (field, value) in self.fields.iter().zip(state) {
            let mut code = words[field.word as usize] >> field.shift;
            if field.crosses() {
                code |= words[field.word as usize + 1] << (64 - field.shift);
            }
            *value = field.decode(code & (u64::MAX >> (64 - field.width)));
        }
    }
}

#[inline]
pub fn words_from_bytes(bytes: &[u8], words: &mut [u64]) {
    let mut chunks = bytes.chunks_exact(8);
    let mut next = 0;
    for chunk in &mut chunks {
        words[next] = u64::from_le_bytes(chunk.try_into().expect("invariant: a chunk has eight bytes"));
        next += 1;
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words[next] = u64::from_le_bytes(last);
    }
}

/// The offset and width of a slot's codes: 0 for undefined, then 1 for the least value and so on. The full range of
/// integers is stored as it is.
fn encoding(lo: i64, hi: i64) -> (i64, u32) {
    let count = (i128::from(hi) - i128::from(lo) + 1).max(1) as u128;
    if count >= 1 << 63 { (0, 64) } else { (lo, u128::BITS - count.leading_zeros()) }
}

impl Field {
    #[inline]
    fn crosses(self) -> bool {
        self.shift + self.width > 64
    }

    #[inline]
    fn encode(self, value: i64) -> u64 {
        if self.width == 64 {
            return value as u64;
        }
        if value == UNDEFINED { 0 } else { (value.wrapping_sub(self.lo) as u64) + 1 }
    }

    #[inline]
    fn decode(self, code: u64) -> i64 {
        if self.width == 64 {
            return code as i64;
        }
        if code == 0 { UNDEFINED } else { self.lo.wrapping_add((code - 1) as i64) }
    }
}
