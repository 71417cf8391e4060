//! The names in the text of a proof.
//!
//! A symbol is its name, sort and role, so a proof that declares these refers to the symbols of the program. Free symbols of role
//! `Bound` are written with a question mark: in the text a binder may have the same name.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use tenet_system::recursive::Program;
use tenet_term::{Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

use crate::names::{Entity, Names, quote};
use crate::parse::{parse_sort, parse_term};
use crate::print::Printer;
use crate::sexpr::{Node, Sexpr};
use crate::walk::postorder;

/// Names for predicates, sorts and symbols.
pub(super) struct Vocabulary {
    names: Names,
    predicates: Vec<String>,
    /// The declared symbols, and the symbol as which each is written.
    symbols: IndexMap<SymbolId, SymbolId, FxBuildHasher>,
}

impl Vocabulary {
    /// The names of the program, without symbols.
    pub(super) fn new(program: &Program, store: &TermStore, sorts: &[SortId]) -> Vocabulary {
        let mut predicates: Vec<String> = Vec::new();
        for predicate in &program.predicates {
            let numbered = (1u32..).map(|number| quote(&format!("{}.{number}", predicate.name)));
            let mut wishes = std::iter::once(quote(&predicate.name)).chain(numbered);
            let free = wishes.find(|wish| !predicates.contains(wish));
            predicates.push(free.expect("invariant: numbers do not end"));
        }
        let names = Names::of_sorts(store, sorts.iter().copied());
        Vocabulary { names, predicates, symbols: IndexMap::default() }
    }

    /// The name of a predicate.
    pub(super) fn predicate(&self, position: usize) -> Result<&str, String> {
        let name = self.predicates.get(position).map(String::as_str);
        name.ok_or_else(|| format!("there is no predicate {}", position + 1))
    }

    pub(super) fn predicate_called(&self, name: &str) -> Result<usize, String> {
        let position = self.predicates.iter().position(|known| known == name);
        position.ok_or_else(|| format!("there is no predicate `{name}`"))
    }

    /// The name of a symbol, which is declared on first use.
    pub(super) fn symbol(&mut self, store: &mut TermStore, symbol: SymbolId) -> Result<String, String> {
        let shown = match self.symbols.get(&symbol) {
            Some(&shown) => shown,
            None => self.add(store, symbol)?,
        };
        Ok(self.names.symbol(shown).expect("invariant: what is declared has a name").to_owned())
    }

    fn add(&mut self, store: &mut TermStore, symbol: SymbolId) -> Result<SymbolId, String> {
        let declared = store.symbol(symbol).clone();
        let quoted = quote(&declared.name);
        if bare(&quoted) != declared.name {
            return Err(format!("the name `{}` cannot be written", declared.name));
        }
        let shown = match declared.role {
            Role::Index => symbol,
            Role::Bound => store.declare(&format!("{}?", declared.name), declared.sort, Role::Skolem),
            _ => return Err(format!("`{}` has the wrong role to be a variable", declared.name)),
        };
        let wish = store.symbol(shown).name.clone();
        self.names.add(&wish, Entity::Symbol(shown));
        self.symbols.insert(symbol, shown);
        Ok(shown)
    }

    /// A term as text.
    pub(super) fn term(&mut self, store: &mut TermStore, term: TermId) -> Result<String, String> {
        let free = store.free_symbols(term);
        let occurring = postorder(store, [term]).into_iter().filter_map(|part| store.as_symbol(part));
        let free: Vec<SymbolId> = occurring.filter(|symbol| free.binary_search(symbol).is_ok()).collect();
        for symbol in free {
            self.symbol(store, symbol)?;
        }
        let shown = self.replaced(store, term, |symbol, shown| (symbol, shown));
        Printer::new(store, &self.names).term(shown)
    }

    /// A term from text.
    pub(super) fn read_term(
        &self,
        store: &mut TermStore,
        text: &Sexpr,
        node: Node,
    ) -> Result<TermId, String> {
        let shown = parse_term(store, &self.names, text, node)?;
        Ok(self.replaced(store, shown, |symbol, shown| (shown, symbol)))
    }

    fn replaced(
        &self,
        store: &mut TermStore,
        term: TermId,
        pair: fn(SymbolId, SymbolId) -> (SymbolId, SymbolId),
    ) -> TermId {
        let mut replaced = Substitution::new();
        for (&symbol, &shown) in self.symbols.iter().filter(|(symbol, shown)| symbol != shown) {
            let (from, to) = pair(symbol, shown);
            let to = store.mk_symbol(to);
            replaced.insert(store, from, to);
        }
        store.substitute_raw(term, &replaced)
    }

    pub(super) fn symbol_called(&self, name: &str) -> Result<SymbolId, String> {
        let meaning = match self.names.meaning(name) {
            Some(Entity::Symbol(shown)) => self.symbols.iter().find(|&(_, known)| known == shown),
            _ => None,
        };
        meaning.map(|(&symbol, _)| symbol).ok_or_else(|| format!("there is no variable `{name}`"))
    }

    /// The declarations of all symbols: `(variable X Int)`, `(bound S? Int S)`. The name in the store is included if it differs.
    pub(super) fn declarations(&self, store: &TermStore) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for (&symbol, &shown) in &self.symbols {
            let declared = store.symbol(symbol);
            let word = if declared.role == Role::Bound { "bound" } else { "variable" };
            let name = self.names.symbol(shown).expect("invariant: what is declared has a name");
            let (sort, own) = (self.sort(store, declared.sort)?, quote(&declared.name));
            let own = if own == name { String::new() } else { format!(" {own}") };
            lines.push(format!("({word} {name} {sort}{own})"));
        }
        Ok(lines)
    }

    /// Reads a declaration.
    pub(super) fn declare(&mut self, store: &mut TermStore, text: &Sexpr, node: Node) -> Result<(), String> {
        let bad = || "a declaration has the wrong form".to_owned();
        let (word, name, sort, own) = match text.list(node) {
            Some(&[word, name, sort]) => (word, name, sort, name),
            Some(&[word, name, sort, own]) => (word, name, sort, own),
            _ => return Err(bad()),
        };
        let role = match text.atom(word) {
            Some("variable") => Role::Index,
            Some("bound") => Role::Bound,
            _ => return Err(bad()),
        };
        let (name, own) = (text.atom(name).ok_or_else(bad)?, text.atom(own).ok_or_else(bad)?);
        let sort = self.read_sort(store, text, sort)?;
        let symbol = store.declare(bare(own), sort, role);
        match self.symbol(store, symbol)? == name {
            true => Ok(()),
            false => Err(format!("`{name}` is not how this variable is called")),
        }
    }

    /// A sort as text; `(-> Int Int)` is that of arrays.
    fn sort(&self, store: &TermStore, sort: SortId) -> Result<String, String> {
        let printer = Printer::new(store, &self.names);
        match store.sort(sort) {
            Sort::Function { args, result } => {
                let parts: Result<Vec<String>, String> =
                    args.iter().chain([result]).map(|&part| printer.sort(part)).collect();
                Ok(format!("(-> {})", parts?.join(" ")))
            }
            Sort::Range { .. } => Err(format!("`{}` is a range", store.sort_name(sort))),
            _ => printer.sort(sort),
        }
    }

    fn read_sort(&self, store: &mut TermStore, text: &Sexpr, node: Node) -> Result<SortId, String> {
        let parts = match text.list(node) {
            Some([arrow, parts @ ..]) if text.atom(*arrow) == Some("->") => parts,
            _ => return parse_sort(store, &self.names, text, node),
        };
        let sorts: Result<Vec<SortId>, String> =
            parts.iter().map(|&part| parse_sort(store, &self.names, text, part)).collect();
        match sorts?.split_last() {
            Some((&result, args)) if !args.is_empty() => Ok(store.function_sort(args, result)),
            _ => Err("a sort has the wrong form".to_owned()),
        }
    }
}

/// A name without the bars that quote it.
fn bare(name: &str) -> &str {
    name.strip_prefix('|').and_then(|name| name.strip_suffix('|')).unwrap_or(name)
}
