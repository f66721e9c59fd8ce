//! All operators and shifts of one or more sets, ready to be matched.

use std::sync::Arc;

use aho_corasick::AhoCorasick;
use aho_corasick::MatchKind;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::Evidence;
use crate::operator::Operator;
use crate::operator::OperatorSet;
use crate::operator::Shift;
use crate::operator::Term;
use crate::operator::operator_text;
use crate::operator::shift_text;

use super::demands::Demands;
use super::edit::Literals;
use super::edit::Template;
use super::index::Index;
use super::mutated::literal_kind;
use super::source::Sym;
use super::source::sym;

/// Why sets cannot be used together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArsenalError {
    #[error("set {set} is for {language}, but the target is in {target}; name a set for {target} with --ops")]
    OtherLanguage { set: String, language: String, target: String },
    #[error("the sets have no operators and no shifts, so there are no mutants; name other sets with --ops")]
    Empty,
    #[error("operator {id}: {problem}")]
    Operator { id: String, problem: &'static str },
}

/// What an entry is.
#[derive(Clone, Debug)]
pub enum Tool {
    Operator(Operator),
    Shift(Shift),
}

impl Tool {
    /// What is known of it.
    pub fn evidence(&self) -> &Evidence {
        match self {
            Self::Operator(operator) => &operator.evidence,
            Self::Shift(shift) => &shift.evidence,
        }
    }
}

/// An operator or a shift, with what insertion asks of it.
pub struct Entry {
    pub id: String,
    /// The names of the sets it is in.
    pub sets: Vec<String>,
    pub tool: Tool,
    /// What it asks of a place: once, or twice if it was both caught and written by hand. A place that meets
    /// one of them is enough.
    pub demands: SmallVec<[Demands; 1]>,
}

impl Entry {
    /// What it does, in a line.
    pub fn text(&self) -> String {
        match &self.tool {
            Tool::Operator(operator) => operator_text(operator),
            Tool::Shift(shift) => shift_text(shift),
        }
    }

    /// What is known of it.
    pub fn evidence(&self) -> &Evidence {
        self.tool.evidence()
    }

    /// What kind of change it is, in words, if the set has them.
    pub fn name(&self) -> &str {
        match &self.tool {
            Tool::Operator(operator) => &operator.name,
            Tool::Shift(_) => "",
        }
    }

    /// Takes up the same operator from another set.
    fn join(&mut self, set: &str, tool: &Tool, named: &Arc<FxHashSet<Sym>>) {
        if !self.sets.iter().any(|known| known == set) {
            self.sets.push(set.to_owned());
        }
        let demands = Demands::new(tool, named);
        if self.demands.iter().all(|known| known.written != demands.written) {
            self.demands.push(demands);
        }
    }
}

/// Operators and shifts, indexed.
pub struct Arsenal {
    pub entries: Vec<Entry>,
    pub literals: Literals,
    /// What kind of token each literal is.
    pub kinds: Vec<TokenKind>,
    pub index: Index,
    /// Per operator of the index, its template and its entry.
    pub templates: Vec<Template>,
    pub operators: Vec<u32>,
    /// Finds the words of shifts.
    pub words: Option<AhoCorasick>,
    /// Per word, what may stand for it: entry and literal.
    pub shifts: Vec<Vec<(u32, u32)>>,
    /// The literals of the numbers from 0 on.
    pub numbers: Vec<u32>,
    /// Mutants per 1,000 tokens that the sets ask for; 0 for all.
    pub density: u32,
}

/// The largest number that is drawn though it does not stand in the file.
const LARGEST_DRAWN: u32 = 257;

impl Arsenal {
    /// Puts sets together; what two sets have in common is there once.
    pub fn new(sets: &[OperatorSet], def: &LangDef) -> Result<Self, ArsenalError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut known: FxHashMap<String, usize> = FxHashMap::default();
        for set in sets {
            if set.header.language != def.name() {
                return Err(ArsenalError::OtherLanguage {
                    set: set.header.name.clone(),
                    language: set.header.language.clone(),
                    target: def.name().to_owned(),
                });
            }
            let idioms = set.header.idioms.iter().map(|idiom| sym(TokenKind::Identifier, idiom));
            let named: Arc<FxHashSet<Sym>> = Arc::new(idioms.collect());
            let operators =
                set.operators.iter().map(|operator| (operator.id(), Tool::Operator(operator.clone())));
            let shifts = set.shifts.iter().map(|shift| (shift.id(), Tool::Shift(shift.clone())));
            for (id, tool) in operators.chain(shifts) {
                check(&id, &tool)?;
                if let Some(&at) = known.get(&id) {
                    entries[at].join(&set.header.name, &tool, &named);
                    continue;
                }
                known.insert(id.clone(), entries.len());
                let demands = SmallVec::from_iter([Demands::new(&tool, &named)]);
                entries.push(Entry { id, sets: vec![set.header.name.clone()], tool, demands });
            }
        }
        if entries.is_empty() {
            return Err(ArsenalError::Empty);
        }
        let density = sets.iter().map(|set| set.header.density).max().unwrap_or(0);
        Ok(Self { density, ..Self::indexed(entries, def) })
    }

    /// Nothing to insert, for who only looks at a target.
    pub fn empty(def: &LangDef) -> Self {
        Self::indexed(vec![], def)
    }

    fn indexed(entries: Vec<Entry>, def: &LangDef) -> Self {
        let mut literals = Literals::default();
        let mut templates = Vec::new();
        let mut operators = Vec::new();
        let mut words: Vec<&[u8]> = Vec::new();
        let mut places: FxHashMap<&[u8], usize> = FxHashMap::default();
        let mut shifts: Vec<Vec<(u32, u32)>> = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            match &entry.tool {
                Tool::Operator(operator) => {
                    operators.push(number as u32);
                    templates.push(Template::new(operator, &mut literals));
                }
                Tool::Shift(shift) => {
                    for (from, to) in [(&shift.before, &shift.after), (&shift.after, &shift.before)] {
                        let term = Term::Keyword(to.as_slice().into());
                        let literal = literals.add(&term, sym(TokenKind::Identifier, to));
                        let word = *places.entry(from).or_insert_with(|| {
                            words.push(from);
                            shifts.push(Vec::new());
                            words.len() - 1
                        });
                        shifts[word].push((number as u32, literal));
                    }
                }
            }
        }
        let numbers = add_numbers(&mut literals);
        let index = Index::new(entries.iter().filter_map(|entry| match &entry.tool {
            Tool::Operator(operator) => Some(operator),
            Tool::Shift(_) => None,
        }));
        let kinds = literals.terms.iter().map(|(term, _)| literal_kind(def, term)).collect();
        let finder = (!words.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostLongest)
                .build(&words)
                .expect("a few thousand words make an automaton of moderate size")
        });
        Self {
            entries,
            literals,
            kinds,
            index,
            templates,
            operators,
            words: finder,
            shifts,
            numbers,
            density: 0,
        }
    }
}

/// Small numbers are literals whether an operator names them or not: they can be drawn.
fn add_numbers(literals: &mut Literals) -> Vec<u32> {
    (0..=LARGEST_DRAWN)
        .map(|number| {
            let text = number.to_string().into_bytes();
            let known = sym(TokenKind::Number, &text);
            literals.add(&Term::Keyword(text.into()), known)
        })
        .collect()
}

fn check(id: &str, tool: &Tool) -> Result<(), ArsenalError> {
    let Tool::Operator(operator) = tool else { return Ok(()) };
    let find = operator.find();
    let problem = find.iter().enumerate().find_map(|(place, term)| match term {
        Term::Expression(_)
            if !matches!(
                find.get(place + 1),
                Some(Term::Keyword(_) | Term::Operator(_) | Term::Layout(_))
            ) =>
        {
            Some("a token must follow an expression hole $(…), since it marks its end")
        }
        Term::Expression(_) | Term::Statement(_) | Term::Rest(_)
            if term.number().is_some() && find[..place].contains(term) =>
        {
            Some("an expression or statement hole occurs twice in find; give the second one another number")
        }
        _ => None,
    });
    let mut drawn = operator.put().iter().filter(|term| matches!(term, Term::Draw(..)));
    let first = drawn.next();
    let problem = problem.or_else(|| {
        drawn.any(|term| Some(term) != first).then_some("put has two drawn holes; only one is supported")
    });
    match problem {
        Some(problem) => Err(ArsenalError::Operator { id: id.to_owned(), problem }),
        None => Ok(()),
    }
}
