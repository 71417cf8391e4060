//! Expressions of Z3.

use std::cell::RefCell;
use std::rc::Rc;

use ::z3::ast::{self, Ast, BV, Bool, Dynamic, Int, Real};
use ::z3::{DatatypeAccessor, DatatypeBuilder, DatatypeSort, FuncDecl, Sort, Symbol};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use tenet_term::{BitVec, BvOp};

use crate::encode::{Builder, Constructor, ConstructorSpec, Prim};

const ILL_SORTED: &str = "invariant: terms are well-sorted";

/// Builds in the context of this thread.
pub(crate) struct Z3Builder;

/// Functions are shared between solvers of a thread (constructors of datatypes), and declarations cannot be copied.
pub(crate) type Function = Rc<FuncDecl>;

impl Builder for Z3Builder {
    type Ast = Dynamic;
    type Sort = Rc<Sort>;
    type Function = Function;

    fn bool_sort(&mut self) -> Rc<Sort> {
        Rc::new(Sort::bool())
    }

    fn int_sort(&mut self) -> Rc<Sort> {
        Rc::new(Sort::int())
    }

    fn real_sort(&mut self) -> Rc<Sort> {
        Rc::new(Sort::real())
    }

    fn bitvec_sort(&mut self, width: u32) -> Rc<Sort> {
        Rc::new(Sort::bitvector(width))
    }

    fn uninterpreted_sort(&mut self, name: &str) -> Rc<Sort> {
        Rc::new(Sort::uninterpreted(Symbol::String(name.to_owned())))
    }

    fn datatype(
        &mut self,
        name: &str,
        constructors: Vec<ConstructorSpec<Rc<Sort>>>,
    ) -> (Rc<Sort>, Vec<Constructor<Function>>) {
        let datatype = registered(name, &constructors);
        let constructors = constructors.into_iter().zip(&datatype.constructors);
        let constructors = constructors
            .map(|(spec, (construct, test, select))| Constructor {
                name: spec.name,
                construct: construct.clone(),
                test: test.clone(),
                select: select.clone(),
            })
            .collect();
        (datatype.sort.clone(), constructors)
    }

    fn function(&mut self, name: &str, args: &[Rc<Sort>], result: &Rc<Sort>) -> Function {
        let args: Vec<&Sort> = args.iter().map(Rc::as_ref).collect();
        Rc::new(FuncDecl::new(name, &args, result))
    }

    fn call(&mut self, function: &Function, args: &[Dynamic]) -> Dynamic {
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        function.apply(&args)
    }

    fn bool(&mut self, value: bool) -> Dynamic {
        Bool::from_bool(value).into()
    }

    fn int(&mut self, value: &BigInt) -> Dynamic {
        match value.to_i64() {
            Some(small) => Int::from_i64(small).into(),
            None => value.to_string().parse::<Int>().expect("invariant: a numeral").into(),
        }
    }

    fn rational(&mut self, value: &BigRational) -> Dynamic {
        let (numerator, denominator) = (value.numer().to_string(), value.denom().to_string());
        Real::from_rational_str(&numerator, &denominator).expect("invariant: a numeral").into()
    }

    fn bitvec(&mut self, value: &BitVec) -> Dynamic {
        let digits = value.unsigned().to_string();
        BV::from_str(value.width(), &digits).expect("invariant: a numeral").into()
    }

    fn apply(&mut self, prim: Prim, args: &[Dynamic]) -> Dynamic {
        match prim {
            Prim::Not => bool_of(&args[0]).not().into(),
            Prim::And => Bool::and(&bools(args)).into(),
            Prim::Or => Bool::or(&bools(args)).into(),
            Prim::Implies => bool_of(&args[0]).implies(bool_of(&args[1])).into(),
            Prim::Eq => args[0].eq(&args[1]).into(),
            Prim::Distinct => Dynamic::distinct(args).into(),
            Prim::Ite => bool_of(&args[0]).ite(&args[1], &args[2]),
            Prim::IntDiv => int_of(&args[0]).div(int_of(&args[1])).into(),
            Prim::IntMod => int_of(&args[0]).modulo(int_of(&args[1])).into(),
            Prim::RealDiv => real_of(&args[0]).div(real_of(&args[1])).into(),
            Prim::ToReal => int_of(&args[0]).to_real().into(),
            Prim::ToInt => real_of(&args[0]).to_int().into(),
            Prim::Bv(op) => apply_bitvec(op, args),
            Prim::Lt | Prim::Le | Prim::Add | Prim::Neg | Prim::Mul => match args[0].as_int() {
                Some(_) => apply_int(prim, args),
                None => apply_real(prim, args),
            },
        }
    }

    fn quantify(&mut self, universal: bool, bound: &[Dynamic], body: &Dynamic) -> Dynamic {
        let bound: Vec<&dyn Ast> = bound.iter().map(|symbol| symbol as &dyn Ast).collect();
        let body = bool_of(body);
        if universal {
            ast::forall_const(&bound, &[], &body).into()
        } else {
            ast::exists_const(&bound, &[], &body).into()
        }
    }

    fn replace(&mut self, ast: &Dynamic, pairs: &[(Dynamic, Dynamic)]) -> Dynamic {
        let pairs: Vec<(&Dynamic, &Dynamic)> = pairs.iter().map(|(from, to)| (from, to)).collect();
        ast.substitute(&pairs)
    }
}

pub(crate) fn bool_of(ast: &Dynamic) -> Bool {
    ast.as_bool().expect(ILL_SORTED)
}

fn bools(asts: &[Dynamic]) -> Vec<Bool> {
    asts.iter().map(bool_of).collect()
}

fn int_of(ast: &Dynamic) -> Int {
    ast.as_int().expect(ILL_SORTED)
}

fn real_of(ast: &Dynamic) -> Real {
    ast.as_real().expect(ILL_SORTED)
}

fn apply_int(prim: Prim, args: &[Dynamic]) -> Dynamic {
    let args: Vec<Int> = args.iter().map(int_of).collect();
    match prim {
        Prim::Lt => args[0].lt(&args[1]).into(),
        Prim::Le => args[0].le(&args[1]).into(),
        Prim::Add => Int::add(&args).into(),
        Prim::Mul => Int::mul(&args).into(),
        _ => args[0].unary_minus().into(),
    }
}

fn apply_real(prim: Prim, args: &[Dynamic]) -> Dynamic {
    let args: Vec<Real> = args.iter().map(real_of).collect();
    match prim {
        Prim::Lt => args[0].lt(&args[1]).into(),
        Prim::Le => args[0].le(&args[1]).into(),
        Prim::Add => Real::add(&args).into(),
        Prim::Mul => Real::mul(&args).into(),
        _ => args[0].unary_minus().into(),
    }
}

fn apply_bitvec(op: BvOp, args: &[Dynamic]) -> Dynamic {
    if let BvOp::FromInt(width) = op {
        return BV::from_int(&int_of(&args[0]), width).into();
    }
    let args: Vec<BV> = args.iter().map(|arg| arg.as_bv().expect(ILL_SORTED)).collect();
    let first = &args[0];
    match op {
        BvOp::Not => first.bvnot().into(),
        BvOp::Neg => first.bvneg().into(),
        BvOp::And => first.bvand(&args[1]).into(),
        BvOp::Or => first.bvor(&args[1]).into(),
        BvOp::Xor => first.bvxor(&args[1]).into(),
        BvOp::Add => first.bvadd(&args[1]).into(),
        BvOp::Sub => first.bvsub(&args[1]).into(),
        BvOp::Mul => first.bvmul(&args[1]).into(),
        BvOp::Udiv => first.bvudiv(&args[1]).into(),
        BvOp::Urem => first.bvurem(&args[1]).into(),
        BvOp::Sdiv => first.bvsdiv(&args[1]).into(),
        BvOp::Srem => first.bvsrem(&args[1]).into(),
        BvOp::Smod => first.bvsmod(&args[1]).into(),
        BvOp::Shl => first.bvshl(&args[1]).into(),
        BvOp::Lshr => first.bvlshr(&args[1]).into(),
        BvOp::Ashr => first.bvashr(&args[1]).into(),
        BvOp::Ult => first.bvult(&args[1]).into(),
        BvOp::Ule => first.bvule(&args[1]).into(),
        BvOp::Slt => first.bvslt(&args[1]).into(),
        BvOp::Sle => first.bvsle(&args[1]).into(),
        BvOp::Concat => first.concat(&args[1]).into(),
        BvOp::Extract { hi, lo } => first.extract(hi, lo).into(),
        BvOp::ZeroExtend(by) => first.zero_ext(by).into(),
        BvOp::SignExtend(by) => first.sign_ext(by).into(),
        BvOp::ToInt => first.to_int(false).into(),
        BvOp::FromInt(_) => unreachable!("its operand is an integer, handled above"),
    }
}

/// A datatype declared in this thread's context.
struct Registered {
    sort: Rc<Sort>,
    constructors: Vec<(Function, Function, Option<Function>)>,
}

/// The names of the constructors, each with that of its field and the field's sort.
type Shape = Vec<(String, Option<(String, Rc<Sort>)>)>;

/// Datatypes by name, in the order of their declaration.
type Registry = FxHashMap<String, Vec<(Shape, Rc<Registered>)>>;

thread_local! {
    /// The datatypes of this thread's context by name, with what they were declared as. A context keys datatypes by
    /// name, so a second declaration of one name would change the first one under its users' feet.
    static REGISTRY: RefCell<Registry> = RefCell::default();
}

/// The datatype of this name and shape, declared at most once.
fn registered(name: &str, constructors: &[ConstructorSpec<Rc<Sort>>]) -> Rc<Registered> {
    REGISTRY.with_borrow_mut(|registry| {
        let known = registry.entry(name.to_owned()).or_default();
        if let Some((_, datatype)) = known.iter().find(|(shape, _)| has_shape(constructors, shape)) {
            return datatype.clone();
        }
        // Nothing that is passed in (see `encode::names`) or written in SMT-LIB holds a `|`, so this name is new, for
        // texts that are read in the same context, too.
        let unique = format!("{name}|{}", known.len());
        let datatype = Rc::new(declare(&unique, constructors));
        let shape = constructors.iter().map(|spec| (spec.name.clone(), spec.field.clone())).collect();
        known.push((shape, datatype.clone()));
        datatype
    })
}

fn has_shape(constructors: &[ConstructorSpec<Rc<Sort>>], shape: &Shape) -> bool {
    constructors.len() == shape.len()
        && constructors
            .iter()
            .zip(shape)
            .all(|(spec, (name, field))| spec.name == *name && spec.field == *field)
}

fn declare(name: &str, constructors: &[ConstructorSpec<Rc<Sort>>]) -> Registered {
    let mut builder = DatatypeBuilder::new(name);
    for spec in constructors {
        let fields =
            spec.field.iter().map(|(name, sort)| (name.as_str(), DatatypeAccessor::sort(Sort::clone(sort))));
        builder = builder.variant(&spec.name, fields.collect());
    }
    let DatatypeSort { sort, variants } = builder.finish();
    let constructors = variants
        .into_iter()
        .map(|variant| {
            let select = variant.accessors.into_iter().next().map(Rc::new);
            (Rc::new(variant.constructor), Rc::new(variant.tester), select)
        })
        .collect();
    Registered { sort: Rc::new(sort), constructors }
}
