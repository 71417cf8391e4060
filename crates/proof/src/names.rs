//! Names in a certificate: one for each symbol, sort and value, and the meaning of each.
//!
//! A reader of a certificate must be able to resolve every name, so no name means two things in one file, and the names
//! depend on the model alone: not on what else lives in the store. Names of the model take precedence; generated names
//! contain a dot or a hyphen, which variables of formulas never do.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tenet_system::{PropertyKind, System};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

use crate::walk::postorder;

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entity {
    Sort(SortId),
    /// A constant or function.
    Symbol(SymbolId),
    /// A literal: a value of an enumeration or an element of an index sort.
    Literal(Op),
    /// The injection of the second sort, a member, into the first, a union.
    Inject(SortId, SortId),
    /// The projection of the first sort, a union, to the second, a member.
    Project(SortId, SortId),
    /// A division: SMT-LIB leaves divisions by zero open, terms do not.
    Division(Op),
}

/// The purpose of a symbol of the certificate. Symbols for different purposes are different, whatever their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// Used once; never shared.
    Once,
    /// The new value of a part of the state.
    Next,
    /// A lemma or axiom, about the old or the new state.
    Statement,
    /// A constant for a variable of a goal.
    Constant,
    /// That the values of a function are in the range of its sort.
    Range,
}

/// All names of a certificate.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    meanings: IndexMap<String, Entity, FxBuildHasher>,
    names: FxHashMap<Entity, String>,
    /// Generated symbols that have the same meaning in every scope.
    shared: FxHashMap<(Purpose, String, SortId), SymbolId>,
    /// Sorts, in the order in which they are declared.
    sorts: Vec<SortId>,
}

impl Names {
    /// The names of everything that the model mentions.
    pub(crate) fn of_model(system: &System, store: &TermStore) -> Names {
        let mut names = Names::default();
        for sort in sorts_in(system, store) {
            names.add_sort(store, sort);
        }
        let state = system.state.iter().map(|var| var.symbol);
        let definitions = system.definitions.iter().map(|definition| definition.symbol);
        let starts = system.starts.iter().flat_map(|start| start.params.iter().copied());
        let rules = system.rules.iter().flat_map(|rule| rule.params.iter().copied());
        for symbol in system.consts.iter().copied().chain(state).chain(definitions).chain(starts).chain(rules)
        {
            names.add(&store.symbol(symbol).name, Entity::Symbol(symbol));
        }
        for property in &system.properties {
            if let PropertyKind::Start { .. } = property.kind {
                for symbol in initial_symbols(store, property.formula) {
                    names.add(&store.symbol(symbol).name, Entity::Symbol(symbol));
                }
            }
        }
        names.add_divisions();
        names
    }

    /// The names of these sorts and their values.
    pub(crate) fn of_sorts(store: &TermStore, sorts: impl IntoIterator<Item = SortId>) -> Names {
        let mut names = Names::default();
        sorts.into_iter().for_each(|sort| names.add_sort(store, sort));
        names.add_divisions();
        names
    }

    /// The sorts that have to be declared, components before compounds.
    pub(crate) fn sorts(&self) -> &[SortId] {
        &self.sorts
    }

    pub(crate) fn meaning(&self, name: &str) -> Option<&Entity> {
        self.meanings.get(name)
    }

    /// The name of something that has one.
    pub(crate) fn name(&self, entity: &Entity) -> Option<&str> {
        self.names.get(entity).map(String::as_str)
    }

    /// The name of a symbol that has one.
    pub(crate) fn symbol(&self, symbol: SymbolId) -> Option<&str> {
        self.name(&Entity::Symbol(symbol))
    }

    /// May no variable have this name?
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.meanings.contains_key(name) || is_reserved(name)
    }

    /// A generated symbol. Shared ones are the same for the same purpose, name and sort.
    pub(crate) fn make(
        &mut self,
        store: &mut TermStore,
        purpose: Purpose,
        requested: &str,
        sort: SortId,
    ) -> SymbolId {
        let key = (purpose, requested.to_owned(), sort);
        if let Some(&symbol) = self.shared.get(&key) {
            return symbol;
        }
        let name = self.free_name(requested);
        let symbol = store.declare(&name, sort, Role::Skolem);
        self.meanings.insert(name.clone(), Entity::Symbol(symbol));
        self.names.insert(Entity::Symbol(symbol), name);
        if purpose != Purpose::Once {
            self.shared.insert(key, symbol);
        }
        symbol
    }

    fn add_divisions(&mut self) {
        for op in [Op::DivReal, Op::DivEuclid, Op::ModEuclid, Op::DivTrunc, Op::RemTrunc] {
            self.add(division_name(&op), Entity::Division(op));
        }
    }

    /// Names something that has no name yet.
    pub(crate) fn add(&mut self, requested: &str, entity: Entity) {
        if self.names.contains_key(&entity) {
            return;
        }
        let name = self.free_name(requested);
        self.meanings.insert(name.clone(), entity.clone());
        self.names.insert(entity, name);
    }

    /// The requested name in SMT-LIB's syntax, with a prefix or suffix if it is taken.
    fn free_name(&self, requested: &str) -> String {
        alternatives(requested).find(|name| !self.is_taken(name)).expect("invariant: numbers do not end")
    }

    fn add_sort(&mut self, store: &TermStore, sort: SortId) {
        if self.sorts.contains(&sort) {
            return;
        }
        match store.sort(sort).clone() {
            Sort::Index { name } => self.add(&name, Entity::Sort(sort)),
            Sort::Enum { name, variants } => {
                self.add(&name, Entity::Sort(sort));
                for (position, variant) in variants.iter().enumerate() {
                    self.add(variant, Entity::Literal(Op::Enum(sort, position as u32)));
                }
            }
            Sort::Union { name, members } => {
                members.iter().for_each(|&member| self.add_sort(store, member));
                self.add(&name, Entity::Sort(sort));
                for &member in &members {
                    let of = store.sort_name(member);
                    self.add(&format!("{name}.{of}"), Entity::Inject(sort, member));
                    self.add(&format!("{name}.as.{of}"), Entity::Project(sort, member));
                }
            }
            _ => return,
        }
        self.sorts.push(sort);
    }
}

fn division_name(op: &Op) -> &'static str {
    match op {
        Op::DivReal => "real.div",
        Op::DivEuclid => "int.div",
        Op::ModEuclid => "int.mod",
        Op::DivTrunc => "int.quo",
        _ => "int.rem",
    }
}

/// The symbols of role `Initial` in a formula, in order of occurrence.
pub(crate) fn initial_symbols(store: &TermStore, formula: TermId) -> Vec<SymbolId> {
    let symbols = postorder(store, [formula]).into_iter().filter_map(|term| store.as_symbol(term));
    symbols.filter(|&symbol| store.symbol(symbol).role == Role::Initial).collect()
}

/// The sorts that the model mentions, in an order that depends on the model alone.
fn sorts_in(system: &System, store: &TermStore) -> Vec<SortId> {
    let state = system.state.iter().map(|var| var.symbol);
    let starts = system.starts.iter().flat_map(|start| start.params.iter().copied());
    let rules = system.rules.iter().flat_map(|rule| rule.params.iter().copied());
    let definitions = system.definitions.iter().flat_map(|definition| definition.params.iter().copied());
    let symbols = system.consts.iter().copied().chain(state).chain(starts).chain(rules).chain(definitions);
    let mut found: Vec<SortId> = symbols.map(|symbol| store.symbol(symbol).sort).collect();
    for term in postorder(store, system.terms()) {
        found.push(store.sort_of(term));
        found.extend(store.op(term).bound().iter().map(|&symbol| store.symbol(symbol).sort));
    }
    let mut seen = indexmap::IndexSet::<SortId, FxBuildHasher>::default();
    for sort in found {
        let parts: Vec<SortId> = match store.sort(sort) {
            Sort::Function { args, result } => args.iter().copied().chain([*result]).collect(),
            _ => vec![sort],
        };
        seen.extend(parts);
    }
    seen.into_iter().collect()
}

/// A name in SMT-LIB's syntax. A character that is not allowed even between bars becomes an underscore.
pub(crate) fn quote(requested: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-.$%&+*<>=!?~^/".contains(c);
    if requested.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && requested.chars().all(plain) {
        return requested.to_owned();
    }
    let written = |c: char| if c == '|' || c == '\\' || !(' '..='~').contains(&c) { '_' } else { c };
    format!("|{}|", requested.chars().map(written).collect::<String>())
}

/// Variants of a requested name, the best one first. After a reserved prefix a numeric suffix does not help, so a prefix is added
/// then; the other reserved names are finitely many, so some variant is always free.
fn alternatives(requested: &str) -> impl Iterator<Item = String> {
    let base =
        if has_reserved_prefix(requested) { format!("name.{requested}") } else { requested.to_owned() };
    let numbered_base = base.clone();
    let numbered = (1u32..).map(move |number| quote(&format!("{numbered_base}.{number}")));
    std::iter::once(quote(&base)).chain(numbered)
}

/// Has the name the prefix of operators on bit-vectors and their literals? Each solver has some of its own.
pub(crate) fn has_reserved_prefix(name: &str) -> bool {
    name.trim_start_matches('|').starts_with("bv")
}

/// Is the name reserved by SMT-LIB or by a solver?
fn is_reserved(name: &str) -> bool {
    let bare = name.trim_matches('|');
    RESERVED.contains(&bare) || has_reserved_prefix(bare)
}

const RESERVED: &[&str] = &[
    "Array",
    "BINARY",
    "Bag",
    "Bool",
    "Char",
    "DECIMAL",
    "FiniteField",
    "Float16",
    "Float32",
    "Float64",
    "HEXADECIMAL",
    "Int",
    "List",
    "NUMERAL",
    "RNE",
    "RNA",
    "RTN",
    "RTP",
    "RTZ",
    "Real",
    "RegLan",
    "RoundingMode",
    "STRING",
    "Seq",
    "Set",
    "String",
    "Tuple",
    "Unicode",
    "UnitTuple",
    "_",
    "abs",
    "and",
    "arccos",
    "arccot",
    "arccsc",
    "arcsec",
    "arcsin",
    "arctan",
    "as",
    "assert",
    "bag",
    "card",
    "check-sat",
    "complement",
    "concat",
    "const",
    "cos",
    "cot",
    "csc",
    "declare-const",
    "declare-fun",
    "define-fun",
    "distinct",
    "div",
    "divisible",
    "emptyset",
    "exists",
    "exit",
    "exp",
    "extract",
    "false",
    "fp",
    "forall",
    "if",
    "iff",
    "implies",
    "insert",
    "int2bv",
    "int_to_bv",
    "is",
    "is_int",
    "ite",
    "iand",
    "lambda",
    "let",
    "map",
    "match",
    "member",
    "mod",
    "nil",
    "not",
    "or",
    "par",
    "pi",
    "pop",
    "pow2",
    "push",
    "reset",
    "select",
    "sec",
    "sep",
    "set",
    "setminus",
    "sin",
    "singleton",
    "sqrt",
    "store",
    "subset",
    "subset",
    "tan",
    "to_int",
    "to_real",
    "true",
    "tuple",
    "ubv_to_int",
    "union",
    "update",
    "xor",
    "cons",
    "head",
    "tail",
    "first",
    "second",
    "mk-pair",
    "Pair",
    "nth",
    "sum",
    "prod",
    "choice",
    "rotate_left",
    "rotate_right",
    "repeat",
    "zero_extend",
    "sign_extend",
    "bag.map",
    "root-obj",
    "rem",
    "power",
    "intersection",
    "product",
    "default",
];
