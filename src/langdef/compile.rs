//! From the checked file to the tables that drive the lexer.

use rustc_hash::FxHashMap;

use super::file::CommentFile;
use super::file::IslandFile;
use super::file::LangFile;
use super::file::PreprocessorFile;
use super::file::QuoteFile;
use super::file::RawShape;
use super::tables::Comment;
use super::tables::Interpolation;
use super::tables::Island;
use super::tables::LexClass;
use super::tables::LexRule;
use super::tables::Numbers;
use super::tables::Operands;
use super::tables::Prefixes;
use super::tables::Preprocessor;
use super::tables::Quote;
use super::tables::RuleKind;
use super::tables::WordSet;

/// Everything the lexer looks up.
#[derive(Clone, Debug)]
pub struct Tables {
    pub classes: Box<[LexClass; 256]>,
    /// Which bytes continue with an identifier.
    pub word_bytes: Box<[bool; 256]>,
    /// For each first byte, the rules that begin with it, longest first.
    pub rules: Box<[Vec<LexRule>]>,
    /// Which bytes begin a bracket: asked of every operator, and mostly answered with no.
    pub bracket_bytes: Box<[bool; 256]>,
    pub comments: Vec<Comment>,
    pub quotes: Vec<Quote>,
    pub prefixes: Prefixes,
    /// Literals that any word may introduce.
    pub any_prefix: Vec<u8>,
    /// Bytes that, right after a word, may make it a literal's prefix.
    pub after_prefix: Box<[bool; 256]>,
    pub numbers: Numbers,
    pub keywords: WordSet,
    /// Operators after which a keyword is a name; none in most languages.
    pub members: Option<WordSet>,
    /// Present if some literal depends on the token before it.
    pub operands: Option<Operands>,
    pub preprocessor: Preprocessor,
    pub raw_prefix: Box<[u8]>,
    /// Characters of which one may end a word.
    pub endings: Box<[u8]>,
    pub island: Option<Island>,
}

impl Tables {
    /// The tables of a file that has passed the checks.
    pub fn new(file: &LangFile) -> Self {
        let looks_back = file.quotes.iter().any(|quote| quote.operand_only);
        Self {
            classes: classes(file),
            word_bytes: word_bytes(file),
            rules: rules(file),
            bracket_bytes: bracket_bytes(file),
            comments: file.comments.iter().map(compile_comment).collect(),
            quotes: file.quotes.iter().map(|quote| compile_quote(file, quote)).collect(),
            prefixes: prefixes(file),
            any_prefix: any_prefix(file),
            after_prefix: after_prefix(file),
            numbers: numbers(file),
            keywords: words(&file.keywords),
            members: (!file.identifiers.members.is_empty()).then(|| words(&file.identifiers.members)),
            operands: looks_back.then(|| Operands {
                ends: words(&file.operands.ends),
                postfix: words(&file.operands.postfix),
                lines_end: file.quotes.iter().any(|quote| quote.after_names),
            }),
            preprocessor: file.preprocessor.as_ref().map(preprocessor).unwrap_or_default(),
            raw_prefix: file.identifiers.raw_prefix.as_bytes().into(),
            endings: file.identifiers.endings.as_bytes().into(),
            island: file.island.as_ref().map(island),
        }
    }
}

fn bracket_bytes(file: &LangFile) -> Box<[bool; 256]> {
    let mut bytes = Box::new([false; 256]);
    for bracket in file.brackets.iter().flatten() {
        bytes[bracket.as_bytes()[0] as usize] = true;
    }
    bytes
}

fn island(file: &IslandFile) -> Island {
    let mut open: Vec<Box<[u8]>> = file.open.iter().map(|mark| mark.as_bytes().into()).collect();
    open.sort_by_key(|mark| std::cmp::Reverse(mark.len()));
    Island { open }
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

fn compile_quote(file: &LangFile, quote: &QuoteFile) -> Quote {
    Quote {
        kind: quote.kind,
        open: quote.open.as_bytes().into(),
        close: quote.close.as_ref().unwrap_or(&quote.open).as_bytes().into(),
        suffix: quote.suffix,
        escape: quote.escape.map(|escape| escape as u8),
        joins_lines: quote.joins_lines || quote.multiline,
        gap: quote.gap.map(|gap| gap as u8),
        doubled: quote.doubled,
        greedy_close: quote.greedy_close,
        multiline: quote.multiline,
        interpolations: quote.interpolation.iter().map(|pair| interpolation(file, pair)).collect(),
        format_mark: quote.format_mark.as_ref().map(|mark| mark.as_bytes().into()),
        raw: quote.raw,
        or_label: quote.or_label,
        operand_only: quote.operand_only,
        after_names: quote.after_names,
        nested: quote.nested,
        regex: quote.regex,
    }
}

fn interpolation(file: &LangFile, [open, close]: &[String; 2]) -> Interpolation {
    let partner = file.brackets.iter().find(|pair| close.starts_with(&pair[1]));
    Interpolation {
        open: open.as_bytes().into(),
        close: close.as_bytes().into(),
        nests: partner.map_or(open, |pair| &pair[0]).as_bytes().into(),
    }
}

fn numbers(file: &LangFile) -> Numbers {
    Numbers {
        separators: file.numbers.separators.as_bytes().into(),
        trailing_dot: file.numbers.trailing_dot,
        dot_suffixes: file.numbers.dot_suffixes.as_bytes().into(),
        fields: file.numbers.fields,
        ranges: file.operators.iter().any(|operator| operator == ".."),
    }
}

fn preprocessor(file: &PreprocessorFile) -> Preprocessor {
    Preprocessor {
        directives: words(&file.directives),
        headers: words(&file.headers),
        texts: words(&file.texts),
    }
}

fn words(list: &[String]) -> WordSet {
    WordSet::new(list.iter().map(String::as_str))
}

fn prefixes(file: &LangFile) -> Prefixes {
    let mut prefixes: Prefixes = FxHashMap::default();
    for (index, quote) in file.quotes.iter().enumerate() {
        for prefix in &quote.prefixes {
            prefixes.entry(prefix.as_bytes().into()).or_default().push(index as u8);
        }
    }
    for indexes in prefixes.values_mut() {
        longest_first(file, indexes);
    }
    prefixes
}

fn any_prefix(file: &LangFile) -> Vec<u8> {
    let quotes = file.quotes.iter().enumerate();
    let mut indexes: Vec<u8> =
        quotes.filter(|(_, quote)| quote.any_prefix).map(|(index, _)| index as u8).collect();
    longest_first(file, &mut indexes);
    indexes
}

fn longest_first(file: &LangFile, indexes: &mut [u8]) {
    indexes.sort_by_key(|&index| std::cmp::Reverse(file.quotes[index as usize].open.len()));
}

fn after_prefix(file: &LangFile) -> Box<[bool; 256]> {
    let mut after = Box::new([false; 256]);
    for quote in file.quotes.iter().filter(|quote| quote.any_prefix || !quote.prefixes.is_empty()) {
        after[quote.open.as_bytes()[0] as usize] = true;
        after[b'#' as usize] |= quote.raw == Some(RawShape::Hashes);
    }
    after[b'#' as usize] |= !file.identifiers.raw_prefix.is_empty();
    after
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

fn classes(file: &LangFile) -> Box<[LexClass; 256]> {
    let word = word_bytes(file);
    let mut classes = Box::new([LexClass::Unknown; 256]);
    for byte in 0..=255u8 {
        classes[byte as usize] = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => LexClass::Space,
            b'0'..=b'9' => LexClass::Digit,
            _ if word[byte as usize] => LexClass::Word,
            _ => LexClass::Unknown,
        };
    }
    for rules in rules(file).iter().filter(|rules| !rules.is_empty()) {
        let first = rules[0].text[0] as usize;
        // A rule that begins with a letter (none of ours does) would shadow every word with that letter.
        if classes[first] == LexClass::Unknown {
            let single = rules.len() == 1 && rules[0].text.len() == 1 && rules[0].kind == RuleKind::Operator;
            classes[first] = if single { LexClass::Single } else { LexClass::Mark };
        }
    }
    classes
}

/// All fixed texts by first byte, the longest first; at equal length comments win over quotes over operators.
fn rules(file: &LangFile) -> Box<[Vec<LexRule>]> {
    let mut all: Vec<(String, RuleKind)> = Vec::new();
    for (index, comment) in file.comments.iter().enumerate() {
        all.push((comment.open.clone(), RuleKind::Comment(index as u8)));
    }
    if let Some(island) = &file.island {
        all.push((island.close.clone(), RuleKind::IslandClose));
    }
    for (index, quote) in file.quotes.iter().enumerate().filter(|(_, quote)| !quote.prefix_required) {
        let lead = match quote.raw {
            Some(RawShape::Hashes) => "#",
            Some(RawShape::Level) => "[",
            _ => &quote.open,
        };
        all.push((lead.into(), RuleKind::Quote(index as u8)));
    }
    all.extend(operator_rules(file));
    for close in file.comments.iter().filter(|comment| !comment.leveled).filter_map(|c| c.close.as_ref()) {
        all.push((close.clone(), RuleKind::StrayClose));
    }
    for sigil in file.identifiers.sigils.chars() {
        all.push((sigil.into(), RuleKind::Sigil));
    }
    if file.line_splice {
        all.push(("\\".into(), RuleKind::Splice));
    }
    let mut rules = by_first_byte(all);
    for list in &mut rules {
        prefer_operands(file, list);
    }
    rules
}

fn operator_rules(file: &LangFile) -> impl Iterator<Item = (String, RuleKind)> {
    let marker = file.preprocessor.as_ref().map(|pre| pre.marker.as_str());
    file.operators.iter().map(move |operator| {
        let kind = match operator.as_str() {
            text if Some(text) == marker => RuleKind::Marker,
            "." if file.numbers.leading_dot => RuleKind::Dot,
            _ => RuleKind::Operator,
        };
        (operator.clone(), kind)
    })
}

/// Where an operand may begin, `/=/` is a literal: those are tried before operators of any length.
fn prefer_operands(file: &LangFile, rules: &mut [LexRule]) {
    let is_operand = |rule: &LexRule| match rule.kind {
        RuleKind::Quote(index) => file.quotes[index as usize].operand_only,
        _ => false,
    };
    let Some(from) = rules.iter().position(is_operand) else { return };
    let to = rules.iter().position(|rule| rule.kind == RuleKind::Operator).unwrap_or(from);
    if to < from {
        rules[to..=from].rotate_right(1);
    }
}

fn by_first_byte(all: Vec<(String, RuleKind)>) -> Box<[Vec<LexRule>]> {
    let mut rules = vec![Vec::new(); 256].into_boxed_slice();
    for (text, kind) in all {
        rules[text.as_bytes()[0] as usize].push(LexRule { text: text.into_bytes().into(), kind });
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
