//! From the file as written to the definition as meant: every rule checked, every table compiled.

use rustc_hash::FxHashMap;

use super::file::CommentFile;
use super::file::LangFile;
use super::file::QuoteFile;
use super::tables::Class;
use super::tables::Comment;
use super::tables::Numbers;
use super::tables::Prefixes;
use super::tables::Quote;
use super::tables::Rule;
use super::tables::RuleKind;
use super::tables::WordSet;

/// The only version of the file format there is.
const FORMAT: u32 = 1;

pub use super::file::Lines as Layout;

/// A checked language definition.
#[derive(Clone, Debug)]
pub struct LangDef {
    /// The file it came from, as written.
    pub file: LangFile,
    pub(crate) classes: Box<[Class; 256]>,
    /// Which bytes go on with an identifier.
    pub(crate) word_bytes: Box<[bool; 256]>,
    /// For each first byte, the rules that begin with it, longest first.
    pub(crate) rules: Box<[Vec<Rule>]>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) quotes: Vec<Quote>,
    pub(crate) prefixes: Prefixes,
    /// Bytes that, right after a word, may make it a literal's prefix.
    pub(crate) after_prefix: Box<[bool; 256]>,
    pub(crate) numbers: Numbers,
    pub(crate) keywords: WordSet,
    pub(crate) directives: WordSet,
    pub(crate) headers: WordSet,
    pub(crate) raw_prefix: Box<[u8]>,
    pub(crate) island: Option<(Vec<Box<[u8]>>, Box<[u8]>)>,
    /// Whether some literal depends on the token before it.
    pub(crate) looks_back: bool,
}

/// Why a language definition was refused.
#[derive(Debug, thiserror::Error)]
pub enum LangDefError {
    #[error("{origin}: {error}")]
    Toml { origin: String, error: toml::de::Error },
    #[error("{origin}: {problem}; {remedy}")]
    Rule { origin: String, problem: String, remedy: String },
}

type Check = Result<(), (String, String)>;

impl LangDef {
    /// Reads and checks a definition; `origin` names it in errors.
    pub fn parse(text: &str, origin: &str) -> Result<Self, LangDefError> {
        let file: LangFile =
            toml::from_str(text).map_err(|error| LangDefError::Toml { origin: origin.into(), error })?;
        Self::new(file).map_err(|(problem, remedy)| LangDefError::Rule {
            origin: origin.into(),
            problem,
            remedy,
        })
    }

    fn new(file: LangFile) -> Result<Self, (String, String)> {
        check(&file)?;
        let quotes: Vec<Quote> = file.quotes.iter().map(compile_quote).collect();
        let marker = file.preprocessor.as_ref();
        let words = |list: &[String]| WordSet::new(list.iter().map(String::as_str));
        let mut def = Self {
            classes: classes(&file),
            word_bytes: word_bytes(&file),
            rules: rules(&file),
            comments: file.comments.iter().map(compile_comment).collect(),
            prefixes: prefixes(&file),
            after_prefix: Box::new([false; 256]),
            numbers: Numbers {
                separators: file.numbers.separators.as_bytes().into(),
                leading_dot: file.numbers.leading_dot,
                trailing_dot: file.numbers.trailing_dot,
                fields: file.numbers.fields,
            },
            keywords: words(&file.keywords),
            directives: marker.map(|pre| words(&pre.directives)).unwrap_or_default(),
            headers: marker.map(|pre| words(&pre.headers)).unwrap_or_default(),
            raw_prefix: file.identifiers.raw_prefix.as_bytes().into(),
            island: file.island.as_ref().map(|island| {
                let open = island.open.iter().map(|mark| mark.as_bytes().into()).collect();
                (open, island.close.as_bytes().into())
            }),
            looks_back: quotes.iter().any(|quote| quote.operand_only),
            quotes,
            file,
        };
        for indexes in def.prefixes.values() {
            for &index in indexes {
                let quote = &def.quotes[index as usize];
                def.after_prefix[quote.open[0] as usize] = true;
                def.after_prefix[b'#' as usize] |= quote.raw.is_some();
            }
        }
        if !def.raw_prefix.is_empty() {
            def.after_prefix[b'#' as usize] = true;
        }
        Ok(def)
    }

    /// Short name, as `-l` takes it.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// What line ends mean.
    pub fn layout(&self) -> Layout {
        self.file.lines
    }

    /// Whether a file of this name is of this language.
    pub fn owns(&self, path: &[u8]) -> bool {
        self.file.extensions.iter().any(|ext| {
            path.len() > ext.len() + 1
                && path.ends_with(ext.as_bytes())
                && path[path.len() - ext.len() - 1] == b'.'
        })
    }

    /// The opening partner of a closing bracket.
    pub fn open_of(&self, close: &[u8]) -> Option<&str> {
        self.file.brackets.iter().find(|pair| pair[1].as_bytes() == close).map(|pair| pair[0].as_str())
    }

    /// Whether the operator opens a bracket pair.
    pub fn is_open(&self, operator: &[u8]) -> bool {
        self.file.brackets.iter().any(|pair| pair[0].as_bytes() == operator)
    }

    /// Whether the operator closes a bracket pair.
    pub fn is_close(&self, operator: &[u8]) -> bool {
        self.file.brackets.iter().any(|pair| pair[1].as_bytes() == operator)
    }

    /// Whether the operator ends a statement.
    pub fn ends_statement(&self, operator: &[u8]) -> bool {
        self.file.statement_ends.iter().any(|end| end.as_bytes() == operator)
    }

    /// Whether the word is reserved, here or after the preprocessor's marker.
    pub fn is_keyword(&self, word: &[u8]) -> bool {
        self.keywords.contains(word) || self.directives.contains(word)
    }

    /// Whether the text is one of the operators.
    pub fn is_operator(&self, text: &[u8]) -> bool {
        self.file.operators.iter().any(|operator| operator.as_bytes() == text)
    }
}

fn fail(problem: String, remedy: &str) -> Check {
    Err((problem, remedy.into()))
}

fn check(file: &LangFile) -> Check {
    if file.format != FORMAT {
        return fail(format!("format = {} is unknown", file.format), "this version reads format = 1");
    }
    if file.name.is_empty() || !file.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
        return fail(format!("name = {:?} is no short name", file.name), "use lower-case letters and digits");
    }
    if file.extensions.is_empty() {
        return fail("extensions is empty".into(), "list the file name endings, without the dot");
    }
    check_words(file)?;
    check_operators(file)?;
    for comment in &file.comments {
        check_comment(comment)?;
    }
    if file.quotes.len() > 64 || file.comments.len() > 64 {
        return fail("more than 64 quotes or comments".into(), "merge those that differ in prefixes only");
    }
    file.quotes.iter().try_for_each(check_quote)
}

fn check_words(file: &LangFile) -> Check {
    for word in &file.keywords {
        if word.is_empty() || word.contains(char::is_whitespace) {
            return fail(format!("keyword {word:?} is no word"), "a keyword has no white space");
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
                format!("operator {operator:?} begins like a word or has white space"),
                "list words under keywords",
            );
        }
    }
    let listed = |text: &String| file.operators.contains(text);
    for text in file.brackets.iter().flatten().chain(&file.statement_ends) {
        if !listed(text) {
            return fail(format!("{text:?} is no operator"), "add it to operators");
        }
    }
    match &file.preprocessor {
        Some(pre) if !listed(&pre.marker) => {
            fail(format!("preprocessor marker {:?} is no operator", pre.marker), "add it to operators")
        }
        _ => Ok(()),
    }
}

fn check_comment(comment: &CommentFile) -> Check {
    if comment.open.is_empty() {
        return fail("a comment has no open".into(), "add open = \"…\"");
    }
    match &comment.close {
        Some(close) if close.is_empty() => fail(
            format!("comment {:?} has an empty close", comment.open),
            "leave close out for line comments",
        ),
        None if comment.nested => {
            fail(format!("comment {:?} is nested but has no close", comment.open), "add close = \"…\"")
        }
        _ => Ok(()),
    }
}

fn check_quote(quote: &QuoteFile) -> Check {
    let name = format!("quote {:?}", quote.open);
    if quote.open.is_empty() {
        return fail("a quote has no open".into(), "add open = \"…\"");
    }
    if quote.close.as_ref().is_some_and(String::is_empty) {
        return fail(format!("{name} has no close"), "add close = \"…\", or leave it out if it equals open");
    }
    if quote.prefix_required && quote.prefixes.is_empty() {
        return fail(format!("{name} requires a prefix but lists none"), "add prefixes = [\"…\"]");
    }
    if quote.escape.is_some_and(|escape| !escape.is_ascii()) {
        return fail(format!("{name} has an escape beyond ASCII"), "use an ASCII character");
    }
    match &quote.interpolation {
        Some([open, close]) if open.is_empty() || close.is_empty() => fail(
            format!("{name} has an empty interpolation bracket"),
            "write interpolation = [\"${\", \"}\"]",
        ),
        _ => Ok(()),
    }
}

fn compile_comment(file: &CommentFile) -> Comment {
    Comment {
        open: file.open.as_bytes().into(),
        close: file.close.as_ref().map(|close| close.as_bytes().into()),
        nested: file.nested,
        leveled: file.leveled,
        stops_before: file.stops_before.as_ref().map(|stop| stop.as_bytes().into()),
    }
}

fn compile_quote(file: &QuoteFile) -> Quote {
    Quote {
        kind: file.kind,
        open: file.open.as_bytes().into(),
        close: file.close.as_ref().unwrap_or(&file.open).as_bytes().into(),
        escape: file.escape.map(|escape| escape as u8),
        doubled: file.doubled,
        multiline: file.multiline,
        interpolation: file
            .interpolation
            .as_ref()
            .map(|[open, close]| (open.as_bytes().into(), close.as_bytes().into())),
        raw: file.raw,
        or_label: file.or_label,
        operand_only: file.operand_only,
        regex: file.regex,
    }
}

fn prefixes(file: &LangFile) -> Prefixes {
    let mut prefixes: Prefixes = FxHashMap::default();
    for (index, quote) in file.quotes.iter().enumerate() {
        for prefix in &quote.prefixes {
            prefixes.entry(prefix.as_bytes().into()).or_default().push(index as u8);
        }
    }
    for indexes in prefixes.values_mut() {
        indexes.sort_by_key(|&index| std::cmp::Reverse(file.quotes[index as usize].open.len()));
    }
    prefixes
}

fn word_bytes(file: &LangFile) -> Box<[bool; 256]> {
    let mut word = Box::new([false; 256]);
    for byte in 0..=255u8 {
        word[byte as usize] = byte.is_ascii_alphanumeric()
            || byte == b'_'
            || file.identifiers.extra.as_bytes().contains(&byte)
            || (file.identifiers.unicode && byte >= 0x80);
    }
    word
}

fn classes(file: &LangFile) -> Box<[Class; 256]> {
    let word = word_bytes(file);
    let mut classes = Box::new([Class::Unknown; 256]);
    for byte in 0..=255u8 {
        classes[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => Class::Space,
            b'0'..=b'9' => Class::Digit,
            _ if word[byte as usize] => Class::Word,
            _ => Class::Unknown,
        };
    }
    for rules in rules(file).iter().filter(|rules| !rules.is_empty()) {
        let first = rules[0].text[0] as usize;
        // A rule that begins with a letter (none of ours does) would shadow every word with that letter.
        if classes[first] == Class::Unknown {
            classes[first] = Class::Mark;
        }
    }
    classes
}

/// All fixed texts by first byte, the longest first; at equal length comments win over quotes over operators.
fn rules(file: &LangFile) -> Box<[Vec<Rule>]> {
    let mut all: Vec<(String, RuleKind)> = Vec::new();
    for (index, comment) in file.comments.iter().enumerate() {
        all.push((comment.open.clone(), RuleKind::Comment(index as u8)));
    }
    if let Some(island) = &file.island {
        all.push((island.close.clone(), RuleKind::IslandClose));
    }
    for (index, quote) in file.quotes.iter().enumerate().filter(|(_, quote)| !quote.prefix_required) {
        let lead = match quote.raw {
            Some(super::file::RawShape::Hashes) => "#",
            Some(super::file::RawShape::Level) => "[",
            _ => &quote.open,
        };
        all.push((lead.into(), RuleKind::Quote(index as u8)));
    }
    let marker = file.preprocessor.as_ref().map(|pre| pre.marker.as_str());
    for operator in &file.operators {
        let kind = match operator.as_str() {
            text if Some(text) == marker => RuleKind::Marker,
            "." if file.numbers.leading_dot => RuleKind::Dot,
            _ => RuleKind::Operator,
        };
        all.push((operator.clone(), kind));
    }
    for close in file.comments.iter().filter(|comment| !comment.leveled).filter_map(|c| c.close.as_ref()) {
        all.push((close.clone(), RuleKind::StrayClose));
    }
    for sigil in file.identifiers.sigils.chars() {
        all.push((sigil.into(), RuleKind::Sigil));
    }
    if file.line_splice {
        all.push(("\\".into(), RuleKind::Splice));
    }
    by_first_byte(all)
}

fn by_first_byte(all: Vec<(String, RuleKind)>) -> Box<[Vec<Rule>]> {
    let mut rules = vec![Vec::new(); 256].into_boxed_slice();
    for (text, kind) in all {
        rules[text.as_bytes()[0] as usize].push(Rule { text: text.into_bytes().into(), kind });
    }
    for list in &mut rules {
        list.sort_by_key(|rule| (std::cmp::Reverse(rule.text.len()), precedence(rule.kind)));
    }
    rules
}

fn precedence(kind: RuleKind) -> u8 {
    match kind {
        RuleKind::IslandClose | RuleKind::Comment(_) => 0,
        RuleKind::StrayClose => 1,
        RuleKind::Quote(_) => 2,
        RuleKind::Sigil | RuleKind::Splice => 3,
        RuleKind::Marker | RuleKind::Dot | RuleKind::Operator => 4,
    }
}
