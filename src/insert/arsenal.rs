//! All operators and shifts of one or more sets, ready to be matched.

use std::sync::Arc;

use aho_corasick::AhoCorasick;
use aho_corasick::MatchKind;
use rustc_hash::FxHashMap;
use rustc_hash::FxHashSet;

use crate::langdef::LangDef;
use crate::lex::TokenKind;
use crate::operator::Evidence;
use crate::operator::Operator;
use crate::operator::OperatorSet;
use crate::operator::Shift;
use crate::operator::Term;
use crate::operator::operator_text;
use crate::operator::shift_text;

use super::edit::Literals;
use super::edit::Template;
use super::index::Index;
use super::index::slots;
use super::mutated::literal_kind;
use super::source::Sym;
use super::source::neighbour_sym;
use super::source::sym;

/// Why sets cannot be used together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArsenalError {
    #[error("set {set} is for {language}, but the target is {target}; give a set for {target}")]
    OtherLanguage { set: String, language: String, target: String },
    #[error("the sets have no operators and no shifts; there is nothing to insert")]
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

/// An operator or a shift, with what insertion asks of it.
pub struct Entry {
    pub id: String,
    /// The names of the sets it is in.
    pub sets: Vec<String>,
    pub tool: Tool,
    /// What may stand on either side; empty if nothing is known.
    pub left: Box<[Sym]>,
    pub right: Box<[Sym]>,
    /// For each hole, which kinds it may bind, one bit each; 0 if nothing is known.
    pub binds: Box<[u16]>,
    /// Positions and brackets that a hand-written operator demands.
    pub positions: Vec<Vec<u8>>,
    pub brackets: Vec<Vec<u8>>,
    pub in_directives: bool,
    /// Of an operator written by hand, the literals that its set names: a hole does not stand for them, since
    /// other operators are about them.
    pub named: Arc<FxHashSet<Sym>>,
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
        match &self.tool {
            Tool::Operator(operator) => &operator.evidence,
            Tool::Shift(shift) => &shift.evidence,
        }
    }

    /// What kind of change it is, in plain words, where somebody said so.
    pub fn name(&self) -> &str {
        match &self.tool {
            Tool::Operator(operator) => &operator.name,
            Tool::Shift(_) => "",
        }
    }

    fn new(id: String, set: &str, tool: Tool) -> Self {
        let mut entry = Self {
            id,
            sets: vec![set.to_owned()],
            tool,
            left: Box::default(),
            right: Box::default(),
            binds: Box::default(),
            positions: Vec::new(),
            brackets: Vec::new(),
            in_directives: false,
            named: Arc::default(),
        };
        let evidence = entry.evidence().clone();
        let habitat = &evidence.habitat;
        let syms = |names: &std::collections::BTreeMap<String, u64>| {
            let mut syms: Vec<Sym> = names.keys().map(|name| neighbour_sym(name)).collect();
            syms.sort_unstable();
            syms.into_boxed_slice()
        };
        entry.left = syms(&habitat.left);
        entry.right = syms(&habitat.right);
        entry.in_directives = habitat.position.contains_key("directive");
        if !evidence.is_wild() {
            let names = |names: &std::collections::BTreeMap<String, u64>| {
                names.keys().map(|name| name.as_bytes().to_vec()).collect()
            };
            entry.positions = names(&habitat.position);
            entry.brackets = names(&habitat.bracket);
        }
        entry.binds = binds(&entry.tool, &evidence);
        entry
    }
}

/// The kinds that each slot may bind: evidence names them per identifier or literal hole.
fn binds(tool: &Tool, evidence: &Evidence) -> Box<[u16]> {
    let Tool::Operator(operator) = tool else { return Box::default() };
    let mut known = evidence.binds.iter();
    slots(operator.find())
        .into_iter()
        .map(|term| match term {
            Term::Hole(_) | Term::Any => {
                known.next().map_or(0, |kinds| kinds.keys().fold(0, |bits, kind| bits | kind_bit(*kind)))
            }
            _ => 0,
        })
        .collect()
}

/// One bit per kind of token.
pub fn kind_bit(kind: TokenKind) -> u16 {
    1 << kind as u16
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
}

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
                match known.get(&id) {
                    Some(&at) => {
                        if !entries[at].sets.contains(&set.header.name) {
                            entries[at].sets.push(set.header.name.clone());
                        }
                    }
                    None => {
                        known.insert(id.clone(), entries.len());
                        let mut entry = Entry::new(id, &set.header.name, tool);
                        if !entry.evidence().is_wild() {
                            entry.named = Arc::clone(&named);
                        }
                        entries.push(entry);
                    }
                }
            }
        }
        if entries.is_empty() {
            return Err(ArsenalError::Empty);
        }
        Ok(Self::indexed(entries, def))
    }

    fn indexed(entries: Vec<Entry>, def: &LangDef) -> Self {
        let mut literals = Literals::default();
        let mut templates = Vec::new();
        let mut operators = Vec::new();
        let mut words: Vec<Vec<u8>> = Vec::new();
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
                        let word = words.iter().position(|word| word == from).unwrap_or_else(|| {
                            words.push(from.clone());
                            shifts.push(Vec::new());
                            words.len() - 1
                        });
                        shifts[word].push((number as u32, literal));
                    }
                }
            }
        }
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
        Self { entries, literals, kinds, index, templates, operators, words: finder, shifts }
    }
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
            Some("an expression $(…) ends where the token after it stands; write a token after it")
        }
        Term::Expression(_) | Term::Statement(_)
            if term.number().is_some() && find[..place].contains(term) =>
        {
            Some("an expression or statement hole stands twice in find; give the second another number")
        }
        _ => None,
    });
    match problem {
        Some(problem) => Err(ArsenalError::Operator { id: id.to_owned(), problem }),
        None => Ok(()),
    }
}
