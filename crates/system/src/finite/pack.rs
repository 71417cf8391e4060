//! States as bits: how the explorer stores them.
//!
//! Each slot takes just enough bits for its domain and one more value for "undefined". A packed state is a run of
//! whole bytes; all states of an instance have the same length.

use super::layout::{Layout, UNDEFINED};

/// How to pack the states of one layout.
#[derive(Clone, Debug)]
pub struct Packing {
    fields: Vec<Field>,
    /// Bytes per state.
    bytes: usize,
    /// Bits per state.
    bits: usize,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    lo: i64,
    width: u32,
}

impl Packing {
    /// The packing of a layout.
    pub fn new(layout: &Layout) -> Packing {
        let field = |slot| {
            let domain = layout.slot_domain(slot);
            field(domain.lo(), domain.hi())
        };
        let fields: Vec<Field> = (0..layout.slots.len()).map(field).collect();
        let bits = fields.iter().map(|field| field.width as usize).sum::<usize>();
        Packing { fields, bytes: bits.div_ceil(8).max(1), bits }
    }

    /// Bytes per packed state.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bits per packed state.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// 64-bit words that hold a packed state.
    pub fn words(&self) -> usize {
        self.bytes.div_ceil(8)
    }

    /// Packs a state into whole words; unused high bits are zero.
    pub fn pack(&self, state: &[i64], words: &mut [u64]) {
        let (mut accumulator, mut filled, mut next) = (0u128, 0u32, 0usize);
        for (field, &value) in self.fields.iter().zip(state) {
            accumulator |= u128::from(field.encode(value)) << filled;
            filled += field.width;
            if filled >= 64 {
                words[next] = accumulator as u64;
                accumulator >>= 64;
                filled -= 64;
                next += 1;
            }
        }
        if next < words.len() {
            words[next] = accumulator as u64;
        }
    }

    /// Unpacks a state.
    pub fn unpack(&self, words: &[u64], state: &mut [i64]) {
        let (mut accumulator, mut available, mut next) = (0u128, 0u32, 0usize);
        for (field, value) in self.fields.iter().zip(state) {
            if available < field.width {
                accumulator |= u128::from(words[next]) << available;
                available += 64;
                next += 1;
            }
            *value = field.decode(accumulator as u64 & (u64::MAX >> (64 - field.width)));
            accumulator >>= field.width;
            available -= field.width;
        }
    }
}

/// Words from the bytes of a packed state.
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

fn field(lo: i64, hi: i64) -> Field {
    // Codes 0 (undefined) and 1..=count. The full range of integers is stored as it is.
    let count = (i128::from(hi) - i128::from(lo) + 1).max(1) as u128;
    if count >= 1 << 63 {
        return Field { lo: 0, width: 64 };
    }
    Field { lo, width: u128::BITS - count.leading_zeros() }
}

impl Field {
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
