//! Numbers that look random and follow from a seed: the same seed gives the same walk and the same search on every machine.
//!
//! This is SplitMix64 (Steele, Lea and Flood 2014). It is short, any seed is a good one, and what is drawn here chooses between
//! equally good ways to go on, for which nothing better is needed. Tests draw their cases from `crates/chance`.

/// The generator, which is nothing but its state.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.number()) * limit as u128) >> 64) as usize
    }
}

/// The generator that searches over circuits and programs draw from (xorshift, Marsaglia 2003). Their limits were measured with its
/// numbers; others would send them other ways.
#[derive(Clone, Debug)]
pub struct XorShift(u64);

impl XorShift {
    /// A generator that begins here; zero would stay zero for ever.
    pub fn new(state: u64) -> XorShift {
        XorShift(if state == 0 { 0x9e37_79b9_7f4a_7c15 } else { state })
    }

    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The next number with its bits mixed once more (xorshift*).
    pub fn mixed(&mut self) -> u64 {
        self.number().wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference_implementation() {
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.number()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn what_is_drawn_is_below_the_limit() {
        let mut random = Random::new(0);
        for limit in 1..50 {
            assert!(random.below(limit) < limit);
        }
    }
}
