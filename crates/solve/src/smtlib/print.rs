//! Text of an expression. What occurs twice is bound by a `let`, so the text is no larger than the graph.
//!
//! A binding stands in the outermost place where all its variables are bound: at the top, or right inside a quantifier.
//! Everything has an explicit stack, because expressions are as deep as terms.

use rustc_hash::FxHashMap;

use super::builder::{Node, Shape, TextBuilder};

/// The text of an expression without free variables.
pub(super) fn print(builder: &TextBuilder, node: Node) -> String {
    let mut printer =
        Printer { builder, names: FxHashMap::default(), scope: Vec::new(), text: String::new() };
    printer.run(node);
    printer.text
}

struct Printer<'a> {
    builder: &'a TextBuilder,
    /// What is bound by a `let` around the place that is being printed.
    names: FxHashMap<Node, String>,
    /// The numbers of the variables that are bound there.
    scope: Vec<usize>,
    text: String,
}

enum Task {
    Text(&'static str),
    Owned(String),
    /// An expression; its name, if it has one.
    Print(Node),
    /// An expression, spelt out although it has a name.
    Spell(Node),
    /// The body of a quantifier or the whole: bindings first.
    Body(Node),
    /// The end of a quantifier with this many variables.
    Leave(usize),
}

impl Printer<'_> {
    fn run(&mut self, node: Node) {
        let mut tasks = vec![Task::Body(node)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => self.text.push_str(text),
                Task::Owned(text) => self.text.push_str(&text),
                Task::Print(node) => match self.names.get(&node) {
                    Some(name) => self.text.push_str(name),
                    None => self.spell(node, &mut tasks),
                },
                Task::Spell(node) => self.spell(node, &mut tasks),
                Task::Body(node) => self.body(node, &mut tasks),
                Task::Leave(count) => self.scope.truncate(self.scope.len() - count),
            }
        }
    }

    fn spell(&mut self, node: Node, tasks: &mut Vec<Task>) {
        match self.builder.shape(node) {
            Shape::Apply(head, args) if args.is_empty() => self.text.push_str(head),
            Shape::Apply(head, args) => {
                self.text.push('(');
                self.text.push_str(head);
                tasks.push(Task::Text(")"));
                tasks.extend(args.iter().rev().flat_map(|&arg| [Task::Print(arg), Task::Text(" ")]));
            }
            Shape::Quantify(universal, bound, body) => {
                self.text.push_str(if *universal { "(forall (" } else { "(exists (" });
                let bound_text: Vec<String> =
                    bound.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
                self.text.push_str(&bound_text.join(" "));
                self.text.push_str(") ");
                let outside = self.builder.free(node);
                let inside = self.builder.free(*body).iter().filter(|number| !outside.contains(number));
                let before = self.scope.len();
                self.scope.extend(inside);
                tasks.extend([Task::Text(")"), Task::Leave(self.scope.len() - before), Task::Body(*body)]);
            }
        }
    }

    /// Binds what is shared below a body and can be bound here, in groups that only need earlier ones.
    fn body(&mut self, body: Node, tasks: &mut Vec<Task>) {
        let groups = self.shared(body);
        let mut reversed = Vec::new();
        for group in &groups {
            reversed.push(Task::Text("(let ("));
            for &node in group {
                let name = format!("e!{}", self.names.len());
                reversed.extend([Task::Owned(format!("({name} ")), Task::Spell(node), Task::Text(")")]);
                self.names.insert(node, name);
            }
            reversed.push(Task::Text(") "));
        }
        reversed.push(Task::Print(body));
        reversed.extend(groups.iter().map(|_| Task::Text(")")));
        tasks.extend(reversed.into_iter().rev());
    }

    fn shared(&self, body: Node) -> Vec<Vec<Node>> {
        let uses = self.uses(body);
        let mut order: Vec<Node> = uses.keys().copied().collect();
        order.sort_unstable();
        // The group of a node is the first behind those of all shared nodes below it.
        let mut depth: FxHashMap<Node, usize> = FxHashMap::default();
        let mut groups: Vec<Vec<Node>> = Vec::new();
        for node in order {
            let below = self.builder.operands(node).iter().filter_map(|operand| depth.get(operand)).max();
            let below = below.copied().unwrap_or(0);
            let is_shared = uses[&node] > 1 && !self.builder.operands(node).is_empty();
            if is_shared && self.builder.free(node).iter().all(|variable| self.scope.contains(variable)) {
                groups.resize_with(groups.len().max(below + 1), Vec::new);
                groups[below].push(node);
                depth.insert(node, below + 1);
            } else {
                depth.insert(node, below);
            }
        }
        groups
    }

    /// How often each node below a body is used, without what has a name already.
    fn uses(&self, body: Node) -> FxHashMap<Node, usize> {
        let mut uses = FxHashMap::default();
        let mut stack = vec![body];
        while let Some(node) = stack.pop() {
            if self.names.contains_key(&node) {
                continue;
            }
            let count = uses.entry(node).or_insert(0);
            *count += 1;
            if *count == 1 {
                stack.extend_from_slice(self.builder.operands(node));
            }
        }
        uses
    }
}
