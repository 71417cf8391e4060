//! Terms as SMT-LIB text.
//!
//! One printer for two readers: the text for solvers has no binders left, that in comments (lemmas in their original
//! form) has. A term with many shared subterms is written with `let`, since as a tree it can be exponentially longer;
//! only where there are no binders, so that a shared subterm cannot lose its variables.

use num_bigint::{BigInt, Sign};
use rustc_hash::{FxHashMap, FxHashSet};
use tenet_term::{BvOp, Op, Sort, SortId, SymbolId, TermId, TermStore};

use crate::names::{Entity, Names, has_reserved_prefix};
use crate::walk::postorder;

/// The number of nodes up to which terms are written as trees.
const MAX_TREE_NODES: u64 = 400;
/// The number of nodes from which a shared subterm is named.
const MIN_SHARED_NODES: u64 = 8;
/// The number of nodes, as a tree, beyond which terms with binders are refused.
const MAX_NODES_WITH_BINDERS: u64 = 200_000;

/// Prints terms; variables keep their names for the lifetime of a printer.
pub(crate) struct Printer<'a> {
    store: &'a TermStore,
    names: &'a Names,
    variables: FxHashMap<SymbolId, String>,
    taken: FxHashSet<String>,
}

enum Piece {
    Text(&'static str),
    Owned(String),
    Term(TermId),
}

impl<'a> Printer<'a> {
    /// A printer without variables.
    pub(crate) fn new(store: &'a TermStore, names: &'a Names) -> Printer<'a> {
        Printer { store, names, variables: FxHashMap::default(), taken: FxHashSet::default() }
    }

    /// The parameters of a definition: `((i NODE) (j Int))`.
    pub(crate) fn parameters(&mut self, params: &[SymbolId]) -> Result<String, String> {
        let mut written = Vec::new();
        for &param in params {
            written.push(format!("({} {})", self.symbol(param), self.sort(self.store.symbol(param).sort)?));
        }
        Ok(format!("({})", written.join(" ")))
    }

    /// The sort for a solver: a range is a set of integers.
    pub(crate) fn sort(&self, sort: SortId) -> Result<String, String> {
        match self.store.sort(sort) {
            Sort::Bool => Ok("Bool".to_owned()),
            Sort::Int | Sort::Range { .. } => Ok("Int".to_owned()),
            Sort::Real => Ok("Real".to_owned()),
            Sort::BitVec(width) => Ok(format!("(_ BitVec {width})")),
            Sort::Function { .. } => Err("a function stands where a value is needed".to_owned()),
            _ => match self.names.name(&Entity::Sort(sort)) {
                Some(name) => Ok(name.to_owned()),
                None => Err(format!("the model has no sort `{}`", self.store.sort_name(sort))),
            },
        }
    }

    /// The sort of a bound variable, with its range.
    fn full_sort(&self, sort: SortId) -> Result<String, String> {
        let end = |end: &Option<BigInt>| end.as_ref().map_or("*".to_owned(), ToString::to_string);
        match self.store.sort(sort) {
            Sort::Range { lo, hi, .. } => Ok(format!("(range {} {})", end(lo), end(hi))),
            _ => self.sort(sort),
        }
    }

    /// The name of a symbol; a new variable gets an unused one.
    pub(crate) fn symbol(&mut self, symbol: SymbolId) -> String {
        if let Some(name) = self.names.symbol(symbol).or(self.variables.get(&symbol).map(String::as_str)) {
            return name.to_owned();
        }
        let own = &self.store.symbol(symbol).name;
        let clean = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let mut base: String = own.chars().map(clean).collect();
        if !base.starts_with(|c: char| c.is_ascii_alphabetic()) || has_reserved_prefix(&base) {
            base.insert(0, 'v');
        }
        let mut name = base.clone();
        let mut number = 1;
        while self.names.is_taken(&name) || self.taken.contains(&name) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.taken.insert(name.clone());
        self.variables.insert(symbol, name.clone());
        name
    }

    pub(crate) fn term(&mut self, term: TermId) -> Result<String, String> {
        let size = self.tree_sizes(term);
        let has_binder = self.store.has_quantifier(term) || self.store.has_lambda(term);
        if has_binder && size[&term] > MAX_NODES_WITH_BINDERS {
            return Err("a formula with quantifiers is too long to be written".to_owned());
        }
        if has_binder || size[&term] <= MAX_TREE_NODES {
            return self.tree(term, &FxHashMap::default());
        }
        self.with_lets(term, &size)
    }

    fn tree_sizes(&self, term: TermId) -> FxHashMap<TermId, u64> {
        let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
        for subterm in postorder(self.store, [term]) {
            let below = self.store.args(subterm).iter().map(|arg| sizes[arg]);
            let size = below.fold(1u64, u64::saturating_add);
            sizes.insert(subterm, size);
        }
        sizes
    }

    fn with_lets(&mut self, term: TermId, size: &FxHashMap<TermId, u64>) -> Result<String, String> {
        let order = postorder(self.store, [term]);
        let mut uses: FxHashMap<TermId, usize> = FxHashMap::default();
        for &subterm in &order {
            for &arg in self.store.args(subterm) {
                *uses.entry(arg).or_default() += 1;
            }
        }
        let mut named: FxHashMap<TermId, String> = FxHashMap::default();
        let mut text = String::new();
        for &subterm in &order {
            let is_value = !matches!(self.store.sort(self.store.sort_of(subterm)), Sort::Function { .. });
            if subterm != term && uses[&subterm] > 1 && size[&subterm] >= MIN_SHARED_NODES && is_value {
                let written = self.tree(subterm, &named)?;
                let name = format!("let.{}", named.len() + 1);
                text.push_str(&format!("(let (({name} {written})) "));
                named.insert(subterm, name);
            }
        }
        text.push_str(&self.tree(term, &named)?);
        text.push_str(&")".repeat(named.len()));
        Ok(text)
    }

    /// The term as a tree in which some subterms have names.
    fn tree(&mut self, term: TermId, named: &FxHashMap<TermId, String>) -> Result<String, String> {
        let mut text = String::new();
        let mut stack = vec![Piece::Term(term)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Owned(part) => text.push_str(&part),
                Piece::Term(part) => match named.get(&part) {
                    Some(name) => text.push_str(name),
                    None => self.node(part, &mut text, &mut stack)?,
                },
            }
        }
        Ok(text)
    }

    fn node(&mut self, term: TermId, text: &mut String, stack: &mut Vec<Piece>) -> Result<(), String> {
        let args = self.store.args(term);
        let op = self.store.op(term).clone();
        let head = match &op {
            op if args.is_empty() => {
                text.push_str(&self.leaf(op)?);
                return Ok(());
            }
            Op::Apply => match self.store.as_symbol(args[0]) {
                Some(symbol) => self.symbol(symbol),
                None => return Err("a function is applied that has no name".to_owned()),
            },
            Op::Forall(bound) | Op::Exists(bound) | Op::Lambda(bound) => {
                let mut variables = Vec::new();
                for &symbol in bound {
                    let sort = self.full_sort(self.store.symbol(symbol).sort)?;
                    variables.push(format!("({} {sort})", self.symbol(symbol)));
                }
                format!("{} ({})", op.name(), variables.join(" "))
            }
            Op::Out(member) => self.known(&Entity::Project(self.store.sort_of(args[0]), *member))?,
            Op::Is(member) => {
                let constructor = self.known(&Entity::Inject(self.store.sort_of(args[0]), *member))?;
                format!("(_ is {constructor})")
            }
            op => self.operator(op)?,
        };
        let operands = if op == Op::Apply { &args[1..] } else { args };
        text.push('(');
        stack.push(Piece::Text(")"));
        for &operand in operands.iter().rev() {
            stack.push(Piece::Term(operand));
            stack.push(Piece::Text(" "));
        }
        stack.push(Piece::Owned(head));
        Ok(())
    }

    fn known(&self, entity: &Entity) -> Result<String, String> {
        let name = self.names.name(entity).map(str::to_owned);
        name.ok_or_else(|| "a formula speaks of something that the model does not have".to_owned())
    }

    fn leaf(&mut self, op: &Op) -> Result<String, String> {
        Ok(match op {
            Op::Bool(value) => value.to_string(),
            Op::Int(value) => integer(value, ""),
            Op::Rational(value) => {
                let (top, bottom) = (integer(value.numer(), ".0"), integer(value.denom(), ".0"));
                if value.is_integer() { top } else { format!("(/ {top} {bottom})") }
            }
            Op::BitVec(value) => format!("(_ bv{} {})", value.unsigned(), value.width()),
            Op::Enum(..) | Op::Index(..) => self.known(&Entity::Literal(op.clone()))?,
            Op::Symbol(symbol) => self.symbol(*symbol),
            Op::And => "true".to_owned(),
            Op::Or => "false".to_owned(),
            op => return Err(format!("`{}` has no operands", op.name())),
        })
    }

    fn operator(&self, op: &Op) -> Result<String, String> {
        Ok(match op {
            Op::Not => "not".to_owned(),
            Op::And => "and".to_owned(),
            Op::Or => "or".to_owned(),
            Op::Implies => "=>".to_owned(),
            Op::Iff | Op::Eq => "=".to_owned(),
            Op::Ite => "ite".to_owned(),
            Op::Distinct => "distinct".to_owned(),
            Op::Lt => "<".to_owned(),
            Op::Le => "<=".to_owned(),
            Op::Add => "+".to_owned(),
            Op::Neg => "-".to_owned(),
            Op::Mul => "*".to_owned(),
            Op::DivReal | Op::DivEuclid | Op::ModEuclid | Op::DivTrunc | Op::RemTrunc => {
                self.known(&Entity::Division(op.clone()))?
            }
            Op::ToReal => "to_real".to_owned(),
            Op::ToInt => "to_int".to_owned(),
            Op::Bv(BvOp::Extract { hi, lo }) => format!("(_ extract {hi} {lo})"),
            Op::Bv(BvOp::ZeroExtend(by)) => format!("(_ zero_extend {by})"),
            Op::Bv(BvOp::SignExtend(by)) => format!("(_ sign_extend {by})"),
            Op::Bv(BvOp::FromInt(width)) => format!("(_ int2bv {width})"),
            Op::Bv(BvOp::ToInt) => "bv2nat".to_owned(),
            Op::Bv(op) => op.name().to_owned(),
            Op::In(union, member) => self.known(&Entity::Inject(*union, *member))?,
            op => return Err(format!("`{}` cannot be written", op.name())),
        })
    }
}

fn integer(value: &BigInt, behind: &str) -> String {
    match value.sign() {
        Sign::Minus => format!("(- {}{behind})", value.magnitude()),
        _ => format!("{value}{behind}"),
    }
}
