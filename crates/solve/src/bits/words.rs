//! Arithmetic on words of bits, the lowest bit first, as SMT-LIB defines it.

use super::gates::{Bit, Gates};

/// A word, the lowest bit first.
pub type Word = Vec<Bit>;

impl Gates {
    pub fn all(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::TRUE, |all, bit| self.and(all, bit))
    }

    pub fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::FALSE, |any, bit| self.or(any, bit))
    }

    pub fn each(&mut self, a: &[Bit], b: &[Bit], mut gate: impl FnMut(&mut Gates, Bit, Bit) -> Bit) -> Word {
        a.iter().zip(b).map(|(&a, &b)| gate(self, a, b)).collect()
    }

    pub fn choose(&mut self, condition: Bit, yes: &[Bit], no: &[Bit]) -> Word {
        self.each(yes, no, |gates, yes, no| gates.mux(condition, yes, no))
    }

    pub fn equal(&mut self, a: &[Bit], b: &[Bit]) -> Bit {
        let same = self.each(a, b, |gates, a, b| !gates.xor(a, b));
        self.all(same)
    }

    /// Unsigned: less, or also the same.
    pub fn less(&mut self, a: &[Bit], b: &[Bit], or_equal: bool) -> Bit {
        let mut less = Bit::constant(or_equal);
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            less = self.mux(differ, b, less);
        }
        less
    }

    /// Two's complement: less, or also the same.
    pub fn signed_less(&mut self, a: &[Bit], b: &[Bit], or_equal: bool) -> Bit {
        let flip = |word: &[Bit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        let (a, b) = (flip(a), flip(b));
        self.less(&a, &b, or_equal)
    }

    /// The sum with a carry from below.
    pub fn add_carry(&mut self, a: &[Bit], b: &[Bit], mut carry: Bit) -> Word {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            sum.push(self.xor(differ, carry));
            carry = self.mux(differ, carry, a);
        }
        sum
    }

    pub fn subtract(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let complement: Word = b.iter().map(|&bit| !bit).collect();
        self.add_carry(a, &complement, Bit::TRUE)
    }

    pub fn negate(&mut self, a: &[Bit]) -> Word {
        let zero = vec![Bit::FALSE; a.len()];
        self.subtract(&zero, a)
    }

    pub fn multiply(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let width = a.len();
        // Constants have the fewest rows if they are the ones that are looked at bit by bit.
        let constants = |word: &[Bit]| word.iter().filter(|bit| bit.as_constant().is_some()).count();
        let (rows, word) = if constants(a) >= constants(b) { (a, b) } else { (b, a) };
        let mut product = vec![Bit::FALSE; width];
        for (shift, &row) in rows.iter().enumerate() {
            let shifted = std::iter::repeat_n(Bit::FALSE, shift).chain(word.iter().copied()).take(width);
            let shifted: Word = shifted.map(|bit| self.and(row, bit)).collect();
            product = self.add_carry(&product, &shifted, Bit::FALSE);
        }
        product
    }

    /// Unsigned quotient and remainder; all ones and the dividend if the divisor is zero.
    pub fn divide(&mut self, a: &[Bit], b: &[Bit]) -> (Word, Word) {
        let width = a.len();
        // One bit more, because the remainder is shifted before it is compared.
        let divisor: Word = b.iter().copied().chain([Bit::FALSE]).collect();
        let mut remainder = vec![Bit::FALSE; width + 1];
        let mut quotient = vec![Bit::FALSE; width];
        for position in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, a[position]);
            let fits = self.less(&divisor, &remainder, true);
            let reduced = self.subtract(&remainder, &divisor);
            remainder = self.choose(fits, &reduced, &remainder);
            quotient[position] = fits;
        }
        remainder.pop();
        (quotient, remainder)
    }

    /// The absolute value of a word in two's complement.
    pub fn magnitude(&mut self, a: &[Bit]) -> Word {
        let negated = self.negate(a);
        self.choose(sign(a), &negated, a)
    }

    /// Signed quotient, rounded toward zero.
    pub fn signed_quotient(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let (above, below) = (self.magnitude(a), self.magnitude(b));
        let (quotient, _) = self.divide(&above, &below);
        let negated = self.negate(&quotient);
        let differ = self.xor(sign(a), sign(b));
        self.choose(differ, &negated, &quotient)
    }

    /// Signed remainder with the sign of the dividend.
    pub fn signed_remainder(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let (above, below) = (self.magnitude(a), self.magnitude(b));
        let (_, remainder) = self.divide(&above, &below);
        let negated = self.negate(&remainder);
        self.choose(sign(a), &negated, &remainder)
    }

    /// Signed remainder with the sign of the divisor.
    pub fn signed_modulo(&mut self, a: &[Bit], b: &[Bit]) -> Word {
        let remainder = self.signed_remainder(a, b);
        let shifted = self.add_carry(&remainder, b, Bit::FALSE);
        let is_zero = !self.any(remainder.iter().copied());
        let differ = self.xor(sign(a), sign(b));
        let is_shifted = self.and(differ, !is_zero);
        self.choose(is_shifted, &shifted, &remainder)
    }

    /// Shift by a word: to the left, or to the right with this bit coming in.
    pub fn shift(&mut self, a: &[Bit], by: &[Bit], is_left: bool, fill: Bit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut is_over = Bit::FALSE;
        for (stage, &bit) in by.iter().enumerate() {
            let amount = 1usize.checked_shl(stage as u32).filter(|&amount| amount < width);
            let Some(amount) = amount else {
                is_over = self.or(is_over, bit);
                continue;
            };
            let shifted: Word = if is_left {
                std::iter::repeat_n(fill, amount).chain(word.iter().copied()).take(width).collect()
            } else {
                word[amount..].iter().copied().chain(std::iter::repeat_n(fill, amount)).collect()
            };
            word = self.choose(bit, &shifted, &word);
        }
        let filled = vec![fill; width];
        self.choose(is_over, &filled, &word)
    }
}

pub fn sign(word: &[Bit]) -> Bit {
    *word.last().expect("invariant: words are not empty")
}
