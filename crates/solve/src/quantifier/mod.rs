//! Quantifiers by instantiation: closed formulas become quantifier-free ones, beside facts that tie them down.
//!
//! Every maximal quantified subformula `Q` is replaced by a *proxy*, a Boolean symbol that stands for its truth. Facts
//! say what follows if the proxy is true, and what if it is false. For `forall x. B`:
//! * true: `B[t]` for every *candidate* `t`, an instance;
//! * false: `!B[w]` for a constant `w` of its own, the witness;
//!
//! and the other way round for `exists`. So whichever way a formula is asserted, a universal is instantiated and an
//! existential gets a fresh constant; an existential that must be true is never instantiated with a term that happens
//! to be there (EX-T1), and a formula that is asserted now one way, now the other needs no second translation
//! (EX-T3). An instance may hold quantifiers again; they are closed by then and get proxies and witnesses of
//! their own, hence one witness for each outer instance (EX-T2).
//!
//! Every fact is true in every model once the proxies have the truth values of what they stand for and the witnesses
//! are chosen accordingly. So if the quantifier-free formulas and the facts are unsatisfiable, the given formulas are;
//! if they are satisfiable, nothing follows (Das, Dill and Park).
//!
//! Proxies and witnesses are named after the quantified formula, which they belong to for good: grounding it again in
//! the same store gives the same ones, and results of several calls may be asserted side by side.
//!
//! Where to look: `normal` and `scope` make quantifiers visible and small; `proxy` replaces them; `pool` knows the
//! ground terms; `places` says where a variable stands and `candidates` which terms it is worth replacing it with;
//! `tuples` goes through the combinations; `version` and `matching` deal with functions as arguments; `run` does it all.

mod candidates;
mod matching;
mod normal;
mod places;
mod pool;
mod proxy;
mod run;
mod scope;
mod tuples;
mod version;

use tenet_system::Definition;
use tenet_term::{Polarity, SortId, SymbolId, TermId, TermStore};

pub use version::Version;

#[derive(Clone, Debug)]
pub struct Policy<'a> {
    /// How often terms that came up in instances may lead to new instances.
    pub rounds: usize,
    /// Instances in total.
    pub limit: usize,
    /// Ground terms that are candidates for every quantifier over this sort.
    pub forced: Vec<(SortId, TermId)>,
    /// Ground terms that are no candidates for any quantifier over this sort.
    pub forbidden: Vec<(SortId, TermId)>,
    /// Least definitions. What is known of each is its equation (EX-T5).
    pub definitions: &'a [Definition],
}

impl Default for Policy<'_> {
    fn default() -> Self {
        Policy { rounds: 3, limit: 20_000, forced: Vec::new(), forbidden: Vec::new(), definitions: &[] }
    }
}

/// Formulas without quantifiers, and what goes with them.
#[derive(Clone, Debug)]
pub struct Grounded {
    /// One for each formula given, in order.
    pub roots: Vec<TermId>,
    /// To be asserted beside any Boolean combination of the roots.
    pub facts: Vec<Fact>,
    /// The constants that stand for witnesses or, where a sort has no other ground term, for any of its values.
    pub skolems: Vec<SymbolId>,
    /// The Boolean symbols that stand for quantified formulas, with these.
    pub proxies: Vec<(SymbolId, TermId)>,
    /// The symbols that stand for functions applied to functions.
    pub versions: Vec<Version>,
    /// Were instances left out because of the limit?
    pub cut: bool,
}

/// Something true, without quantifiers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub formula: TermId,
    /// The quantified formula it is about. For an unfolding, the equation.
    pub quantifier: TermId,
    pub kind: FactKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactKind {
    /// A universal formula that holds, or an existential one that does not, says so of these terms.
    Instance {
        /// One for each bound symbol, in order.
        terms: Vec<TermId>,
    },
    /// An existential formula that holds, or a universal one that does not, has these witnesses.
    Witness {
        /// One for each bound symbol, in order.
        symbols: Vec<SymbolId>,
    },
    /// The equation of a definition.
    Unfolding,
}

/// The formulas without their quantifiers. Each may be asserted or denied by the caller, or be part of anything else.
/// Candidates are looked for in the formulas and in `terms`.
///
/// Panics unless the formulas are closed.
pub fn ground(store: &mut TermStore, formulas: &[TermId], terms: &[TermId], policy: &Policy) -> Grounded {
    let both = Polarity { positive: true, negative: true };
    let signed: Vec<(TermId, Polarity)> = formulas.iter().map(|&formula| (formula, both)).collect();
    ground_signed(store, &signed, terms, policy)
}

/// The same for formulas of which it is known how they will be used: asserted (positive), denied (negative) or both.
/// What is only asserted, as axioms are, needs no witnesses of its falsity, and witnesses lead to many instances.
pub fn ground_signed(
    store: &mut TermStore,
    formulas: &[(TermId, Polarity)],
    terms: &[TermId],
    policy: &Policy,
) -> Grounded {
    run::Run::new(store, policy).ground(formulas, terms)
}
