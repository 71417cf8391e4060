//! Random clauses over finite data, as text, in the many ways in which people and tools write clauses.

use tenet_chance::Random;

const SORTS: &[&str] = &["Bool", "(_ BitVec 2)"];

/// Parameters of random files.
#[derive(Clone, Copy)]
pub struct Taste {
    /// The greatest number of relations in a body.
    pub body: usize,
    /// The percentage of clauses without a relation in their body.
    pub facts: usize,
}

pub fn file(random: &mut Random, taste: Taste) -> String {
    let relations: Vec<(String, Vec<&str>)> = (0..2 + random.below(4))
        .map(|at| (format!("r{at}"), (0..random.below(3)).map(|_| random.pick(SORTS)).collect()))
        .collect();
    let mut text = String::from("(set-logic HORN)\n");
    for (name, sorts) in &relations {
        text.push_str(&format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" ")));
    }
    for _ in 0..3 + random.below(6) {
        text.push_str(&format!("(assert {})\n", clause(random, &relations, taste)));
    }
    text.push_str("(check-sat)\n");
    text
}

type Relations = [(String, Vec<&'static str>)];

fn clause(random: &mut Random, relations: &Relations, taste: Taste) -> String {
    let variables: Vec<(String, &str)> =
        (0..1 + random.below(3)).map(|at| (format!("v{at}"), random.pick(SORTS))).collect();
    let count = if random.percent(taste.facts) { 0 } else { 1 + random.below(taste.body) };
    let mut parts: Vec<String> = (0..count).map(|_| atom(random, relations, &variables)).collect();
    for _ in 0..random.below(3) {
        parts.push(formula(random, &variables, 2));
    }
    let head = match random.below(5) {
        0 => "false".to_string(),
        1 if count > 0 => formula(random, &variables, 1),
        _ => atom(random, relations, &variables),
    };
    let bound: Vec<String> = variables.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
    let body = if parts.is_empty() { "true".to_string() } else { format!("(and true {})", parts.join(" ")) };
    let negated: String = parts.iter().map(|part| format!(" (not {part})")).collect();
    let whole = match random.below(6) {
        0 => format!("(or{negated} {head})"),
        1 => format!("(not (and {body} (not {head})))"),
        2 => parts.iter().rev().fold(head, |rest, part| format!("(=> {part} {rest})")),
        3 => format!("(let ((h {head}) (b {body})) (=> b h))"),
        _ => format!("(=> {body} {head})"),
    };
    let quantified = format!("(forall ({}) {whole})", bound.join(" "));
    match random.below(8) {
        0 => format!("(not (exists ({}) (not {whole})))", bound.join(" ")),
        _ => quantified,
    }
}

fn atom(random: &mut Random, relations: &Relations, variables: &[(String, &str)]) -> String {
    let (name, sorts) = &relations[random.below(relations.len())];
    let args: Vec<String> = sorts.iter().map(|sort| term(random, sort, variables, 1)).collect();
    if args.is_empty() { name.clone() } else { format!("({name} {})", args.join(" ")) }
}

fn term(random: &mut Random, sort: &str, variables: &[(String, &str)], depth: usize) -> String {
    let known: Vec<&str> =
        variables.iter().filter(|(_, other)| *other == sort).map(|(name, _)| name.as_str()).collect();
    if !known.is_empty() && random.percent(70) {
        return known[random.below(known.len())].to_string();
    }
    if sort == "Bool" {
        return if depth > 0 { formula(random, variables, depth - 1) } else { "true".to_string() };
    }
    if depth == 0 || random.percent(30) {
        return format!("(_ bv{} 2)", random.below(4));
    }
    let op = random.pick(&["bvadd", "bvand", "bvsub", "bvmul", "bvxor"]);
    let [a, b] = [0, 1].map(|_| term(random, sort, variables, depth - 1));
    format!("({op} {a} {b})")
}

fn formula(random: &mut Random, variables: &[(String, &str)], depth: usize) -> String {
    if depth == 0 || random.percent(30) {
        let bits = "(_ BitVec 2)";
        return match random.below(4) {
            0 => format!("(bvult {} {})", term(random, bits, variables, 1), term(random, bits, variables, 0)),
            1 => format!("(= {} {})", term(random, "Bool", variables, 0), term(random, "Bool", variables, 0)),
            _ => format!("(= {} {})", term(random, bits, variables, 1), term(random, bits, variables, 1)),
        };
    }
    let [a, b] = [0, 1].map(|_| formula(random, variables, depth - 1));
    match random.below(5) {
        0 => format!("(and {a} {b})"),
        1 => format!("(or {a} {b})"),
        2 => format!("(not {a})"),
        3 => format!("(xor {a} {b})"),
        _ => format!("(ite {} {a} {b})", term(random, "Bool", variables, 0)),
    }
}
