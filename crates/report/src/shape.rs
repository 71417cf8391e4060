//! The structure behind the flat slots of a state: records, arrays and multisets, recovered from the slots' names.
//!
//! A layout only knows scalars, which is right for everything that computes with states. People and other tools want
//! `Chan[*].Cmd = Empty` and nested objects. The names are written by the front end in one regular form
//! (`a[i].b`, `bag{2}.c`), so reading them back is simpler than a second description that must be kept in step.

use tenet_system::finite::layout::{Layout, PartKind, UNDEFINED};

/// Deeper structure is shown as one flat name. No model for people comes near; a hostile one must not exhaust the stack.
const DEEPEST: usize = 64;

/// A value with its structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// No value.
    Undefined,
    /// `false`, `true`.
    Bool(bool),
    /// A number.
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
    /// Whether a slot says that a multiset element is present.
    presence: Vec<bool>,
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
    /// The indices and the slot.
    entries: Vec<(Vec<String>, usize)>,
}

impl<'a> Shape<'a> {
    /// Reads the names of a layout's slots.
    pub fn new(layout: &'a Layout) -> Shape<'a> {
        let mut shape =
            Shape { layout, root: Node::default(), columns: Vec::new(), presence: presence(layout) };
        let mut columns = std::collections::BTreeMap::new();
        for (number, slot) in layout.slots.iter().enumerate() {
            let path = parse(&slot.name);
            shape.root.insert(&path, number);
            let (pieces, indices) = split(&path);
            let next = shape.columns.len();
            let position = *columns.entry(pieces.clone()).or_insert(next);
            if position == next {
                shape.columns.push(Column { pieces, entries: Vec::new() });
            }
            shape.columns[position].entries.push((indices, number));
        }
        shape
    }

    /// The layout it was made from.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// A slot's value as text.
    pub fn show(&self, slot: usize, value: i64) -> String {
        match (self.presence[slot], value) {
            (true, 1) => "present".to_string(),
            (true, _) => "absent".to_string(),
            _ => self.layout.show(self.layout.slots[slot].domain, value),
        }
    }

    /// The variables of a state with their values.
    pub fn variables(&self, state: &[i64]) -> Vec<(String, Value)> {
        let children = self.root.children.iter();
        children.map(|(step, node)| (step.text().to_string(), self.value(node, state))).collect()
    }

    /// Texts of slots with equal neighbours drawn together: `Chan[*].Cmd` if `text` is the same for a whole array.
    /// Slots for which it is `None` are left out.
    pub fn fold(&self, text: impl Fn(usize) -> Option<String>) -> Vec<(String, String)> {
        let mut folded = Vec::new();
        for column in &self.columns {
            let entries: Vec<Entry> =
                column.entries.iter().map(|(indices, slot)| (indices.as_slice(), text(*slot))).collect();
            column.fold(&entries, 0, &mut Vec::new(), &mut folded);
        }
        folded
    }

    /// Everything that has a value, folded; for the first state of a run.
    pub fn contents(&self, state: &[i64]) -> Vec<(String, String)> {
        self.fold(|slot| {
            let hidden = state[slot] == UNDEFINED || (self.presence[slot] && state[slot] != 1);
            (!hidden).then(|| self.show(slot, state[slot]))
        })
    }

    /// What differs between two states, folded: `Empty -> ReqE`.
    pub fn changes(&self, before: &[i64], after: &[i64]) -> Vec<(String, String)> {
        self.fold(|slot| {
            let changed = before[slot] != after[slot];
            changed.then(|| format!("{} -> {}", self.show(slot, before[slot]), self.show(slot, after[slot])))
        })
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
            PartKind::Names(_) | PartKind::Element(_) => Value::Name(self.show(slot, value)),
        }
    }
}

/// An entry of a column with its text.
type Entry<'e> = (&'e [String], Option<String>);

impl Column {
    /// Draws the entries together from dimension `fixed.len()` on if they agree, else takes one index after the other.
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
            // One element is named, not starred: there is nothing to draw together.
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
    /// Slots of one aggregate are neighbours, so only the last child can be the one.
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
        if path.len() == DEEPEST {
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

/// An index as a value: the name tells.
fn index_value(text: &str) -> Value {
    match text {
        "false" => Value::Bool(false),
        "true" => Value::Bool(true),
        _ => text.parse().map_or_else(|_| Value::Name(text.to_string()), Value::Number),
    }
}

fn presence(layout: &Layout) -> Vec<bool> {
    let mut presence = vec![false; layout.slots.len()];
    for multiset in &layout.multisets {
        for element in 0..multiset.count {
            presence[(multiset.base + element * multiset.stride) as usize] = true;
        }
    }
    presence
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_system::finite::layout::{Domain, Multiset, Slot};

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
    fn multisets_keep_what_is_present() {
        let mut layout = layout(&["m{1}", "m{1}.value", "m{2}", "m{2}.value"]);
        layout.multisets.push(Multiset { base: 0, stride: 2, count: 2 });
        let shape = Shape::new(&layout);
        let state = [1, 7, 0, UNDEFINED];
        assert_eq!(shape.variables(&state), [("m".to_string(), Value::Multiset(vec![Value::Number(7)]))]);
        let shown: Vec<String> = shape.contents(&state).iter().map(|(p, v)| format!("{p}={v}")).collect();
        assert_eq!(shown, ["m{1}=present", "m{1}.value=7"]);
        assert_eq!(shape.changes(&state, &[0, UNDEFINED, 0, UNDEFINED])[0].1, "present -> absent");
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
