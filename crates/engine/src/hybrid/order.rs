//! The order of the variables of abstract states: what occurs together lies together (X-T9).
//!
//! Every fact and every next value of a kept register is an edge between the variables that it mentions. Each variable is moved
//! to the centre of gravity of its edges, again and again, which makes edges short (F. Aloul, I. Markov, K. Sakallah:
//! "FORCE: a fast and easy-to-implement variable-ordering heuristic").

use super::concrete::Concrete;
use super::fact::Fact;
use super::view::View;
use tenet_term::TermStore;

/// Rounds of FORCE; the length of edges hardly changes after that.
const MAX_FORCE_ROUNDS: usize = 30;

/// The view with its variables in a good order.
pub fn arranged(store: &TermStore, concrete: &Concrete, view: &View, facts: &[Fact]) -> View {
    let mut edges: Vec<Vec<usize>> = Vec::new();
    for fact in facts {
        let literals = fact.now.iter().chain(&fact.next);
        edges.push(literals.flat_map(|literal| view.mentioned(store, literal.atom)).collect());
    }
    for &register in concrete.cone.iter().filter(|&&register| view.keeps(register)) {
        let mut edge = view.mentioned(store, concrete.next_value(register));
        edge.extend(view.variables_of(register));
        edges.push(edge);
    }
    for edge in &mut edges {
        edge.sort_unstable();
        edge.dedup();
    }
    edges.retain(|edge| edge.len() > 1);
    view.permuted(&order(view.atoms.len(), &edges))
}

/// The old numbers of variables in their new order.
fn order(variables: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..variables).collect();
    let mut place: Vec<usize> = order.clone();
    let mut best = (length(&place, edges), order.clone());
    for _ in 0..MAX_FORCE_ROUNDS {
        let mut pull = vec![(0.0, 0.0); variables];
        for edge in edges {
            let centre = edge.iter().map(|&var| place[var] as f64).sum::<f64>() / edge.len() as f64;
            for &var in edge {
                pull[var] = (pull[var].0 + centre, pull[var].1 + 1.0);
            }
        }
        let centre =
            |var: usize| if pull[var].1 > 0.0 { pull[var].0 / pull[var].1 } else { place[var] as f64 };
        order.sort_by(|&a, &b| centre(a).total_cmp(&centre(b)).then(place[a].cmp(&place[b])));
        order.iter().enumerate().for_each(|(position, &var)| place[var] = position);
        let length = length(&place, edges);
        if length < best.0 {
            best = (length, order.clone());
        }
    }
    best.1
}

fn length(place: &[usize], edges: &[Vec<usize>]) -> usize {
    let span = |edge: &Vec<usize>| {
        let places = edge.iter().map(|&var| place[var]);
        places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
    };
    edges.iter().map(span).sum()
}
