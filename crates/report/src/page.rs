//! What all pages about an engine have in common. They need no network.

use crate::recursive::html::{STYLE, escaped};
use crate::view::Report;

/// A page with the verdict as its heading.
pub fn page(report: &Report, style: &str, body: &str) -> String {
    let word = report.verdict.word();
    let (file, headline) = (escaped(&report.file), escaped(&report.headline));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{word}: {file}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n<main>\n\
         <h1><span class=\"badge {word}\">{word}</span> {file}</h1>\n<p>{headline}.</p>\n{body}</main>\n</body>\n</html>\n"
    )
}
