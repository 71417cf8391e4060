//! The unbounded reading of a checked Murphi model: one transition system for every size.
//!
//! Rules are *executed symbolically*: the state is a map from symbols to terms, an assignment replaces a term, `if`
//! merges two maps, and the map at the end is the rule's simultaneous update. A loop over an unbounded type is executed
//! once, for an arbitrary value of its variable, and becomes a lambda if its iterations are independent (`sweeps`). The
//! alternative, weakest preconditions, would push a formula backwards through every loop and could not say which two
//! accesses conflict.
//!
//! Two principles. What cannot be read exactly is an error with a span; only where "any order of the iterations" is the
//! natural meaning it is a warning, and then every run of every instance is preserved. And errors do not stop the
//! reading: an erroneous expression becomes some symbol of its sort, so that one run reports them all.
//!
//! The parts: `sorts` reads types, `layout` splits aggregates into leaves, `memory` is the symbolic state,
//! `expressions`, `operators`, `conversions`, `quantifiers` and `statements` execute what their names say, `calls`
//! inlines functions, `domains`, `loops`, `accesses`, `sweeps` and `last` are about loops, `havoc` makes parameters of
//! undefined values, `obligations` collects what must hold, `rules` assembles the system, `abstraction` reads
//! predicates and hints, `definedness` tracks which values are defined, `definitions` reads definitions and symbolic
//! constants, `names` and `uses` interpret `--unbounded`, `values` knows the bounds of values, and `describe` prints a
//! system.

mod abstraction;
mod accesses;
mod calls;
mod conversions;
mod definedness;
mod definitions;
mod describe;
mod domains;
mod expressions;
mod havoc;
mod last;
mod layout;
mod loops;
mod memory;
mod multisets;
mod names;
mod obligations;
mod operators;
mod quantifiers;
mod rules;
mod sorts;
mod statements;
mod sweeps;
mod uses;
mod values;

pub use definedness::{Reads, reads};
pub use describe::describe;
pub use names::{Candidate, CandidateKind, candidates, constants_of_range, index_ranges};

use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{DefinitionId, Model};
use crate::span::Span;
use std::collections::BTreeMap;
use tenet_system::System;
use tenet_system::finite::program::Source;
use tenet_term::{SymbolId, TermId, TermStore};

/// The unbounded types and constants besides the scalarsets.
#[derive(Clone, Debug, Default)]
pub struct Unbounded {
    /// `--unbounded`: named ranges that are read as index sorts, and constants that are read as any integer.
    pub names: Vec<String>,
    /// Types that `--size` fixes: they stay finite.
    pub sizes: Vec<String>,
}

/// The transition system of a checked model, with warnings; or the errors. Where an undefined value may be read, everything
/// proved of it is conditional on the absence of such reads ([`reads`]).
pub fn read(model: &Model, options: &Unbounded) -> Result<(System, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (reads, followed) = definedness::follow(model, options);
    let (mut system, warnings) = read_only(model, options, followed)?;
    if !matches!(reads, Reads::Defined) {
        system.suppose_defined_reads();
    }
    Ok((system, warnings))
}

/// The same, ignoring undefined values except those that are compared.
fn read_only(
    model: &Model,
    options: &Unbounded,
    followed: Option<definedness::Followed>,
) -> Result<(System, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut reader = Reader::new(model);
    reader.followed = followed;
    reader.read(options);
    if reader.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(reader.diagnostics);
    }
    Ok(reader.finish())
}

/// The number of statements and loop iterations beyond which the model counts as too large.
const BUDGET: u64 = 1_000_000;

/// Statements, expressions and calls nested deeper than this are not executed, to bound the stack.
const MAX_DEPTH: usize = 600;

/// More diagnostics than this are not reported.
const MAX_DIAGNOSTICS: usize = 200;

struct Reader<'m> {
    model: &'m Model,
    store: TermStore,
    diagnostics: Vec<Diagnostic>,
    choice: names::Choice,
    sorts: sorts::Sorts,
    /// The symbols of recursive definitions.
    definitions: BTreeMap<DefinitionId, SymbolId>,
    layouts: layout::Layouts,
    /// For each symbolic range the distance between its ends, which is nonnegative by an axiom.
    range_sizes: Vec<TermId>,
    memory: memory::Memory,
    /// The parts of the state whose definedness is tracked, if any.
    followed: Option<definedness::Followed>,
    /// Innermost last.
    frames: Vec<calls::Frame<'m>>,
    /// Path conditions of the enclosing calls and loops, each relative to the one before.
    outer: Vec<TermId>,
    /// Loops and quantifiers being executed for an arbitrary value.
    open: Vec<domains::Open>,
    /// The accesses of the loops among them.
    logs: Vec<accesses::Log>,
    /// The rule, startstate or property being read.
    scope: rules::Scope,
    system: rules::Parts,
    budget: u64,
    /// How deep the execution is nested.
    depth: usize,
}

impl<'m> Reader<'m> {
    fn new(model: &'m Model) -> Reader<'m> {
        Reader {
            model,
            store: TermStore::new(),
            diagnostics: Vec::new(),
            choice: names::Choice::default(),
            sorts: sorts::Sorts::default(),
            definitions: BTreeMap::new(),
            layouts: layout::Layouts::default(),
            range_sizes: Vec::new(),
            memory: memory::Memory::default(),
            followed: None,
            frames: Vec::new(),
            outer: Vec::new(),
            open: Vec::new(),
            logs: Vec::new(),
            scope: rules::Scope::default(),
            system: rules::Parts::default(),
            budget: BUDGET,
            depth: 0,
        }
    }

    /// Reads everything.
    fn read(&mut self, options: &Unbounded) {
        self.declare_unknown_numbers();
        self.choose_names(options);
        self.check_bounds();
        self.declare_state();
        self.read_rules();
    }

    /// Reports a diagnostic once, however often the code that contains it is executed.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS && !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Spends some of the budget; false once it is exhausted, which is reported.
    fn spend(&mut self, amount: u64, span: Span) -> bool {
        if self.budget == 0 {
            return false;
        }
        self.budget = self.budget.saturating_sub(amount);
        if self.budget == 0 {
            let message = "unrolled loops and inlined calls make this model too large";
            self.report(Diagnostic::error(&codes::TOO_LARGE, message, span).label("while reading this"));
        }
        self.budget > 0
    }
}

impl Reader<'_> {
    /// Executes something one level deeper; `None` where that is too deep, which is reported.
    fn deeper<T>(&mut self, span: Span, execute: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            let message = "calls and what is nested in them are too deep to be read";
            self.report(Diagnostic::error(&codes::TOO_LARGE, message, span));
            return None;
        }
        self.depth += 1;
        let result = execute(self);
        self.depth -= 1;
        Some(result)
    }
}

fn source(span: Span) -> Source {
    Source { start: span.start, end: span.end }
}
