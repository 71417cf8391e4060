//! Well-formedness of terms: their constructs, and the symbols that they may mention.
//!
//! Terms of a proof are not trusted. Those that pass here mean the same to a solver as to us, and the solver layer supports them:
//! functions are applied or compared, never passed to functions nor quantified over.

use rustc_hash::FxHashSet;
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

/// The variables in scope.
pub(super) type Scope = std::collections::BTreeSet<SymbolId>;

/// Memoises which terms were checked.
#[derive(Debug, Default)]
pub(super) struct Terms {
    plain: FxHashSet<TermId>,
}

impl Terms {
    /// Rejects a term that is not of the sort, or mentions symbols other than those that `may_occur`.
    pub(super) fn check(
        &mut self,
        store: &TermStore,
        term: TermId,
        sort: SortId,
        may_occur: impl Fn(SymbolId) -> bool,
    ) -> Result<(), String> {
        self.check_parts(store, term)?;
        if let Some(other) = store.free_symbols(term).into_iter().find(|&symbol| !may_occur(symbol)) {
            return Err(format!("`{}` is not a variable here", store.symbol(other).name));
        }
        if store.sort_of(term) != sort {
            let (found, expected) = (store.sort_name(store.sort_of(term)), store.sort_name(sort));
            return Err(format!("a term is of sort `{found}` and should be of sort `{expected}`"));
        }
        Ok(())
    }

    fn check_parts(&mut self, store: &TermStore, term: TermId) -> Result<(), String> {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !self.plain.contains(&term) {
                check_part(store, term)?;
                self.plain.insert(term);
                stack.extend_from_slice(store.args(term));
            }
        }
        Ok(())
    }
}

fn check_part(store: &TermStore, term: TermId) -> Result<(), String> {
    check_sort(store, store.sort_of(term))?;
    for &symbol in store.op(term).bound() {
        let sort = store.symbol(symbol).sort;
        check_sort(store, sort)?;
        if is_function(store, sort) {
            return Err(format!("the function `{}` is bound", store.symbol(symbol).name));
        }
    }
    let is_argument = |&arg: &TermId| is_function(store, store.sort_of(arg));
    match store.op(term) {
        Op::Index(..) => Err("an element of an index sort is written as a number".to_owned()),
        Op::Apply if store.args(term)[1..].iter().any(is_argument) => {
            Err("a function is applied to a function".to_owned())
        }
        _ => Ok(()),
    }
}

/// Rejects sorts that mean something else to a solver than to us.
pub(super) fn check_sort(store: &TermStore, sort: SortId) -> Result<(), String> {
    let mut sort = sort;
    loop {
        match store.sort(sort) {
            Sort::Range { .. } => return Err(format!("`{}` is a range", store.sort_name(sort))),
            Sort::Function { args, result } => {
                for &arg in args {
                    if is_function(store, arg) || matches!(store.sort(arg), Sort::Range { .. }) {
                        return Err(format!("`{}` is not a sort of arrays", store.sort_name(sort)));
                    }
                }
                sort = *result;
            }
            _ => return Ok(()),
        }
    }
}

/// Rejects symbols that are not distinct and of this role.
pub(super) fn check_symbols(store: &TermStore, symbols: &[SymbolId], role: Role) -> Result<(), String> {
    let mut seen = Scope::new();
    for &symbol in symbols {
        let declared = store.symbol(symbol);
        check_sort(store, declared.sort)?;
        if declared.role != role {
            return Err(format!("`{}` has the wrong role to be a variable here", declared.name));
        }
        if !seen.insert(symbol) {
            return Err(format!("the variable `{}` is there twice", declared.name));
        }
    }
    Ok(())
}

fn is_function(store: &TermStore, sort: SortId) -> bool {
    matches!(store.sort(sort), Sort::Function { .. })
}
