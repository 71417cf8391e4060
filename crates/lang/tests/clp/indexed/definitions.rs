//! Definitions as formulas: random ones that have the form of a “for all”, nearly have it, or do not. Every formula must agree
//! with what the rules derive.

use super::{array, is_solvable, model, program, truth};
use crate::interpreter::{Dice, State, Value};
use tenet_system::recursive::indexed::reading;
use tenet_system::recursive::{Atom, Goal, Program};
use tenet_term::{Role, SymbolId, TermId};

/// Random programs, and arrays for each of them.
const PROGRAMS: u64 = 300;
const ARRAYS: usize = 3;

/// The claims about a place. Some of them are about other places, too.
const CLAIMS: &[&str] = &[
    "X >= T[P]",
    "T[P] = 0",
    "T[P] != T[X]",
    "(X = P \\/ T[P] > T[X])",
    "X < P + 3",
    "T[P-1] <= T[P] + 1",
    "T[P+1] = T[P]",
    "(X = P \\/ T[P] = 0 \\/ T[P] = 2)",
    "Y = T[P], Y <= X + 1",
];

/// Writes rules of `p(T, N, X)`: an array, a number that may count, a number.
struct Author(Dice);

impl Author {
    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.0.below(words.len())]
    }

    /// The usual one, or rarely one of the others.
    fn mostly<'a>(&mut self, usual: &'a str, others: &[&'a str]) -> &'a str {
        if self.0.below(8) > 0 { usual } else { self.pick(others) }
    }

    fn claim(&mut self, place: &str) -> String {
        if self.0.below(8) == 0 { "true".to_string() } else { self.pick(CLAIMS).replace('P', place) }
    }

    fn end(&mut self, base: i64, claim: &str) -> String {
        let other = (base + 1).to_string();
        let base = base.to_string();
        let number = self.mostly(&base, &[&other]);
        match self.0.below(8) {
            0 => format!("p(T, N, X) :- N = {number}, {claim}.\n"),
            1 => format!("p(T, N, X) :- N <= {number}, {claim}.\n"),
            2 => format!("p(T, N, X) :- N' = {number}, N = N' + 1, {claim}.\n"),
            _ => format!("p(T, {number}, X) :- {claim}.\n"),
        }
    }

    fn step(&mut self, base: i64, claim: &str) -> String {
        let guards = ["N > B", "N >= B+1", "N > B-1", "N != B", "true", "N > B+1", "N < 3", "N >= X"];
        let guard = self.pick(&guards).replace('B', &base.to_string());
        let others = [
            "p(T, N-2, X)",
            "p(T, N, X)",
            "p(T, N+1, X)",
            "p(T, N-1, X+1)",
            "p(<T,N,0>, N-1, X)",
            "p(T, N-1, X), p(T, N-1, 0)",
            "q(T, N-1, X)",
            "p(T, N-1, Z), Z <= X",
            "M < N, p(T, M, X)",
        ];
        match self.0.below(8) {
            0 => format!("p(T, N+1, X) :- {guard}, {claim}, p(T, N, X).\n"),
            1 => format!("p(T, N, X) :- {guard}, {claim}, N = M+1, p(T, M, X).\n"),
            2 => format!("p(T, N, X') :- {guard}, {claim}, X' = X, p(T, N-1, X).\n"),
            3 if self.0.below(3) == 0 => format!("p(<T,N,1>, N, X) :- {guard}, {claim}, p(T, N-1, X).\n"),
            _ => format!("p(T, N, X) :- {guard}, {claim}, {}.\n", self.mostly("p(T, N-1, X)", &others)),
        }
    }

    fn program(&mut self) -> String {
        let base = self.0.below(3) as i64 - 1;
        let mut text = "q(T, N, X) :- T[N] >= X.\n".to_string();
        let each = self.claim("N");
        let first = match self.0.below(3) {
            0 => each.replace('N', &base.to_string()),
            1 => "true".to_string(),
            _ => self.claim(&base.to_string()),
        };
        text += &self.end(base, &first);
        text += &self.step(base, &each);
        if self.0.below(4) == 0 {
            let claim = self.claim("N");
            text += &self.step(base, &claim);
        }
        if self.0.below(8) == 0 {
            let claim = self.claim(&base.to_string());
            text += &self.end(base, &claim);
        }
        text + "prove p(T, N, X), T[0] = T[0] |= N = N.\n"
    }
}

#[test]
fn readings_agree_with_least_models() {
    let (mut read, mut refused, mut truths, mut lies) = (0, 0, 0, 0);
    for seed in 1..=PROGRAMS {
        let text = Author(Dice(seed)).program();
        let mut program = program(&text);
        let predicate = program.predicates.iter().position(|known| known.name == "p").unwrap();
        let Ok(found) = reading(&mut program, predicate) else {
            refused += 1;
            continue;
        };
        read += 1;
        let mut dice = Dice(seed + 1000);
        let arrays: Vec<Value> = (0..ARRAYS).map(|_| array(&mut dice)).collect();
        let numbers = (-2..=4).flat_map(|number| (-1..=2).map(move |other| [number, other].map(Value::Int)));
        let all = numbers.flat_map(|[number, other]| {
            arrays.iter().map(move |array| [array.clone(), number.clone(), other.clone()])
        });
        for values in all {
            // Where several rules without guards descend for ever, the interpreter gives up.
            let Some(expected) = is_derived(&mut program, predicate, &values) else { break };
            let says = truth(&mut program.store, &model(&found.params, &values), found.formula);
            assert_eq!(says, expected, "p({values:?}) in\n{text}");
            *(if says { &mut truths } else { &mut lies }) += 1;
        }
    }
    assert!(read > 100 && refused > 50 && truths > 500 && lies > 500, "{read} {refused} {truths} {lies}");
}

/// Do the rules derive it?
fn is_derived(program: &mut Program, predicate: usize, values: &[Value]) -> Option<bool> {
    let symbols = arguments(program, predicate);
    let args = symbols.iter().map(|&symbol| program.store.mk_symbol(symbol)).collect();
    let goal = Goal { atoms: vec![Atom { predicate, args }], constraint: TermId::TRUE };
    is_solvable(program, State::new(symbols.into_iter().zip(values.iter().cloned())).with_goal(&goal))
}

fn arguments(program: &mut Program, predicate: usize) -> Vec<SymbolId> {
    let sorts = program.predicates[predicate].sorts.clone();
    let named = sorts.into_iter().zip(["A", "B", "C", "D"]);
    named.map(|(sort, name)| program.store.declare(name, sort, Role::Index)).collect()
}

/// The formula of a predicate as text.
fn shown(text: &str, name: &str) -> String {
    let mut program = program(text);
    let predicate = program.predicates.iter().position(|known| known.name == name).unwrap();
    let symbols = arguments(&mut program, predicate);
    let args: Vec<TermId> = symbols.iter().map(|&symbol| program.store.mk_symbol(symbol)).collect();
    match reading(&mut program, predicate) {
        Ok(found) => {
            let formula = found.at(&mut program.store, &args);
            program.store.print(formula)
        }
        Err(refusal) => refusal.reason,
    }
}

#[test]
fn the_end_may_say_the_same_or_something_else() {
    let with = |rules: &str| shown(&format!("{rules} prove p(T, N, X), T[0] = X |= N = N."), "p");
    let same = with("p(T, 1, X) :- X >= T[1]. p(T, N, X) :- N > 1, X >= T[N], p(T, N-1, X).");
    assert_eq!(same, "(forall i : integer. 1 <= i & i <= B -> A[i] <= C) & 1 <= B");
    let nothing = with("p(_, 0, _). p(T, N, X) :- N > 0, X >= T[N], p(T, N-1, X).");
    assert_eq!(nothing, "(forall i : integer. 1 <= i & i <= B -> A[i] <= C) & 0 <= B");
}

#[test]
fn what_is_no_for_all_is_refused() {
    let count = "c(_K, 0, 0). c(K, N, X) :- N > 0, K[N] = 0, c(K, N-1, X). c(K, N, X) :- N > 0, K[N] = 1, c(K, N-1, X-1).
                 prove c(K, N, X) |= X <= N.";
    assert_eq!(shown(count, "c"), "a rule changes several arguments, or none");
    let endless = "p(N) :- p(N-1). prove p(N) |= false.";
    assert_eq!(shown(endless, "p"), "its recursion never ends");
}
