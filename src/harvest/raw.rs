//! The raw tally as a file: everything a harvest knows before thresholds and idioms are applied.
//!
//! JSON, one object. Harvests of many repositories can run anywhere, write raw tallies, and be put
//! together and finished later: the result is byte for byte that of one harvest over all of them.

use serde::Deserialize;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::history::Census;
use crate::lex::TokenKind;
use crate::operator::Filter;
use crate::operator::Granularity;
use crate::operator::Source;
use crate::operator::Thresholds;

use super::samples::Samples;
use super::symbols::Symbols;
use super::tally::CommitRow;
use super::tally::ShiftRow;
use super::tally::Tally;
use super::tally::TallyOptions;
use super::tally::TallyRow;

/// Format 1 knew repositories by their names alone; it can still be read.
pub(super) const FORMATS: [u32; 2] = [1, 2];

/// The kinds of tokens by number.
pub(super) const KINDS: [TokenKind; 13] = [
    TokenKind::Keyword,
    TokenKind::Operator,
    TokenKind::Identifier,
    TokenKind::Number,
    TokenKind::String,
    TokenKind::Char,
    TokenKind::Label,
    TokenKind::LineEnd,
    TokenKind::Indent,
    TokenKind::Dedent,
    TokenKind::Space,
    TokenKind::Comment,
    TokenKind::Unknown,
];

/// Why a raw tally was refused.
#[derive(Debug, thiserror::Error)]
#[error("{origin}: {problem}")]
pub struct RawError {
    pub origin: String,
    pub problem: String,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawFile {
    /// What the tally of a repository depends on; alone in the first line.
    #[serde(default, skip_serializing)]
    kept: Option<KeptMark>,
    wildcaught_tally: u32,
    language: String,
    /// `line`, or `token` with its context.
    granularity: String,
    context: u8,
    max_tokens: usize,
    min_tokens: usize,
    ascii_art: usize,
    partial: bool,
    sources: Vec<RawSource>,
    corpus: Census,
    candidates: u64,
    /// `[filter, count]`
    rejected: Vec<(String, u64)>,
    /// `[kind, text]`, the text in the notation's escapes.
    symbols: Vec<(u8, String)>,
    /// `[symbol, source, count]`
    words: Vec<(u32, u32, u64)>,
    /// `[source, id, time, fix]`
    commits: Vec<(u32, String, Option<i64>, bool)>,
    /// `[key, commit, left, right, bracket, position, tokens before, tokens]`
    rows: Vec<RawRow>,
    /// `[key, commit, before, after]`
    shifts: Vec<(u64, u32, u32, u32)>,
}

/// What is noted of the tally of one repository that is kept for later runs.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptMark {
    /// A hash of the history and of how it was read.
    pub depends: String,
    /// A hash of all lines but the first.
    pub sum: String,
    /// What a person should know of the repository.
    pub warnings: Vec<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum RawSource {
    /// `[name, head, license, id]`
    Known([String; 4]),
    /// `[name, head, license]`, of format 1.
    Named([String; 3]),
}

impl From<&Source> for RawSource {
    fn from(source: &Source) -> Self {
        let Source { name, head, license, id } = source.clone();
        Self::Known([name, head, license, id])
    }
}

impl From<RawSource> for Source {
    fn from(raw: RawSource) -> Self {
        match raw {
            RawSource::Known([name, head, license, id]) => Self { name, head, license, id },
            RawSource::Named([name, head, license]) => Self { name, head, license, id: String::new() },
        }
    }
}

type RawRow = (u64, u32, u32, u32, u32, u32, u8, Vec<u32>);

/// Writes a tally; the same content gives the same bytes.
pub fn write_raw(tally: &mut Tally) -> String {
    tally.canonical();
    let (granularity, context) = match tally.options.granularity {
        Granularity::Line => ("line", 0),
        Granularity::Token { context } => ("token", context),
        Granularity::Levels => ("levels", 0),
    };
    let mut words: Vec<_> = tally.words.iter().map(|(&(word, repo), &count)| (word, repo, count)).collect();
    words.sort_unstable();
    let limits = &tally.options.limits;
    let file = RawFile {
        kept: None,
        wildcaught_tally: FORMATS[1],
        language: tally.language.clone(),
        granularity: granularity.into(),
        context,
        max_tokens: limits.max_tokens,
        min_tokens: limits.min_tokens,
        ascii_art: limits.ascii_art,
        partial: tally.partial,
        sources: tally.sources.iter().map(RawSource::from).collect(),
        corpus: tally.census.clone(),
        candidates: tally.candidates,
        rejected: tally.rejected.iter().map(|(filter, &count)| (filter.key().into(), count)).collect(),
        symbols: tally
            .symbols
            .iter()
            .map(|(kind, text)| (kind as u8, crate::operator::escape(text)))
            .collect(),
        words,
        commits: tally.commits.iter().map(|row| (row.repo, row.id.clone(), row.time, row.fix)).collect(),
        rows: tally
            .rows
            .iter()
            .map(|row| {
                let tokens = row.tokens.to_vec();
                (row.key, row.commit, row.left, row.right, row.bracket, row.position, row.before, tokens)
            })
            .collect(),
        shifts: tally.shifts.iter().map(|row| (row.key, row.commit, row.before, row.after)).collect(),
    };
    serde_json::to_string(&file).expect("a tally is plain data") + "\n"
}

/// Writes a tally with a mark in the first line, where people see it.
pub(super) fn write_raw_marked(tally: &mut Tally, mut mark: KeptMark) -> String {
    let text = write_raw(tally);
    let rest = text.strip_prefix('{').expect("it is an object");
    mark.sum = sum(rest);
    let mark = serde_json::to_string(&mark).expect("a mark is plain data");
    format!("{{\"kept\":{mark},\n{rest}")
}

fn sum(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// Reads a tally; `origin` names it in errors.
pub fn read_raw(text: &str, origin: &str) -> Result<Tally, RawError> {
    read_raw_marked(text, origin).map(|(tally, _)| tally)
}

/// Reads a tally and its mark, if it has one.
pub(super) fn read_raw_marked(text: &str, origin: &str) -> Result<(Tally, Option<KeptMark>), RawError> {
    let fail = |problem: String| RawError { origin: origin.into(), problem };
    let file: RawFile = serde_json::from_str(text)
        .map_err(|error| fail(format!("not a raw tally of this version: {error}; write one with --raw")))?;
    if !FORMATS.contains(&file.wildcaught_tally) {
        let format = file.wildcaught_tally;
        return Err(fail(format!("unknown tally format {format}; this version reads 1 and 2")));
    }
    check(&file)
        .map_err(|what| fail(format!("{what} is out of range: the file is damaged; harvest again")))?;
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    if file.kept.as_ref().is_some_and(|mark| mark.sum != sum(rest)) {
        return Err(fail("its checksum does not match: the file is damaged; harvest again".into()));
    }
    let granularity = match file.granularity.as_str() {
        "line" => Granularity::Line,
        "token" => Granularity::Token { context: file.context },
        "levels" => Granularity::Levels,
        other => {
            return Err(fail(format!("unknown granularity {other:?}; known are line, token and levels")));
        }
    };
    let limits = Thresholds {
        max_tokens: file.max_tokens,
        min_tokens: file.min_tokens,
        ascii_art: file.ascii_art,
        ..Thresholds::default()
    };
    let options = TallyOptions { granularity, limits, samples: 0 };
    let mut symbols = Symbols::default();
    for (number, (kind, escaped)) in (0..).zip(&file.symbols) {
        let bytes = crate::operator::unescape(escaped).map_err(fail)?;
        // Rows name symbols by number: one that stands twice would shift all numbers behind it.
        if symbols.intern(KINDS[*kind as usize], &bytes) != number {
            return Err(fail(format!(
                "symbol `{escaped}` is listed twice: the file is damaged; harvest again"
            )));
        }
    }
    let tally = Tally {
        language: file.language,
        options,
        sources: file.sources.into_iter().map(Source::from).collect(),
        census: file.corpus,
        partial: file.partial,
        candidates: file.candidates,
        rejected: file.rejected.iter().filter_map(|(key, n)| Some((Filter::of_key(key)?, *n))).collect(),
        symbols,
        words: file.words.into_iter().map(|(word, repo, count)| ((word, repo), count)).collect(),
        commits: file
            .commits
            .into_iter()
            .map(|(repo, id, time, fix)| CommitRow { repo, id, time, fix })
            .collect(),
        rows: file.rows.into_iter().map(row).collect(),
        shifts: file
            .shifts
            .into_iter()
            .map(|(key, commit, before, after)| ShiftRow { key, commit, before, after })
            .collect(),
        samples: Samples::default(),
    };
    Ok((tally, file.kept))
}

fn row((key, commit, left, right, bracket, position, before, tokens): RawRow) -> TallyRow {
    TallyRow { key, commit, left, right, bracket, position, tokens: tokens.into(), before }
}

/// Every number must name something; gives the name of the list that does not.
fn check(file: &RawFile) -> Result<(), &'static str> {
    let symbol = |symbol: u32| (symbol as usize) < file.symbols.len();
    let commit = |commit: u32| (commit as usize) < file.commits.len();
    let source = |source: u32| (source as usize) < file.sources.len();
    let ask = |fine: bool, what| if fine { Ok(()) } else { Err(what) };
    ask(!file.sources.is_empty(), "sources")?;
    ask(file.symbols.iter().all(|(kind, _)| (*kind as usize) < KINDS.len()), "symbols")?;
    ask(file.words.iter().all(|row| symbol(row.0) && source(row.1)), "words")?;
    ask(file.commits.iter().all(|row| source(row.0)), "commits")?;
    ask(file.rejected.iter().all(|(key, _)| Filter::of_key(key).is_some()), "rejected")?;
    ask(
        file.rows.iter().all(|row| {
            commit(row.1)
                && [row.2, row.3, row.4, row.5].into_iter().all(symbol)
                && row.7.iter().copied().all(symbol)
                && usize::from(row.6) <= row.7.len()
        }),
        "rows",
    )?;
    ask(file.shifts.iter().all(|row| commit(row.1) && symbol(row.2) && symbol(row.3)), "shifts")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_that_stands_twice_is_refused() {
        let options =
            TallyOptions { granularity: Granularity::Line, limits: Thresholds::default(), samples: 0 };
        let text = write_raw(&mut Tally::new("c", options, Source::default()));
        let twice = text.replace("\"symbols\":[]", "\"symbols\":[[0,\"if\"],[0,\"if\"]]");
        assert_ne!(twice, text);
        let error = read_raw(&twice, "t.json").err().map(|error| error.to_string());
        assert_eq!(error.unwrap(), "t.json: symbol `if` is listed twice: the file is damaged; harvest again");
    }

    #[test]
    fn a_shift_of_a_name_to_itself_is_no_shift() {
        let options =
            TallyOptions { granularity: Granularity::Line, limits: Thresholds::default(), samples: 0 };
        let text = write_raw(&mut Tally::new("c", options, Source::default()));
        let text = text
            .replace("\"symbols\":[]", "\"symbols\":[[2,\"a\"],[3,\"a\"]]")
            .replace("\"commits\":[]", "\"commits\":[[0,\"1\",null,false]]")
            .replace("\"shifts\":[]", "\"shifts\":[[1,0,0,1]]");
        let tally = read_raw(&text, "t.json").unwrap();
        assert_eq!(tally.shifts.len(), 1);
        let finish = crate::harvest::FinishOptions {
            name: String::new(),
            tool: String::new(),
            direction: crate::operator::Direction::Backward,
            idioms: crate::harvest::IdiomRule::None,
            limits: Thresholds { shift_min: 1, ..Thresholds::default() },
        };
        let def = crate::langdef::builtin("c").unwrap();
        assert!(crate::harvest::finish(tally, &def, &finish).set.shifts.is_empty());
    }
}
