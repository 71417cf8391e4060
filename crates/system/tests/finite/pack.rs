//! Packing: what goes in comes out, in as few bits as there can be.

use proptest::prelude::*;
use tenet_system::finite::layout::{Domain, Layout, Slot, UNDEFINED};
use tenet_system::finite::pack::{Packing, words_from_bytes};

/// A domain and a value of it or nothing.
fn slot() -> impl Strategy<Value = ((i64, i64), i64)> {
    let widths = prop_oneof![
        Just(i64::MAX as u64),
        0..5u64,
        (0..64u32).prop_map(|bits| (1 << bits) - 1),
        any::<u64>()
    ];
    let domain = (any::<i64>(), widths).prop_map(|(lo, width)| {
        let lo = lo.max(i64::MIN + 1);
        (lo, i128::from(lo).saturating_add(i128::from(width)).min(i128::from(i64::MAX)) as i64)
    });
    let domain = prop_oneof![domain, Just((i64::MIN + 1, i64::MAX)), Just((i64::MIN + 1, 0)), Just((0, 1))];
    domain.prop_flat_map(|(lo, hi)| {
        let value = prop_oneof![lo..=hi, Just(lo), Just(hi), Just(UNDEFINED)];
        (Just((lo, hi)), value)
    })
}

fn packing(domains: &[(i64, i64)]) -> Packing {
    let mut layout = Layout::default();
    for &(lo, hi) in domains {
        let domain = layout.add_domain(Domain::numbers(lo, hi));
        layout.slots.push(Slot { name: String::new(), domain, axes: Vec::new() });
    }
    Packing::new(&layout)
}

/// Least number of bits for the values and "undefined".
fn least_bits((lo, hi): (i64, i64)) -> usize {
    let codes = i128::from(hi) - i128::from(lo) + 2;
    (0..=64).find(|&bits| codes <= 1 << bits).unwrap()
}

proptest! {
    #![proptest_config(tenet_chance::cases(2000))]

    #[test]
    fn round_trip(slots in prop::collection::vec(slot(), 0..20)) {
        let (domains, state): (Vec<_>, Vec<_>) = slots.into_iter().unzip();
        let packing = packing(&domains);
        prop_assert_eq!(packing.bits(), domains.iter().map(|&domain| least_bits(domain)).sum::<usize>());
        prop_assert_eq!(packing.bytes(), packing.bits().div_ceil(8).max(1));

        let mut words = vec![u64::MAX; packing.words()];
        packing.pack(&state, &mut words);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        prop_assert!(bytes[packing.bits().div_ceil(8)..].iter().all(|&byte| byte == 0));

        // Through bytes, as the store keeps them, into dirty words.
        let mut again = vec![u64::MAX; packing.words()];
        words_from_bytes(&bytes[..packing.bytes()], &mut again);
        prop_assert_eq!(&again, &words);
        let mut unpacked = vec![7; state.len()];
        packing.unpack(&again, &mut unpacked);
        prop_assert_eq!(unpacked, state);
    }

    #[test]
    fn different_states_pack_differently(slots in prop::collection::vec((slot(), any::<bool>()), 1..8)) {
        let domains: Vec<_> = slots.iter().map(|slot| slot.0.0).collect();
        let state: Vec<_> = slots.iter().map(|slot| slot.0.1).collect();
        let other: Vec<_> = slots
            .iter()
            .map(|&(((lo, _), value), change)| if change && value == lo { UNDEFINED } else if change { lo } else { value })
            .collect();
        let packing = packing(&domains);
        let [mut a, mut b] = [vec![0; packing.words()], vec![0; packing.words()]];
        packing.pack(&state, &mut a);
        packing.pack(&other, &mut b);
        prop_assert_eq!(a == b, state == other);
    }
}
