//! Lineage of the atoms on the left: what makes an induction well-founded (RA-T1).

/// For each enclosing `Unfold`, the outermost first: the atom of its obligation that an atom descends from, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct Lineage(Vec<Option<Ancestor>>);

/// An atom of an unfolded obligation.
#[derive(Clone, Copy, Debug)]
struct Ancestor {
    /// Its position on the left of that obligation.
    atom: usize,
    /// Was it, or a descendant on the way, unfolded in between?
    is_strict: bool,
}

impl Lineage {
    /// Of an atom without ancestors, under this number of `Unfold`s.
    pub(super) fn unknown(depth: usize) -> Lineage {
        Lineage(vec![None; depth])
    }

    /// For the atom at this position of an obligation that is unfolded now.
    pub(super) fn enter(&mut self, position: usize) {
        self.0.push(Some(Ancestor { atom: position, is_strict: false }));
    }

    /// Of an atom in the body that replaces this one.
    pub(super) fn child(&self) -> Lineage {
        let strict = |ancestor: Ancestor| Ancestor { is_strict: true, ..ancestor };
        Lineage(self.0.iter().map(|ancestor| ancestor.map(strict)).collect())
    }

    /// Does the atom descend from the one at a position of the obligation with this number, and strictly?
    pub(super) fn descent(&self, hypothesis: usize, position: usize) -> Option<bool> {
        let ancestor = (*self.0.get(hypothesis)?)?;
        (ancestor.atom == position).then_some(ancestor.is_strict)
    }
}

#[cfg(test)]
mod tests {
    use super::Lineage;

    #[test]
    fn descent_is_strict_from_the_first_unfolding_on() {
        let mut atom = Lineage::unknown(0);
        atom.enter(2);
        assert_eq!(atom.descent(0, 2), Some(false));
        let mut child = atom.child();
        assert_eq!(child.descent(0, 2), Some(true));
        assert_eq!(child.descent(0, 1), None);
        child.enter(1);
        assert_eq!(child.descent(0, 2), Some(true));
        assert_eq!(child.descent(1, 1), Some(false));
        assert_eq!(child.descent(2, 1), None);
    }

    #[test]
    fn what_comes_from_nowhere_has_no_descent_from_before() {
        let mut atom = Lineage::unknown(1);
        atom.enter(0);
        let child = atom.child();
        assert_eq!(child.descent(0, 0), None);
        assert_eq!(child.descent(1, 0), Some(true));
    }
}
