//! Functions over bit-vectors are evaluated where they differ, and everywhere else with one value: compared with
//! going through all places, and on domains too large to enumerate.

use proptest::prelude::*;
use tenet_term::{BitVec, FunctionTable, Model, Role, SortId, SymbolId, TermId, TermStore, Value};

struct Setting {
    store: TermStore,
    index: SortId,
    memory: SymbolId,
    model: Model,
}

fn bits(width: u32, value: u64) -> Value {
    Value::BitVec(BitVec::new(width, value.into()))
}

fn setting(width: u32, default: u64, entries: &[(u64, u64)]) -> Setting {
    let mut store = TermStore::new();
    let (index, element) = (store.bitvec_sort(width), store.bitvec_sort(3));
    let sort = store.function_sort(&[index], element);
    let memory = store.declare("m", sort, Role::State);
    let mut table = FunctionTable::new(bits(3, default));
    entries.iter().for_each(|&(place, value)| table.set(vec![bits(width, place)], bits(3, value)));
    let mut model = Model::new();
    model.set(memory, table);
    Setting { store, index, memory, model }
}

impl Setting {
    fn place(&mut self, value: u64) -> TermId {
        let width = match self.store.sort(self.index) {
            tenet_term::Sort::BitVec(width) => *width,
            _ => unreachable!(),
        };
        self.store.mk_bitvec(width, value)
    }

    /// The memory after writes, some of them taken from another place.
    fn written(&mut self, writes: &[(u64, u64, bool)]) -> TermId {
        let mut memory = self.store.mk_symbol(self.memory);
        for &(place, value, is_copy) in writes {
            let place = self.place(place);
            let value = match is_copy {
                true => {
                    let from = self.place(value);
                    self.store.mk_apply(memory, &[from])
                }
                false => self.store.mk_bitvec(3, value % 8),
            };
            memory = self.store.mk_store(memory, &[place], value);
        }
        memory
    }
}

proptest! {
    #![proptest_config(tenet_chance::cases(256))]

    #[test]
    fn every_place_has_the_value_that_a_read_finds(
        width in 2u32..5,
        default in 0u64..8,
        entries in prop::collection::vec((0u64..32, 0u64..8), 0..4),
        writes in prop::collection::vec((0u64..32, 0u64..32, any::<bool>()), 0..5),
    ) {
        let mut setting = setting(width, default, &entries);
        let memory = setting.written(&writes);
        let Value::Function(table) = setting.model.evaluate(&setting.store, memory).unwrap() else { unreachable!() };
        for place in 0..1 << width {
            let at = setting.place(place);
            let read = setting.store.mk_apply(memory, &[at]);
            let expected = setting.model.evaluate(&setting.store, read).unwrap();
            prop_assert_eq!(table.get(&[bits(width, place)]), &expected);
        }
    }

    #[test]
    fn functions_are_equal_if_they_agree_everywhere(
        defaults in any::<[bool; 2]>(),
        left in prop::collection::vec((0u64..4, 0u64..2), 0..6),
        right in prop::collection::vec((0u64..4, 0u64..2), 0..6),
    ) {
        let setting = setting(2, 0, &[]);
        let sort = setting.store.symbol(setting.memory).sort;
        let [a, b] = [(defaults[0], left), (defaults[1], right)].map(|(default, entries)| {
            let mut table = FunctionTable::new(bits(3, u64::from(default)));
            entries.iter().for_each(|&(place, value)| table.set(vec![bits(2, place)], bits(3, value)));
            table
        });
        let agree = (0..4).all(|place| a.get(&[bits(2, place)]) == b.get(&[bits(2, place)]));
        let equal = setting.model.equal(&setting.store, sort, &a.into(), &b.into());
        prop_assert_eq!(equal, Ok(agree));
    }
}

#[test]
fn a_write_to_a_large_memory_is_one_entry() {
    let mut setting = setting(70, 5, &[(1, 2)]);
    let memory = setting.written(&[(7, 3, false), (1, 5, false), (9, 7, true)]);
    let Value::Function(table) = setting.model.evaluate(&setting.store, memory).unwrap() else {
        unreachable!()
    };
    let entries: Vec<_> = table.entries().map(|(place, value)| (place[0].clone(), value.clone())).collect();
    assert_eq!(entries, [(bits(70, 7), bits(3, 3)), (bits(70, 9), bits(3, 3))]);
    assert_eq!(table.default_value(), &bits(3, 5));
}
