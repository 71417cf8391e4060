//! Any solver that speaks SMT-LIB, as a child process.
//!
//! Only the words `sat` and `unsat` are answers. An error message, garbage, the end of the process, a limit: all are
//! `Unknown`, and because it is not known what the process thinks is asserted from then on, so is every later check
//! (X-T1, X-T10).

use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use tenet_term::{BitVec, Sort, SortId, TermId, TermStore, Value};

use super::builder::{Node, TextBuilder};
use super::pipe::Pipe;
use super::print::print;
use super::script::assertion;
use super::sexpr::Sexpr;
use super::value::{Numbering, bits, number, rational};
use crate::encode::Encoder;
use crate::questions::{self, Asserted};
use crate::stack::Stack;
use crate::{Answer, Limits, Solver, Statistics};

/// A solver in a process of its own, which is killed when this is dropped. Every call must pass the same store, which
/// may have grown.
pub struct ProcessSolver {
    name: String,
    encoder: Encoder<TextBuilder>,
    stack: Stack<Node>,
    asserted: Asserted,
    /// The process, or why it is gone.
    state: Result<Pipe, String>,
    /// The numbers of elements in the model of the last check.
    numbering: Numbering,
    /// How the last check was put, without what it declared or asserted.
    question: String,
    /// Have values in the model of the last check been given out?
    is_model_used: bool,
    limits: Limits,
    statistics: Statistics,
}

impl ProcessSolver {
    /// Starts a program with the arguments that make it read from its input; programs of unknown name get none.
    pub fn start(program: impl AsRef<Path>) -> io::Result<ProcessSolver> {
        let name = program_name(program.as_ref());
        let args: &[&str] = match name.as_str() {
            "z3" => &["-in", "-smt2"],
            "cvc5" => &["--incremental", "--lang", "smt2"],
            "yices-smt2" => &["--incremental"],
            _ => &[],
        };
        ProcessSolver::start_with(program, args)
    }

    /// Starts a program with these arguments. No shell is involved.
    pub fn start_with(program: impl AsRef<Path>, args: &[&str]) -> io::Result<ProcessSolver> {
        let name = program_name(program.as_ref());
        let pipe = Pipe::start(Command::new(program.as_ref()).args(args))?;
        // Declarations outlive scopes, as the encoder expects. Yices knows no logic of everything.
        let logic = if name == "yices-smt2" { "QF_UFLIRA" } else { "ALL" };
        pipe.send(format!(
            "(set-option :print-success false)\n(set-option :global-declarations true)\n\
             (set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n(set-logic {logic})\n"
        ));
        Ok(ProcessSolver {
            name,
            encoder: Encoder::new(TextBuilder::default()),
            stack: Stack::new(),
            asserted: Asserted::new(),
            state: Ok(pipe),
            numbering: Numbering::default(),
            question: String::new(),
            is_model_used: false,
            limits: Limits::default(),
            statistics: Statistics::default(),
        })
    }

    fn send(&self, text: String) {
        if let Ok(pipe) = &self.state {
            pipe.send(text);
        }
    }

    /// Sends a command and waits for its answer. Whatever goes wrong ends the process.
    fn ask(&mut self, command: String) -> Result<Sexpr, String> {
        let deadline = self.limits.timeout.map(|timeout| Instant::now() + timeout);
        let pipe = self.state.as_ref().map_err(Clone::clone)?;
        pipe.send(command);
        let answer = pipe.receive(&self.limits, deadline).and_then(|answer| match &answer {
            Sexpr::List(items) if items.first().and_then(Sexpr::atom) == Some("error") => {
                Err(format!("the solver reports an error: {}", answer.text()))
            }
            _ => Ok(answer),
        });
        answer.map_err(|reason| self.fail(reason))
    }

    fn fail(&mut self, reason: String) -> String {
        self.state = Err(format!("{reason} (in this or an earlier check)"));
        reason
    }

    fn question(&mut self, store: &TermStore, assumptions: &[TermId]) -> String {
        let mut text = String::new();
        for fact in self.stack.assume(&mut self.encoder, store, assumptions) {
            text.push_str(&assertion(&mut self.encoder, fact));
        }
        let literals: Vec<Node> = self.stack.assumed().iter().map(|&(literal, _)| literal).collect();
        for &literal in &literals {
            text.push_str(&self.encoder.builder.declarations(literal));
        }
        self.question = match literals.as_slice() {
            [] => "(check-sat)\n".to_owned(),
            _ => format!("(check-sat-assuming ({}))\n", self.print_all(&literals)),
        };
        text + &self.question
    }

    fn print_all(&self, nodes: &[Node]) -> String {
        nodes.iter().map(|&node| print(&self.encoder.builder, node)).collect::<Vec<_>>().join(" ")
    }

    fn unsat_assumptions(&mut self) -> Option<Vec<TermId>> {
        let answer = self.ask("(get-unsat-assumptions)\n".to_owned()).ok()?;
        let Sexpr::List(core) = answer else { return None };
        let mut found = Vec::new();
        for &(literal, formula) in self.stack.assumed() {
            if core.contains(&Sexpr::read(&print(&self.encoder.builder, literal))?) {
                found.push(formula);
            }
        }
        Some(found)
    }

    /// Declares what the last check did not speak of. That ends the life of its model, so the question is put again;
    /// nothing if values of that model were given out already, because the next one may be another.
    fn declare_late(&mut self, nodes: &[Node]) -> Option<()> {
        if nodes.iter().all(|&node| self.encoder.builder.is_declared(node)) {
            return Some(());
        }
        if self.is_model_used {
            return None;
        }
        let declarations = nodes.iter().map(|&node| self.encoder.builder.declarations(node));
        let text: String = declarations.collect();
        let answer = self.ask(text + &self.question).ok()?;
        (answer.atom() == Some("sat")).then_some(())
    }

    /// What the process says about the values of expressions, in their order.
    fn get_values(&mut self, nodes: &[Node]) -> Option<Vec<Sexpr>> {
        self.declare_late(nodes)?;
        self.is_model_used = true;
        let Sexpr::List(pairs) = self.ask(format!("(get-value ({}))\n", self.print_all(nodes))).ok()? else {
            return None;
        };
        let values = pairs.into_iter().map(|pair| match pair {
            Sexpr::List(mut pair) if pair.len() == 2 => pair.pop(),
            _ => None,
        });
        values.collect::<Option<Vec<Sexpr>>>().filter(|values| values.len() == nodes.len())
    }

    fn read(&mut self, store: &TermStore, sort: SortId, value: &Sexpr) -> Option<Value> {
        match store.sort(sort) {
            Sort::Bool => value.atom()?.parse().ok().map(Value::Bool),
            Sort::Int | Sort::Range { .. } => number(value).map(Value::Int),
            Sort::Real => rational(value).map(Value::Real),
            Sort::BitVec(width) => bits(value).map(|bits| Value::BitVec(BitVec::new(*width, bits))),
            Sort::Enum { .. } => self.constructor(store, sort, value).map(Value::Enum),
            Sort::Index { .. } => self.element(sort, value).map(Value::Index),
            Sort::Union { members, .. } => {
                let Sexpr::List(parts) = value else { return None };
                let [head, inner] = parts.as_slice() else { return None };
                let member = members[self.constructor(store, sort, head)? as usize];
                match self.read(store, member, inner)? {
                    Value::Enum(position) | Value::Index(position) => Some(Value::Union(member, position)),
                    _ => None,
                }
            }
            Sort::Function { .. } => None,
        }
    }

    fn constructor(&mut self, store: &TermStore, sort: SortId, value: &Sexpr) -> Option<u32> {
        let name = match value {
            // A constructor with its sort: `(as name sort)`.
            Sexpr::List(parts) if parts.first().and_then(Sexpr::atom) == Some("as") => {
                parts.get(1)?.atom()?
            }
            _ => value.atom()?,
        };
        let position = self.encoder.constructors(store, sort).iter().position(|other| other.name == name)?;
        u32::try_from(position).ok()
    }

    fn element(&mut self, sort: SortId, value: &Sexpr) -> Option<u32> {
        if !self.numbering.knows(sort) {
            let literals = self.encoder.index_literals(sort).to_vec();
            let nodes: Vec<Node> = literals.iter().map(|&(_, node)| node).collect();
            let values = if nodes.is_empty() { Vec::new() } else { self.get_values(&nodes)? };
            let numbers = literals.into_iter().map(|(number, _)| number);
            self.numbering.begin(sort, numbers.zip(values.iter().map(Sexpr::text)).collect());
        }
        Some(self.numbering.number(sort, value.text()))
    }
}

fn program_name(program: &Path) -> String {
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

impl Solver for ProcessSolver {
    fn name(&self) -> String {
        format!("{} (process)", self.name)
    }

    fn push(&mut self) {
        self.stack.push();
        self.asserted.push();
        self.send("(push 1)\n".to_owned());
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.asserted.pop();
        self.send("(pop 1)\n".to_owned());
    }

    fn assert(&mut self, store: &TermStore, formula: TermId) {
        let node = self.encoder.encode(store, formula);
        let text = assertion(&mut self.encoder, node);
        self.send(text);
        self.asserted.assert(formula);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        let start = Instant::now();
        self.numbering = Numbering::default();
        self.is_model_used = false;
        let question = self.question(store, assumptions);
        let answer = match self.ask(question) {
            Ok(Sexpr::Atom(word)) if word == "sat" => Answer::Sat,
            Ok(Sexpr::Atom(word)) if word == "unsat" => Answer::Unsat,
            Ok(Sexpr::Atom(word)) if word == "unknown" => {
                Answer::Unknown("the solver does not know".to_owned())
            }
            Ok(other) => Answer::Unknown(self.fail(format!("the solver answers {}", other.text()))),
            Err(reason) => Answer::Unknown(reason),
        };
        self.statistics.calls += 1;
        self.statistics.seconds += start.elapsed().as_secs_f64();
        let text = || self.asserted.question(store, assumptions);
        questions::log(&self.name, &answer, None, start, text);
        answer
    }

    fn core(&mut self) -> Vec<TermId> {
        // All assumptions suffice if the process does not say which do.
        let all = |stack: &Stack<Node>| stack.assumed().iter().map(|&(_, formula)| formula).collect();
        if self.stack.assumed().is_empty() {
            return Vec::new();
        }
        self.unsat_assumptions().unwrap_or_else(|| all(&self.stack))
    }

    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        let nodes: Vec<Node> = terms.iter().map(|&term| self.encoder.encode(store, term)).collect();
        // A term may speak of an element that the check knew nothing of; the model need not be right about it.
        if nodes.is_empty() || self.encoder.axioms().len() > self.stack.axioms() {
            return vec![None; terms.len()];
        }
        let Some(values) = self.get_values(&nodes) else { return vec![None; terms.len()] };
        terms.iter().zip(&values).map(|(&term, value)| self.read(store, store.sort_of(term), value)).collect()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn limits(&self) -> Limits {
        self.limits.clone()
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
