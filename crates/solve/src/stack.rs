//! The assertion stack: scopes, facts that every check needs, and literals that stand for assumptions.
//!
//! Solvers assume literals only. For any other formula there is a *proxy*, a literal that implies it. The implication is
//! asserted when it is needed, lives as long as the scope it was asserted in, and is asserted again if it is needed
//! behind that.

use rustc_hash::FxHashMap;
use tenet_term::{Op, TermId, TermStore};

use crate::encode::{Builder, Encoder, Prim};

/// The state of the assertion stack, for any back end.
pub(crate) struct Stack<A> {
    scopes: Vec<Scope>,
    /// How many of the encoder's axioms are asserted.
    axioms: usize,
    proxies: FxHashMap<TermId, Proxy<A>>,
    /// The proxies whose implication is asserted, in that order.
    active: Vec<TermId>,
    /// What was assumed in the last check.
    assumed: Vec<(A, TermId)>,
}

/// What was asserted when a scope was opened.
struct Scope {
    axioms: usize,
    active: usize,
}

struct Proxy<A> {
    literal: A,
    /// Is the implication from the literal asserted at the moment?
    active: bool,
}

impl<A: Clone> Stack<A> {
    pub(crate) fn new() -> Stack<A> {
        Stack {
            scopes: Vec::new(),
            axioms: 0,
            proxies: FxHashMap::default(),
            active: Vec::new(),
            assumed: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self) {
        self.scopes.push(Scope { axioms: self.axioms, active: self.active.len() });
    }

    pub(crate) fn pop(&mut self) {
        let scope = self.scopes.pop().expect("invariant: there is a scope to close");
        self.axioms = scope.axioms;
        for formula in self.active.drain(scope.active..) {
            self.proxies.get_mut(&formula).expect("invariant: active proxies exist").active = false;
        }
    }

    /// Prepares a check: the facts to assert before it. The literals to assume are then in [`Stack::assumed`].
    pub(crate) fn assume<B: Builder<Ast = A>>(
        &mut self,
        encoder: &mut Encoder<B>,
        store: &TermStore,
        assumptions: &[TermId],
    ) -> Vec<A> {
        let mut facts = Vec::new();
        self.assumed.clear();
        for &formula in assumptions {
            let literal = self.literal(encoder, store, formula, &mut facts);
            self.assumed.push((literal, formula));
        }
        facts.extend_from_slice(&encoder.axioms()[self.axioms..]);
        self.axioms = encoder.axioms().len();
        facts
    }

    /// The literals of the last check, each with the assumption it stands for.
    pub(crate) fn assumed(&self) -> &[(A, TermId)] {
        &self.assumed
    }

    /// How many of the encoder's axioms the last check knew.
    pub(crate) fn axioms(&self) -> usize {
        self.axioms
    }

    fn literal<B: Builder<Ast = A>>(
        &mut self,
        encoder: &mut Encoder<B>,
        store: &TermStore,
        formula: TermId,
        facts: &mut Vec<A>,
    ) -> A {
        let ast = encoder.encode(store, formula);
        if is_literal(store, formula) {
            return ast;
        }
        let proxy = self
            .proxies
            .entry(formula)
            .or_insert_with(|| Proxy { literal: encoder.fresh_literal(), active: false });
        if !proxy.active {
            proxy.active = true;
            self.active.push(formula);
            facts.push(encoder.builder.apply(Prim::Implies, &[proxy.literal.clone(), ast]));
        }
        proxy.literal.clone()
    }
}

/// A truth-valued symbol, or the negation of one.
fn is_literal(store: &TermStore, formula: TermId) -> bool {
    let atom = if *store.op(formula) == Op::Not { store.args(formula)[0] } else { formula };
    store.as_symbol(atom).is_some()
}
