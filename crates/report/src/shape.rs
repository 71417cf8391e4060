//! The structure behind the flat slots of a state: records, arrays and multisets, recovered from the slots' names.
//!
//! A layout only knows scalars, which is right for everything that computes with states. People and other tools want
//! `Chan[*].Cmd = Empty` and nested objects. The front end writes names in one regular form (`a[i].b`, `bag{2}.c`), so
//! parsing them is simpler than a second description that must be kept in step.

use std::collections::BTreeMap;
use tenet_system::finite::layout::{Layout, PartKind};

/// Deeper structure is shown as one flat name. No realistic model comes near; a hostile one must not overflow the
/// stack.
const MAX_DEPTH: usize = 64;

/// The text of undefined values in a layout.
const UNDEFINED_TEXT: &str = "undefined";

/// A value with its structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Undefined.
    Undefined,
    /// `false`, `true`.
    Bool(bool),
    Number(i64),
    /// An enumeration value or scalarset element.
    Name(String),
    /// Fields in order.
    Record(Vec<(String, Value)>),
    /// Array elements in order, each with its index.
    Array(Vec<(Value, Value)>),
    /// The elements that are present.
    Multiset(Vec<Value>),
}

/// The structure of a layout's states.
#[derive(Debug)]
pub struct Shape<'a> {
    layout: &'a Layout,
    root: Node,
    columns: Vec<Column>,
}

/// One step of a slot's path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Field(String),
    Index(String),
    Element(String),
}

#[derive(Debug, Default)]
struct Node {
    slot: Option<usize>,
    children: Vec<(Step, Node)>,
}

/// The slots whose names differ in array indices only.
#[derive(Debug)]
struct Column {
    /// The names' pieces between indices: `Chan`, `.Cmd`.
    pieces: Vec<String>,
    /// The indices and values.
    entries: Vec<(Vec<String>, Unit)>,
}

/// A unit of display.
#[derive(Clone, Debug)]
enum Unit {
    /// A scalar.
    Slot(usize),
    /// A whole multiset, by its path: its elements have no order, so showing them one by one would show spurious moves.
    Multiset(Vec<Step>),
}

impl<'a> Shape<'a> {
    /// Parses the names of a layout's slots.
    pub fn new(layout: &'a Layout) -> Shape<'a> {
        let mut shape = Shape { layout, root: Node::default(), columns: Vec::new() };
        let mut columns = BTreeMap::new();
        let mut last_multiset = Vec::new();
        for (number, slot) in layout.slots.iter().enumerate() {
            let mut path = parse(&slot.name);
            shape.root.insert(&path, number);
            let mut unit = Unit::Slot(number);
            if let Some(length) = path.iter().position(|step| matches!(step, Step::Element(_))) {
                path.truncate(length);
                if path == last_multiset {
                    continue;
                }
                last_multiset.clone_from(&path);
                unit = Unit::Multiset(path.clone());
            }
            shape.add(&mut columns, &path, unit);
        }
        shape
    }

    fn add(&mut self, columns: &mut BTreeMap<Vec<String>, usize>, path: &[Step], unit: Unit) {
        let (pieces, indices) = split(path);
        let next = self.columns.len();
        let position = *columns.entry(pieces.clone()).or_insert(next);
        if position == next {
            self.columns.push(Column { pieces, entries: Vec::new() });
        }
        self.columns[position].entries.push((indices, unit));
    }

    /// The underlying layout.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The variables of a state with their values.
    pub fn variables(&self, state: &[i64]) -> Vec<(String, Value)> {
        let children = self.root.children.iter();
        children.map(|(step, node)| (step.text().to_string(), self.value(node, state))).collect()
    }

    /// Everything that has a value, with equal neighbours merged; for the first state of a run.
    pub fn contents(&self, state: &[i64]) -> Vec<(String, String)> {
        self.fold(|unit| self.show(unit, state).filter(|text| text != UNDEFINED_TEXT))
    }

    /// The differences between two states, merged likewise: `Empty -> ReqE`.
    pub fn changes(&self, before: &[i64], after: &[i64]) -> Vec<(String, String)> {
        self.fold(|unit| {
            let (before, after) = (self.show(unit, before)?, self.show(unit, after)?);
            (before != after).then(|| format!("{before} -> {after}"))
        })
    }

    /// Texts of places: `Chan[*].Cmd` if the text is the same for a whole array. `None` is left out.
    fn fold(&self, text: impl Fn(&Unit) -> Option<String>) -> Vec<(String, String)> {
        let mut folded = Vec::new();
        for column in &self.columns {
            let entries = column.entries.iter().map(|(indices, unit)| (indices.as_slice(), text(unit)));
            column.fold(&entries.collect::<Vec<_>>(), 0, &mut Vec::new(), &mut folded);
        }
        folded
    }

    fn show(&self, unit: &Unit, state: &[i64]) -> Option<String> {
        match unit {
            Unit::Slot(slot) => Some(self.layout.show(self.layout.slots[*slot].domain, state[*slot])),
            Unit::Multiset(path) => Some(inline(&self.value(self.root.find(path)?, state))),
        }
    }

    fn value(&self, node: &Node, state: &[i64]) -> Value {
        let Some((first, _)) = node.children.first() else { return self.scalar(node, state) };
        let children = node.children.iter();
        match first {
            Step::Field(_) => {
                let fields = children.map(|(step, node)| (step.text().to_string(), self.value(node, state)));
                Value::Record(fields.collect())
            }
            Step::Index(_) => {
                let elements =
                    children.map(|(step, node)| (index_value(step.text()), self.value(node, state)));
                Value::Array(elements.collect())
            }
            Step::Element(_) => {
                let present = children.filter(|(_, node)| node.slot.is_some_and(|slot| state[slot] == 1));
                Value::Multiset(present.map(|(_, node)| self.element(node, state)).collect())
            }
        }
    }

    /// A multiset element; one that is a scalar lies in a field called `value`.
    fn element(&self, node: &Node, state: &[i64]) -> Value {
        match node.children.as_slice() {
            [] => Value::Record(Vec::new()),
            [(Step::Field(name), only)] if name == "value" => self.value(only, state),
            _ => self.value(node, state),
        }
    }

    fn scalar(&self, node: &Node, state: &[i64]) -> Value {
        let Some(slot) = node.slot else { return Value::Undefined };
        let value = state[slot];
        let Some(part) = self.layout.slot_domain(slot).part(value) else { return Value::Undefined };
        match part.kind {
            PartKind::Bool => Value::Bool(value != part.lo),
            PartKind::Number => Value::Number(value),
            PartKind::Names(_) | PartKind::Element(_) => {
                Value::Name(self.layout.show(self.layout.slots[slot].domain, value))
            }
        }
    }
}

/// An entry of a column with its text.
type Entry<'e> = (&'e [String], Option<String>);

impl Column {
    /// Merges the entries from dimension `fixed.len()` on if they agree, else takes one index after the other.
    fn fold(
        &self,
        entries: &[Entry<'_>],
        dimension: usize,
        fixed: &mut Vec<String>,
        folded: &mut Vec<(String, String)>,
    ) {
        let Some((indices, text)) = entries.first() else { return };
        if entries.iter().all(|(_, other)| other == text) {
            let Some(text) = text else { return };
            // A single element is named, not starred: there is nothing to merge.
            let rest = if entries.len() == 1 { indices[dimension..].to_vec() } else { self.stars(dimension) };
            let shown: Vec<&String> = fixed.iter().chain(&rest).collect();
            folded.push((self.name(&shown), text.clone()));
            return;
        }
        let mut start = 0;
        while start < entries.len() {
            let index = &entries[start].0[dimension];
            let length = entries[start..].iter().take_while(|(other, _)| other[dimension] == *index).count();
            fixed.push(index.clone());
            self.fold(&entries[start..start + length], dimension + 1, fixed, folded);
            fixed.pop();
            start += length;
        }
    }

    fn stars(&self, dimension: usize) -> Vec<String> {
        vec!["*".to_string(); self.pieces.len() - 1 - dimension]
    }

    fn name(&self, indices: &[&String]) -> String {
        let mut name = self.pieces[0].clone();
        for (index, piece) in indices.iter().zip(&self.pieces[1..]) {
            name.push_str(&format!("[{index}]{piece}"));
        }
        name
    }
}

impl Step {
    fn text(&self) -> &str {
        match self {
            Step::Field(text) | Step::Index(text) | Step::Element(text) => text,
        }
    }
}

impl Node {
    fn find(&self, path: &[Step]) -> Option<&Node> {
        path.iter().try_fold(self, |node, step| {
            node.children.iter().find(|(child, _)| child == step).map(|(_, child)| child)
        })
    }

    /// Slots of one aggregate are adjacent, so only the last child can match.
    fn insert(&mut self, path: &[Step], slot: usize) {
        let mut node = self;
        for step in path {
            if node.children.last().is_none_or(|(last, _)| last != step) {
                node.children.push((step.clone(), Node::default()));
            }
            let (_, child) = node.children.last_mut().expect("invariant: pushed if there was none");
            node = child;
        }
        node.slot = Some(slot);
    }
}

/// The steps of a slot's name.
fn parse(name: &str) -> Vec<Step> {
    let mut path = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        if path.len() == MAX_DEPTH {
            path.push(Step::Field(rest.to_string()));
            break;
        }
        let (step, behind) = match rest.as_bytes()[0] {
            b'[' => bracketed(rest, ']', Step::Index),
            b'{' => bracketed(rest, '}', Step::Element),
            _ => {
                let text = rest.strip_prefix('.').unwrap_or(rest);
                let end = text.find(['.', '[', '{']).unwrap_or(text.len());
                (Step::Field(text[..end].to_string()), &text[end..])
            }
        };
        path.push(step);
        rest = behind;
    }
    path
}

fn bracketed(text: &str, close: char, step: fn(String) -> Step) -> (Step, &str) {
    let end = text.find(close).unwrap_or(text.len());
    let behind = text.get(end + 1..).unwrap_or("");
    (step(text[1..end].to_string()), behind)
}

/// The pieces of a name between its indices, and the indices.
fn split(path: &[Step]) -> (Vec<String>, Vec<String>) {
    let (mut pieces, mut indices) = (vec![String::new()], Vec::new());
    for (position, step) in path.iter().enumerate() {
        let piece = pieces.last_mut().expect("invariant: there is a first piece");
        match step {
            Step::Field(name) if position == 0 => piece.push_str(name),
            Step::Field(name) => piece.push_str(&format!(".{name}")),
            Step::Element(number) => piece.push_str(&format!("{{{number}}}")),
            Step::Index(index) => {
                indices.push(index.clone());
                pieces.push(String::new());
            }
        }
    }
    (pieces, indices)
}

/// An index as a value, determined by its name.
fn index_value(text: &str) -> Value {
    match text {
        "false" => Value::Bool(false),
        "true" => Value::Bool(true),
        _ => text.parse().map_or_else(|_| Value::Name(text.to_string()), Value::Number),
    }
}

/// A value on one line.
fn inline(value: &Value) -> String {
    let joined = |items: Vec<String>| items.join(", ");
    match value {
        Value::Undefined => UNDEFINED_TEXT.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Name(name) => name.clone(),
        Value::Multiset(elements) => format!("{{{}}}", joined(elements.iter().map(inline).collect())),
        Value::Record(fields) => {
            let fields = fields.iter().filter(|(_, value)| *value != Value::Undefined);
            format!(
                "({})",
                joined(fields.map(|(name, value)| format!("{name} = {}", inline(value))).collect())
            )
        }
        Value::Array(elements) => {
            let elements =
                elements.iter().map(|(index, value)| format!("{} = {}", inline(index), inline(value)));
            format!("[{}]", joined(elements.collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_system::finite::layout::{Domain, Slot, UNDEFINED};

    fn layout(names: &[&str]) -> Layout {
        let mut layout = Layout::default();
        let domain = layout.add_domain(Domain::numbers(0, 9));
        let slot = |name: &&str| Slot { name: (*name).to_string(), domain, axes: Vec::new() };
        layout.slots = names.iter().map(slot).collect();
        layout
    }

    fn contents(names: &[&str], state: &[i64]) -> String {
        let layout = layout(names);
        let folded = Shape::new(&layout).contents(state);
        folded.iter().map(|(place, value)| format!("{place}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn equal_elements_are_drawn_together() {
        let names = ["c", "a[N_1].x", "a[N_1].y", "a[N_2].x", "a[N_2].y"];
        assert_eq!(contents(&names, &[1, 2, 3, 2, 4]), "c=1 a[*].x=2 a[N_1].y=3 a[N_2].y=4");
        assert_eq!(contents(&names, &[1, 2, 3, UNDEFINED, 3]), "c=1 a[N_1].x=2 a[*].y=3");
    }

    #[test]
    fn matrices_are_drawn_together_by_rows() {
        let names = ["m[1][1]", "m[1][2]", "m[2][1]", "m[2][2]"];
        assert_eq!(contents(&names, &[0, 0, 0, 0]), "m[*][*]=0");
        assert_eq!(contents(&names, &[0, 0, 1, 2]), "m[1][*]=0 m[2][1]=1 m[2][2]=2");
        assert_eq!(contents(&["one[1]"], &[5]), "one[1]=5");
    }

    #[test]
    fn changes_show_both_values() {
        let layout = layout(&["x", "y"]);
        let changes = Shape::new(&layout).changes(&[1, 2], &[1, UNDEFINED]);
        assert_eq!(changes, [("y".to_string(), "2 -> undefined".to_string())]);
    }

    #[test]
    fn multisets_are_shown_as_a_whole() {
        let layout = layout(&["x", "m{1}", "m{1}.value", "m{2}", "m{2}.value"]);
        let shape = Shape::new(&layout);
        let (one, two) = ([3, 1, 7, 0, UNDEFINED], [3, 1, 5, 1, 7]);
        assert_eq!(shape.variables(&one)[1], ("m".to_string(), Value::Multiset(vec![Value::Number(7)])));
        let shown: Vec<String> = shape.contents(&one).iter().map(|(p, v)| format!("{p}={v}")).collect();
        assert_eq!(shown, ["x=3", "m={7}"]);
        assert_eq!(shape.changes(&one, &two), [("m".to_string(), "{7} -> {5, 7}".to_string())]);
    }

    #[test]
    fn multisets_of_records_in_arrays() {
        let layout = layout(&["n[1]{1}", "n[1]{1}.a", "n[1]{1}.b", "n[2]{1}", "n[2]{1}.a", "n[2]{1}.b"]);
        let shape = Shape::new(&layout);
        let empty = [0, UNDEFINED, UNDEFINED];
        let state = [empty, [1, 4, UNDEFINED]].concat();
        let shown: Vec<String> = shape.contents(&state).iter().map(|(p, v)| format!("{p}={v}")).collect();
        assert_eq!(shown, ["n[1]={}", "n[2]={(a = 4)}"]);
        assert_eq!(shape.contents(&[empty, empty].concat())[0].0, "n[*]");
    }

    #[test]
    fn values_have_structure() {
        let layout = layout(&["a[1].x", "a[1].y", "a[2].x", "a[2].y"]);
        let element = |x, y| Value::Record(vec![("x".to_string(), Value::Number(x)), ("y".to_string(), y)]);
        let expected = Value::Array(vec![
            (Value::Number(1), element(3, Value::Number(4))),
            (Value::Number(2), element(5, Value::Undefined)),
        ]);
        assert_eq!(Shape::new(&layout).variables(&[3, 4, 5, UNDEFINED]), [("a".to_string(), expected)]);
    }

    #[test]
    fn very_deep_names_do_not_exhaust_the_stack() {
        let name = format!("a{}", "[1]".repeat(100_000));
        let layout = layout(&[&name]);
        assert_eq!(Shape::new(&layout).variables(&[3]).len(), 1);
    }
}
