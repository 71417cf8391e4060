//! The operators of BTOR2: their keywords and sort rules.

use super::document::{Constant, Sort};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// Arbitrary in each cycle.
    Input,
    /// Given by `init` and `next`, or arbitrary.
    State,
    Constant(Constant),
    /// The bits from the first down to the second.
    Slice(u32, u32),
    /// Zero extension by this number of bits.
    Uext(u32),
    /// Sign extension by this number of bits.
    Sext(u32),
    /// An operator without parameters.
    Plain(Plain),
}

macro_rules! operators {
    ($($name:ident $word:literal $rule:ident;)*) => {
        /// Operators without parameters. The names are those of the format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Plain { $($name),* }

        impl Plain {
            pub const ALL: &'static [Plain] = &[$(Plain::$name),*];

            pub fn word(self) -> &'static str {
                match self { $(Plain::$name => $word),* }
            }

            pub fn rule(self) -> Rule {
                match self { $(Plain::$name => Rule::$rule),* }
            }
        }
    };
}

operators! {
    Not "not" Map1; Inc "inc" Map1; Dec "dec" Map1; Neg "neg" Map1;
    Redand "redand" Reduce; Redor "redor" Reduce; Redxor "redxor" Reduce;
    Iff "iff" Logic; Implies "implies" Logic;
    Eq "eq" Equality; Neq "neq" Equality;
    Sgt "sgt" Compare; Ugt "ugt" Compare; Sgte "sgte" Compare; Ugte "ugte" Compare;
    Slt "slt" Compare; Ult "ult" Compare; Slte "slte" Compare; Ulte "ulte" Compare;
    And "and" Map2; Nand "nand" Map2; Nor "nor" Map2; Or "or" Map2; Xnor "xnor" Map2; Xor "xor" Map2;
    Rol "rol" Map2; Ror "ror" Map2; Sll "sll" Map2; Sra "sra" Map2; Srl "srl" Map2;
    Add "add" Map2; Mul "mul" Map2; Sdiv "sdiv" Map2; Udiv "udiv" Map2; Smod "smod" Map2;
    Srem "srem" Map2; Urem "urem" Map2; Sub "sub" Map2;
    Saddo "saddo" Compare; Uaddo "uaddo" Compare; Sdivo "sdivo" Compare;
    Smulo "smulo" Compare; Umulo "umulo" Compare; Ssubo "ssubo" Compare; Usubo "usubo" Compare;
    Concat "concat" Concat; Read "read" Read; Write "write" Write; Ite "ite" Ite;
}

/// An operator's sort rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A bit-vector to one of the same width.
    Map1,
    /// A bit-vector to a bit.
    Reduce,
    /// Two bits to a bit.
    Logic,
    /// Two values of one sort to a bit.
    Equality,
    /// Two bit-vectors of one width to a bit.
    Compare,
    /// Two bit-vectors of one width to one of that width.
    Map2,
    /// Two bit-vectors to one of both widths together.
    Concat,
    /// An array and an index to an element.
    Read,
    /// An array, an index and an element to an array.
    Write,
    /// A bit and two values of one sort to a value of that sort.
    Ite,
}

impl Rule {
    /// The number of operands.
    pub fn arity(self) -> usize {
        match self {
            Rule::Map1 | Rule::Reduce => 1,
            Rule::Write | Rule::Ite => 3,
            _ => 2,
        }
    }

    /// The sort of the result; an error says why the operands do not fit.
    pub fn result(self, args: &[Sort]) -> Result<Sort, String> {
        let bit = Sort::Bits(1);
        match (self, args) {
            (Rule::Map1, &[a @ Sort::Bits(_)]) => Ok(a),
            (Rule::Reduce, &[Sort::Bits(_)]) | (Rule::Logic, &[Sort::Bits(1), Sort::Bits(1)]) => Ok(bit),
            (Rule::Map1 | Rule::Reduce, _) => Err("the operand has to be a bit-vector".to_string()),
            (Rule::Logic, _) => Err("both operands have to be one bit wide".to_string()),
            (Rule::Equality, &[a, b]) if a == b => Ok(bit),
            (Rule::Compare, &[Sort::Bits(a), Sort::Bits(b)]) if a == b => Ok(bit),
            (Rule::Map2, &[Sort::Bits(a), Sort::Bits(b)]) if a == b => Ok(Sort::Bits(a)),
            (Rule::Compare | Rule::Map2, &[Sort::Array { .. }, _] | &[_, Sort::Array { .. }]) => {
                Err("the operands have to be bit-vectors".to_string())
            }
            (Rule::Equality | Rule::Compare | Rule::Map2, _) => Err(different(args)),
            (Rule::Concat, &[Sort::Bits(a), Sort::Bits(b)]) => match a.checked_add(b) {
                Some(sum) if sum <= MAX_WIDTH => Ok(Sort::Bits(sum)),
                _ => Err(format!("the result has more than {MAX_WIDTH} bits")),
            },
            (Rule::Concat, _) => Err("the operands have to be bit-vectors".to_string()),
            (Rule::Read, &[Sort::Array { index, element }, Sort::Bits(at)]) if index == at => {
                Ok(Sort::Bits(element))
            }
            (Rule::Write, &[array @ Sort::Array { index, element }, Sort::Bits(at), Sort::Bits(value)])
                if (index, element) == (at, value) =>
            {
                Ok(array)
            }
            (Rule::Read | Rule::Write, &[array @ Sort::Array { .. }, ..]) => {
                Err(format!("index and element have to fit the first operand, {}", array.describe()))
            }
            (Rule::Read | Rule::Write, _) => Err("the first operand has to be an array".to_string()),
            (Rule::Ite, &[Sort::Bits(1), a, b]) if a == b => Ok(a),
            (Rule::Ite, &[Sort::Bits(1), ..]) => Err(different(&args[1..])),
            (Rule::Ite, _) => Err("the condition has to be one bit wide".to_string()),
        }
    }
}

/// Wider bit-vectors are refused: a mistake in a file must not cost memory.
pub const MAX_WIDTH: u32 = 1 << 16;

fn different(args: &[Sort]) -> String {
    let sorts: Vec<String> = args.iter().map(|sort| sort.describe()).collect();
    format!("the operands are of different sorts, {}", sorts.join(" and "))
}

impl Sort {
    /// The rule in words, for messages.
    pub fn describe(self) -> String {
        match self {
            Sort::Bits(1) => "1 bit".to_string(),
            Sort::Bits(width) => format!("{width} bits"),
            Sort::Array { index, element } => format!("an array from {index} to {element} bits"),
        }
    }
}
