//! Mutants for people and programs: where each is, what it changes, and its id.

use std::path::PathBuf;

use rustc_hash::FxHashMap;

use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;
use crate::text::LineIndex;

use super::arsenal::Entry;
use super::ident::Idents;
use super::mutants::FileMutants;
use super::mutants::Inserter;
use super::mutants::Mutant;
use super::render::Setter;
use super::render::TextEdit;

/// What is shown of a mutant.
#[derive(Clone, Debug)]
pub struct Description {
    pub id: String,
    pub file: PathBuf,
    pub line: usize,
    pub column: usize,
    /// The ids of the operators that make it, the most widely seen first.
    pub operators: Vec<String>,
    /// What the first of them does.
    pub operator: String,
    pub before: String,
    pub after: String,
    /// Rules that it breaks.
    pub unfit: Vec<&'static str>,
    /// The result of trying it.
    pub viable: Option<bool>,
    pub error: String,
    pub edit: TextEdit,
}

/// Tokens shown on either side of what changes.
const CONTEXT: usize = 2;

/// Describes the mutants of one file.
pub struct Describer<'a> {
    inserter: &'a Inserter<'a>,
    file: usize,
    idents: Idents<'a>,
    lines: LineIndex,
}

impl<'a> Describer<'a> {
    pub fn new(inserter: &'a Inserter<'a>, file: usize) -> Self {
        let view = inserter.target.view(file);
        Self { inserter, file, idents: Idents::new(view), lines: LineIndex::new(&view.file.text) }
    }

    /// A mutant's name.
    pub fn id(&self, mutant: &Mutant) -> String {
        self.idents.of(mutant, self.inserter.arsenal)
    }

    /// The second half of its name.
    pub fn site(&self, mutant: &Mutant) -> String {
        self.idents.site(mutant, self.inserter.arsenal)
    }

    /// What it does to the text.
    pub fn edit(&self, mutant: &Mutant) -> TextEdit {
        let Inserter { def, arsenal, target, .. } = self.inserter;
        let setter = Setter {
            def,
            facts: &target.facts,
            view: target.view(self.file),
            literals: &arsenal.literals,
            kinds: &arsenal.kinds,
        };
        setter.set(&mutant.edit)
    }

    /// Everything that is shown of a mutant.
    pub fn describe(&self, mutant: &Mutant) -> Description {
        let file = &self.inserter.target.files[self.file];
        let edit = self.edit(mutant);
        let start = file
            .tokens
            .get(mutant.edit.from as usize)
            .map_or(file.text.len(), |token| token.span.start as usize);
        let place = self.lines.place(start);
        let entries = mutant.entries.iter().map(|entry| &self.inserter.arsenal.entries[*entry as usize]);
        let left = (mutant.edit.from as usize).saturating_sub(CONTEXT);
        let right = (mutant.edit.to as usize + CONTEXT).min(file.tokens.len());
        let from = file.tokens.get(left).map_or(0, |token| token.span.start as usize).min(edit.start);
        let to = right.checked_sub(1).map_or(0, |last| file.tokens[last].span.end as usize).max(edit.end);
        let after = [&file.text[from..edit.start], &edit.text, &file.text[edit.end..to]].concat();
        Description {
            id: self.id(mutant),
            file: file.path.clone(),
            line: place.line,
            column: place.column,
            operators: entries.clone().map(|entry| entry.id.clone()).collect(),
            operator: entries.clone().next().map_or(String::new(), Entry::text),
            before: one_line(self.inserter.def, &file.text[from..to]),
            after: one_line(self.inserter.def, &after),
            unfit: mutant.unfit.iter().map(|rule| rule.row().name).collect(),
            viable: None,
            error: String::new(),
            edit,
        }
    }
}

/// Code in a line: white space becomes one blank; comments and what would move the cursor are left out.
fn one_line(def: &LangDef, text: &[u8]) -> String {
    let mut code = Vec::with_capacity(text.len());
    for token in Lexer::new(def, text, Start::Code) {
        let part = if token.kind == TokenKind::Comment { b" " } else { token.span.of(text) };
        code.extend_from_slice(part);
    }
    let text = String::from_utf8_lossy(&code);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|c| !c.is_control()).collect()
}

/// Describes mutants, in their order; each file is looked at once.
pub fn describe(inserter: &Inserter, mutants: &[&Mutant]) -> Vec<Description> {
    let mut order: Vec<usize> = (0..mutants.len()).collect();
    order.sort_by_key(|at| mutants[*at].place());
    let mut described: Vec<(usize, Description)> = Vec::with_capacity(order.len());
    let mut describer: Option<Describer> = None;
    for at in order {
        let mutant = mutants[at];
        let fresh = describer.take().filter(|describer| describer.file == mutant.file);
        let here = describer.insert(fresh.unwrap_or_else(|| Describer::new(inserter, mutant.file)));
        described.push((at, here.describe(mutant)));
    }
    described.sort_by_key(|(at, _)| *at);
    described.into_iter().map(|(_, description)| description).collect()
}

/// All mutants by their names.
pub fn mutant_ids<'m>(inserter: &Inserter, all: &'m [FileMutants]) -> FxHashMap<String, &'m Mutant> {
    let of_file = |found: &'m FileMutants| {
        let file = found.mutants.first()?.file;
        let describer = Describer::new(inserter, file);
        Some(found.mutants.iter().map(|mutant| (describer.id(mutant), mutant)).collect::<Vec<_>>())
    };
    all.iter().filter_map(of_file).flatten().collect()
}
