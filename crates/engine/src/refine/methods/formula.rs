//! Formulas in disjunctive normal form over atoms (Ball, Podelski and Rajamani, section 2).
//!
//! Negation is not an operation on them: `y != 25` is an atom of its own. A disjunct that contradicts itself stays, since its
//! atoms are what refinement by `pre` is after (RC-T1).

use super::atom::normal;
use super::outcome::Unsupported;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tenet_term::{Model, Op, Substitution, TermId, TermStore};

/// Disjuncts of one guard, property or startstate in disjunctive normal form; with more the system is refused.
const MAX_DISJUNCTS: usize = 4096;

/// A conjunction of atoms in normal form, in ascending order. The empty one is true.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Disjunct {
    atoms: Vec<TermId>,
}

impl Disjunct {
    /// The conjunction of these literals.
    pub fn new(
        store: &mut TermStore,
        literals: impl IntoIterator<Item = TermId>,
        is_split: bool,
    ) -> Disjunct {
        let mut atoms = Vec::new();
        for literal in literals {
            atoms.extend(normal(store, literal, is_split));
        }
        Disjunct::of_atoms(atoms)
    }

    /// The conjunction of these atoms, which are in normal form.
    pub fn of_atoms(mut atoms: Vec<TermId>) -> Disjunct {
        atoms.sort_unstable();
        atoms.dedup();
        Disjunct { atoms }
    }

    /// Its atoms, in ascending order.
    pub fn atoms(&self) -> &[TermId] {
        &self.atoms
    }

    pub fn term(&self, store: &mut TermStore) -> TermId {
        store.mk_and(self.atoms.iter().copied())
    }

    /// Is one of the atoms false without variables?
    pub fn is_false(&self, store: &TermStore) -> bool {
        let is_false = |&atom: &TermId| {
            store.free_symbols(atom).is_empty() && Model::new().holds(store, atom) == Ok(false)
        };
        self.atoms.iter().any(is_false)
    }

    /// The atoms as text, those about locations first.
    pub fn print(&self, store: &TermStore) -> String {
        if self.atoms.is_empty() {
            return "true".to_string();
        }
        let (control, data): (Vec<TermId>, Vec<TermId>) =
            self.atoms.iter().partition(|&&atom| is_control(store, atom));
        let texts: Vec<String> = control.iter().chain(&data).map(|&atom| store.print(atom)).collect();
        texts.join(" & ")
    }
}

/// Is the atom about a variable of an enumeration, or about values of one?
pub fn is_control(store: &TermStore, atom: TermId) -> bool {
    let (inner, _) = super::atom::strip(store, atom);
    *store.op(inner) == Op::Eq && {
        let sort = store.sort_of(store.args(inner)[0]);
        matches!(store.sort(sort), tenet_term::Sort::Enum { .. })
    }
}

/// A disjunction, its disjuncts in the order in which they came up.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    disjuncts: IndexSet<Disjunct, FxBuildHasher>,
}

impl Formula {
    pub fn disjuncts(&self) -> impl ExactSizeIterator<Item = &Disjunct> {
        self.disjuncts.iter()
    }

    /// Adds a disjunct. False if it is there already.
    pub fn add(&mut self, disjunct: Disjunct) -> bool {
        self.disjuncts.insert(disjunct)
    }

    /// The set of atoms, in ascending order.
    pub fn atoms(&self) -> Vec<TermId> {
        let mut atoms: Vec<TermId> =
            self.disjuncts.iter().flat_map(|one| one.atoms.iter().copied()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    pub fn term(&self, store: &mut TermStore) -> TermId {
        let parts: Vec<TermId> = self.disjuncts.iter().map(|one| one.term(store)).collect();
        store.mk_or(parts)
    }
}

impl FromIterator<Disjunct> for Formula {
    fn from_iter<I: IntoIterator<Item = Disjunct>>(disjuncts: I) -> Formula {
        Formula { disjuncts: disjuncts.into_iter().collect() }
    }
}

/// The disjuncts of any formula without quantifiers, as literals that are not in normal form yet.
pub fn literals(store: &mut TermStore, formula: TermId) -> Result<Vec<Vec<TermId>>, Unsupported> {
    let lifted = store.lift_ites(formula);
    let formula = store.nnf(lifted);
    if store.has_quantifier(formula) {
        return Err(Unsupported::Quantifier(store.print_limited(formula, 60)));
    }
    let mut open = vec![(Vec::new(), vec![formula])];
    let mut done = Vec::new();
    while let Some((mut known, mut pending)) = open.pop() {
        let Some(next) = pending.pop() else {
            done.push(known);
            continue;
        };
        match store.op(next) {
            Op::Bool(true) => open.push((known, pending)),
            Op::Bool(false) => {}
            Op::And => {
                pending.extend(store.args(next).iter().rev());
                open.push((known, pending));
            }
            Op::Or => {
                let branch = |&arg: &TermId| (known.clone(), [&pending[..], &[arg]].concat());
                open.extend(store.args(next).iter().rev().map(branch));
            }
            _ => {
                known.push(next);
                open.push((known, pending));
            }
        }
        if open.len() + done.len() > MAX_DISJUNCTS {
            return Err(Unsupported::Size("disjuncts of one formula"));
        }
    }
    Ok(done)
}

/// Atoms with terms in place of variables, nothing folded (RC-T1).
pub fn substituted(store: &mut TermStore, atoms: &[TermId], substitution: &Substitution) -> Vec<TermId> {
    atoms.iter().map(|&atom| store.substitute_raw(atom, substitution)).collect()
}
