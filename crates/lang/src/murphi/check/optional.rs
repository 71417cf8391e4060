//! Parameters that may be passed an undefined value.
//!
//! `UNDEFINED` as an argument makes a parameter undefined. A function that takes one says so in one of two ways: somebody passes
//! `UNDEFINED`, or it asks `isundefined` of the parameter. To such a parameter a variable is *copied*, undefined or not, rather than read;
//! and assigning the parameter to a variable, or passing it on, is a copy as well. Every other use of it is a read.

use crate::murphi::finite::scan::{each_expression, each_part, each_statement};
use crate::murphi::hir::{Argument, Code, Expr, ExprKind, LocalId, LocalKind, Model, Root, Stmt, StmtKind};

/// Marks the parameters that may be undefined.
pub(super) fn mark(model: &mut Model) {
    loop {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (position, function) in model.functions.iter().enumerate() {
            calls_in(model, &function.code, &function.body, &mut found);
            for local in asked(&function.body) {
                let kind = function.code.locals[local].kind;
                if local < function.parameter_count && kind == LocalKind::Variable {
                    found.push((position, local));
                }
            }
        }
        for rule in model.rules.iter().chain(&model.starts) {
            calls_in(model, &rule.code, &rule.body, &mut found);
            rule.guard.iter().for_each(|guard| calls_of(model, &rule.code, guard, &mut found));
        }
        for property in &model.properties {
            calls_of(model, &property.code, &property.formula, &mut found);
        }
        let mut is_changed = false;
        for (function, parameter) in found {
            let local = &mut model.functions[function].code.locals[parameter];
            is_changed |= !std::mem::replace(&mut local.is_optional, true);
        }
        if !is_changed {
            return;
        }
    }
}

/// The locals of which it is asked whether they are undefined.
fn asked(body: &[Stmt]) -> Vec<usize> {
    let mut found = Vec::new();
    each_statement(body, &mut |stmt| {
        each_expression(stmt, &mut |part| {
            if let ExprKind::IsUndefined(place) = &part.kind
                && let Root::Local(LocalId(local)) = place.root
                && place.steps.is_empty()
            {
                found.push(local as usize);
            }
        });
    });
    found
}

fn calls_in(model: &Model, code: &Code, body: &[Stmt], found: &mut Vec<(usize, usize)>) {
    each_statement(body, &mut |stmt| {
        if let StmtKind::Call { function, arguments } = &stmt.kind {
            passed(model, code, function.0 as usize, arguments, found);
        }
        each_expression(stmt, &mut |part| calls_of_part(model, code, part, found));
    });
}

fn calls_of(model: &Model, code: &Code, expr: &Expr, found: &mut Vec<(usize, usize)>) {
    each_part(expr, &mut |part| calls_of_part(model, code, part, found));
}

fn calls_of_part(model: &Model, code: &Code, part: &Expr, found: &mut Vec<(usize, usize)>) {
    if let ExprKind::Call { function, arguments } = &part.kind {
        passed(model, code, function.0 as usize, arguments, found);
    }
}

/// The parameters that are passed `UNDEFINED`, or a parameter that may be.
fn passed(
    model: &Model,
    code: &Code,
    function: usize,
    arguments: &[Argument],
    found: &mut Vec<(usize, usize)>,
) {
    for (position, argument) in arguments.iter().enumerate() {
        let Argument::Value(value) = argument else { continue };
        let ty = model.functions[function].code.locals[position].ty;
        if matches!(value.kind, ExprKind::Undefined) || value.copied(code, false, ty).is_some() {
            found.push((function, position));
        }
    }
}
