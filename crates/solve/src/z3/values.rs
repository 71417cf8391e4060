//! Values of terms in a model of Z3.

use ::z3::ast::{Ast, BV, Dynamic};
use ::z3::{FuncDecl, FuncEntry, Model};
use num_bigint::BigInt;
use tenet_term::{BitVec, FunctionTable, Sort, SortId, SymbolId, TermId, TermStore, Value};

use super::builder::Z3Builder;
use crate::encode::Encoder;
use crate::smtlib::sexpr::Sexpr;
use crate::smtlib::value::{Numbering, bits, number, rational};

/// Size of a function's definition that is searched for its places.
const MAX_DEFINITION_SIZE: usize = 1000;

/// A model, and the numbers given to the elements of its index sorts.
pub(super) struct Values {
    model: Model,
    numbering: Numbering,
}

impl Values {
    pub(super) fn new(model: Model) -> Values {
        Values { model, numbering: Numbering::default() }
    }

    /// The value of a term; `axioms` says how many of the encoder's axioms the model satisfies.
    pub(super) fn get(
        &mut self,
        encoder: &mut Encoder<Z3Builder>,
        store: &TermStore,
        term: TermId,
        axioms: usize,
    ) -> Option<Value> {
        if let (Sort::Function { .. }, Some(symbol)) =
            (store.sort(store.sort_of(term)), store.as_symbol(term))
        {
            return self.function(encoder, store, symbol);
        }
        let ast = encoder.encode(store, term);
        if encoder.axioms().len() > axioms {
            // The term speaks of an element that the check knew nothing of; the model need not be right about it.
            return None;
        }
        let value = self.model.eval(&ast, true)?;
        self.read(encoder, store, store.sort_of(term), &value)
    }

    /// A function as the model has it, at all places. The model may say something that is no table; then there is perhaps none.
    fn function(
        &mut self,
        encoder: &mut Encoder<Z3Builder>,
        store: &TermStore,
        symbol: SymbolId,
    ) -> Option<Value> {
        let Sort::Function { args, result } = store.sort(store.symbol(symbol).sort) else { return None };
        let function = encoder.declared(symbol)?.clone();
        let found = self.model.get_func_interp(&function)?;
        let Some(elsewhere) = self.read(encoder, store, *result, &found.get_else()?) else {
            let &[place] = &args[..] else { return None };
            return self.tabulated(encoder, store, &function, place, *result);
        };
        let mut table = FunctionTable::new(elsewhere);
        for entry in found.get_entries() {
            let place = entry.get_args();
            let place = args.iter().zip(&place).map(|(&sort, value)| self.read(encoder, store, sort, value));
            let place: Option<Vec<Value>> = place.collect();
            table.set(place?, self.read(encoder, store, *result, &entry.get_value())?);
        }
        Some(table.into())
    }

    /// The table of a function that the model defines by a term, perhaps of other functions: its values at all places that the model
    /// speaks of, and at one that it does not.
    fn tabulated(
        &mut self,
        encoder: &mut Encoder<Z3Builder>,
        store: &TermStore,
        function: &FuncDecl,
        place: SortId,
        result: SortId,
    ) -> Option<Value> {
        let Sort::BitVec(width) = *store.sort(place) else { return None };
        let places = self.places(width);
        let free = (0..).find(|number| !places.iter().any(|place| place.as_u64() == Some(*number)))?;
        let at = |values: &mut Values, encoder: &mut Encoder<Z3Builder>, place: &BV| {
            let value = values.model.eval(&function.apply(&[place]), true)?;
            values.read(encoder, store, result, &value)
        };
        let elsewhere = at(self, encoder, &BV::from_u64(free, width))?;
        let mut table = FunctionTable::new(elsewhere);
        for known in &places {
            let value = at(self, encoder, known)?;
            table.set(vec![self.read(encoder, store, place, &Dynamic::from_ast(known))?], value);
        }
        Some(table.into())
    }

    /// The bit-vectors of a width that occur in what the model says about functions.
    fn places(&self, width: u32) -> Vec<BV> {
        let mut terms = Vec::new();
        for found in self.model.iter().filter_map(|function| self.model.get_func_interp(&function)) {
            terms.extend(found.get_entries().iter().flat_map(FuncEntry::get_args));
            terms.extend(found.get_else());
        }
        let mut seen: Vec<Dynamic> = Vec::new();
        let mut places = Vec::new();
        while let Some(term) = terms.pop() {
            if seen.len() > MAX_DEFINITION_SIZE || seen.contains(&term) {
                continue;
            }
            let number = term.as_bv().filter(|number| number.get_size() == width && term.is_app());
            places.extend(
                number.filter(|number| Sexpr::read(&number.to_string()).as_ref().and_then(bits).is_some()),
            );
            if term.is_app() {
                terms.extend(term.children());
            }
            seen.push(term);
        }
        places
    }

    fn read(
        &mut self,
        encoder: &mut Encoder<Z3Builder>,
        store: &TermStore,
        sort: SortId,
        value: &Dynamic,
    ) -> Option<Value> {
        match store.sort(sort) {
            Sort::Bool => value.as_bool()?.as_bool().map(Value::Bool),
            Sort::Int | Sort::Range { .. } => match value.as_int()?.as_i64() {
                Some(small) => Some(Value::Int(BigInt::from(small))),
                None => number(&Sexpr::read(&value.to_string())?).map(Value::Int),
            },
            Sort::Real => rational(&Sexpr::read(&value.to_string())?).map(Value::Real),
            Sort::BitVec(width) => {
                let number = Sexpr::read(&value.to_string())?;
                bits(&number).map(|bits| Value::BitVec(BitVec::new(*width, bits)))
            }
            Sort::Enum { .. } => self.position(encoder, store, sort, value).map(Value::Enum),
            Sort::Index { .. } => self.element(encoder, sort, value).map(Value::Index),
            Sort::Union { members, .. } => {
                let member = members[self.position(encoder, store, sort, value)? as usize];
                match self.read(encoder, store, member, &value.nth_child(0)?)? {
                    Value::Enum(position) | Value::Index(position) => Some(Value::Union(member, position)),
                    _ => None,
                }
            }
            Sort::Function { .. } => None,
        }
    }

    /// Which constructor of an enumeration or a union the value has.
    fn position(
        &self,
        encoder: &mut Encoder<Z3Builder>,
        store: &TermStore,
        sort: SortId,
        value: &Dynamic,
    ) -> Option<u32> {
        if !value.is_app() {
            return None;
        }
        let name = value.decl().name();
        let position = encoder.constructors(store, sort).iter().position(|other| other.name == name)?;
        u32::try_from(position).ok()
    }

    fn element(&mut self, encoder: &Encoder<Z3Builder>, sort: SortId, value: &Dynamic) -> Option<u32> {
        if !self.numbering.knows(sort) {
            let literals = encoder.index_literals(sort).iter();
            let elements =
                literals.map(|(number, literal)| Some((*number, name(&self.model.eval(literal, true)?)?)));
            let elements: Option<Vec<_>> = elements.collect();
            self.numbering.begin(sort, elements?);
        }
        Some(self.numbering.number(sort, name(value)?))
    }
}

/// The name of an element of an uninterpreted sort, which is a constant in every model.
fn name(value: &Dynamic) -> Option<String> {
    value.is_const().then(|| value.decl().name())
}
