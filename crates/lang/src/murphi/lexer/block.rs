//! The constructs that are closed by `end`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// `alias … endalias`
    Alias,
    /// `choose … endchoose`
    Choose,
    /// `exists … endexists`
    Exists,
    /// `for … endfor`
    For,
    /// `forall … endforall`
    Forall,
    /// `function … endfunction`
    Function,
    /// `if … endif`
    If,
    /// `procedure … endprocedure`
    Procedure,
    /// `record … endrecord`
    Record,
    /// `rule … endrule`
    Rule,
    /// `ruleset … endruleset`
    Ruleset,
    /// `startstate … endstartstate`
    Startstate,
    /// `switch … endswitch`
    Switch,
    /// `while … endwhile`
    While,
}

impl Block {
    /// The keyword that opens it.
    pub fn keyword(self) -> &'static str {
        match self {
            Block::Alias => "alias",
            Block::Choose => "choose",
            Block::Exists => "exists",
            Block::For => "for",
            Block::Forall => "forall",
            Block::Function => "function",
            Block::If => "if",
            Block::Procedure => "procedure",
            Block::Record => "record",
            Block::Rule => "rule",
            Block::Ruleset => "ruleset",
            Block::Startstate => "startstate",
            Block::Switch => "switch",
            Block::While => "while",
        }
    }

    /// Whether `end` + `other` closes it. Functions and procedures are interchangeable here, as in Rumur.
    pub fn is_closed_by(self, other: Block) -> bool {
        let callable = |block| matches!(block, Block::Function | Block::Procedure);
        self == other || (callable(self) && callable(other))
    }
}
