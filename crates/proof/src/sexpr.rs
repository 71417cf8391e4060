//! S-expressions of one line: the syntax of everything in a certificate that is not a comment.
//!
//! The parser has no recursion, but a limit on nesting all the same: the file is not trusted, and the solvers that read
//! it later may be less robust.

/// The greatest nesting depth.
const MAX_DEPTH: usize = 2_000;

/// An index into [`Sexpr`].
pub(crate) type Node = usize;

/// An S-expression; parts come before the lists that contain them.
#[derive(Clone, Debug)]
pub(crate) struct Sexpr {
    nodes: Vec<Content>,
}

#[derive(Clone, Debug)]
enum Content {
    Atom(String),
    List(Vec<Node>),
}

impl Sexpr {
    /// Reads text that is exactly one S-expression.
    pub(crate) fn read(text: &str) -> Result<Sexpr, String> {
        let mut nodes = Vec::new();
        let mut open: Vec<Vec<Node>> = Vec::new();
        let mut done = false;
        let mut rest = text.trim();
        while let Some(first) = rest.chars().next() {
            if done {
                return Err("there is something behind the expression".to_owned());
            }
            let finished = match first {
                '(' => {
                    if open.len() >= MAX_DEPTH {
                        return Err(format!("nested more than {MAX_DEPTH} levels deep"));
                    }
                    open.push(Vec::new());
                    rest = &rest[1..];
                    None
                }
                ')' => {
                    rest = &rest[1..];
                    Some(Content::List(open.pop().ok_or("a parenthesis closes nothing")?))
                }
                _ => {
                    let length = atom_length(rest)?;
                    let atom = rest[..length].to_owned();
                    rest = &rest[length..];
                    Some(Content::Atom(atom))
                }
            };
            if let Some(content) = finished {
                nodes.push(content);
                match open.last_mut() {
                    Some(list) => list.push(nodes.len() - 1),
                    None => done = true,
                }
            }
            rest = rest.trim_start();
        }
        if done { Ok(Sexpr { nodes }) } else { Err("a parenthesis is not closed".to_owned()) }
    }

    pub(crate) fn root(&self) -> Node {
        self.nodes.len() - 1
    }

    /// The text, if it is an atom.
    pub(crate) fn atom(&self, node: Node) -> Option<&str> {
        match &self.nodes[node] {
            Content::Atom(atom) => Some(atom),
            Content::List(_) => None,
        }
    }

    /// The parts, if it is a list.
    pub(crate) fn list(&self, node: Node) -> Option<&[Node]> {
        match &self.nodes[node] {
            Content::Atom(_) => None,
            Content::List(parts) => Some(parts),
        }
    }
}

/// The length in bytes of the atom at the start of the text.
fn atom_length(text: &str) -> Result<usize, String> {
    if let Some(quoted) = text.strip_prefix('|') {
        let end = quoted.find('|').ok_or("a quoted name does not end")?;
        return Ok(end + 2);
    }
    let ends = |c: char| c.is_whitespace() || "()|\";".contains(c);
    match text.find(ends).unwrap_or(text.len()) {
        0 => Err(format!("`{}` has no business here", text.chars().next().unwrap_or(' '))),
        length => Ok(length),
    }
}

#[cfg(test)]
mod tests {
    use super::Sexpr;

    #[test]
    fn nesting_is_bounded_and_needs_no_stack() {
        let deep = "(".repeat(1_000_000);
        assert!(Sexpr::read(&deep).is_err_and(|reason| reason.contains("deep")));
        let fine = format!("{}x{}", "(".repeat(1_500), ")".repeat(1_500));
        assert!(Sexpr::read(&fine).is_ok());
    }

    #[test]
    fn what_is_not_one_expression_is_refused() {
        for text in ["", "(", ")", "a b", "(a) b", "|a", "(a))", "\"s\"", "(a \"s\")", "(a ; b)"] {
            assert!(Sexpr::read(text).is_err(), "{text}");
        }
    }
}
