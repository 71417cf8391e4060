//! A small signature for tests, with short ways to build terms.

use tenet_term::{Op, Role, SortId, SymbolId, TermId, TermStore};

pub struct World {
    pub store: TermStore,
    pub node: SortId,
}

impl World {
    pub fn new() -> World {
        let mut store = TermStore::new();
        let node = store.index_sort("NODE");
        World { store, node }
    }

    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        self.symbol(name, sort, Role::State)
    }

    pub fn symbol(&mut self, name: &str, sort: SortId, role: Role) -> TermId {
        let symbol = self.store.declare(name, sort, role);
        self.store.mk_symbol(symbol)
    }

    pub fn function(&mut self, name: &str, args: &[SortId], result: SortId) -> TermId {
        let sort = self.store.function_sort(args, result);
        self.symbol(name, sort, Role::State)
    }

    pub fn bound(&mut self, name: &str, sort: SortId) -> (SymbolId, TermId) {
        let symbol = self.store.declare(name, sort, Role::Bound);
        (symbol, self.store.mk_symbol(symbol))
    }

    pub fn apply(&mut self, function: TermId, args: &[TermId]) -> TermId {
        self.store.mk_apply(function, args)
    }

    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.store.mk(Op::And, args)
    }

    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.store.mk(Op::Or, args)
    }

    pub fn not(&mut self, arg: TermId) -> TermId {
        self.store.mk_not(arg)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        self.store.mk_implies(a, b)
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.store.mk_eq(a, b)
    }

    pub fn forall(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        self.store.mk_forall(bound, body)
    }

    pub fn exists(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        self.store.mk_exists(bound, body)
    }
}
