//! Traversals of all statements or calls of some code: which locals are written, which covers exist.

use super::super::hir::{
    AliasTarget, Argument, Domain, Expr, ExprKind, Function, Place, Root, Step, Stmt, StmtKind,
};

/// Calls `visit` on every statement, outer ones first.
pub(in super::super) fn each_statement<'m>(body: &'m [Stmt], visit: &mut impl FnMut(&'m Stmt)) {
    for stmt in body {
        visit(stmt);
        match &stmt.kind {
            StmtKind::If { then, otherwise, .. } => {
                each_statement(then, visit);
                each_statement(otherwise, visit);
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::Alias { body, .. } => {
                each_statement(body, visit);
            }
            _ => {}
        }
    }
}

/// Whether there is a `return` anywhere in it.
pub(super) fn has_return(body: &[Stmt]) -> bool {
    let mut found = false;
    each_statement(body, &mut |stmt| found |= matches!(stmt.kind, StmtKind::Return(_)));
    found
}

/// For each local of a function whether it may be written: directly, through an alias, or by a call.
pub(in super::super) fn written_locals(function: &Function) -> Vec<bool> {
    let mut written = vec![false; function.code.locals.len()];
    let mut mark = |place: &Place| {
        if let Root::Local(local) = place.root {
            written[local.0 as usize] = true;
        }
    };
    each_statement(&function.body, &mut |stmt| {
        match &stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Clear(place) | StmtKind::Undefine(place) => {
                mark(place)
            }
            StmtKind::MultisetAdd { multiset, .. }
            | StmtKind::MultisetRemove { multiset, .. }
            | StmtKind::MultisetRemovePred { multiset, .. } => mark(multiset),
            StmtKind::Alias { aliases, .. } => aliases.iter().for_each(|alias| {
                if let AliasTarget::Place(place) = &alias.target {
                    mark(place);
                }
            }),
            StmtKind::Call { arguments, .. } => mark_references(arguments, &mut mark),
            _ => {}
        }
        each_expression(stmt, &mut |expr| {
            if let ExprKind::Call { arguments, .. } = &expr.kind {
                mark_references(arguments, &mut mark);
            }
        });
    });
    written
}

fn mark_references(arguments: &[Argument], mark: &mut impl FnMut(&Place)) {
    for argument in arguments {
        if let Argument::Place(place) = argument {
            mark(place);
        }
    }
}

/// Calls `visit` on every expression of a statement, but not on those of the statements inside it.
pub(in super::super) fn each_expression(stmt: &Stmt, visit: &mut impl FnMut(&Expr)) {
    match &stmt.kind {
        StmtKind::Assign { place, value } => {
            in_place(place, visit);
            in_expr(value, visit);
        }
        StmtKind::If { condition, .. } | StmtKind::While { condition, .. } => in_expr(condition, visit),
        StmtKind::For { binder, .. } => in_domain(&binder.domain, visit),
        StmtKind::Alias { aliases, .. } => aliases.iter().for_each(|alias| in_target(&alias.target, visit)),
        StmtKind::Call { arguments, .. } => in_arguments(arguments, visit),
        StmtKind::Clear(place) | StmtKind::Undefine(place) => in_place(place, visit),
        StmtKind::Assert { formula, .. } | StmtKind::Assume(formula) | StmtKind::Cover(formula, _) => {
            in_expr(formula, visit);
        }
        StmtKind::Return(Some(value)) => in_expr(value, visit),
        StmtKind::MultisetAdd { element, multiset } => {
            in_expr(element, visit);
            in_place(multiset, visit);
        }
        StmtKind::MultisetRemove { index, multiset } => {
            in_expr(index, visit);
            in_place(multiset, visit);
        }
        StmtKind::MultisetRemovePred { multiset, predicate, .. } => {
            in_place(multiset, visit);
            in_expr(predicate, visit);
        }
        StmtKind::Return(None) | StmtKind::Error(_) | StmtKind::Put(_) => {}
    }
}

/// Calls `visit` on an expression and everything in it.
pub(in super::super) fn each_part(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    in_expr(expr, visit);
}

fn in_expr(expr: &Expr, visit: &mut impl FnMut(&Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Read(place) | ExprKind::IsUndefined(place) => in_place(place, visit),
        ExprKind::Unary(_, inner) | ExprKind::IsMember(inner, _) | ExprKind::Convert(inner) => {
            in_expr(inner, visit);
        }
        ExprKind::Binary(_, left, right) => {
            in_expr(left, visit);
            in_expr(right, visit);
        }
        ExprKind::Ite(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                in_expr(part, visit);
            }
        }
        ExprKind::Quantifier { binder, body, .. } => {
            in_domain(&binder.domain, visit);
            in_expr(body, visit);
        }
        ExprKind::Call { arguments, .. } => in_arguments(arguments, visit),
        ExprKind::Apply { arguments, .. } => {
            arguments.iter().for_each(|argument| in_expr(argument, visit));
        }
        ExprKind::Update { array, indices, value } => {
            in_expr(array, visit);
            indices.iter().for_each(|index| in_expr(index, visit));
            in_expr(value, visit);
        }
        ExprKind::MultisetCount { multiset, predicate, .. } => {
            in_place(multiset, visit);
            in_expr(predicate, visit);
        }
        ExprKind::Undefined
        | ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Enum(_)
        | ExprKind::ConstRef(_)
        | ExprKind::Index(_)
        | ExprKind::Local(_) => {}
    }
}

fn in_place(place: &Place, visit: &mut impl FnMut(&Expr)) {
    for step in &place.steps {
        if let Step::Index(index) | Step::Element(index) = step {
            in_expr(index, visit);
        }
    }
}

fn in_domain(domain: &Domain, visit: &mut impl FnMut(&Expr)) {
    if let Domain::Steps { from, to, step } = domain {
        for part in [from, to, step] {
            in_expr(part, visit);
        }
    }
}

fn in_arguments(arguments: &[Argument], visit: &mut impl FnMut(&Expr)) {
    for argument in arguments {
        match argument {
            Argument::Value(value) => in_expr(value, visit),
            Argument::Place(place) => in_place(place, visit),
        }
    }
}

fn in_target(target: &AliasTarget, visit: &mut impl FnMut(&Expr)) {
    match target {
        AliasTarget::Place(place) => in_place(place, visit),
        AliasTarget::Value(value) => in_expr(value, visit),
    }
}
