//! Terminal colours, as few as possible: the verdict, warnings, and what is only background.

/// Whether to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    #[default]
    Plain,
    /// With ANSI escape codes.
    Colour,
}

/// The role of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Good news.
    Good,
    /// Bad news.
    Bad,
    /// Neither, and look here.
    Caution,
    /// A heading.
    Strong,
    /// Background.
    Faint,
}

impl Style {
    /// The text with its colour.
    pub fn paint(self, paint: Paint, text: &str) -> String {
        if self == Style::Plain {
            return text.to_string();
        }
        let code = match paint {
            Paint::Good => "1;32",
            Paint::Bad => "1;31",
            Paint::Caution => "1;33",
            Paint::Strong => "1",
            Paint::Faint => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}
