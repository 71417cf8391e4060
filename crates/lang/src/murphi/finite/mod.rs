//! From a checked model to a finite program: the reading that `explore` and `simulate` run.
//!
//! Aggregates become contiguous slots, names become places, functions are inlined at each call. Inlining instead of a
//! call stack keeps the machine free of frames and lets a constant argument fold whole branches away; the price is a
//! depth limit for recursion and a node budget.
//!
//! The parts: `memory` lays out types, `places` and `expressions` and `statements` lower what their names say, `calls` and
//! `definitions` inline, `constants` chooses values for symbolic constants, `multisets` has what only multisets need, `rules`
//! assembles rules and properties, `probes` finds antecedents that should be reachable, `values` tracks intervals of values.

mod calls;
mod constants;
mod conversions;
mod definitions;
mod expressions;
mod memory;
mod multisets;
mod places;
mod probes;
mod rules;
pub(super) mod scan;
mod statements;
pub(super) mod text;
mod values;

use super::hir::{self, Code, LocalId, Model, StmtKind, TypeId, TypeKind};
use super::symmetric;
use crate::codes::instance::{CODE_TOO_LARGE, ORDER_DEPENDENT};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use memory::Memory;
use std::collections::BTreeMap;
use tenet_system::finite::definite;
use tenet_system::finite::layout::ScalarsetId;
use tenet_system::finite::program::{
    Expr, FaultKind, LabelId, Place, Program, Site, SiteId, Source, Stmt, VarId,
};
use text::Names;
use values::Value;

/// The number of expressions and statements beyond which the model counts as too large.
const NODE_BUDGET: u64 = 1_000_000;

/// The finite program of a checked model, with warnings; or the errors.
pub fn lower(model: &Model) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut lowering = Lowering::new(model);
    lowering.require_values();
    lowering.lay_out();
    if !lowering.memory.errors.is_empty() {
        return Err(lowering.memory.errors);
    }
    lowering.lower_model();
    if !lowering.memory.errors.is_empty() {
        return Err(lowering.memory.errors);
    }
    lowering.program.layout = std::mem::take(&mut lowering.memory.layout);
    let warnings = lowering.break_symmetry();
    Ok((lowering.program, warnings))
}

/// The meaning of a local name while its code is lowered.
#[derive(Clone, Debug)]
enum Binding {
    /// A scalar that never changes.
    Scalar(Value),
    /// A place in memory; its indices are constants and bound variables only.
    Place(Place),
}

/// The target of `return`.
#[derive(Clone, Debug)]
struct Exit {
    label: LabelId,
    /// The place of the result, and its type.
    result: Option<(Place, TypeId)>,
}

/// The code being lowered: a rule, a property or one inlined call.
struct Frame<'m> {
    code: &'m Code,
    bindings: Vec<Option<Binding>>,
    exit: Option<Exit>,
}

impl<'m> Frame<'m> {
    fn new(code: &'m Code) -> Frame<'m> {
        Frame { code, bindings: vec![None; code.locals.len()], exit: None }
    }
}

/// The state of lowering.
struct Lowering<'m> {
    model: &'m Model,
    memory: Memory<'m>,
    program: Program,
    frame: Frame<'m>,
    /// The first slot of each state variable.
    bases: Vec<u32>,
    /// Sites by content, so that an inlined function does not repeat them.
    sites: BTreeMap<(FaultKind, Span, String), SiteId>,
    /// Numbers of `cover` statements by place.
    covers: BTreeMap<Span, u32>,
    /// For each function which of its locals it may write; computed on demand.
    written: Vec<Option<Vec<bool>>>,
    /// Variables, labels and scratch slots of the current rule. The next rule reuses them.
    next_var: u32,
    next_label: u32,
    next_scratch: u32,
    nodes: u64,
    call_depth: u32,
    tree_depth: u32,
    /// The recursive definitions being computed, innermost last.
    tables: Vec<definitions::Table>,
    /// The number of inlined calls with side effects; tells whether an expression had one.
    effects: u64,
}

static NO_CODE: Code = Code { locals: Vec::new() };

impl<'m> Lowering<'m> {
    fn new(model: &'m Model) -> Lowering<'m> {
        Lowering {
            model,
            memory: Memory::new(model),
            program: Program::default(),
            frame: Frame::new(&NO_CODE),
            bases: Vec::new(),
            sites: BTreeMap::new(),
            covers: BTreeMap::new(),
            written: vec![None; model.functions.len()],
            next_var: 0,
            next_label: 0,
            next_scratch: 0,
            nodes: 0,
            call_depth: 0,
            tree_depth: 0,
            tables: Vec::new(),
            effects: 0,
        }
    }

    fn lay_out(&mut self) {
        for var in &self.model.vars {
            self.bases.push(self.memory.layout.slots.len() as u32);
            self.memory.add_variable(&var.name, var.ty);
        }
    }

    fn lower_model(&mut self) {
        self.number_covers();
        let model = self.model;
        for start in &model.starts {
            let start = self.lower_start(start);
            self.program.starts.push(start);
        }
        for rule in &model.rules {
            let rule = self.lower_rule(rule);
            self.program.rules.push(rule);
        }
        for property in &model.properties {
            self.lower_property(property);
        }
    }

    /// Numbers every `cover` statement before lowering, because one in a function that is never called must be reported
    /// as not covered.
    fn number_covers(&mut self) {
        let model = self.model;
        let functions = model.functions.iter().map(|function| &function.body);
        let rules = model.rules.iter().chain(&model.starts).map(|rule| &rule.body);
        for body in rules.chain(functions) {
            scan::each_statement(body, &mut |stmt| {
                if let StmtKind::Cover(_, message) = &stmt.kind {
                    let number = self.program.cover_statements.len() as u32;
                    let name = message.clone().unwrap_or_else(|| format!("Cover statement {}", number + 1));
                    self.program.cover_statements.push(name);
                    self.covers.insert(stmt.span, number);
                }
            });
        }
    }

    /// Disables symmetry for scalarsets whose elements the model may distinguish; one warning for each.
    fn break_symmetry(&mut self) -> Vec<Diagnostic> {
        let mut warnings: BTreeMap<ScalarsetId, Diagnostic> = BTreeMap::new();
        if !self.program.layout.scalarsets.iter().any(|scalarset| scalarset.size > 1) {
            return Vec::new();
        }
        let undefined = definite::maybe_undefined(&self.program);
        let findings = symmetric::find(self.model, &mut |var, path| self.is_among(&undefined, var, path));
        for finding in findings {
            let Some(id) = self.memory.scalarset(finding.scalarset) else { continue };
            let scalarset = &mut self.program.layout.scalarsets[id.0 as usize];
            if scalarset.size < 2 {
                continue;
            }
            scalarset.symmetric = false;
            let warning = match warnings.remove(&id) {
                Some(warning) => warning.also(finding.span, finding.reason),
                None => order_warning(&scalarset.name, finding),
            };
            warnings.insert(id, warning);
        }
        warnings.into_values().collect()
    }

    /// Whether any of the slots of a component of a variable is marked. `None` in the path stands for every index.
    fn is_among(&mut self, marked: &[bool], var: hir::VarId, path: &[Option<usize>]) -> bool {
        let model = self.model;
        let mut ty = model.vars[var.0 as usize].ty;
        let mut firsts = vec![self.bases[var.0 as usize]];
        for step in path {
            match (step, &model.ty(ty).kind) {
                (Some(position), _) => {
                    let (field, offset) = self.memory.field(ty, *position);
                    firsts.iter_mut().for_each(|first| *first += offset);
                    ty = field;
                }
                (None, TypeKind::Array { element, .. }) => {
                    let (whole, stride) = (self.memory.size(ty), self.memory.size(*element).max(1));
                    let offsets = (0..whole).step_by(stride as usize);
                    firsts =
                        firsts.iter().flat_map(|first| offsets.clone().map(move |o| first + o)).collect();
                    ty = *element;
                }
                // Elements of a multiset may be absent.
                _ => return true,
            }
        }
        let size = self.memory.size(ty);
        firsts.iter().any(|&first| (first..first + size).any(|slot| marked[slot as usize]))
    }

    /// Starts a rule or property: nothing is bound, all variables and scratch slots are free again.
    fn begin(&mut self, code: &'m Code) {
        self.frame = Frame::new(code);
        self.next_var = 0;
        self.next_label = 0;
        self.next_scratch = 0;
    }

    fn new_var(&mut self) -> VarId {
        self.next_var += 1;
        self.program.vars = self.program.vars.max(self.next_var);
        VarId(self.next_var - 1)
    }

    fn new_label(&mut self) -> LabelId {
        self.next_label += 1;
        self.program.labels = self.program.labels.max(self.next_label);
        LabelId(self.next_label - 1)
    }

    /// Scratch memory for a value of the type.
    fn new_scratch(&mut self, ty: TypeId) -> Place {
        let size = self.memory.size(ty);
        self.new_slots(size)
    }

    fn new_slots(&mut self, count: u32) -> Place {
        let base = self.memory.layout.slots.len() as u32 + self.next_scratch;
        self.next_scratch += count;
        self.program.scratch = self.program.scratch.max(self.next_scratch);
        Place::slot(base)
    }

    fn site(&mut self, kind: FaultKind, detail: impl Into<String>, span: Span) -> SiteId {
        let detail = detail.into();
        let key = (kind, span, detail);
        if let Some(&site) = self.sites.get(&key) {
            return site;
        }
        let site = SiteId(self.program.sites.len() as u32);
        self.program.sites.push(Site { kind, detail: key.2.clone(), source: source(span) });
        self.sites.insert(key, site);
        site
    }

    fn names(&self) -> Names<'m> {
        Names { model: self.model, code: self.frame.code }
    }

    fn bind(&mut self, local: LocalId, binding: Binding) {
        self.frame.bindings[local.0 as usize] = Some(binding);
    }

    fn binding(&self, local: LocalId) -> &Binding {
        self.frame.bindings[local.0 as usize]
            .as_ref()
            .expect("invariant: the checker lets no local escape its scope")
    }

    /// Counts a node; false once the budget is spent, and then nothing more is built.
    fn within_budget(&mut self, span: Span) -> bool {
        self.nodes += 1;
        if self.nodes == NODE_BUDGET {
            self.memory.report(
                Diagnostic::error(
                    &CODE_TOO_LARGE,
                    "the model is too large after its calls are expanded",
                    span,
                )
                .label("the limit was reached here")
                .help("does a function call itself more than once?"),
            );
        }
        self.nodes < NODE_BUDGET
    }
}

fn order_warning(name: &str, finding: symmetric::Finding) -> Diagnostic {
    let message = format!("the elements of `{name}` are not interchangeable");
    Diagnostic::warning(&ORDER_DEPENDENT, message, finding.span)
        .label(finding.reason)
        .help("states are explored without symmetry reduction for this scalarset")
}

/// The source range of a span.
fn source(span: Span) -> Source {
    Source { start: span.start, end: span.end }
}

/// The expression after the statements, without a block if there are none.
fn after(stmts: Vec<Stmt>, expr: Expr) -> Expr {
    if stmts.is_empty() { expr } else { Expr::Block(stmts, Box::new(expr)) }
}
