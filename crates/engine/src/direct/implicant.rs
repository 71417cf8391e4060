//! Implicants: literals that suffice for a formula to be true in a model, chosen along its structure. Where one of
//! several operands is enough, the one that adds the fewest literals is taken.

use tenet_term::{Op, Role, TermId};

use super::quantified::Universal;
use super::structure::Structure;

/// An implicant being collected.
pub struct Implicant<'s, 'a, 'u> {
    structure: &'s mut Structure<'a>,
    universals: &'u [Universal],
    literals: Vec<TermId>,
    /// The universals that are needed, by position.
    needed: Vec<usize>,
    /// Whether universals are instantiated only at elements that literals mention.
    is_narrow: bool,
}

impl<'s, 'a, 'u> Implicant<'s, 'a, 'u> {
    /// The empty implicant.
    pub fn new(structure: &'s mut Structure<'a>, universals: &'u [Universal], is_narrow: bool) -> Self {
        Implicant { structure, universals, literals: Vec::new(), needed: Vec::new(), is_narrow }
    }

    /// The literals, with those that make the needed universals true at the elements that anything is said of; and the
    /// needed universals themselves, for all there are.
    pub fn finish(mut self) -> (Vec<TermId>, Vec<TermId>) {
        let mut place = 0;
        while place < self.needed.len() {
            let universal = &self.universals[self.needed[place]];
            place += 1;
            for terms in self.anchored(universal) {
                let instance = Universal { proxy: TermId::TRUE, ..universal.clone() };
                let instance = instance.instance(self.structure.store, &terms);
                if self.structure.holds(instance) && !self.structure.store.has_quantifier(instance) {
                    self.require(instance, true);
                }
            }
        }
        let needed = self.needed.iter().map(|&number| &self.universals[number]);
        let store = &mut *self.structure.store;
        let universal_literals =
            needed.map(|universal| store.mk_forall(&universal.vars, universal.body)).collect();
        (self.literals, universal_literals)
    }

    /// The tuples of elements that literals mention or rules choose. Other elements may be in the model only because
    /// of other lemmas.
    fn anchored(&mut self, universal: &Universal) -> Vec<Vec<TermId>> {
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for &var in &universal.vars {
            let sort = self.structure.store.symbol(var).sort;
            let mut names = Vec::new();
            for element in self.structure.elements(sort) {
                let name = self.structure.name(sort, element);
                names.extend(name.filter(|&name| self.is_anchor(name)));
            }
            tuples = tuples
                .into_iter()
                .flat_map(|tuple| {
                    names.iter().map(move |&name| tuple.iter().copied().chain([name]).collect())
                })
                .collect();
        }
        tuples
    }

    fn is_anchor(&self, name: TermId) -> bool {
        let store = &*self.structure.store;
        let is_chosen = |symbol| !matches!(store.symbol(symbol).role, Role::State | Role::Skolem);
        let is_named = self.literals.iter().any(|&literal| store.subterms(literal).contains(&name));
        is_named || !self.is_narrow && store.as_symbol(name).is_some_and(is_chosen)
    }

    /// Adds literals that make a formula true, or false.
    pub fn require(&mut self, formula: TermId, positive: bool) {
        let args = self.structure.store.args(formula).to_vec();
        match self.structure.store.op(formula).clone() {
            Op::Bool(_) => {}
            Op::Not => self.require(args[0], !positive),
            Op::And if positive => args.iter().for_each(|&arg| self.require(arg, true)),
            Op::Or if !positive => args.iter().for_each(|&arg| self.require(arg, false)),
            Op::And | Op::Or => self.require_one(&args, positive),
            Op::Implies if !positive => {
                self.require(args[0], true);
                self.require(args[1], false);
            }
            Op::Implies => {
                let holds = self.structure.holds(args[1]);
                if holds && !self.is_cheaper_false(args[0], args[1]) {
                    self.require(args[1], true);
                } else {
                    self.require(args[0], false);
                }
            }
            Op::Iff => args.iter().for_each(|&arg| {
                let holds = self.structure.holds(arg);
                self.require(arg, holds);
            }),
            Op::Ite => {
                let holds = self.structure.holds(args[0]);
                self.require(args[0], holds);
                self.require(if holds { args[1] } else { args[2] }, positive);
            }
            _ => self.atom(formula, positive),
        }
    }

    fn is_cheaper_false(&mut self, premise: TermId, conclusion: TermId) -> bool {
        let is_false = self.structure.value(premise) == Some(0);
        is_false && self.structure.store.size(premise) < self.structure.store.size(conclusion)
    }

    /// One operand that has the wanted value.
    fn require_one(&mut self, args: &[TermId], positive: bool) {
        let wanted = Some(i64::from(positive));
        let fitting: Vec<TermId> =
            args.iter().copied().filter(|&arg| self.structure.value(arg) == wanted).collect();
        let cost = |arg: &TermId| {
            let literal = if positive { Some(*arg) } else { None };
            let is_known = literal.is_some_and(|literal| self.literals.contains(&literal));
            if is_known { 0 } else { self.structure.store.size(*arg) }
        };
        if let Some(&arg) = fitting.iter().min_by_key(|arg| cost(arg)) {
            self.require(arg, positive);
        }
    }

    fn atom(&mut self, atom: TermId, positive: bool) {
        if let Some(number) = self.universals.iter().position(|universal| universal.proxy == atom) {
            if !self.needed.contains(&number) {
                self.needed.push(number);
            }
            return;
        }
        let resolved = self.resolve(atom);
        let literal = if positive { resolved } else { self.structure.store.mk_not(resolved) };
        if literal != TermId::TRUE && !self.literals.contains(&literal) {
            self.literals.push(literal);
        }
    }

    /// The term with each condition replaced by the branch that the model takes; what makes it take the branch is
    /// added to the implicant.
    fn resolve(&mut self, term: TermId) -> TermId {
        let args = self.structure.store.args(term).to_vec();
        let op = self.structure.store.op(term).clone();
        if op == Op::Ite {
            let holds = self.structure.holds(args[0]);
            self.require(args[0], holds);
            return self.resolve(if holds { args[1] } else { args[2] });
        }
        if args.is_empty() || op.is_binder() {
            return term;
        }
        let resolved: Vec<TermId> = args.iter().map(|&arg| self.resolve(arg)).collect();
        if resolved == args { term } else { self.structure.store.mk(op, &resolved) }
    }
}
