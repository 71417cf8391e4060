//! Identifiers: one small `Copy + Ord` number per sort, symbol and term.
//!
//! A `NonZeroU32` keeps `Option<TermId>` at four bytes, so that side tables stay dense. Ids are handed out in the
//! order of creation and never reused; ordering by id is therefore deterministic and is the order in which
//! commutative arguments are kept. Pointers (`Rc`, arenas of references) would have tied every table to a lifetime.

use std::num::NonZeroU32;

macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(NonZeroU32);

        impl $name {
            /// The id of the entry at `index` of its table.
            pub(crate) const fn from_index(index: usize) -> $name {
                assert!(index < u32::MAX as usize, "invariant: fewer than 2^32 entries");
                match NonZeroU32::new(index as u32 + 1) {
                    Some(number) => $name(number),
                    None => unreachable!(),
                }
            }

            /// The position of the entry in its table, counted from zero: the key of a dense side table.
            pub const fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    };
}

define_id!(
    /// Names a [`Sort`](crate::Sort) of a [`TermStore`](crate::TermStore).
    SortId
);
define_id!(
    /// Names a [`Symbol`](crate::Symbol) of a [`TermStore`](crate::TermStore).
    SymbolId
);
define_id!(
    /// Names a term of a [`TermStore`](crate::TermStore). Two terms of one store are equal exactly when their ids are.
    TermId
);

impl SortId {
    /// The sort of truth values, the same in every store.
    pub const BOOL: SortId = SortId::from_index(0);
    /// The sort of unbounded integers, the same in every store.
    pub const INT: SortId = SortId::from_index(1);
    /// The sort of rational (real) numbers, the same in every store.
    pub const REAL: SortId = SortId::from_index(2);
}

impl TermId {
    /// The literal `false`, the same in every store.
    pub const FALSE: TermId = TermId::from_index(0);
    /// The literal `true`, the same in every store.
    pub const TRUE: TermId = TermId::from_index(1);

    /// The literal for `value`, the same in every store.
    pub const fn bool(value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }

    /// Is this one of the two truth literals?
    pub fn is_bool_literal(self) -> bool {
        self == TermId::TRUE || self == TermId::FALSE
    }
}
