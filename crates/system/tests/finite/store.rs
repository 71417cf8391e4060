//! The set of states against a hash map.

use proptest::prelude::*;
use std::collections::HashMap;
use tenet_system::finite::pack::words_from_bytes;
use tenet_system::finite::store::{Store, StoreError, hash};

/// A little more than a block: what a store may take beyond twice its states.
const SLACK: usize = (1 << 20) + (1 << 15);

fn hash_of(bytes: &[u8]) -> u64 {
    let mut words = vec![0; bytes.len().div_ceil(8)];
    words_from_bytes(bytes, &mut words);
    hash(&words)
}

/// The `number`-th state of `bytes` bytes; close numbers differ in few bits.
fn state(number: u64, bytes: usize) -> Vec<u8> {
    number.to_le_bytes().iter().copied().cycle().take(bytes).collect()
}

fn insert(store: &mut Store, state: &[u8], parent: u32) -> Result<Option<u32>, StoreError> {
    store.insert(state, hash_of(state), parent)
}

proptest! {
    #![proptest_config(tenet_chance::cases(48))]

    #[test]
    fn like_a_map(bytes in 2..20usize, numbers in prop::collection::vec(0..4000u64, 0..6000)) {
        let mut store = Store::new(bytes, usize::MAX);
        let mut map: HashMap<Vec<u8>, u32> = HashMap::new();
        for number in numbers {
            let state = state(number, bytes);
            prop_assert_eq!(store.find(&state, hash_of(&state)), map.get(&state).copied());
            let expected = (!map.contains_key(&state)).then_some(map.len() as u32);
            prop_assert_eq!(insert(&mut store, &state, 0), Ok(expected));
            let next = map.len() as u32;
            map.entry(state).or_insert(next);
        }
        prop_assert_eq!(store.len(), map.len());
        prop_assert_eq!(store.is_empty(), map.is_empty());
        for (state, &number) in &map {
            prop_assert_eq!(store.get(number), &state[..]);
            prop_assert_eq!(store.find(state, hash_of(state)), Some(number));
        }
    }

    /// Whatever the hash function does, equal hashes or equal tags must not confuse states.
    #[test]
    fn like_a_map_with_bad_hashes(mask in prop_oneof![Just(0), Just(u64::MAX << 60), Just(!0 >> 52)],
                                  fixed in any::<u64>(), numbers in prop::collection::vec(0..700u64, 0..900)) {
        let mut store = Store::new(8, usize::MAX);
        let mut map: HashMap<u64, u32> = HashMap::new();
        for number in numbers {
            // The table is not grown below 3,276 states, so it never hashes by itself here.
            let hash = (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask) | (fixed & !mask);
            let next = map.len() as u32;
            let expected = (!map.contains_key(&number)).then_some(next);
            map.entry(number).or_insert(next);
            prop_assert_eq!(store.insert(&number.to_le_bytes(), hash, 0), Ok(expected));
            prop_assert_eq!(store.find(&number.to_le_bytes(), hash), Some(map[&number]));
        }
    }

    #[test]
    fn parents_are_among_the_candidates(steps in prop::collection::vec(0..3u32, 1..3000), first in 1..200u32) {
        let mut store = Store::new(4, usize::MAX);
        let mut parents = vec![0; first as usize];
        for step in steps {
            // In breadth-first order parents never go back and always come before their children.
            let parent = (parents[parents.len() - 1] + step).min(parents.len() as u32 - 1);
            parents.push(parent);
        }
        for (number, &parent) in parents.iter().enumerate() {
            insert(&mut store, &state(number as u64, 4), parent).unwrap();
        }
        for (number, parent) in parents.iter().enumerate().skip(first as usize) {
            prop_assert!(store.parent_candidates(number as u32).contains(parent), "state {}", number);
        }
    }

    #[test]
    fn the_memory_limit_is_kept(bytes in prop_oneof![1..12usize, 900..1100usize, Just(3 << 20)],
                                limit in prop_oneof![0..3000usize << 10, 0..(20usize << 20)]) {
        let mut store = Store::new(bytes.max(3), limit);
        let count = (limit / bytes + 10).min(60_000);
        for number in 0..count as u64 {
            let state = state(number, bytes.max(3));
            let (len, memory) = (store.len(), store.memory());
            match insert(&mut store, &state, 0) {
                Ok(added) => prop_assert_eq!(added, Some(number as u32)),
                Err(error) => {
                    prop_assert_eq!(error, StoreError::Memory);
                    // A failed insertion changes nothing.
                    prop_assert_eq!((store.len(), store.memory()), (len, memory));
                    prop_assert_eq!(store.find(&state, hash_of(&state)), None);
                    break;
                }
            }
            prop_assert!(store.memory() <= limit, "{} of {} bytes", store.memory(), limit);
        }
    }
}

#[test]
fn memory_stays_below_twice_the_states() {
    let mut store = Store::new(7, usize::MAX);
    for number in 0..700_000u64 {
        let state = state(number, 7);
        assert_eq!(insert(&mut store, &state, number.saturating_sub(1) as u32), Ok(Some(number as u32)));
        if number >= 100_000 {
            let packed = 7 * store.len();
            assert!(store.memory() <= 2 * packed + SLACK, "{} for {}", store.memory(), store.len());
        }
    }
    for number in (0..700_000u64).step_by(97) {
        let state = state(number, 7);
        assert_eq!(store.find(&state, hash_of(&state)), Some(number as u32));
        assert_eq!(insert(&mut store, &state, 0), Ok(None));
    }
}
