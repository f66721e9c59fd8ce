//! Reads the paper's language definitions (its Figure 2): lines that begin with K, O, Q, C or c.

use super::def::LangDef;
use super::def::LangDefError;
use super::file::CommentFile;
use super::file::LangFile;
use super::file::QuoteFile;
use super::file::QuoteKind;

/// Turns the paper's format into ours. Brackets and `;` become operators, as our lexer wants them; quotes
/// get the escape the paper's tool did without. `origin` names the file in errors.
pub fn import(text: &str, name: &str, extensions: &[String], origin: &str) -> Result<LangFile, LangDefError> {
    let mut file = LangFile {
        format: 1,
        name: name.into(),
        title: name.into(),
        extensions: extensions.to_vec(),
        ..LangFile::default()
    };
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace().map(str::to_owned);
        let Some(key) = words.next() else { continue };
        let fail = |problem: &str, remedy: &str| {
            Err(LangDefError::Rule {
                origin: format!("{origin}:{}", number + 1),
                problem: problem.into(),
                remedy: remedy.into(),
            })
        };
        match key.as_str() {
            "K" => file.keywords.extend(words),
            "O" => file.operators.extend(words),
            "Q" => file.quotes.extend(words.map(quote)),
            "C" => match (words.next(), words.next()) {
                (Some(open), Some(close)) => file.comments.push(comment(open, Some(close))),
                _ => return fail("C needs an opening and a closing mark", "write `C /* */`"),
            },
            "c" => file.comments.extend(words.map(|open| comment(open, None))),
            _ => return fail(&format!("line begins with {key:?}"), "begin it with K, O, Q, C or c"),
        }
    }
    complete(&mut file);
    let check = toml::to_string(&file).expect("a language file is plain data");
    LangDef::parse(&check, origin)?;
    Ok(file)
}

fn complete(file: &mut LangFile) {
    for pair in [["(", ")"], ["[", "]"], ["{", "}"]] {
        file.brackets.push(pair.map(str::to_owned));
    }
    file.statement_ends.push(";".into());
    for needed in ["(", ")", "[", "]", "{", "}", ";"] {
        if !file.operators.iter().any(|operator| operator == needed) {
            file.operators.push(needed.into());
        }
    }
}

fn comment(open: String, close: Option<String>) -> CommentFile {
    CommentFile { open, close, nested: false, leveled: false, stops_before: None }
}

fn quote(open: String) -> QuoteFile {
    QuoteFile {
        kind: if open == "'" { QuoteKind::Char } else { QuoteKind::String },
        open,
        escape: Some('\\'),
        ..QuoteFile::default()
    }
}
