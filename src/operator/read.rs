//! Reads operator sets from TOML: what was typed is mirrored, then checked; every refusal names its place.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use toml::Spanned;

use crate::lex::TokenKind;
use crate::text::LineIndex;

use super::Date;
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
use super::file::DirectionKey;
use super::file::EvidenceFile;
use super::file::GranularityFile;
use super::file::OperatorFile;
use super::file::OperatorTexts;
use super::file::SetFile;
use super::file::ShiftFile;
use super::notation::parse_terms;
use super::notation::unescape;
use super::notation::write_terms;
use super::source_numbers::SourceNumbers;

/// The only version of the format there is.
const FORMAT: u32 = 1;

/// Operators that one entry may stand for: all pairs of its alternatives.
const MOST_PAIRS: usize = 10_000;
/// Terms that one side may have. Holes are numbered in a byte, and no change that people make again is as long.
const MOST_TERMS: usize = 250;

/// Why a set was refused, and where; the column counts bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}:{line}:{column}: {problem}")]
pub struct SetError {
    pub origin: String,
    pub line: usize,
    pub column: usize,
    pub problem: String,
}

/// Reads a set; `origin` names it in errors.
pub fn read_set(text: &str, origin: &str) -> Result<OperatorSet, SetError> {
    let mut checker = Checker { text, origin, lines: LineIndex::new(text.as_bytes()), sources: Vec::new() };
    match toml::from_str::<SetFile>(text) {
        Ok(file) => {
            checker.sources = file.sources.iter().map(|source| source.name.clone()).collect();
            checker.set(file)
        }
        Err(error) => {
            let offset = error.span().map_or(0, |span| span.start);
            Err(checker.place(offset, error.message().replace('\n', ", ")))
        }
    }
}

struct Checker<'a> {
    text: &'a str,
    origin: &'a str,
    lines: LineIndex,
    sources: Vec<String>,
}

impl Checker<'_> {
    fn set(&self, file: SetFile) -> Result<OperatorSet, SetError> {
        if *file.format.get_ref() != FORMAT {
            let problem =
                format!("unknown format = {}; this version reads format = 1", file.format.get_ref());
            return Err(self.place(file.format.span().start, problem));
        }
        let operators = file
            .operators
            .into_iter()
            .map(|operator| self.operators(operator))
            .collect::<Result<Vec<_>, _>>()?
            .concat();
        let shifts = file.shifts.into_iter().map(|shift| self.shift(shift)).collect::<Result<_, _>>()?;
        let idioms = file.idioms.iter().map(|idiom| self.escaped(idiom)).collect::<Result<_, _>>()?;
        let header = Header {
            name: file.name,
            language: file.language,
            direction: file.direction.into(),
            granularity: match file.granularity {
                GranularityFile::Line => Granularity::Line,
                GranularityFile::Levels => Granularity::Levels,
                GranularityFile::Token => Granularity::Token { context: file.context },
            },
            tool: file.tool,
            partial: file.partial,
            exposed: file.exposed,
            density: file.density,
            thresholds: file.thresholds.into(),
            census: file.corpus,
            sources: file
                .sources
                .into_iter()
                .map(|source| Source {
                    name: source.name,
                    head: source.head,
                    license: source.license,
                    id: source.id,
                })
                .collect(),
            funnels: self.funnels(file.funnel)?,
            idioms,
        };
        Ok(OperatorSet { header, operators, shifts })
    }

    fn place(&self, offset: usize, problem: String) -> SetError {
        let place = self.lines.place(offset);
        SetError { origin: self.origin.into(), line: place.line, column: place.column, problem }
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
                        let problem = format!("unknown filter `{other}`; remove the line");
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

    /// The operators that an entry stands for: one, or one per pair of alternatives.
    fn operators(&self, mut file: OperatorFile) -> Result<Vec<Operator>, SetError> {
        let finds = self.alternatives(&file.find)?;
        let puts = self.alternatives(&file.put)?;
        if finds.is_empty() || finds.iter().any(Vec::is_empty) {
            let problem = "find is empty; write at least one token".into();
            return Err(self.place(file.find.span().start, problem));
        }
        if finds.iter().flatten().any(|term| matches!(term, Term::Draw(..))) {
            let problem = "find has a drawn hole, which is allowed only in put; write $1 or $_".into();
            return Err(self.place(file.find.span().start, problem));
        }
        self.check_pairs(finds.len(), puts.len(), file.find.span().start)?;
        let evidence = self.evidence(file.evidence())?;
        let single = finds.len() == 1 && puts.len() == 1;
        let mut operators = Vec::new();
        for find in &finds {
            for put in puts.iter().filter(|put| single || *put != find) {
                self.check_put(find, put, file.put.span().start)?;
                let mut operator = Operator::new(find.clone(), put.clone(), evidence.clone());
                operator.name = file.name.clone();
                operators.push(operator);
            }
        }
        match (&operators[..], file.id) {
            ([operator], id) => self.check_id(id, &operator.id())?,
            (_, Some(id)) => {
                let problem = "an entry with alternatives cannot have an id; remove the line".into();
                return Err(self.place(id.span().start, problem));
            }
            (_, None) => {}
        }
        Ok(operators)
    }

    fn check_pairs(&self, finds: usize, puts: usize, start: usize) -> Result<(), SetError> {
        if finds.saturating_mul(puts) <= MOST_PAIRS {
            return Ok(());
        }
        let problem = format!(
            "{finds} × {puts} alternatives are more than {MOST_PAIRS} operators in one entry; write several entries with fewer alternatives"
        );
        Err(self.place(start, problem))
    }

    fn alternatives(&self, texts: &Spanned<OperatorTexts>) -> Result<Vec<Vec<Term>>, SetError> {
        match &texts.get_ref().0[..] {
            [only] if only.span().is_empty() => {
                Ok(vec![self.terms(&Spanned::new(texts.span(), only.get_ref().clone()))?])
            }
            several => several.iter().map(|line| self.terms(line)).collect(),
        }
    }

    fn check_put(&self, find: &[Term], put: &[Term], start: usize) -> Result<(), SetError> {
        for term in put {
            let problem = match term {
                Term::Any | Term::Expression(0) | Term::Statement(0) | Term::Rest(0) => {
                    "put has $_, which has no value; use a numbered hole".into()
                }
                term if term.number().is_some() && !find.contains(term) => {
                    let hole = write_terms(std::slice::from_ref(term));
                    format!(
                        "put has {hole}, which find does not bind; add it to find, or write the text itself"
                    )
                }
                _ => continue,
            };
            return Err(self.place(start, problem));
        }
        Ok(())
    }

    fn check_id(&self, written: Option<Spanned<String>>, id: &str) -> Result<(), SetError> {
        match written {
            Some(written) if written.get_ref() != id => {
                let problem = format!(
                    "id {:?} does not match the content, whose id is {id:?}; remove the line if you edited the \
                     entry",
                    written.get_ref()
                );
                Err(self.place(written.span().start, problem))
            }
            _ => Ok(()),
        }
    }

    fn shift(&self, mut file: ShiftFile) -> Result<Shift, SetError> {
        let before = self.escaped(&file.before)?;
        let after = self.escaped(&file.after)?;
        if before.is_empty() || after.is_empty() || before == after {
            let problem = "a shift needs two different identifiers".into();
            return Err(self.place(file.before.span().start, problem));
        }
        let evidence = self.evidence(file.evidence())?;
        let shift = Shift { before, after, evidence };
        self.check_id(file.id, &shift.id())?;
        Ok(shift)
    }

    fn terms(&self, line: &Spanned<String>) -> Result<Vec<Term>, SetError> {
        let terms = parse_terms(line.get_ref()).map_err(|error| {
            // The column inside the string is the column in the file as long as nothing is escaped there.
            let start = line.span().start;
            let plain =
                self.text[line.span()].get(1..).is_some_and(|rest| rest.starts_with(line.get_ref().as_str()));
            let offset = if plain { start + error.column } else { start };
            self.place(offset, error.problem)
        })?;
        if terms.len() > MOST_TERMS {
            let problem = format!(
                "{} terms, but at most {MOST_TERMS} can be matched; shorten the operator",
                terms.len()
            );
            return Err(self.place(line.span().start, problem));
        }
        Ok(terms)
    }

    fn escaped(&self, text: &Spanned<String>) -> Result<Vec<u8>, SetError> {
        unescape(text.get_ref()).map_err(|problem| self.place(text.span().start, problem))
    }

    fn evidence(&self, file: EvidenceFile) -> Result<Evidence, SetError> {
        Ok(Evidence {
            count: file.count,
            forward: file.forward,
            fixes: file.fixes,
            commits: file.commits,
            repos: self.repositories(file.repos, file.sources)?,
            first: self.date(file.first)?,
            last: self.date(file.last)?,
            sites: file.sites,
            viable: self.viable(file.viable, file.sites)?,
            matches: file.matches,
            examples: file.examples.iter().map(|example| self.example(example)).collect::<Result<_, _>>()?,
            binds: file.binds.into_iter().map(|bind| self.bind(bind.0)).collect::<Result<_, _>>()?,
            habitat: Habitat {
                left: file.left.0,
                right: file.right.0,
                bracket: file.bracket.0,
                position: file.position.0,
            },
        })
    }

    /// Repositories by name, or by their numbers among the sources of the set.
    fn repositories(
        &self,
        mut names: BTreeSet<String>,
        numbers: Option<Spanned<String>>,
    ) -> Result<BTreeSet<String>, SetError> {
        let Some(numbers) = numbers else { return Ok(names) };
        let known = SourceNumbers::read(numbers.get_ref(), &self.sources);
        names.extend(known.map_err(|problem| self.place(numbers.span().start, problem))?);
        Ok(names)
    }

    fn viable(&self, viable: Option<Spanned<u64>>, sites: u64) -> Result<u64, SetError> {
        match viable {
            Some(viable) if *viable.get_ref() > sites => {
                let problem = format!("viable = {} is more than sites = {sites}", viable.get_ref());
                Err(self.place(viable.span().start, problem))
            }
            viable => Ok(viable.map_or(0, Spanned::into_inner)),
        }
    }

    fn date(&self, text: Option<Spanned<String>>) -> Result<Option<Date>, SetError> {
        let Some(text) = text else { return Ok(None) };
        let date = Date::parse(text.get_ref()).ok_or_else(|| {
            let problem = format!("{:?} is not a date; write \"YYYY-MM-DD\"", text.get_ref());
            self.place(text.span().start, problem)
        })?;
        Ok(Some(date))
    }

    /// An example commit, turned round: the id first, since the smallest ids are kept.
    fn example(&self, text: &Spanned<String>) -> Result<(String, String), SetError> {
        match text.get_ref().rsplit_once('@') {
            Some((repo, id)) => Ok((id.to_owned(), repo.to_owned())),
            None => {
                let problem =
                    format!("example {:?} is not a commit; write \"repository@id\"", text.get_ref());
                Err(self.place(text.span().start, problem))
            }
        }
    }

    fn bind(&self, bind: BTreeMap<Spanned<String>, u64>) -> Result<BTreeMap<TokenKind, u64>, SetError> {
        bind.into_iter()
            .map(|(name, count)| match bindable(name.get_ref()) {
                Some(kind) => Ok((kind, count)),
                None => {
                    let problem = format!(
                        "binds: {:?} is none of identifier, number, string, char, label",
                        name.get_ref()
                    );
                    Err(self.place(name.span().start, problem))
                }
            })
            .collect()
    }
}

fn bindable(name: &str) -> Option<TokenKind> {
    [TokenKind::Identifier, TokenKind::Number, TokenKind::String, TokenKind::Char, TokenKind::Label]
        .into_iter()
        .find(|kind| kind.name() == name)
}
