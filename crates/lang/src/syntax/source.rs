//! Files that are refused unread.

use crate::codes::syntax as codes;
use crate::diagnostic::Diagnostic;

/// The size beyond which files are refused.
const MAX_BYTES: usize = 16 << 20;

/// Why a file is refused: it is too large, or not text.
pub(super) fn refuse(source: &str) -> Option<Diagnostic> {
    if source.len() > MAX_BYTES {
        let message = format!("the file has {} bytes; at most {MAX_BYTES} are read", source.len());
        return Some(Diagnostic::global(&codes::TOO_LARGE, message).help("is this the right file?"));
    }
    let zero = source.find('\0')?;
    let message = format!("this is not text: the byte at offset {zero} is zero");
    Some(Diagnostic::global(&codes::NOT_TEXT, message).help("is this the right file?"))
}
