//! A problem as text, for any solver to read.

use tenet_term::{TermId, TermStore};

use super::builder::{Node, TextBuilder};
use super::print::print;
use crate::encode::Encoder;

/// Declarations and assertions in SMT-LIB 2.6.
///
/// ```
/// use tenet_solve::Script;
/// use tenet_term::{Role, SortId, TermStore};
///
/// let mut store = TermStore::new();
/// let x = store.declare("x", SortId::INT, Role::State);
/// let (x, two) = (store.mk_symbol(x), store.mk_int(2));
/// let below = store.mk_lt(x, two);
/// let mut script = Script::new();
/// script.assert(&store, below);
/// script.check();
/// assert_eq!(script.text(), "(set-logic ALL)\n(declare-fun $x () Int)\n(assert (< $x 2))\n(check-sat)\n");
/// ```
pub struct Script {
    encoder: Encoder<TextBuilder>,
    text: String,
    assumptions: usize,
    /// How many of the encoder's axioms are written.
    axioms: usize,
}

impl Default for Script {
    fn default() -> Script {
        Script::new()
    }
}

impl Script {
    #[must_use]
    pub fn new() -> Script {
        Script::in_logic("ALL")
    }

    /// The same in a logic of SMT-LIB.
    #[must_use]
    pub fn in_logic(logic: &str) -> Script {
        let encoder = Encoder::new(TextBuilder::default());
        Script { encoder, text: format!("(set-logic {logic})\n"), assumptions: 0, axioms: 0 }
    }

    /// Writes a comment, line by line.
    pub fn comment(&mut self, text: &str) {
        text.lines().for_each(|line| self.text.push_str(&format!("; {line}\n")));
    }

    /// Asserts a formula. All formulas are of the same store, which may grow.
    pub fn assert(&mut self, store: &TermStore, formula: TermId) {
        let node = self.encoder.encode(store, formula);
        self.text.push_str(&assertion(&mut self.encoder, node));
    }

    /// Asserts a formula under a name, by which a solver can say that it was needed.
    pub fn assume(&mut self, store: &TermStore, formula: TermId) {
        self.assumptions += 1;
        let node = self.encoder.encode(store, formula);
        let declarations = self.encoder.builder.declarations(node);
        let (formula, number) = (print(&self.encoder.builder, node), self.assumptions);
        // What is declared begins with `$`, so this name is free.
        self.text.push_str(&format!("{declarations}(assert (! {formula} :named assumption-{number}))\n"));
    }

    /// Declares what a formula needs, so that it can be asserted in any scope later.
    pub fn declare(&mut self, store: &TermStore, formula: TermId) {
        let node = self.encoder.encode(store, formula);
        let declarations = self.encoder.builder.declarations(node);
        self.text.push_str(&declarations);
        self.assert_axioms();
    }

    pub fn push(&mut self) {
        self.text.push_str("(push 1)\n");
    }

    /// Closes a scope. What was declared in it is gone: see [`Script::declare`].
    pub fn pop(&mut self) {
        self.text.push_str("(pop 1)\n");
    }

    /// Asks whether everything asserted so far is satisfiable.
    pub fn check(&mut self) {
        self.assert_axioms();
        self.text.push_str("(check-sat)\n");
    }

    fn assert_axioms(&mut self) {
        for place in self.axioms..self.encoder.axioms().len() {
            let axiom = self.encoder.axioms()[place];
            self.text.push_str(&assertion(&mut self.encoder, axiom));
        }
        self.axioms = self.encoder.axioms().len();
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

/// An assertion, behind the declarations that it is the first to need.
pub(super) fn assertion(encoder: &mut Encoder<TextBuilder>, node: Node) -> String {
    let declarations = encoder.builder.declarations(node);
    format!("{declarations}(assert {})\n", print(&encoder.builder, node))
}
