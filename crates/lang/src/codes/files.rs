//! What is wrong with a file before anything of it is read. The family is that of the command line, `E06..`.

use crate::diagnostic::Explanation;

/// A file whose name does not tell its language.
pub static UNKNOWN_EXTENSION: Explanation = Explanation {
    code: "E0602",
    title: "the kind of file is not known",
    text: "\
The language of a model is told from the end of its file's name: `.m` is Murphi, `.tenet` is Tenet's own language. The
content is not guessed at, because a wrong guess would produce errors about a language you did not write. Rename the file
or make a link with the right ending.",
};
