//! Expressions of SMT-LIB as a graph in which equal ones are the same node; text is made of it by `print`.
//!
//! Every name gets a `$` in front: no theory of any solver uses it, so a variable may be called `and` or `exp`.

use indexmap::IndexSet;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tenet_term::{BitVec, BvOp};

use crate::encode::{Builder, Constructor, ConstructorSpec, Prim};

/// An expression: its position among the nodes. Operands come before their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node(pub(super) usize);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// The head, as it is written, applied to operands; without any, just the head.
    Apply(String, Vec<Node>),
    /// A quantifier: universal or not, variables with their sorts, body.
    Quantify(bool, Vec<(String, String)>, Node),
}

/// Builds the graph, and collects declarations.
#[derive(Default)]
pub(crate) struct TextBuilder {
    nodes: IndexSet<Shape, FxBuildHasher>,
    /// For each node the numbers of its free variables, ascending.
    free: Vec<Vec<usize>>,
    /// Sorts that are not written yet.
    sort_declarations: String,
    /// By name: the declaration until it is written, and the sort of the result.
    functions: FxHashMap<String, Declaration>,
    /// Nodes below which every declaration is written.
    declared: Vec<bool>,
    variables: usize,
}

struct Declaration {
    text: Option<String>,
    result: String,
}

impl TextBuilder {
    pub(super) fn shape(&self, node: Node) -> &Shape {
        &self.nodes[node.0]
    }

    pub(super) fn operands(&self, node: Node) -> &[Node] {
        match self.shape(node) {
            Shape::Apply(_, args) => args,
            Shape::Quantify(_, _, body) => std::slice::from_ref(body),
        }
    }

    pub(super) fn free(&self, node: Node) -> &[usize] {
        &self.free[node.0]
    }

    /// Was everything that a node needs given out by `declarations`?
    pub(super) fn is_declared(&self, node: Node) -> bool {
        self.declared.get(node.0) == Some(&true)
    }

    /// The declarations that a node needs and that were not given out before, as commands.
    pub(super) fn declarations(&mut self, node: Node) -> String {
        let mut text = std::mem::take(&mut self.sort_declarations);
        self.declared.resize(self.nodes.len(), false);
        let mut found = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut self.declared[node.0], true) {
                found.push(node);
                stack.extend_from_slice(self.operands(node));
            }
        }
        found.sort_unstable();
        for node in found {
            let Shape::Apply(head, _) = &self.nodes[node.0] else { continue };
            let declaration = self.functions.get_mut(head).and_then(|declaration| declaration.text.take());
            text.push_str(&declaration.unwrap_or_default());
        }
        text
    }

    fn intern(&mut self, shape: Shape, own_variable: Option<usize>) -> Node {
        if let Some(known) = self.nodes.get_index_of(&shape) {
            return Node(known);
        }
        let mut free: Vec<usize> = own_variable.into_iter().collect();
        match &shape {
            Shape::Apply(_, args) => args.iter().for_each(|arg| free.extend_from_slice(self.free(*arg))),
            Shape::Quantify(_, bound, body) => {
                let is_bound =
                    |number: &usize| bound.iter().any(|(name, _)| number_of(name) == Some(*number));
                free.extend(self.free(*body).iter().filter(|number| !is_bound(number)));
            }
        }
        free.sort_unstable();
        free.dedup();
        self.free.push(free);
        Node(self.nodes.insert_full(shape).0)
    }

    fn node(&mut self, head: impl Into<String>, args: &[Node]) -> Node {
        self.intern(Shape::Apply(head.into(), args.to_vec()), None)
    }

    fn variable(&mut self, name: String) -> Node {
        let number = number_of(&name);
        self.intern(Shape::Apply(name, Vec::new()), number)
    }

    fn head(&self, constant: Node) -> &str {
        match self.shape(constant) {
            Shape::Apply(head, _) => head,
            Shape::Quantify(..) => unreachable!("a constant is no quantifier"),
        }
    }
}

/// The number of a variable: what is behind the `@` in its name.
fn number_of(variable: &str) -> Option<usize> {
    variable.trim_end_matches('|').rsplit_once('@')?.1.parse().ok()
}

impl Builder for TextBuilder {
    type Ast = Node;
    type Sort = String;
    type Function = String;

    fn bool_sort(&mut self) -> String {
        "Bool".to_owned()
    }

    fn int_sort(&mut self) -> String {
        "Int".to_owned()
    }

    fn real_sort(&mut self) -> String {
        "Real".to_owned()
    }

    fn bitvec_sort(&mut self, width: u32) -> String {
        format!("(_ BitVec {width})")
    }

    fn uninterpreted_sort(&mut self, name: &str) -> String {
        let sort = symbol(name);
        self.sort_declarations.push_str(&format!("(declare-sort {sort} 0)\n"));
        sort
    }

    fn datatype(
        &mut self,
        name: &str,
        constructors: Vec<ConstructorSpec<String>>,
    ) -> (String, Vec<Constructor<String>>) {
        let sort = symbol(name);
        let mut text = String::new();
        let mut declared = Vec::new();
        for spec in constructors {
            let construct = symbol(&spec.name);
            let select = spec.field.as_ref().map(|(field, _)| symbol(field));
            let field = spec.field.iter().map(|(field, sort)| format!(" ({} {sort})", symbol(field)));
            text.push_str(&format!(" ({construct}{})", field.collect::<String>()));
            let test = format!("(_ is {construct})");
            // Solvers give names back without the bars that quote them.
            declared.push(Constructor { name: format!("${}", spec.name), construct, test, select });
        }
        self.sort_declarations
            .push_str(&format!("(declare-datatypes (({sort} 0)) (({})))\n", text.trim_start()));
        (sort, declared)
    }

    fn function(&mut self, name: &str, args: &[String], result: &String) -> String {
        let name = symbol(name);
        let text = format!("(declare-fun {name} ({}) {result})\n", args.join(" "));
        self.functions.insert(name.clone(), Declaration { text: Some(text), result: result.clone() });
        name
    }

    fn call(&mut self, function: &String, args: &[Node]) -> Node {
        self.node(function.as_str(), args)
    }

    fn bool(&mut self, value: bool) -> Node {
        self.node(if value { "true" } else { "false" }, &[])
    }

    fn int(&mut self, value: &BigInt) -> Node {
        let magnitude = self.node(value.magnitude().to_string(), &[]);
        if value.sign() == Sign::Minus { self.node("-", &[magnitude]) } else { magnitude }
    }

    fn rational(&mut self, value: &BigRational) -> Node {
        let above = self.node(format!("{}.0", value.numer().magnitude()), &[]);
        let magnitude = if value.is_integer() {
            above
        } else {
            let below = self.node(format!("{}.0", value.denom()), &[]);
            self.node("/", &[above, below])
        };
        if value.numer().sign() == Sign::Minus { self.node("-", &[magnitude]) } else { magnitude }
    }

    fn bitvec(&mut self, value: &BitVec) -> Node {
        let width = value.width() as usize;
        let digits = value.unsigned().to_str_radix(2);
        self.node(format!("#b{digits:0>width$}"), &[])
    }

    fn apply(&mut self, prim: Prim, args: &[Node]) -> Node {
        self.node(operator(prim), args)
    }

    fn quantify(&mut self, universal: bool, bound: &[Node], body: &Node) -> Node {
        let mut variables = Vec::new();
        let mut pairs = Vec::new();
        for &constant in bound {
            let head = self.head(constant).to_owned();
            self.variables += 1;
            let name = head.trim_matches('|').trim_start_matches('$');
            let name = symbol(&format!("{name}@{}", self.variables));
            variables.push((name.clone(), self.functions[&head].result.clone()));
            pairs.push((constant, self.variable(name)));
        }
        let body = self.replace(body, &pairs);
        self.intern(Shape::Quantify(universal, variables, body), None)
    }

    fn replace(&mut self, ast: &Node, pairs: &[(Node, Node)]) -> Node {
        let mut done: FxHashMap<Node, Node> = pairs.iter().copied().collect();
        let mut stack = vec![*ast];
        while let Some(&top) = stack.last() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.operands(top).iter().filter(|operand| !done.contains_key(operand)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let new = match self.shape(top).clone() {
                Shape::Apply(_, args) if args.is_empty() => top,
                Shape::Apply(head, args) => {
                    let args = args.iter().map(|arg| done[arg]).collect();
                    self.intern(Shape::Apply(head, args), None)
                }
                Shape::Quantify(universal, bound, body) => {
                    self.intern(Shape::Quantify(universal, bound, done[&body]), None)
                }
            };
            done.insert(top, new);
        }
        done[ast]
    }
}

/// The symbol for a name, quoted if it has to be.
fn symbol(name: &str) -> String {
    let simple =
        |character: char| character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character);
    if name.chars().all(simple) { format!("${name}") } else { format!("|${name}|") }
}

fn operator(prim: Prim) -> String {
    match prim {
        Prim::Not => "not",
        Prim::And => "and",
        Prim::Or => "or",
        Prim::Implies => "=>",
        Prim::Eq => "=",
        Prim::Distinct => "distinct",
        Prim::Ite => "ite",
        Prim::Lt => "<",
        Prim::Le => "<=",
        Prim::Add => "+",
        Prim::Neg => "-",
        Prim::Mul => "*",
        Prim::RealDiv => "/",
        Prim::IntDiv => "div",
        Prim::IntMod => "mod",
        Prim::ToReal => "to_real",
        Prim::ToInt => "to_int",
        Prim::Bv(op) => return bitvec_operator(op),
    }
    .to_owned()
}

fn bitvec_operator(op: BvOp) -> String {
    match op {
        BvOp::Extract { hi, lo } => format!("(_ extract {hi} {lo})"),
        BvOp::ZeroExtend(by) => format!("(_ zero_extend {by})"),
        BvOp::SignExtend(by) => format!("(_ sign_extend {by})"),
        // The names of SMT-LIB 2.7 are too new for some solvers; these are understood by all that convert at all.
        BvOp::ToInt => "bv2nat".to_owned(),
        BvOp::FromInt(width) => format!("(_ int2bv {width})"),
        // Those that are printed as SMT-LIB names them.
        _ => op.name().to_owned(),
    }
}
