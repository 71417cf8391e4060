//! Parses a proof in the text form of `write`.
//!
//! The text is not trusted. Only its form is checked here: the proof is checked like any other, and compared with the text that
//! is generated from it.

use tenet_system::finite::program::Source;
use tenet_system::recursive::tree::{Case, Child, Fate, Node as TreeNode, Outcome, Safe, Termination, Tree};
use tenet_system::recursive::{
    Atom, Entailment, Goal, Known, Lemma, Program, Proof, Recall, Restated, State, Step,
};
use tenet_term::{SortId, SymbolId, TermId, TermStore};

use super::vocabulary::Vocabulary;
use super::write::MAX_DEPTH;
use crate::sexpr::{Node, Sexpr};

/// Parses a proof about a program. `sorts` are those that the program mentions.
pub(super) fn read(program: &mut Program, sorts: &[SortId], text: &str) -> Result<Proof, String> {
    let text = Sexpr::read(text)?;
    let mut store = std::mem::take(&mut program.store);
    let vocabulary = Vocabulary::new(program, &store, sorts);
    let proof = Reader { program, store: &mut store, vocabulary, text: &text }.proof();
    program.store = store;
    proof
}

struct Reader<'a> {
    program: &'a Program,
    store: &'a mut TermStore,
    vocabulary: Vocabulary,
    text: &'a Sexpr,
}

impl<'a> Reader<'a> {
    fn proof(&mut self) -> Result<Proof, String> {
        let parts = self.form(self.text.root(), "proof")?;
        let mut proof = Proof { obligations: vec![None; self.program.obligations.len()], ..Proof::default() };
        for &part in parts {
            let (word, rest) = self.headed(part)?;
            match word {
                "variable" | "bound" => self.vocabulary.declare(self.store, self.text, part)?,
                "lemma" => {
                    let lemma = self.lemma(proof.lemmas.len(), rest)?;
                    proof.lemmas.push(lemma);
                }
                "obligation" => {
                    let (&number, steps) = rest.split_first().ok_or("an obligation has no number")?;
                    let position = self.position(number)?;
                    let step = self.steps(steps, 0)?;
                    let place = proof.obligations.get_mut(position).ok_or("there is no such obligation")?;
                    *place = Some(step);
                }
                "tree" => proof.tree = Some(self.tree(rest)?),
                other => return Err(format!("`{other}` is no part of a proof")),
            }
        }
        Ok(proof)
    }

    fn lemma(&mut self, position: usize, parts: &[Node]) -> Result<Lemma, String> {
        let [variables, left, existentials, right, rest @ ..] = parts else {
            return Err("a lemma has the wrong form".to_owned());
        };
        let entailment = Entailment {
            name: format!("lemma {}", position + 1),
            source: Source::default(),
            variables: self.symbols(*variables)?,
            left: self.goal(*left)?,
            existentials: self.symbols(*existentials)?,
            right: self.goal(*right)?,
        };
        let (measure, steps) = match rest.split_first() {
            Some((&first, steps)) if self.headed(first).is_ok_and(|(word, _)| word == "measure") => {
                let [measure] = self.form(first, "measure")? else {
                    return Err("a measure is one term".to_owned());
                };
                (Some(self.term(*measure)?), steps)
            }
            _ => (None, rest),
        };
        Ok(Lemma { entailment, measure, proof: self.steps(steps, 0)? })
    }

    /// A sequence of steps. `depth` is the number of enclosing ones.
    fn steps(&mut self, steps: &[Node], depth: usize) -> Result<Step, String> {
        if depth + steps.len() > MAX_DEPTH {
            return Err("the proof is too deep".to_owned());
        }
        let (&last, steps_before) = steps.split_last().ok_or("a proof has no steps")?;
        let mut step = self.last_step(last, depth + steps.len())?;
        for &before in steps_before.iter().rev() {
            step = self.step_before(before, Box::new(step))?;
        }
        Ok(step)
    }

    /// A step without a successor.
    fn last_step(&mut self, node: Node, depth: usize) -> Result<Step, String> {
        if self.text.atom(node) == Some("close") {
            return Ok(Step::Close);
        }
        match self.headed(node)? {
            ("each", parts) => {
                let mut steps = Vec::new();
                for &part in parts {
                    let inner = self.form(part, "part")?;
                    steps.push(self.steps(inner, depth)?);
                }
                Ok(Step::Each(steps))
            }
            ("split", parts) => {
                let mut cases = Vec::new();
                for &part in parts {
                    let (&formula, steps) =
                        self.form(part, "when")?.split_first().ok_or("a case has no formula")?;
                    cases.push((self.term(formula)?, self.steps(steps, depth)?));
                }
                Ok(Step::Split(cases))
            }
            ("unfold", [atom, cases @ ..]) => {
                let atom = self.position(*atom)?;
                let mut read = Vec::new();
                for &case in cases {
                    read.push(self.case(case, depth)?);
                }
                Ok(Step::Unfold { atom, cases: read })
            }
            (word, _) => Err(format!("`{word}` is no step that a proof ends with")),
        }
    }

    fn case(&mut self, node: Node, depth: usize) -> Result<(Vec<SymbolId>, Option<Step>), String> {
        match self.headed(node)? {
            ("void", [fresh]) => Ok((self.symbols(*fresh)?, None)),
            ("case", [fresh, steps @ ..]) => {
                let fresh = self.symbols(*fresh)?;
                Ok((fresh, Some(self.steps(steps, depth)?)))
            }
            (word, _) => Err(format!("`{word}` is no case")),
        }
    }

    /// A step with a successor.
    fn step_before(&mut self, node: Node, next: Box<Step>) -> Result<Step, String> {
        match self.headed(node)? {
            ("choose", [terms]) => Ok(Step::Choose(self.pairs(*terms)?, next)),
            ("right", [atom, rule, terms @ ..]) => {
                let (atom, rule) = (self.position(*atom)?, self.position(*rule)?);
                Ok(Step::Right { atom, rule, terms: self.terms(terms)?, next })
            }
            ("recall", [known, bindings, atoms, fresh]) => {
                let recall = Recall {
                    known: self.known(*known)?,
                    bindings: self.pairs(*bindings)?,
                    atoms: self.positions(*atoms)?,
                    fresh: self.symbols(*fresh)?,
                };
                Ok(Step::Recall(recall, next))
            }
            ("restate", [left, constraint, right]) => {
                let mut kept = Vec::new();
                for &atom in self.list(*left)? {
                    let (&position, args) = self.list(atom)?.split_first().ok_or("an atom is empty")?;
                    kept.push((self.position(position)?, self.terms(args)?));
                }
                let constraint = self.term(*constraint)?;
                let right = self.goal(*right)?;
                let (right, right_constraint) = (right.atoms, right.constraint);
                Ok(Step::Restate(Restated { left: kept, constraint, right, right_constraint }, next))
            }
            (word, _) => Err(format!("`{word}` is no step that goes on")),
        }
    }

    fn known(&self, node: Node) -> Result<Known, String> {
        if self.text.atom(node) == Some("itself") {
            return Ok(Known::Itself);
        }
        match self.headed(node)? {
            ("hypothesis", [number]) => Ok(Known::Hypothesis(self.position(*number)?)),
            ("lemma", [number]) => Ok(Known::Lemma(self.position(*number)?)),
            (word, _) => Err(format!("`{word}` is nothing that can be recalled")),
        }
    }

    fn tree(&mut self, parts: &[Node]) -> Result<Tree, String> {
        let mut tree = Tree::default();
        for &part in parts {
            match self.headed(part)? {
                ("node", rest) => {
                    let node = self.node(rest)?;
                    tree.nodes.push(node);
                }
                ("termination", [ranking, proofs @ ..]) => {
                    let ranking = self.list(*ranking)?;
                    let ranking = self.terms(ranking)?;
                    let mut read = Vec::new();
                    for &proof in proofs {
                        let steps = self.form(proof, "decrease")?;
                        read.push(self.steps(steps, 0)?);
                    }
                    tree.termination = Some(Termination { ranking, proofs: read });
                }
                (word, _) => return Err(format!("`{word}` is no part of a tree")),
            }
        }
        Ok(tree)
    }

    fn node(&mut self, parts: &[Node]) -> Result<TreeNode, String> {
        let &[state, fate] = parts else { return Err("a node has the wrong form".to_owned()) };
        let state = match (self.text.atom(state), &self.program.process) {
            (Some("start"), Some(process)) => process.start.clone(),
            _ => self.state(state)?,
        };
        Ok(TreeNode { state, fate: self.fate(fate)? })
    }

    fn state(&mut self, node: Node) -> Result<State, String> {
        let &[variables, args, goal] = self.form(node, "state")? else {
            return Err("a state has the wrong form".to_owned());
        };
        let variables = self.symbols(variables)?;
        let args = self.list(args)?;
        let args = self.terms(args)?;
        Ok(State { source: Source::default(), variables, args, goal: self.goal(goal)? })
    }

    fn fate(&mut self, node: Node) -> Result<Fate, String> {
        match self.headed(node)? {
            ("expanded", parts) => self.expanded(parts),
            ("abstracted", [abstraction, to, steps @ ..]) => {
                let abstraction = match self.text.atom(*abstraction) {
                    Some("found") => None,
                    _ => Some(self.position(*abstraction)?),
                };
                let (to, proof) = (self.position(*to)?, self.steps(steps, 0)?);
                Ok(Fate::Abstracted { abstraction, to, proof })
            }
            ("subsumed", [by, steps @ ..]) => {
                Ok(Fate::Subsumed { by: self.position(*by)?, proof: self.steps(steps, 0)? })
            }
            ("split", [cover, cases @ ..]) => {
                let steps = self.form(*cover, "cover")?;
                let proof = self.steps(steps, 0)?;
                let mut read = Vec::new();
                for &case in cases {
                    read.push(self.part(case)?);
                }
                Ok(Fate::Split { cases: read, proof })
            }
            (word, _) => Err(format!("`{word}` is nothing that a node can be")),
        }
    }

    /// Some of the states of a node.
    fn part(&mut self, node: Node) -> Result<Case, String> {
        let [when, to, steps @ ..] = self.form(node, "when")? else {
            return Err("a case of a node has the wrong form".to_owned());
        };
        Ok(Case { when: self.term(*when)?, to: self.position(*to)?, proof: self.steps(steps, 0)? })
    }

    fn expanded(&mut self, parts: &[Node]) -> Result<Fate, String> {
        let count = self.program.process.as_ref().map_or(0, |process| process.properties.len());
        let mut properties: Vec<Option<Safe>> = vec![None; count];
        let mut children = Vec::new();
        for &part in parts {
            match self.headed(part)? {
                ("to", [node, fresh, steps @ ..]) => {
                    let (node, fresh) = (self.position(*node)?, self.symbols(*fresh)?);
                    let outcome = Outcome::Node(node, self.steps(steps, 0)?);
                    children.push(Child { fresh, outcome });
                }
                ("impossible", [fresh, steps @ ..]) => {
                    let fresh = self.symbols(*fresh)?;
                    let outcome = Outcome::Impossible(self.steps(steps, 0)?);
                    children.push(Child { fresh, outcome });
                }
                ("property", [number, fresh, steps @ ..]) => {
                    let (position, fresh) = (self.position(*number)?, self.symbols(*fresh)?);
                    let proof = self.steps(steps, 0)?;
                    let place = properties.get_mut(position).ok_or("there is no such property")?;
                    *place = Some(Safe { fresh, proof });
                }
                (word, _) => return Err(format!("`{word}` is no part of an expanded node")),
            }
        }
        Ok(Fate::Expanded { children, properties })
    }

    fn goal(&mut self, node: Node) -> Result<Goal, String> {
        let &[atoms, constraint] = self.list(node)? else {
            return Err("a goal has the wrong form".to_owned());
        };
        let mut read = Vec::new();
        for &atom in self.list(atoms)? {
            let (name, args) = self.headed(atom)?;
            let predicate = self.vocabulary.predicate_called(name)?;
            read.push(Atom { predicate, args: self.terms(args)? });
        }
        Ok(Goal { atoms: read, constraint: self.term(constraint)? })
    }

    fn terms(&mut self, nodes: &[Node]) -> Result<Vec<TermId>, String> {
        nodes.iter().map(|&node| self.term(node)).collect()
    }

    fn term(&mut self, node: Node) -> Result<TermId, String> {
        self.vocabulary.read_term(self.store, self.text, node)
    }

    fn pairs(&mut self, node: Node) -> Result<Vec<(SymbolId, TermId)>, String> {
        let mut pairs = Vec::new();
        for &pair in self.list(node)? {
            let &[symbol, term] = self.list(pair)? else {
                return Err("a term for a variable has the wrong form".to_owned());
            };
            pairs.push((self.symbol(symbol)?, self.term(term)?));
        }
        Ok(pairs)
    }

    fn symbols(&self, node: Node) -> Result<Vec<SymbolId>, String> {
        self.list(node)?.iter().map(|&symbol| self.symbol(symbol)).collect()
    }

    fn symbol(&self, node: Node) -> Result<SymbolId, String> {
        let name = self.text.atom(node).ok_or("a list stands where a variable is needed")?;
        self.vocabulary.symbol_called(name)
    }

    fn positions(&self, node: Node) -> Result<Vec<usize>, String> {
        self.list(node)?.iter().map(|&number| self.position(number)).collect()
    }

    /// A number, counted from one.
    fn position(&self, node: Node) -> Result<usize, String> {
        let number: Option<usize> = self.text.atom(node).and_then(|number| number.parse().ok());
        let position = number.and_then(|number| number.checked_sub(1));
        position.ok_or_else(|| "something stands where a number is needed".to_owned())
    }

    fn list(&self, node: Node) -> Result<&'a [Node], String> {
        self.text.list(node).ok_or_else(|| "a word stands where a list is needed".to_owned())
    }

    /// The parts of a list with a keyword at its head.
    fn headed(&self, node: Node) -> Result<(&'a str, &'a [Node]), String> {
        let (&head, rest) = self.list(node)?.split_first().ok_or("a list is empty")?;
        let word = self.text.atom(head).ok_or("a list does not begin with a word")?;
        Ok((word, rest))
    }

    /// The parts of a list with this keyword at its head.
    fn form(&self, node: Node, expected: &str) -> Result<&'a [Node], String> {
        match self.headed(node)? {
            (word, rest) if word == expected => Ok(rest),
            (word, _) => Err(format!("`{word}` stands in the place of `{expected}`")),
        }
    }
}
