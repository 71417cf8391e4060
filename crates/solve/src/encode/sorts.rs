//! Sorts: enumerations and unions are datatypes, so that they have exactly their values; index sorts are uninterpreted.

use tenet_term::{Sort, SortId, TermStore};

use super::{Builder, Constructor, ConstructorSpec, Encoder, Prim};

/// A sort as the back end has it; enumerations and unions with a constructor for each value or member.
pub(crate) struct SortCode<B: Builder> {
    pub(crate) sort: B::Sort,
    pub(crate) constructors: Vec<Constructor<B::Function>>,
}

impl<B: Builder> Encoder<B> {
    /// The sort as the back end has it.
    pub(super) fn sort(&mut self, store: &TermStore, sort: SortId) -> B::Sort {
        self.sort_code(store, sort).sort.clone()
    }

    /// The constructors of an enumeration or a union, in the order of its values or members.
    pub(crate) fn constructors(&mut self, store: &TermStore, sort: SortId) -> &[Constructor<B::Function>] {
        &self.sort_code(store, sort).constructors
    }

    fn sort_code(&mut self, store: &TermStore, sort: SortId) -> &SortCode<B> {
        if !self.sorts.contains_key(&sort) {
            let code = self.new_sort(store, sort);
            self.sorts.insert(sort, code);
        }
        &self.sorts[&sort]
    }

    fn new_sort(&mut self, store: &TermStore, sort: SortId) -> SortCode<B> {
        let plain = |sort| SortCode { sort, constructors: Vec::new() };
        match store.sort(sort) {
            Sort::Bool => plain(self.builder.bool_sort()),
            Sort::Int | Sort::Range { .. } => plain(self.builder.int_sort()),
            Sort::Real => plain(self.builder.real_sort()),
            Sort::BitVec(width) => plain(self.builder.bitvec_sort(*width)),
            Sort::Index { name } => {
                let name = self.names.unique(name);
                plain(self.builder.uninterpreted_sort(&name))
            }
            Sort::Enum { name, variants } => {
                let specs = variants
                    .iter()
                    .map(|variant| ConstructorSpec { name: self.names.unique(variant), field: None })
                    .collect();
                self.new_datatype(name, specs)
            }
            Sort::Union { name, members } => {
                let specs =
                    members.iter().map(|&member| self.member_constructor(store, name, member)).collect();
                self.new_datatype(name, specs)
            }
            Sort::Function { .. } => unreachable!("functions are no values: only their results have a sort"),
        }
    }

    fn member_constructor(
        &mut self,
        store: &TermStore,
        union: &str,
        member: SortId,
    ) -> ConstructorSpec<B::Sort> {
        let member_name = store.sort_name(member);
        let name = self.names.unique(&format!("{union}-from-{member_name}"));
        let field = self.names.unique(&format!("{union}-as-{member_name}"));
        let sort = self.sort(store, member);
        ConstructorSpec { name, field: Some((field, sort)) }
    }

    fn new_datatype(&mut self, name: &str, specs: Vec<ConstructorSpec<B::Sort>>) -> SortCode<B> {
        let name = self.names.unique(name);
        let (sort, constructors) = self.builder.datatype(&name, specs);
        SortCode { sort, constructors }
    }

    pub(super) fn enum_value(&mut self, store: &TermStore, sort: SortId, position: u32) -> B::Ast {
        self.sort_code(store, sort);
        let code = &self.sorts[&sort];
        self.builder.call(&code.constructors[position as usize].construct, &[])
    }

    /// The literal of an index sort; literals of one sort are different.
    pub(super) fn index_value(&mut self, store: &TermStore, sort: SortId, position: u32) -> B::Ast {
        let known = self.index_literals(sort);
        if let Some((_, literal)) = known.iter().find(|(known, _)| *known == position) {
            return literal.clone();
        }
        let others: Vec<B::Ast> = known.iter().map(|(_, literal)| literal.clone()).collect();
        let code = self.sort(store, sort);
        let name = self.names.unique(&format!("{}#{position}", store.sort_name(sort)));
        let function = self.builder.function(&name, &[], &code);
        let literal = self.builder.call(&function, &[]);
        // One axiom for each literal, so that a model which satisfies all axioms is known to know all literals.
        let different = others
            .into_iter()
            .map(|other| self.builder.apply(Prim::Distinct, &[other, literal.clone()]))
            .collect();
        let axiom = self.conjunction(different);
        self.axioms.push(axiom);
        self.index_literals.entry(sort).or_default().push((position, literal.clone()));
        literal
    }

    fn first_value(&mut self, store: &TermStore, member: SortId) -> B::Ast {
        match store.sort(member) {
            Sort::Enum { .. } => self.enum_value(store, member, 0),
            _ => self.index_value(store, member, 0),
        }
    }

    /// The position of a member in a union, whose sort is then known to the back end.
    fn member(&mut self, store: &TermStore, union: SortId, member: SortId) -> usize {
        self.sort_code(store, union);
        let Sort::Union { members, .. } = store.sort(union) else { unreachable!("the operand is a union") };
        members.iter().position(|&other| other == member).expect("invariant: a member of the union")
    }

    pub(super) fn union_value(
        &mut self,
        store: &TermStore,
        union: SortId,
        member: SortId,
        value: B::Ast,
    ) -> B::Ast {
        let place = self.member(store, union, member);
        self.builder.call(&self.sorts[&union].constructors[place].construct, &[value])
    }

    pub(super) fn is_member(
        &mut self,
        store: &TermStore,
        union: SortId,
        member: SortId,
        value: B::Ast,
    ) -> B::Ast {
        let place = self.member(store, union, member);
        self.builder.call(&self.sorts[&union].constructors[place].test, &[value])
    }

    /// The value as one of the member. A selector of another constructor would be any value to a solver; here it is
    /// the member's first one.
    pub(super) fn out_of_union(
        &mut self,
        store: &TermStore,
        union: SortId,
        member: SortId,
        value: B::Ast,
    ) -> B::Ast {
        let place = self.member(store, union, member);
        let select = self.sorts[&union].constructors[place].select.as_ref();
        let select = select.expect("invariant: members have a field");
        let selected = self.builder.call(select, std::slice::from_ref(&value));
        let is_member = self.is_member(store, union, member, value);
        let first = self.first_value(store, member);
        self.builder.apply(Prim::Ite, &[is_member, selected, first])
    }
}
