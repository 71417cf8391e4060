//! From the syntax tree back to text.
//!
//! The text shows how the file was parsed: every operand that is itself an operation is in parentheses, every block has
//! its `begin` and its own `end`. Parsing it again gives the same tree, spans aside, as long as the tree has no
//! erroneous parts. This is not a formatter: comments and layout are lost.

use super::ast::*;
use std::fmt::{self, Display, Formatter, Write};

pub fn unparse(model: &Model) -> String {
    let mut printer = Printer { text: String::new(), indent: 0 };
    for item in &model.items {
        match item {
            Item::Declaration(declaration) => printer.declaration(declaration),
            Item::Function(function) => printer.function(function),
            Item::Rule(rule) => printer.rule(rule),
            Item::Define(define) => printer.define(define),
            Item::Predicate(predicate) => {
                let (name, formula) = (Title(&predicate.name), Top(&predicate.formula));
                printer.line(format_args!("predicate{name} {formula};"));
            }
        }
    }
    printer.text
}

struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, content: impl Display) {
        let _ = writeln!(self.text, "{:width$}{content}", "", width = 2 * self.indent);
    }

    /// Lines one step further in.
    fn inside(&mut self, print: impl FnOnce(&mut Printer)) {
        self.indent += 1;
        print(self);
        self.indent -= 1;
    }

    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Const { name, value } => {
                self.line(format_args!("const {} : {};", name.name, Top(value)))
            }
            Declaration::Symbolic { name, definition } => {
                self.line(format_args!("const {} : {definition};", name.name))
            }
            Declaration::Type { name, definition } => {
                self.line(format_args!("type {} : {definition};", name.name))
            }
            Declaration::Var { names, definition } => {
                self.line(format_args!("var {} : {definition};", Names(names)));
            }
            Declaration::Index { names, definition } => {
                self.line(format_args!("index {} : {definition};", Names(names)));
            }
        }
    }

    fn define(&mut self, define: &Define) {
        let parameters: Vec<String> = define.parameters.iter().map(parameter).collect();
        let (name, result, body) = (&define.name.name, &define.result, Top(&define.body));
        self.line(format_args!("define {name}({}) : {result} := {body};", parameters.join("; ")));
    }

    fn function(&mut self, function: &Function) {
        let keyword = if function.result.is_some() { "function" } else { "procedure" };
        let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
        let result = function.result.as_ref().map_or(String::new(), |result| format!(" : {result}"));
        self.line(format_args!("{keyword} {}({}){result};", function.name.name, parameters.join("; ")));
        self.body(&function.locals, &function.body);
        self.line(format_args!("end{keyword};"));
    }

    /// Local declarations, `begin`, statements.
    fn body(&mut self, locals: &[Declaration], body: &[Stmt]) {
        self.inside(|printer| locals.iter().for_each(|local| printer.declaration(local)));
        self.line("begin");
        self.statements(body);
    }

    fn statements(&mut self, statements: &[Stmt]) {
        self.inside(|printer| statements.iter().for_each(|statement| printer.statement(statement)));
    }

    fn rules(&mut self, rules: &[Rule]) {
        self.inside(|printer| rules.iter().for_each(|rule| printer.rule(rule)));
    }

    fn rule(&mut self, rule: &Rule) {
        match &rule.kind {
            RuleKind::Simple { name, guard, locals, body } => {
                let guard = guard.as_ref().map_or(String::new(), |guard| format!(" {} ==>", Top(guard)));
                self.line(format_args!("rule{}{guard}", Title(name)));
                self.body(locals, body);
                self.line("endrule;");
            }
            RuleKind::Start { name, locals, body } => {
                self.line(format_args!("startstate{}", Title(name)));
                self.body(locals, body);
                self.line("endstartstate;");
            }
            RuleKind::Property { property, name, formula } => {
                self.line(format_args!("{}{} {};", property_word(*property), Title(name), Top(formula)));
            }
            RuleKind::Hint(hint) => self.line(format_args!("{hint};")),
            RuleKind::Ruleset { binders, rules } => {
                let binders: Vec<String> = binders.iter().map(Binder::to_string).collect();
                self.line(format_args!("ruleset {} do", binders.join("; ")));
                self.rules(rules);
                self.line("endruleset;");
            }
            RuleKind::Alias { aliases, rules } => {
                self.line(format_args!("alias {} do", Aliases(aliases)));
                self.rules(rules);
                self.line("endalias;");
            }
            RuleKind::Choose { name, multiset, rules } => {
                self.line(format_args!("choose {} : {} do", name.name, Operand(multiset)));
                self.rules(rules);
                self.line("endchoose;");
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::If { arms, otherwise } => self.conditional(arms, otherwise),
            StmtKind::Switch { value, cases, otherwise } => self.switch(value, cases, otherwise),
            StmtKind::For { binder, body } => self.block(format_args!("for {binder} do"), body, "endfor;"),
            StmtKind::While { condition, body } => {
                self.block(format_args!("while {} do", Top(condition)), body, "endwhile;");
            }
            StmtKind::Alias { aliases, body } => {
                self.block(format_args!("alias {} do", Aliases(aliases)), body, "endalias;");
            }
            simple => self.line(format_args!("{};", Simple(simple))),
        }
    }

    fn block(&mut self, head: impl Display, body: &[Stmt], end: &str) {
        self.line(head);
        self.statements(body);
        self.line(end);
    }

    fn conditional(&mut self, arms: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) {
        for (position, (condition, body)) in arms.iter().enumerate() {
            let keyword = if position == 0 { "if" } else { "elsif" };
            self.line(format_args!("{keyword} {} then", Top(condition)));
            self.statements(body);
        }
        self.otherwise(otherwise);
        self.line("endif;");
    }

    fn switch(&mut self, value: &Expr, cases: &[(Vec<Expr>, Vec<Stmt>)], otherwise: &[Stmt]) {
        self.line(format_args!("switch {}", Top(value)));
        for (labels, body) in cases {
            self.line(format_args!("case {}:", Arguments(labels)));
            self.statements(body);
        }
        self.otherwise(otherwise);
        self.line("endswitch;");
    }

    fn otherwise(&mut self, otherwise: &[Stmt]) {
        if !otherwise.is_empty() {
            self.line("else");
            self.statements(otherwise);
        }
    }
}

fn parameter(parameter: &Parameter) -> String {
    let by_reference = if parameter.by_reference { "var " } else { "" };
    format!("{by_reference}{} : {}", Names(&parameter.names), parameter.definition)
}

fn property_word(property: PropertyKind) -> &'static str {
    match property {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assume => "assume",
        PropertyKind::Cover => "cover",
        PropertyKind::Liveness => "liveness",
        PropertyKind::Axiom => "axiom",
    }
}

/// Prints with a separator in between.
fn separated<T>(
    out: &mut Formatter<'_>,
    parts: &[T],
    separator: &str,
    print: impl Fn(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (position, part) in parts.iter().enumerate() {
        if position > 0 {
            out.write_str(separator)?;
        }
        print(out, part)?;
    }
    Ok(())
}

struct Names<'a>(&'a [Ident]);

impl Display for Names<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        separated(out, self.0, ", ", |out, name| out.write_str(&name.name))
    }
}

struct Arguments<'a>(&'a [Expr]);

impl Display for Arguments<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        separated(out, self.0, ", ", |out, argument| Top(argument).fmt(out))
    }
}

struct Aliases<'a>(&'a [Alias]);

impl Display for Aliases<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        separated(out, self.0, "; ", |out, alias| write!(out, "{} : {}", alias.name.name, Top(&alias.value)))
    }
}

struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "\"{}\"", self.0.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

/// The name of a rule, with a space before it.
struct Title<'a>(&'a Option<Ident>);

impl Display for Title<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(out, " {}", Quoted(&name.name)),
            None => Ok(()),
        }
    }
}

/// A statement that fits on a line.
struct Simple<'a>(&'a StmtKind);

impl Display for Simple<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            StmtKind::Assign { place, value } => write!(out, "{} := {}", Top(place), Top(value)),
            StmtKind::Call { name, arguments } => write!(out, "{}({})", name.name, Arguments(arguments)),
            StmtKind::Clear(place) => write!(out, "clear {}", Operand(place)),
            StmtKind::Undefine(place) => write!(out, "undefine {}", Operand(place)),
            StmtKind::Property { property, formula, message } => {
                let word =
                    if *property == PropertyKind::Invariant { "assert" } else { property_word(*property) };
                write!(out, "{word} {}", Top(formula))?;
                message.as_ref().map_or(Ok(()), |message| write!(out, " {}", Quoted(message)))
            }
            StmtKind::Error(message) => write!(out, "error {}", Quoted(message)),
            StmtKind::Put(Put::Text(text)) => write!(out, "put {}", Quoted(text)),
            StmtKind::Put(Put::Value(value)) => write!(out, "put {}", Top(value)),
            StmtKind::Return(None) => out.write_str("return"),
            StmtKind::Return(Some(value)) => write!(out, "return {}", Top(value)),
            StmtKind::MultisetAdd { element, multiset } => {
                write!(out, "multisetadd({}, {})", Top(element), Operand(multiset))
            }
            StmtKind::MultisetRemove { index, multiset } => {
                write!(out, "multisetremove({}, {})", Top(index), Operand(multiset))
            }
            StmtKind::MultisetRemovePred { name, multiset, predicate } => {
                write!(out, "multisetremovepred({} : {}, {})", name.name, Operand(multiset), Top(predicate))
            }
            // Blocks take several lines and are printed elsewhere.
            _ => Ok(()),
        }
    }
}

impl Display for Hint {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(if self.force { "instantiate " } else { "never instantiate " })?;
        match &self.targets[..] {
            [target] => write!(out, "{} with ", target.name)?,
            targets => write!(out, "({}) with ", Names(targets))?,
        }
        separated(out, &self.terms, ", ", |out, terms| match &terms[..] {
            [term] => Top(term).fmt(out),
            terms => write!(out, "({})", Arguments(terms)),
        })
    }
}

impl Display for Binder {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.domain {
            Domain::Type(domain) => write!(out, "{} : {domain}", self.name.name),
            Domain::Steps { from, to, step } => {
                write!(out, "{} := {} to {}", self.name.name, Top(from), Top(to))?;
                step.as_ref().map_or(Ok(()), |step| write!(out, " by {}", Top(step)))
            }
        }
    }
}

impl Display for TypeExpr {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TypeExprKind::Name(name) => out.write_str(name),
            TypeExprKind::Range { lo, hi } => {
                lo.as_ref().map_or(Ok(()), |lo| Operand(lo).fmt(out))?;
                out.write_str("..")?;
                hi.as_ref().map_or(Ok(()), |hi| Operand(hi).fmt(out))
            }
            TypeExprKind::Enum(names) => write!(out, "enum {{ {} }}", Names(names)),
            TypeExprKind::Scalarset(None) => out.write_str("scalarset"),
            TypeExprKind::Scalarset(Some(size)) => write!(out, "scalarset({})", Top(size)),
            TypeExprKind::Union(members) => {
                out.write_str("union { ")?;
                separated(out, members, ", ", |out, member| member.fmt(out))?;
                out.write_str(" }")
            }
            TypeExprKind::Array { index, element } => write!(out, "array [{index}] of {element}"),
            TypeExprKind::Multiset { capacity, element } => {
                write!(out, "multiset [{}] of {element}", Top(capacity))
            }
            TypeExprKind::Record(fields) => {
                out.write_str("record ")?;
                for field in fields {
                    write!(out, "{} : {}; ", Names(&field.names), field.definition)?;
                }
                out.write_str("endrecord")
            }
        }
    }
}

impl Display for Expr {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Top(self).fmt(out)
    }
}

/// An operand: operations stand in parentheses.
struct Operand<'a>(&'a Expr);

impl Display for Operand<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Ite(..) => {
                write!(out, "({})", Top(self.0))
            }
            _ => Top(self.0).fmt(out),
        }
    }
}

/// An expression that is no operand.
struct Top<'a>(&'a Expr);

impl Display for Top<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.kind {
            ExprKind::Int(value) => value.fmt(out),
            ExprKind::Name(name) => out.write_str(name),
            ExprKind::Field(base, field) => write!(out, "{}.{}", Operand(base), field.name),
            ExprKind::Index(base, index) => write!(out, "{}[{}]", Operand(base), Top(index)),
            ExprKind::Update(base, indices, value) => {
                write!(out, "{}[{} := {}]", Operand(base), Arguments(indices), Top(value))
            }
            ExprKind::Call(name, arguments) => write!(out, "{}({})", name.name, Arguments(arguments)),
            ExprKind::Unary(op, operand) => write!(out, "{op}{}", Operand(operand)),
            ExprKind::Binary(op, left, right) => write!(out, "{} {op} {}", Operand(left), Operand(right)),
            ExprKind::Ite(condition, yes, no) => {
                write!(out, "{} ? {} : {}", Operand(condition), Operand(yes), Operand(no))
            }
            ExprKind::Quantifier { universal, binder, body } => {
                let keyword = if *universal { "forall" } else { "exists" };
                write!(out, "{keyword} {binder} do {} end{keyword}", Top(body))
            }
            ExprKind::IsUndefined(place) => write!(out, "isundefined({})", Operand(place)),
            ExprKind::IsMember(value, member) => write!(out, "ismember({}, {member})", Top(value)),
            ExprKind::MultisetCount { name, multiset, predicate } => {
                write!(out, "multisetcount({} : {}, {})", name.name, Operand(multiset), Top(predicate))
            }
            ExprKind::Error => out.write_str("<error>"),
        }
    }
}

impl Display for UnaryOp {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            UnaryOp::Not => "!",
            UnaryOp::Neg => "-",
        })
    }
}

impl Display for BinaryOp {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            BinaryOp::Implies => "->",
            BinaryOp::Or => "|",
            BinaryOp::And => "&",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
        })
    }
}
