//! Constants without a value: numbers get theirs from the command line, all others are chosen at the start.

use super::super::hir::{ExprKind, Place as SourcePlace, Prelude, Property, Root};
use super::Lowering;
use super::memory::Role;
use super::scan::each_part;
use crate::codes::instance::NO_VALUE;
use crate::diagnostic::Diagnostic;
use tenet_system::finite::program::{Expr, Param, Place, Stmt};

/// The number of combinations of values for the constants of a model.
const MAX_CHOICES: u64 = 1 << 16;

impl Lowering<'_> {
    /// Reports the numbers that have no value.
    pub(super) fn require_values(&mut self) {
        for constant in &self.model.consts {
            // Constants defined with it need no message of their own.
            if constant.unknown && constant.definition.is_none() {
                let message = format!("`{}` has no value", constant.name);
                let error = Diagnostic::error(&NO_VALUE, message, constant.span)
                    .help(format!("give it one: `--const {}=3`", constant.name));
                self.memory.report(error);
            }
        }
    }

    /// Adds parameters for symbolic constants, and the statements that store them.
    pub(super) fn choose_constants(&mut self, params: &mut Vec<Param>, body: &mut Vec<Stmt>) {
        let model = self.model;
        let mut ways = 1_u64;
        for (position, var) in model.vars.iter().enumerate().filter(|(_, var)| var.is_constant) {
            for leaf in self.memory.leaves(var.ty) {
                let simple = self.memory.simple(leaf.ty);
                let count = simple.hi.abs_diff(simple.lo).saturating_add(1);
                ways = ways.saturating_mul(if simple.finite { count } else { u64::MAX });
                if ways > MAX_CHOICES || leaf.role != Role::Scalar {
                    let message = format!("there are too many ways to choose the constant `{}`", var.name);
                    let error = Diagnostic::error(&NO_VALUE, message, var.span);
                    return self.memory.report(error.help("take smaller sizes, or use `tenet prove`"));
                }
                let slot = self.bases[position] + leaf.offset;
                let name = self.memory.layout.slots[slot as usize].name.clone();
                let var = self.new_var();
                params.push(Param {
                    name,
                    var,
                    domain: simple.domain,
                    lo: simple.lo,
                    hi: simple.hi,
                    step: 1,
                });
                body.push(Stmt::Store(Place::slot(slot), Expr::Var(var)));
            }
        }
    }

    /// Whether the value of a property may differ between states of a run.
    pub(super) fn speaks_of_state(&self, property: &Property) -> bool {
        let mut found = property.prelude.iter().any(|item| !matches!(item, Prelude::Parameter(_)));
        each_part(&property.formula, &mut |part| {
            found |= match &part.kind {
                // Functions are not analysed: most read the state.
                ExprKind::Call { .. } => true,
                ExprKind::Read(place)
                | ExprKind::IsUndefined(place)
                | ExprKind::MultisetCount { multiset: place, .. } => self.is_state(place),
                _ => false,
            };
        });
        found
    }

    fn is_state(&self, place: &SourcePlace) -> bool {
        matches!(place.root, Root::Var(var) if !self.model.vars[var.0 as usize].is_constant)
    }
}
