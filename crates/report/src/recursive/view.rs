//! From a program and a proof to their view.

use super::derivation::{Line, Names, Reader};
use super::tree::{Edge, Fate, Node, Tree};
use super::{Item, ItemKind, Recursive, Theorem};
use tenet_system::recursive::obligations::{cases, emptiness, inclusion, restricted, safety, successor};
use tenet_system::recursive::tree::{self, Outcome, Safe};
use tenet_system::recursive::{Entailment, Process, Program, Proof, Step};
use tenet_term::TermId;

/// What the file asks for, the lemmas and the computation tree. The program is changed only by terms added to its store.
pub fn view(program: &mut Program, proof: &Proof, names: Names) -> Recursive {
    let mut store = std::mem::take(&mut program.store);
    let lemmas: Vec<Entailment> = proof.lemmas.iter().map(|lemma| lemma.entailment.clone()).collect();
    let mut reader = Reader { program, store: &mut store, lemmas: &lemmas, names };
    let mut shown = Recursive {
        items: items(&mut reader, program, proof),
        lemmas: proof
            .lemmas
            .iter()
            .enumerate()
            .map(|(place, lemma)| theorem(&mut reader, place, lemma))
            .collect(),
        tree: match (&program.process, &proof.tree) {
            (Some(process), Some(tree)) => Some(computation_tree(&mut reader, process, tree)),
            _ => None,
        },
    };
    program.store = store;
    let known = super::names::known(program);
    shown.items.iter_mut().for_each(|item| super::names::in_item(item, &known));
    shown.lemmas.iter_mut().for_each(|lemma| super::names::in_theorem(lemma, &known));
    shown.tree.iter_mut().for_each(|tree| super::names::in_tree(tree, &known));
    shown
}

/// Entailments first, then properties, as in verdicts.
fn items(reader: &mut Reader<'_>, program: &Program, proof: &Proof) -> Vec<Item> {
    let mut items = Vec::new();
    for (place, entailment) in program.obligations.iter().enumerate() {
        let step = proof.obligations.get(place).and_then(Option::as_ref);
        let proof = step.map_or(Vec::new(), |step| reader.lines(entailment, step, None));
        let statement = reader.printer().entailment(entailment);
        let counterexample = Vec::new();
        items.push(Item { kind: ItemKind::Entailment, statement, proof, counterexample, refused: None });
    }
    for property in program.process.iter().flat_map(|process| &process.properties) {
        let statement = reader.printer().safety(property);
        let (proof, counterexample) = (Vec::new(), Vec::new());
        items.push(Item { kind: ItemKind::Property, statement, proof, counterexample, refused: None });
    }
    items
}

fn theorem(reader: &mut Reader<'_>, place: usize, lemma: &tenet_system::recursive::Lemma) -> Theorem {
    let itself = lemma.measure.map(|_| place);
    let proof = reader.lines(&lemma.entailment, &lemma.proof, itself);
    let printer = reader.printer();
    let statement = printer.entailment(&lemma.entailment);
    Theorem { statement, measure: lemma.measure.map(|measure| printer.term(measure)), proof }
}

fn computation_tree(reader: &mut Reader<'_>, process: &Process, tree: &tree::Tree) -> Tree {
    let mut nodes = Vec::new();
    for node in &tree.nodes {
        let state = reader.printer().state(&node.state);
        nodes.push(Node { state, fate: fate(reader, process, tree, node) });
    }
    let ranking = tree.termination.as_ref().map(|termination| {
        let printer = reader.printer();
        termination.ranking.iter().map(|&rank| printer.term(rank)).collect()
    });
    Tree { nodes, ranking }
}

fn fate(reader: &mut Reader<'_>, process: &Process, tree: &tree::Tree, node: &tree::Node) -> Fate {
    match &node.fate {
        tree::Fate::Open => Fate::Open,
        tree::Fate::Abstracted { abstraction, to, proof } => Fate::Abstracted {
            by: abstraction.and_then(|place| process.abstractions.get(place)).map(|known| known.name.clone()),
            to: *to,
            proof: included(reader, node, &tree.nodes[*to], proof),
        },
        tree::Fate::Subsumed { by, proof } => {
            Fate::Subsumed { by: *by, proof: included(reader, node, &tree.nodes[*by], proof) }
        }
        tree::Fate::Split { cases, proof } => split(reader, tree, node, cases, proof),
        tree::Fate::Expanded { children, properties } => Fate::Expanded {
            edges: edges(reader, process, tree, node, children),
            properties: process
                .properties
                .iter()
                .enumerate()
                .map(|(place, property)| {
                    let safe = properties.get(place).and_then(Option::as_ref);
                    (property.name.clone(), safe.map(|safe| shown_safe(reader, process, node, place, safe)))
                })
                .collect(),
        },
    }
}

fn split(
    reader: &mut Reader<'_>,
    tree: &tree::Tree,
    node: &tree::Node,
    parts: &[tree::Case],
    proof: &Step,
) -> Fate {
    let formulas: Vec<TermId> = parts.iter().map(|part| part.when).collect();
    let one_of_them = cases(reader.store, &node.state, &formulas);
    let proof = reader.lines(&one_of_them, proof, None);
    let mut shown = Vec::new();
    for part in parts {
        let some = restricted(reader.store, &node.state, part.when);
        let entailment = inclusion(reader.store, &some, &tree.nodes[part.to].state);
        let lines = reader.lines(&entailment, &part.proof, None);
        shown.push((reader.printer().term(part.when), part.to, lines));
    }
    Fate::Split { cases: shown, proof }
}

fn edges(
    reader: &mut Reader<'_>,
    process: &Process,
    tree: &tree::Tree,
    node: &tree::Node,
    children: &[tree::Child],
) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (place, (transition, child)) in process.transitions.iter().zip(children).enumerate() {
        let after = successor(reader.store, process, &node.state, place, &child.fresh);
        let (to, entailment, proof) = match &child.outcome {
            Outcome::Node(to, proof) => {
                (Some(*to), inclusion(reader.store, &after, &tree.nodes[*to].state), proof)
            }
            Outcome::Impossible(proof) => (None, emptiness(reader.store, &after), proof),
        };
        let proof = reader.lines(&entailment, proof, None);
        edges.push(Edge { transition: transition.name.clone(), to, proof });
    }
    edges
}

fn included(reader: &mut Reader<'_>, node: &tree::Node, larger: &tree::Node, proof: &Step) -> Vec<Line> {
    let entailment = inclusion(reader.store, &node.state, &larger.state);
    reader.lines(&entailment, proof, None)
}

fn shown_safe(
    reader: &mut Reader<'_>,
    process: &Process,
    node: &tree::Node,
    property: usize,
    safe: &Safe,
) -> Vec<Line> {
    let entailment = safety(reader.store, process, &node.state, property, &safe.fresh);
    reader.lines(&entailment, &safe.proof, None)
}
