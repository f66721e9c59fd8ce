//! Reads operator sets from TOML: what was typed is mirrored, unknown keys refused, then checked.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde::Deserialize;
use toml::Spanned;

use crate::history::Census;
use crate::lex::TokenKind;
use crate::text::LineIndex;

use super::Date;
use super::Direction;
use super::Evidence;
use super::Filter;
use super::Funnel;
use super::Granularity;
use super::Habitat;
use super::Header;
use super::Operator;
use super::OperatorSet;
use super::Shift;
use super::Source;
use super::Term;
use super::Thresholds;
use super::notation::parse_terms;
use super::notation::unescape;

/// The only version of the format there is.
const FORMAT: u32 = 1;

/// Why a set was refused.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    #[error("{origin}: {error}")]
    Toml { origin: String, error: toml::de::Error },
    #[error("{origin}:{line}:{column}: {problem}")]
    Place { origin: String, line: usize, column: usize, problem: String },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetFile {
    format: Spanned<u32>,
    #[serde(default)]
    name: String,
    language: String,
    #[serde(default)]
    direction: DirectionFile,
    #[serde(default)]
    granularity: GranularityFile,
    #[serde(default)]
    context: u8,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    partial: bool,
    #[serde(default)]
    idioms: Vec<Spanned<String>>,
    #[serde(default)]
    thresholds: ThresholdsFile,
    #[serde(default)]
    corpus: Census,
    #[serde(default)]
    funnel: BTreeMap<DirectionKey, BTreeMap<Spanned<String>, u64>>,
    #[serde(default, rename = "source")]
    sources: Vec<SourceFile>,
    #[serde(default, rename = "operator")]
    operators: Vec<OperatorFile>,
    #[serde(default, rename = "shift")]
    shifts: Vec<ShiftFile>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DirectionFile {
    #[default]
    Backward,
    Forward,
    Both,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
enum DirectionKey {
    Backward,
    Forward,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum GranularityFile {
    #[default]
    Line,
    Token,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ThresholdsFile {
    max_tokens: usize,
    min_tokens: usize,
    ascii_art: usize,
    max_identifiers: usize,
    max_adjacent: usize,
    shift_min: u64,
    min_count: u64,
    min_repos: usize,
    idioms: String,
    fix_words: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceFile {
    name: String,
    #[serde(default)]
    head: String,
    #[serde(default)]
    license: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorFile {
    id: Option<Spanned<String>>,
    find: Spanned<String>,
    put: Spanned<String>,
    #[serde(flatten)]
    evidence: EvidenceFile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ShiftFile {
    id: Option<Spanned<String>>,
    before: Spanned<String>,
    after: Spanned<String>,
    #[serde(flatten)]
    evidence: EvidenceFile,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct EvidenceFile {
    count: u64,
    forward: u64,
    fixes: u64,
    commits: u64,
    repos: BTreeSet<String>,
    first: Option<String>,
    last: Option<String>,
    examples: Vec<String>,
    binds: Vec<BTreeMap<String, u64>>,
    left: BTreeMap<String, u64>,
    right: BTreeMap<String, u64>,
    bracket: BTreeMap<String, u64>,
    position: BTreeMap<String, u64>,
}

/// Reads a set; `origin` names it in errors.
pub fn read_set(text: &str, origin: &str) -> Result<OperatorSet, SetError> {
    let file: SetFile =
        toml::from_str(text).map_err(|error| SetError::Toml { origin: origin.into(), error })?;
    Checker { text, origin, lines: LineIndex::new(text.as_bytes()) }.set(file)
}

struct Checker<'a> {
    text: &'a str,
    origin: &'a str,
    lines: LineIndex,
}

impl Checker<'_> {
    fn set(&self, file: SetFile) -> Result<OperatorSet, SetError> {
        if *file.format.get_ref() != FORMAT {
            let problem =
                format!("format = {} is unknown; this version reads format = 1", file.format.get_ref());
            return Err(self.place(file.format.span().start, problem));
        }
        let operators =
            file.operators.into_iter().map(|operator| self.operator(operator)).collect::<Result<_, _>>()?;
        let shifts = file.shifts.into_iter().map(|shift| self.shift(shift)).collect::<Result<_, _>>()?;
        let idioms = file.idioms.iter().map(|idiom| self.escaped(idiom)).collect::<Result<_, _>>()?;
        let header = Header {
            name: file.name,
            language: file.language,
            direction: match file.direction {
                DirectionFile::Backward => Direction::Backward,
                DirectionFile::Forward => Direction::Forward,
                DirectionFile::Both => Direction::Both,
            },
            granularity: match file.granularity {
                GranularityFile::Line => Granularity::Line,
                GranularityFile::Token => Granularity::Token { context: file.context },
            },
            tool: file.tool,
            partial: file.partial,
            thresholds: file.thresholds.into(),
            census: file.corpus,
            sources: file
                .sources
                .into_iter()
                .map(|source| Source { name: source.name, head: source.head, license: source.license })
                .collect(),
            funnels: self.funnels(file.funnel)?,
            idioms,
        };
        Ok(OperatorSet { header, operators, shifts })
    }

    fn place(&self, offset: usize, problem: String) -> SetError {
        let place = self.lines.place(offset);
        SetError::Place { origin: self.origin.into(), line: place.line, column: place.column, problem }
    }

    fn funnels(
        &self,
        file: BTreeMap<DirectionKey, BTreeMap<Spanned<String>, u64>>,
    ) -> Result<BTreeMap<&'static str, Funnel>, SetError> {
        let mut funnels = BTreeMap::new();
        for (direction, rows) in file {
            let mut funnel = Funnel::default();
            for (key, count) in rows {
                match (key.get_ref().as_str(), Filter::of_key(key.get_ref())) {
                    ("candidates", _) => funnel.candidates = count,
                    (_, Some(filter)) => funnel.reject(filter, count),
                    (other, None) => {
                        let problem = format!("`{other}` is no filter; remove the line");
                        return Err(self.place(key.span().start, problem));
                    }
                }
            }
            let name = match direction {
                DirectionKey::Backward => "backward",
                DirectionKey::Forward => "forward",
            };
            funnels.insert(name, funnel);
        }
        Ok(funnels)
    }

    fn operator(&self, file: OperatorFile) -> Result<Operator, SetError> {
        let find = self.terms(&file.find)?;
        let put = self.terms(&file.put)?;
        if find.is_empty() {
            let problem = "find is empty: there is nothing to match; name at least one token".into();
            return Err(self.place(file.find.span().start, problem));
        }
        self.check_put(&find, &put, &file.put)?;
        let evidence = self.evidence(file.evidence, file.find.span().start)?;
        let operator = Operator::new(find, put, evidence);
        self.check_id(file.id, &operator.id())?;
        Ok(operator)
    }

    fn check_put(&self, find: &[Term], put: &[Term], written: &Spanned<String>) -> Result<(), SetError> {
        for term in put {
            let problem = match term {
                Term::Any => "put has $_, which stands for nothing known; use a numbered hole".into(),
                Term::Hole(number) if !find.contains(term) => {
                    format!("put has ${number}, which find does not bind; bind it there or write the text")
                }
                _ => continue,
            };
            return Err(self.place(written.span().start, problem));
        }
        Ok(())
    }

    fn check_id(&self, written: Option<Spanned<String>>, id: &str) -> Result<(), SetError> {
        match written {
            Some(written) if written.get_ref() != id => {
                let problem = format!(
                    "id {:?} does not fit the content, whose id is {id:?}; remove the line if you edited the entry",
                    written.get_ref()
                );
                Err(self.place(written.span().start, problem))
            }
            _ => Ok(()),
        }
    }

    fn shift(&self, file: ShiftFile) -> Result<Shift, SetError> {
        let before = self.escaped(&file.before)?;
        let after = self.escaped(&file.after)?;
        if before.is_empty() || after.is_empty() || before == after {
            let problem = "a shift needs two different identifiers".into();
            return Err(self.place(file.before.span().start, problem));
        }
        let evidence = self.evidence(file.evidence, file.before.span().start)?;
        let shift = Shift { before, after, evidence };
        self.check_id(file.id, &shift.id())?;
        Ok(shift)
    }

    fn terms(&self, line: &Spanned<String>) -> Result<Vec<Term>, SetError> {
        parse_terms(line.get_ref()).map_err(|error| {
            // The column inside the string is the column in the file as long as nothing is escaped there.
            let start = line.span().start;
            let plain =
                self.text[line.span()].get(1..).is_some_and(|rest| rest.starts_with(line.get_ref().as_str()));
            let offset = if plain { start + error.column } else { start };
            self.place(offset, error.problem)
        })
    }

    fn escaped(&self, text: &Spanned<String>) -> Result<Vec<u8>, SetError> {
        unescape(text.get_ref()).map_err(|problem| self.place(text.span().start, problem))
    }

    fn evidence(&self, file: EvidenceFile, at: usize) -> Result<Evidence, SetError> {
        let date = |text: Option<String>| match text {
            None => Ok(None),
            Some(text) => Date::parse(&text)
                .map(Some)
                .ok_or_else(|| self.place(at, format!("{text:?} is no date; write \"YYYY-MM-DD\""))),
        };
        let binds = file.binds.into_iter().map(|bind| self.bind(bind, at)).collect::<Result<_, _>>()?;
        let mut examples = BTreeSet::new();
        for example in file.examples {
            let Some((repo, id)) = example.rsplit_once('@') else {
                return Err(
                    self.place(at, format!("example {example:?} is no commit; write \"repository@id\""))
                );
            };
            examples.insert((id.to_owned(), repo.to_owned()));
        }
        Ok(Evidence {
            count: file.count,
            forward: file.forward,
            fixes: file.fixes,
            commits: file.commits,
            repos: file.repos,
            first: date(file.first)?,
            last: date(file.last)?,
            examples,
            binds,
            habitat: Habitat {
                left: file.left,
                right: file.right,
                bracket: file.bracket,
                position: file.position,
            },
        })
    }

    fn bind(&self, bind: BTreeMap<String, u64>, at: usize) -> Result<BTreeMap<TokenKind, u64>, SetError> {
        bind.into_iter()
            .map(|(name, count)| match bindable(&name) {
                Some(kind) => Ok((kind, count)),
                None => Err(self.place(
                    at,
                    format!("binds: {name:?} is none of identifier, number, string, char, label"),
                )),
            })
            .collect()
    }
}

fn bindable(name: &str) -> Option<TokenKind> {
    [TokenKind::Identifier, TokenKind::Number, TokenKind::String, TokenKind::Char, TokenKind::Label]
        .into_iter()
        .find(|kind| kind.name() == name)
}

impl Default for ThresholdsFile {
    fn default() -> Self {
        let default = Thresholds::default();
        Self {
            max_tokens: default.max_tokens,
            min_tokens: default.min_tokens,
            ascii_art: default.ascii_art,
            max_identifiers: default.max_identifiers,
            max_adjacent: default.max_adjacent,
            shift_min: default.shift_min,
            min_count: default.min_count,
            min_repos: default.min_repos,
            idioms: default.idioms,
            fix_words: default.fix_words,
        }
    }
}

impl From<ThresholdsFile> for Thresholds {
    fn from(file: ThresholdsFile) -> Self {
        Self {
            max_tokens: file.max_tokens,
            min_tokens: file.min_tokens,
            ascii_art: file.ascii_art,
            max_identifiers: file.max_identifiers,
            max_adjacent: file.max_adjacent,
            shift_min: file.shift_min,
            min_count: file.min_count,
            min_repos: file.min_repos,
            idioms: file.idioms,
            fix_words: file.fix_words,
        }
    }
}
