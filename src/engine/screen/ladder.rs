//! The rung of every mutant: switched as a statement, as a body, built one by one, or dead.

use std::borrow::Cow;

use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Piece;
use crate::insert::Setter;
use crate::insert::TextEdit;
use crate::insert::Units;
use crate::insert::new_text;
use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;
use crate::workspace::Member;

use super::last_use::LastUse;
use super::last_use::last_use;
use super::redeclared::Redeclared;
use super::redeclared::redeclares;

/// How a mutant is put into the meta-program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rung {
    /// As another version of a statement.
    Statement(Piece),
    /// As another version of a function's body.
    Body(Piece),
    /// Not at all: it does not compile; what the compiler said.
    Dead(String),
    /// Not at all: it must be built by itself; why.
    Alone(Cow<'static, str>),
}

impl Rung {
    /// The piece that the mutant replaces.
    pub fn piece(&self) -> Option<Piece> {
        match self {
            Self::Statement(piece) | Self::Body(piece) => Some(*piece),
            Self::Dead(_) | Self::Alone(_) => None,
        }
    }
}

/// All mutants and their rungs.
pub struct Ladder<'a> {
    inserter: &'a Inserter<'a>,
    pub mutants: Vec<&'a Mutant>,
    pub rungs: Vec<Rung>,
    /// Per mutant, the function that it is in.
    pub functions: Vec<Option<usize>>,
    /// Per file, if a mutant is in it.
    units: Vec<Option<Units>>,
    /// Per file, its mutants.
    pub by_file: Vec<Vec<u32>>,
}

impl<'a> Ladder<'a> {
    /// Puts every mutant on the highest rung that it fits on.
    pub fn new(inserter: &'a Inserter<'a>, mutants: Vec<&'a Mutant>) -> Self {
        let mut by_file = vec![Vec::new(); inserter.target.files.len()];
        mutants.iter().zip(0..).for_each(|(mutant, number)| by_file[mutant.file].push(number));
        let units: Vec<Option<Units>> = by_file
            .iter()
            .enumerate()
            .map(|(file, here)| {
                let view = inserter.target.view(file);
                (!here.is_empty()).then(|| Units::new(inserter.def, view))
            })
            .collect();
        let mut ladder = Self { inserter, mutants, rungs: vec![], functions: vec![], units, by_file };
        for number in 0..ladder.mutants.len() {
            let (function, rung) = ladder.highest(number);
            ladder.functions.push(function);
            ladder.rungs.push(rung);
        }
        ladder
    }

    /// The pieces of a file that mutants are in.
    pub fn units(&self, file: usize) -> &Units {
        self.units[file].as_ref().expect("a mutant is in it")
    }

    fn highest(&self, number: usize) -> (Option<usize>, Rung) {
        let mutant = self.mutants[number];
        let (from, to) = (mutant.edit.from, mutant.edit.to);
        let def = self.inserter.def;
        if !def.file.switch.is_given() {
            return (
                None,
                Rung::Alone(format!("mutants of {} cannot be switched on", def.file.title).into()),
            );
        }
        let units = self.units(mutant.file);
        let Some(function) = units.function(from, to) else {
            return (None, Rung::Alone("it is outside of functions".into()));
        };
        match self.last_use(number, function) {
            LastUse::Kept => {}
            LastUse::InFunction => return (Some(function), self.body(number, function)),
            LastUse::InFile => {
                return (Some(function), Rung::Alone("its file may have unused imports".into()));
            }
        }
        match self.redeclares(number, function) {
            Redeclared::Nothing => {}
            Redeclared::InBody => return (Some(function), self.body(number, function)),
            Redeclared::Parameter => {
                return (Some(function), Rung::Alone("it may declare a parameter twice".into()));
            }
        }
        let mut statements = units.statements(function, from, to).into_iter();
        let rung = match statements.find(|piece| self.stays_itself(number, *piece)) {
            Some(piece) if self.can_stand(number, piece) => Rung::Statement(piece),
            _ => self.body(number, function),
        };
        (Some(function), rung)
    }

    /// Where a mutant may take away the last use of a name, if that is an error.
    fn last_use(&self, number: usize, function: usize) -> LastUse {
        if !self.inserter.def.file.switch.unused_names_are_errors {
            return LastUse::Kept;
        }
        let Mutant { file, edit, .. } = self.mutants[number];
        let (source, literals) = (&self.inserter.target.files[*file], &self.inserter.arsenal.literals);
        let new: Vec<&[u8]> = edit.new.iter().map(|new| new_text(source, literals, *new)).collect();
        last_use(source, (edit.from, edit.to), &new, self.units(*file).whole(function))
    }

    /// What a mutant declares that may be declared already in the block where it stands.
    fn redeclares(&self, number: usize, function: usize) -> Redeclared {
        let Mutant { file, edit, .. } = self.mutants[number];
        let (source, literals) = (&self.inserter.target.files[*file], &self.inserter.arsenal.literals);
        let new: Vec<&[u8]> = edit.new.iter().map(|new| new_text(source, literals, *new)).collect();
        let functions = &self.inserter.def.file.syntax.functions;
        redeclares(source, (edit.from, edit.to), &new, self.units(*file).whole(function), functions)
    }

    /// Whether a statement means the same to what is around it between braces of its own: it declares nothing
    /// new, and where something leads it without braces, it is neither more nor less than one statement.
    fn stays_itself(&self, number: usize, piece: Piece) -> bool {
        let mutant = self.mutants[number];
        let (edit, file) = (&mutant.edit, &self.inserter.target.files[mutant.file]);
        let syntax = &self.inserter.def.file.syntax;
        let new: Vec<&[u8]> =
            edit.new.iter().map(|new| new_text(file, &self.inserter.arsenal.literals, *new)).collect();
        let among = |words: &[String], token: &[u8]| words.iter().any(|word| word.as_bytes() == token);
        let declares = edit.from == piece.start
            && new.iter().any(|token| {
                [&syntax.types, &syntax.declares, &syntax.modifiers].iter().any(|words| among(words, token))
            });
        let old = (edit.from..edit.to).map(|at| file.token(at as usize));
        let shapes = |token: &[u8]| {
            let words = [
                &syntax.conditions,
                &syntax.loops,
                &syntax.switches,
                &syntax.before_statements,
                &syntax.blocks,
            ];
            matches!(token, b";" | b"{" | b"}") || words.iter().any(|words| among(words, token))
        };
        let arm = self.units(mutant.file).is_arm(piece);
        let reshapes = arm && old.chain(new.iter().copied()).any(shapes);
        !declares && !reshapes
    }

    /// Whether a mutant's version of a piece disturbs nothing around it.
    fn can_stand(&self, number: usize, piece: Piece) -> bool {
        self.starts_its_line(self.mutants[number].file, piece)
            && is_balanced(self.inserter.def, &self.version(number as u32, piece))
    }

    /// Where indentation makes blocks, a version cannot begin in the middle of a line.
    fn starts_its_line(&self, file: usize, piece: Piece) -> bool {
        let blocks = !self.inserter.def.file.switch.close.is_empty();
        blocks || self.inserter.target.files[file].starts_its_line(piece.start)
    }

    fn body(&self, number: usize, function: usize) -> Rung {
        let mutant = self.mutants[number];
        match self.units(mutant.file).body(function, mutant.edit.from, mutant.edit.to) {
            Some(piece) if self.can_stand(number, piece) => Rung::Body(piece),
            _ => Rung::Alone("its function cannot be switched".into()),
        }
    }

    /// Moves a mutant one rung down; `message` is why.
    pub fn demote(&mut self, number: u32, message: &str) {
        let at = number as usize;
        let Some(function) = self.functions[at] else { return };
        self.rungs[at] = match &self.rungs[at] {
            Rung::Statement(piece) => match self.body(at, function) {
                // A statement that is all of the body has been tried as a body.
                Rung::Body(body) if body == *piece => self.below_body(at, function, message),
                rung => rung,
            },
            Rung::Body(_) => self.below_body(at, function, message),
            lowest => lowest.clone(),
        };
    }

    fn below_body(&self, number: usize, function: usize, message: &str) -> Rung {
        if self.units(self.mutants[number].file).is_unsure(function) {
            return Rung::Alone("variants of its function may differ in type".into());
        }
        if self.units(self.mutants[number].file).is_torn(function) {
            return Rung::Alone("#if splits brackets in its function".into());
        }
        Rung::Dead(message.to_owned())
    }

    /// Takes a mutant out of the meta-program.
    pub fn set_alone(&mut self, number: u32, why: impl Into<Cow<'static, str>>) {
        if self.rungs[number as usize].piece().is_some() {
            self.rungs[number as usize] = Rung::Alone(why.into());
        }
    }

    /// Moves a mutant that is a version of a statement to that of a body.
    pub fn set_body(&mut self, number: u32) {
        let at = number as usize;
        if let (Rung::Statement(_), Some(function)) = (&self.rungs[at], self.functions[at]) {
            self.rungs[at] = self.body(at, function);
        }
    }

    /// Takes a mutant out of the meta-program for good: it does not compile.
    pub fn set_dead(&mut self, number: u32, message: &str) {
        self.rungs[number as usize] = Rung::Dead(message.to_owned());
    }

    /// The mutants of a file that are to be woven in, but for those that `parked` says.
    pub fn members(&self, file: usize, parked: impl Fn(u32) -> bool) -> Vec<Member> {
        let here = self.by_file[file].iter().copied().filter(|mutant| !parked(*mutant));
        here.filter_map(|mutant| Some(Member { mutant, piece: self.rungs[mutant as usize].piece()? }))
            .collect()
    }

    /// A piece of code as a mutant makes it.
    pub fn version(&self, mutant: u32, piece: Piece) -> Vec<u8> {
        let mutant = self.mutants[mutant as usize];
        self.setter(mutant.file).within(&mutant.edit, piece)
    }

    /// What a mutant does to its file.
    pub fn text_edit(&self, mutant: u32) -> TextEdit {
        let mutant = self.mutants[mutant as usize];
        self.setter(mutant.file).set(&mutant.edit)
    }

    fn setter(&self, file: usize) -> Setter<'a> {
        let Inserter { def, arsenal, target, .. } = self.inserter;
        Setter {
            def,
            facts: &target.facts,
            view: target.view(file),
            literals: &arsenal.literals,
            kinds: &arsenal.kinds,
        }
    }
}

/// Whether every bracket of a text has its mate.
fn is_balanced(def: &LangDef, text: &[u8]) -> bool {
    let mut open = Vec::new();
    for token in Lexer::new(def, text, Start::Code) {
        let bracket = match token.kind {
            TokenKind::Operator => def.bracket(token.span.of(text)),
            _ => None,
        };
        match bracket {
            Some((pair, true)) => open.push(pair),
            Some((pair, false)) if open.pop() != Some(pair) => return false,
            _ => {}
        }
    }
    open.is_empty()
}
