//! Refuses language definitions that no lexer could be driven by.

use super::file::CommentFile;
use super::file::IslandFile;
use super::file::LangFile;
use super::file::QuoteFile;

/// The only version of the file format there is.
const FORMAT: u32 = 1;

/// What is wrong, and what to do about it.
type Check = Result<(), (String, String)>;

fn fail(problem: String, remedy: &str) -> Check {
    Err((problem, remedy.into()))
}

/// Refuses a file that no lexer could be driven by; says what is wrong and what to do.
pub(super) fn check(file: &LangFile) -> Check {
    if file.format != FORMAT {
        return fail(format!("unknown format = {}", file.format), "this version reads format = 1");
    }
    if file.name.is_empty() || !file.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        return fail(
            format!("name = {:?} is not a short name", file.name),
            "use lower-case letters and digits",
        );
    }
    if file.extensions.is_empty() {
        return fail("extensions is empty".into(), "list the file name extensions, without the dot");
    }
    check_words(file)?;
    check_operators(file)?;
    check_mentions(file)?;
    check_syntax_words(file)?;
    file.island.as_ref().map_or(Ok(()), check_island)?;
    for comment in &file.comments {
        check_comment(comment)?;
    }
    if file.quotes.len() > 64 || file.comments.len() > 64 {
        return fail("more than 64 quotes or comments".into(), "merge those that differ only in prefixes");
    }
    file.quotes.iter().try_for_each(|quote| check_quote(file, quote))
}

fn check_words(file: &LangFile) -> Check {
    for word in &file.keywords {
        if word.is_empty() || word.contains(char::is_whitespace) {
            return fail(format!("keyword {word:?} is not a word"), "a keyword cannot contain white space");
        }
    }
    Ok(())
}

fn check_operators(file: &LangFile) -> Check {
    for operator in &file.operators {
        let Some(&first) = operator.as_bytes().first() else {
            return fail("an operator is empty".into(), "remove it");
        };
        if first.is_ascii_alphanumeric() || operator.contains(char::is_whitespace) {
            return fail(
                format!("operator {operator:?} begins like a word or contains white space"),
                "list words under keywords",
            );
        }
    }
    Ok(())
}

/// Whatever names an operator or a keyword must name one that is listed.
fn check_mentions(file: &LangFile) -> Check {
    let operator = |text: &String| file.operators.contains(text);
    let markers = file.preprocessor.iter().map(|pre| &pre.marker);
    let members = &file.identifiers.members;
    let mut texts = file.brackets.iter().flatten().chain(&file.statement_ends).chain(members).chain(markers);
    if let Some(text) = texts.find(|&text| !operator(text)) {
        return fail(format!("{text:?} is not an operator"), "add it to operators");
    }
    let mut operands = file.operands.ends.iter().chain(&file.operands.postfix);
    match operands.find(|&text| !operator(text) && !file.keywords.contains(text)) {
        Some(text) => fail(
            format!("{text:?} under operands is neither an operator nor a keyword"),
            "add it to operators \
                or to keywords",
        ),
        None => Ok(()),
    }
}

/// The lists of `[syntax]` that name keywords must name listed ones.
fn check_syntax_words(file: &LangFile) -> Check {
    let unknown = |word: &&String| !file.keywords.contains(*word);
    for (key, words) in file.syntax.keyword_lists() {
        if let Some(word) = words.iter().find(unknown) {
            return fail(format!("{word:?} under [syntax] {key} is not a keyword"), "add it to keywords");
        }
    }
    Ok(())
}

fn check_island(island: &IslandFile) -> Check {
    let first = island.open.first().and_then(|open| open.as_bytes().first());
    if first.is_none() || island.close.is_empty() {
        return fail("an island lacks open or close".into(), "write open = [\"…\"] and close = \"…\"");
    }
    if island.open.iter().any(|open| open.as_bytes().first() != first) {
        return fail(
            format!("island opens {:?} begin with different characters", island.open),
            "list only marks with the same first character",
        );
    }
    Ok(())
}

fn check_comment(comment: &CommentFile) -> Check {
    if comment.open.is_empty() {
        return fail("a comment lacks open".into(), "add open = \"…\"");
    }
    if comment.stops_before.as_ref().is_some_and(String::is_empty) {
        return fail(format!("comment {:?} has an empty stops_before", comment.open), "remove stops_before");
    }
    match &comment.close {
        Some(close) if close.is_empty() => {
            fail(format!("comment {:?} has an empty close", comment.open), "remove close for line comments")
        }
        None if comment.nested => {
            fail(format!("comment {:?} is nested but lacks close", comment.open), "add close = \"…\"")
        }
        _ => Ok(()),
    }
}

fn check_quote(file: &LangFile, quote: &QuoteFile) -> Check {
    let name = format!("quote {:?}", quote.open);
    if quote.open.is_empty() {
        return fail("a quote lacks open".into(), "add open = \"…\"");
    }
    if quote.close.as_ref().is_some_and(String::is_empty) {
        return fail(format!("{name} lacks close"), "add close = \"…\", or remove it if it equals open");
    }
    if quote.prefix_required && quote.prefixes.is_empty() && !quote.any_prefix {
        return fail(format!("{name} requires a prefix but lists none"), "add prefixes = [\"…\"]");
    }
    if quote.escape.iter().chain(&quote.gap).any(|escape| !escape.is_ascii()) {
        return fail(format!("{name} has an escape beyond ASCII"), "use an ASCII character");
    }
    if quote.format_mark.as_ref().is_some_and(String::is_empty) {
        return fail(format!("{name} has an empty format_mark"), "remove it");
    }
    quote.interpolation.iter().try_for_each(|[open, close]| {
        let bracket = file.brackets.iter().any(|pair| !close.is_empty() && close.starts_with(&pair[1]));
        if open.is_empty() || !bracket {
            return fail(
                format!("{name} has an interpolation {open:?} … {close:?}, whose close is not a bracket"),
                "write interpolation = [[\"${\", \"}\"]], and list the bracket under brackets",
            );
        }
        Ok(())
    })
}
