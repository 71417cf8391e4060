//! Programs for the tests, from a notation that is close to the literature: `pc = l2 & x >= 0 -> x := x + 1`.

use tenet_system::{Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Role, SortId, SymbolId, TermId};

/// A program with a location `pc` and integers.
pub struct Build {
    pub system: System,
    pub locations: Vec<String>,
    pub location_sort: SortId,
}

impl Build {
    /// With these locations, of which the first is where it starts, and variables, whose first values are arbitrary.
    pub fn new(locations: &[&str], variables: &[&str]) -> Build {
        let mut system = System::default();
        let store = &mut system.store;
        let location_sort = store.enum_sort("Location", locations);
        let pc = store.declare("pc", location_sort, Role::State);
        let mut values = vec![store.mk_enum(location_sort, 0)];
        let mut params = Vec::new();
        let mut symbols = vec![pc];
        for name in variables {
            symbols.push(store.declare(name, SortId::INT, Role::State));
            let any = store.declare(&format!("any_{name}"), SortId::INT, Role::Initial);
            params.push(any);
            values.push(store.mk_symbol(any));
        }
        let var = |symbol| StateVar { symbol, args: Vec::new(), value: Default::default() };
        system.state = symbols.into_iter().map(var).collect();
        let constraint = TermId::TRUE;
        system.starts.push(Start {
            name: "start".into(),
            source: Default::default(),
            params,
            constraint,
            values,
        });
        Build { system, locations: locations.iter().map(|name| name.to_string()).collect(), location_sort }
    }

    /// Adds a constraint on the initial values of variables.
    pub fn start(mut self, constraint: &str) -> Build {
        let formula = self.conjunction(constraint, &|name| format!("any_{name}"), Role::Initial);
        self.system.starts[0].constraint = formula;
        self
    }

    /// Adds a command `guard -> x := e, y := f`; `name?` in it is an integer that the step chooses.
    pub fn command(mut self, text: &str) -> Build {
        let (guard, updates) = text.split_once("->").expect("a command has an arrow");
        let name = format!("c{}", self.system.rules.len() + 1);
        let guard = self.conjunction(guard, &str::to_string, Role::State);
        let updates: Vec<(SymbolId, TermId)> = updates
            .split(',')
            .filter(|update| !update.trim().is_empty())
            .map(|update| {
                let (left, right) = update.split_once(":=").expect("an update has `:=`");
                let symbol = self.symbol(left.trim());
                (symbol, self.expression(right, &str::to_string, Role::State))
            })
            .collect();
        let mut params: Vec<SymbolId> = Vec::new();
        for term in updates.iter().map(|&(_, value)| value).chain([guard]) {
            let inputs = self.system.store.free_symbols(term).into_iter();
            params.extend(inputs.filter(|&symbol| self.system.store.symbol(symbol).role == Role::Input));
        }
        params.sort();
        params.dedup();
        let shown_params = params.len();
        self.system.rules.push(Rule {
            name,
            source: Default::default(),
            params,
            shown_params,
            guard,
            updates,
        });
        self
    }

    /// Adds several commands.
    pub fn commands(self, texts: &[&str]) -> Build {
        texts.iter().fold(self, |build, text| build.command(text))
    }

    /// Adds the property that this conjunction never holds.
    pub fn never(mut self, text: &str) -> Build {
        let bad = self.conjunction(text, &str::to_string, Role::State);
        let formula = self.system.store.mk_not(bad);
        let (kind, source) = (PropertyKind::Invariant, Default::default());
        self.system.properties.push(Property { name: text.to_string(), source, kind, formula });
        self
    }

    pub fn formula(&mut self, text: &str) -> TermId {
        self.conjunction(text, &str::to_string, Role::State)
    }

    fn symbol(&mut self, name: &str) -> SymbolId {
        let sort = if name == "pc" { self.location_sort } else { SortId::INT };
        self.system.store.declare(name, sort, Role::State)
    }

    fn conjunction(&mut self, text: &str, rename: &dyn Fn(&str) -> String, role: Role) -> TermId {
        let parts: Vec<TermId> = text
            .split('&')
            .filter(|part| !part.trim().is_empty())
            .map(|part| self.comparison(part, rename, role))
            .collect();
        self.system.store.mk_and(parts)
    }

    fn comparison(&mut self, text: &str, rename: &dyn Fn(&str) -> String, role: Role) -> TermId {
        let operator = ["!=", ">=", "<=", "=", "<", ">"].into_iter().find(|one| text.contains(one));
        let operator = operator.expect("a comparison has an operator");
        let (left, right) = text.split_once(operator).expect("it contains the operator");
        let (left, right) = (self.expression(left, rename, role), self.expression(right, rename, role));
        let store = &mut self.system.store;
        match operator {
            "!=" => store.mk_ne(left, right),
            ">=" => store.mk_ge(left, right),
            "<=" => store.mk_le(left, right),
            "=" => store.mk_eq(left, right),
            "<" => store.mk_lt(left, right),
            _ => store.mk_gt(left, right),
        }
    }

    /// A location, or summands with signs: `2*x - y + 3`.
    fn expression(&mut self, text: &str, rename: &dyn Fn(&str) -> String, role: Role) -> TermId {
        let text = text.replace(' ', "");
        if let Some(position) = self.locations.iter().position(|name| *name == text) {
            return self.system.store.mk_enum(self.location_sort, position as u32);
        }
        if text == "pc" {
            let pc = self.symbol("pc");
            return self.system.store.mk_symbol(pc);
        }
        let summands = text.replace('-', "+-");
        let summands: Vec<TermId> = summands
            .split('+')
            .filter(|summand| !summand.is_empty())
            .map(|summand| self.summand(summand, rename, role))
            .collect();
        self.system.store.mk_add(summands)
    }

    fn summand(&mut self, text: &str, rename: &dyn Fn(&str) -> String, role: Role) -> TermId {
        let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
        let (factor, name) = match text.split_once('*') {
            Some((factor, name)) => (factor.parse::<i64>().expect("a factor is a number"), name),
            None => (1, text),
        };
        if let Ok(number) = name.parse::<i64>() {
            return self.system.store.mk_int(sign * factor * number);
        }
        let (name, role) =
            name.strip_suffix('?').map_or((rename(name), role), |input| (input.to_string(), Role::Input));
        let symbol = self.system.store.declare(&name, SortId::INT, role);
        let store = &mut self.system.store;
        let (factor, base) = (store.mk_int(sign * factor), store.mk_symbol(symbol));
        store.mk_mul(factor, base)
    }
}

/// Program (a) of the paper.
pub fn program_a() -> System {
    Build::new(&["l1", "l2", "l3", "l4", "l5", "l6", "error"], &["x", "y", "z"])
        .commands(&[
            "pc = l1 -> pc := l2, x := 0",
            "pc = l2 & x >= 0 -> x := x + 1",
            "pc = l2 & x < 0 -> pc := l3",
            "pc = l3 & y = 25 -> pc := l4",
            "pc = l4 & y != 25 -> pc := l5",
            "pc = l5 -> pc := l6, z := -1",
            "pc = l6 & z != 0 -> z := z - 1",
            "pc = l6 & z = 0 -> pc := error",
        ])
        .never("pc = error")
        .system
}

/// Program (b): one branch mentions `x = y` and `x = y + 1`, the other needs them.
pub fn program_b() -> System {
    Build::new(&["start", "seen", "up", "up2", "down", "down2", "last", "error"], &["x", "y"])
        .commands(&[
            "pc = start & x = y -> pc := seen",
            "pc = start & x = y + 1 -> pc := seen",
            "pc = start -> pc := up, x := 0, y := 0",
            "pc = up -> pc := up2, x := x + 1",
            "pc = up2 -> pc := up, y := y + 1",
            "pc = up -> pc := down",
            "pc = down & x != 0 -> pc := down2, y := y - 1",
            "pc = down2 -> pc := down, x := x - 1",
            "pc = down & x = 0 -> pc := last",
            "pc = last & y != 0 -> pc := error",
        ])
        .never("pc = error")
        .system
}
