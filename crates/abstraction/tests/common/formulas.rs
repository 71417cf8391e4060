//! Random formulas and terms over a vocabulary, from a stream of bytes. Bytes are choices: a run of zeros gives the
//! simplest system, so a failing test shrinks by itself.

use tenet_term::{SortId, SymbolId, TermId, TermStore};

/// A stream of choices, all zero behind its end.
pub struct Choices {
    bytes: Vec<u8>,
    next: usize,
}

impl Choices {
    pub fn new(bytes: Vec<u8>) -> Choices {
        Choices { bytes, next: 0 }
    }

    /// One of `0..count`.
    pub fn below(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        byte as usize * count / 256
    }

    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// What formulas may speak of: elements of one index sort, Booleans, values of one enumeration, and arrays of them.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    pub node: SortId,
    pub color: SortId,
    pub nodes: Vec<SymbolId>,
    pub flags: Vec<SymbolId>,
    pub colors: Vec<SymbolId>,
    /// From `node` to Boolean.
    pub marks: Vec<SymbolId>,
    /// From `node` to `color`.
    pub paints: Vec<SymbolId>,
    /// From `node` to `node`.
    pub nexts: Vec<SymbolId>,
    pub quantifiers: bool,
}

impl Vocabulary {
    /// The same with more elements to speak of.
    pub fn with(&self, nodes: &[SymbolId]) -> Vocabulary {
        let mut vocabulary = self.clone();
        vocabulary.nodes.extend(nodes);
        vocabulary
    }

    pub fn node(&self, store: &mut TermStore, choices: &mut Choices) -> Option<TermId> {
        if self.nodes.is_empty() {
            return None;
        }
        let symbol = choices.of(&self.nodes);
        let node = store.mk_symbol(symbol);
        if self.nexts.is_empty() || choices.below(4) < 3 {
            return Some(node);
        }
        let next = choices.of(&self.nexts);
        let next = store.mk_symbol(next);
        Some(store.mk_apply(next, &[node]))
    }

    pub fn color(&self, store: &mut TermStore, choices: &mut Choices) -> TermId {
        let literal = choices.below(3) as u32;
        let literal = store.mk_enum(self.color, literal);
        match choices.below(4) {
            2 if !self.colors.is_empty() => {
                let symbol = choices.of(&self.colors);
                store.mk_symbol(symbol)
            }
            3 if !self.paints.is_empty() && !self.nodes.is_empty() => self.read(&self.paints, store, choices),
            _ => literal,
        }
    }

    pub fn formula(&self, store: &mut TermStore, choices: &mut Choices, depth: usize) -> TermId {
        match if depth == 0 { 0 } else { choices.below(8) } {
            4 => {
                let inner = self.formula(store, choices, depth - 1);
                store.mk_not(inner)
            }
            kind @ (5 | 6) => {
                let args = [(); 2].map(|()| self.formula(store, choices, depth - 1));
                if kind == 5 { store.mk_and(args) } else { store.mk_or(args) }
            }
            7 if self.quantifiers => {
                let bound = store.bound_avoiding("n", self.node, &self.nodes);
                let body = self.with(&[bound]).formula(store, choices, depth - 1);
                match choices.below(2) {
                    0 => store.mk_exists(&[bound], body),
                    _ => store.mk_forall(&[bound], body),
                }
            }
            _ => self.atom(store, choices),
        }
    }

    /// A formula that is neither true nor false, if a few attempts find one.
    pub fn contingent(&self, store: &mut TermStore, choices: &mut Choices, depth: usize) -> TermId {
        let mut formula = TermId::TRUE;
        for _ in 0..4 {
            formula = self.formula(store, choices, depth);
            if !formula.is_bool_literal() {
                break;
            }
        }
        formula
    }

    fn atom(&self, store: &mut TermStore, choices: &mut Choices) -> TermId {
        if self.nodes.is_empty() && self.quantifiers {
            let bound = store.bound_avoiding("n", self.node, &[]);
            let body = self.with(&[bound]).atom(store, choices);
            return store.mk_exists(&[bound], body);
        }
        let has_nodes = !self.nodes.is_empty();
        match choices.below(5) {
            0 | 1 if has_nodes && !self.marks.is_empty() => self.read(&self.marks, store, choices),
            2 if has_nodes && !self.paints.is_empty() => {
                let read = self.read(&self.paints, store, choices);
                let color = self.color(store, choices);
                store.mk_eq(read, color)
            }
            3 if self.nodes.len() > 1 => {
                let first = choices.below(self.nodes.len() - 1);
                let second = first + 1 + choices.below(self.nodes.len() - first - 1);
                let [a, b] = [first, second].map(|place| store.mk_symbol(self.nodes[place]));
                store.mk_eq(a, b)
            }
            _ if !self.flags.is_empty() => {
                let symbol = choices.of(&self.flags);
                store.mk_symbol(symbol)
            }
            _ if !self.colors.is_empty() => {
                let symbol = choices.of(&self.colors);
                let (symbol, color) = (store.mk_symbol(symbol), self.color(store, choices));
                store.mk_eq(symbol, color)
            }
            _ if has_nodes && !self.marks.is_empty() => self.read(&self.marks, store, choices),
            _ => TermId::TRUE,
        }
    }

    fn read(&self, arrays: &[SymbolId], store: &mut TermStore, choices: &mut Choices) -> TermId {
        let array = choices.of(arrays);
        let node = self.node(store, choices).expect("there are nodes");
        let array = store.mk_symbol(array);
        store.mk_apply(array, &[node])
    }
}
