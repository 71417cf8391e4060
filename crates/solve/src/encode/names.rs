//! Names for the solver: readable, unique, and of characters that every back end can write.

use rustc_hash::FxHashMap;

/// The names in use, each with the number last put behind it.
#[derive(Default)]
pub(crate) struct Names {
    used: FxHashMap<String, u32>,
}

impl Names {
    /// A name made from `base` that was not given out before.
    pub(crate) fn unique(&mut self, base: &str) -> String {
        let base: String = base.chars().map(plain).collect();
        if !self.used.contains_key(&base) {
            self.used.insert(base.clone(), 1);
            return base;
        }
        let mut number = self.used[&base];
        let name = loop {
            number += 1;
            let name = format!("{base}~{number}");
            if !self.used.contains_key(&name) {
                break name;
            }
        };
        self.used.insert(base, number);
        self.used.insert(name.clone(), 1);
        name
    }
}

/// Quoted symbols of SMT-LIB hold any printable character but `|` and `\`; solvers reserve names that start with `@`
/// or `.` for themselves.
fn plain(character: char) -> char {
    match character {
        '|' | '\\' | '@' => '_',
        ' '..='~' => character,
        _ => '_',
    }
}
