//! Reading a printed tree gives the tree back: the printer and the parser agree on the whole language.
//!
//! The trees are random and mean nothing; they only have the shapes that some text can have.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use tenet_lang::murphi::ast::*;
use tenet_lang::murphi::unparse::unparse;
use tenet_lang::murphi::{Dialect, parse};
use tenet_lang::span::Span;

const NOWHERE: Span = Span { start: 0, end: 0 };

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "B", "c_1", "node", "Endive", "iff", "x0", "doom", "ruled"])
        .prop_map(str::to_string)
}

fn ident() -> impl Strategy<Value = Ident> {
    word().prop_map(|name| Ident { name, span: NOWHERE })
}

fn title() -> impl Strategy<Value = Option<Ident>> {
    option::of("[ -~é]{0,6}".prop_map(|name| Ident { name, span: NOWHERE }))
}

fn expr_of(kind: ExprKind) -> Expr {
    Expr { kind, span: NOWHERE }
}

fn type_of(kind: TypeExprKind) -> TypeExpr {
    TypeExpr { kind, span: NOWHERE }
}

fn simple_expr() -> BoxedStrategy<Expr> {
    let name = prop_oneof![word(), Just("true".to_string()), Just("false".to_string())];
    prop_oneof![
        name.prop_map(|name| expr_of(ExprKind::Name(name))),
        any::<u128>().prop_map(|value| expr_of(ExprKind::Int(BigInt::from(value)))),
    ]
    .boxed()
}

fn binary_op() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![Implies, Or, And, Eq, Ne, Lt, Le, Gt, Ge, Add, Sub, Mul, Div, Mod])
}

fn place() -> BoxedStrategy<Expr> {
    let name = word().prop_map(|name| expr_of(ExprKind::Name(name)));
    name.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), ident())
                .prop_map(|(base, field)| expr_of(ExprKind::Field(Box::new(base), field))),
            (inner.clone(), inner)
                .prop_map(|(base, index)| expr_of(ExprKind::Index(Box::new(base), Box::new(index)))),
        ]
    })
    .boxed()
}

fn binder(inner: BoxedStrategy<Expr>) -> impl Strategy<Value = Binder> {
    let steps = (inner.clone(), inner.clone(), option::of(inner.clone())).prop_map(|(from, to, step)| {
        Domain::Steps { from: Box::new(from), to: Box::new(to), step: step.map(Box::new) }
    });
    let domain = prop_oneof![types(inner).prop_map(Domain::Type), steps];
    (ident(), domain).prop_map(|(name, domain)| Binder { name, domain })
}

fn expr() -> BoxedStrategy<Expr> {
    simple_expr().prop_recursive(4, 24, 3, |inner| {
        let inner = inner.boxed();
        let boxed = || inner.clone().prop_map(Box::new);
        let op = prop::sample::select(vec![UnaryOp::Not, UnaryOp::Neg]);
        let kind = prop_oneof![
            4 => (binary_op(), boxed(), boxed()).prop_map(|(op, left, right)| ExprKind::Binary(op, left, right)),
            2 => (op, boxed()).prop_map(|(op, operand)| ExprKind::Unary(op, operand)),
            1 => (boxed(), boxed(), boxed()).prop_map(|(c, yes, no)| ExprKind::Ite(c, yes, no)),
            1 => (boxed(), ident()).prop_map(|(base, field)| ExprKind::Field(base, field)),
            1 => (boxed(), boxed()).prop_map(|(base, index)| ExprKind::Index(base, index)),
            1 => (boxed(), vec(inner.clone(), 1..3), boxed())
                .prop_map(|(base, indices, value)| ExprKind::Update(base, indices, value)),
            1 => (ident(), vec(inner.clone(), 0..3)).prop_map(|(name, list)| ExprKind::Call(name, list)),
            1 => (any::<bool>(), binder(inner.clone()), boxed()).prop_map(|(universal, binder, body)| {
                ExprKind::Quantifier { universal, binder: Box::new(binder), body }
            }),
            1 => place().prop_map(|place| ExprKind::IsUndefined(Box::new(place))),
            1 => (boxed(), types(inner.clone())).prop_map(|(value, of)| ExprKind::IsMember(value, Box::new(of))),
            1 => (ident(), place(), boxed()).prop_map(|(name, multiset, predicate)| {
                ExprKind::MultisetCount { name, multiset: Box::new(multiset), predicate }
            }),
        ];
        kind.prop_map(expr_of)
    })
    .boxed()
}

fn types(expr: BoxedStrategy<Expr>) -> BoxedStrategy<TypeExpr> {
    let name = prop_oneof![word(), Just("boolean".to_string())].prop_map(TypeExprKind::Name);
    let end = option::of(expr.clone().prop_map(Box::new));
    let simple = prop_oneof![
        name,
        (end.clone(), end.clone()).prop_map(|(lo, hi)| TypeExprKind::Range { lo, hi }),
        vec(ident(), 0..3).prop_map(TypeExprKind::Enum),
        end.prop_map(TypeExprKind::Scalarset),
    ];
    simple
        .prop_map(type_of)
        .prop_recursive(2, 8, 3, move |inner| {
            let boxed = || inner.clone().prop_map(Box::new);
            let field = (vec(ident(), 1..3), inner.clone())
                .prop_map(|(names, definition)| Field { names, definition });
            let capacity = expr.clone().prop_map(Box::new);
            prop_oneof![
                (boxed(), boxed()).prop_map(|(index, element)| TypeExprKind::Array { index, element }),
                (capacity, boxed())
                    .prop_map(|(capacity, element)| TypeExprKind::Multiset { capacity, element }),
                vec(inner.clone(), 0..3).prop_map(TypeExprKind::Union),
                vec(field, 0..3).prop_map(TypeExprKind::Record),
            ]
            .prop_map(type_of)
        })
        .boxed()
}

fn property() -> impl Strategy<Value = PropertyKind> {
    use PropertyKind::*;
    prop::sample::select(vec![Invariant, Assume, Cover, Liveness])
}

fn aliases() -> impl Strategy<Value = Vec<Alias>> {
    vec((ident(), expr()).prop_map(|(name, value)| Alias { name, value }), 0..3)
}

fn simple_stmt() -> BoxedStrategy<StmtKind> {
    let message = || "[ -~é]{0,6}";
    prop_oneof![
        (place(), expr()).prop_map(|(place, value)| StmtKind::Assign { place, value }),
        (ident(), vec(expr(), 0..3)).prop_map(|(name, arguments)| StmtKind::Call { name, arguments }),
        place().prop_map(StmtKind::Clear),
        place().prop_map(StmtKind::Undefine),
        (property(), expr(), option::of(message()))
            .prop_map(|(property, formula, message)| StmtKind::Property { property, formula, message }),
        message().prop_map(StmtKind::Error),
        message().prop_map(|text| StmtKind::Put(Put::Text(text))),
        expr().prop_map(|value| StmtKind::Put(Put::Value(value))),
        option::of(expr()).prop_map(StmtKind::Return),
        (expr(), place()).prop_map(|(element, multiset)| StmtKind::MultisetAdd { element, multiset }),
        (expr(), place()).prop_map(|(index, multiset)| StmtKind::MultisetRemove { index, multiset }),
        (ident(), place(), expr()).prop_map(|(name, multiset, predicate)| StmtKind::MultisetRemovePred {
            name,
            multiset,
            predicate
        }),
    ]
    .boxed()
}

fn stmt() -> BoxedStrategy<Stmt> {
    let stmt_of = |kind| Stmt { kind, span: NOWHERE };
    simple_stmt()
        .prop_map(stmt_of)
        .prop_recursive(3, 12, 3, move |inner| {
            let body = vec(inner, 0..3).boxed();
            let arms = vec((expr(), body.clone()), 1..3);
            let cases = vec((vec(expr(), 1..3), body.clone()), 0..3);
            prop_oneof![
                (arms, body.clone()).prop_map(|(arms, otherwise)| StmtKind::If { arms, otherwise }),
                (expr(), cases, body.clone()).prop_map(|(value, cases, otherwise)| StmtKind::Switch {
                    value,
                    cases,
                    otherwise
                }),
                (binder(expr()), body.clone()).prop_map(|(binder, body)| StmtKind::For { binder, body }),
                (expr(), body.clone()).prop_map(|(condition, body)| StmtKind::While { condition, body }),
                (aliases(), body).prop_map(|(aliases, body)| StmtKind::Alias { aliases, body }),
            ]
            .prop_map(stmt_of)
        })
        .boxed()
}

fn declaration() -> BoxedStrategy<Declaration> {
    let types = || types(expr());
    prop_oneof![
        (ident(), expr()).prop_map(|(name, value)| Declaration::Const { name, value }),
        (ident(), types()).prop_map(|(name, definition)| Declaration::Type { name, definition }),
        (vec(ident(), 1..3), types()).prop_map(|(names, definition)| Declaration::Var { names, definition }),
    ]
    .boxed()
}

fn function() -> impl Strategy<Value = Function> {
    let parameter = (any::<bool>(), vec(ident(), 1..3), types(expr()))
        .prop_map(|(by_reference, names, definition)| Parameter { by_reference, names, definition });
    let locals = vec(declaration(), 0..2);
    (ident(), vec(parameter, 0..3), option::of(types(expr())), locals, vec(stmt(), 0..3)).prop_map(
        |(name, parameters, result, locals, body)| Function {
            name,
            parameters,
            result,
            locals,
            body,
            span: NOWHERE,
        },
    )
}

fn hint() -> impl Strategy<Value = Hint> {
    (any::<bool>(), 1..4_usize).prop_flat_map(|(force, count)| {
        (vec(ident(), count), vec(vec(expr(), count), 1..3)).prop_map(move |(targets, terms)| Hint {
            force,
            targets,
            terms,
        })
    })
}

/// Items of `.tenet` files that stand at the top level only.
fn observation() -> impl Strategy<Value = Item> {
    let parameter = (vec(ident(), 1..3), types(expr())).prop_map(|(names, definition)| Parameter {
        by_reference: false,
        names,
        definition,
    });
    let constant = types(expr()).prop_filter("a name alone is read as a value", |definition| {
        !matches!(definition.kind, TypeExprKind::Name(_))
    });
    prop_oneof![
        (vec(ident(), 1..3), types(expr()))
            .prop_map(|(names, definition)| Item::Declaration(Declaration::Index { names, definition })),
        (ident(), constant)
            .prop_map(|(name, definition)| Item::Declaration(Declaration::Symbolic { name, definition })),
        (title(), expr()).prop_map(|(name, formula)| {
            let text = formula.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
            Item::Predicate(Predicate { name, formula, text, span: NOWHERE })
        }),
        (ident(), vec(parameter, 0..3), types(expr()), expr()).prop_map(
            |(name, parameters, result, body)| {
                Item::Define(Define { name, parameters, result, body, span: NOWHERE })
            }
        ),
    ]
}

fn rule() -> BoxedStrategy<Rule> {
    let rule_of = |kind| Rule { kind, span: NOWHERE };
    let locals = || vec(declaration(), 0..2);
    let body = || vec(stmt(), 0..3);
    let simple = prop_oneof![
        (title(), option::of(expr()), locals(), body())
            .prop_map(|(name, guard, locals, body)| RuleKind::Simple { name, guard, locals, body }),
        (title(), locals(), body()).prop_map(|(name, locals, body)| RuleKind::Start { name, locals, body }),
        (property(), title(), expr()).prop_map(|(property, name, formula)| RuleKind::Property {
            property,
            name,
            formula
        }),
        (title(), expr()).prop_map(|(name, formula)| RuleKind::Property {
            property: PropertyKind::Axiom,
            name,
            formula
        }),
        hint().prop_map(RuleKind::Hint),
    ];
    simple
        .prop_map(rule_of)
        .prop_recursive(2, 6, 2, move |inner| {
            let rules = vec(inner, 0..3).boxed();
            prop_oneof![
                (vec(binder(expr()), 1..3), rules.clone())
                    .prop_map(|(binders, rules)| RuleKind::Ruleset { binders, rules }),
                (aliases(), rules.clone()).prop_map(|(aliases, rules)| RuleKind::Alias { aliases, rules }),
                (ident(), place(), rules).prop_map(|(name, multiset, rules)| RuleKind::Choose {
                    name,
                    multiset,
                    rules
                }),
            ]
            .prop_map(rule_of)
        })
        .boxed()
}

fn item() -> impl Strategy<Value = Item> {
    prop_oneof![
        2 => declaration().prop_map(Item::Declaration),
        1 => function().prop_map(Item::Function),
        2 => rule().prop_map(Item::Rule),
        2 => observation(),
    ]
}

/// The tree without its spans.
fn shape(model: &Model) -> String {
    let text = format!("{model:?}");
    let mut parts = text.split("Span {");
    let mut shape = parts.next().unwrap().to_string();
    for part in parts {
        shape.push_str(part.split_once('}').unwrap().1);
    }
    shape
}

proptest! {
    #![proptest_config(tenet_chance::cases(300))]
    #[test]
    fn reading_what_was_printed(items in vec(item(), 0..3)) {
        let model = Model { items };
        let text = unparse(&model);
        let (again, diagnostics) = parse(&text, Dialect::Tenet);
        prop_assert!(diagnostics.is_empty(), "{:?}\n{}", diagnostics, text);
        prop_assert_eq!(shape(&again), shape(&model), "{}", text);
    }
}
