//! Vacuity probes: antecedents that should be true in some reachable state.
//!
//! An invariant `forall i : a(i) -> b(i)` is vacuous if `a` is never true. For each implication that must hold (one
//! under universal quantifiers, conjunctions and consequents only), the probe is the existential closure of its
//! antecedent and all antecedents around it. Other implications need not hold, so they get none.

use super::super::hir::{BinaryOp, Expr, ExprKind};
use super::rules::{Around, surround};
use super::{Lowering, source};
use tenet_system::finite::program::{self, Probe};

impl Lowering<'_> {
    /// Adds the probes of the property that was lowered last.
    pub(super) fn collect_probes(&mut self, formula: &Expr, layers: &mut Vec<Around>) {
        let depth = layers.len();
        match &formula.kind {
            ExprKind::Quantifier { universal: true, binder, body } => {
                self.lower_quantified(binder, layers);
                self.collect_probes(body, layers);
            }
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.collect_probes(left, layers);
                self.collect_probes(right, layers);
            }
            ExprKind::Binary(BinaryOp::Implies, antecedent, consequent) => {
                let condition = self.lower_condition(antecedent);
                self.add_probe(antecedent, condition.clone(), layers);
                layers.push(Around::Only(condition));
                self.collect_probes(consequent, layers);
            }
            _ => {}
        }
        layers.truncate(depth);
    }

    fn add_probe(&mut self, antecedent: &Expr, condition: program::Expr, layers: &[Around]) {
        let property = self.program.properties.len() - 1;
        let formula = surround(layers, condition, false);
        self.program.probes.push(Probe { property, source: source(antecedent.span), formula });
    }
}
