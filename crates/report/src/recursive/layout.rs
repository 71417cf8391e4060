//! The layout of a computation tree in a picture: leaves side by side, inner nodes above the middle of their children.

use super::Tree;

/// The positions of all nodes, in columns and rows; columns are counted in halves.
pub(super) struct Layout {
    /// For each node twice its column, and its row.
    pub places: Vec<(usize, usize)>,
    pub columns: usize,
    pub rows: usize,
}

/// The layout of a tree. Parents come before their children, so two passes suffice and none is recursive.
pub(super) fn layout(tree: &Tree) -> Layout {
    let parents = tree.parents();
    let rows = rows(&parents);
    let order = leaves_first(&parents);
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; parents.len()];
    let mut columns = 0;
    for node in order {
        let span = *spans[node].get_or_insert_with(|| {
            columns += 1;
            (2 * (columns - 1), 2 * (columns - 1))
        });
        let middle = (span.0 + span.1) / 2;
        if let Some(parent) = parents[node] {
            let known = spans[parent].get_or_insert((middle, middle));
            *known = (known.0.min(middle), known.1.max(middle));
        }
    }
    let middles = spans.iter().map(|span| span.map_or(0, |(first, last)| (first + last) / 2));
    let places = middles.zip(&rows).map(|(column, &row)| (column, row)).collect();
    Layout { places, columns: columns.max(1), rows: rows.iter().max().map_or(1, |last| last + 1) }
}

fn rows(parents: &[Option<usize>]) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        rows.push(parent.map_or(0, |parent| rows[parent] + 1));
    }
    rows
}

/// All nodes in post-order, siblings in order.
fn leaves_first(parents: &[Option<usize>]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    let mut waiting: Vec<usize> = Vec::new();
    for (node, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(node),
            None => waiting.push(node),
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    // Pre-order with the last child first; reversed, that is post-order with siblings in order.
    while let Some(node) = waiting.pop() {
        order.push(node);
        waiting.extend(&children[node]);
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::super::{Edge, Fate, Node, Tree};
    use super::*;

    fn node(targets: &[usize]) -> Node {
        let edge = |&to: &usize| Edge { transition: "t".into(), to: Some(to), proof: Vec::new() };
        let edges = targets.iter().map(edge).collect();
        Node { state: "sys(X)".into(), fate: Fate::Expanded { edges, properties: Vec::new() } }
    }

    #[test]
    fn parents_stand_above_their_children() {
        let nodes = vec![node(&[1, 2]), node(&[3, 4, 0]), node(&[]), node(&[]), node(&[])];
        let layout = layout(&Tree { nodes, ranking: None });
        assert_eq!((layout.columns, layout.rows), (3, 3));
        assert_eq!(layout.places, [(2, 0), (1, 1), (4, 1), (0, 2), (2, 2)]);
    }
}
