//! Mutants for people and programs: lists, tables, JSON.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::insert::Entry as Tooled;
use crate::insert::FileMutants;
use crate::insert::Idents;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::Rule;
use crate::insert::Setter;
use crate::insert::TextEdit;
use crate::insert::Tool;
use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;
use crate::text::LineIndex;

use super::listing::operator_text;
use super::listing::shift_text;
use super::table::Align;
use super::table::Table;
use super::table::thousands;

/// A mutant with everything that is shown of it.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfit: Vec<&'static str>,
    /// What came of trying it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viable: Option<bool>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub error: String,
    #[serde(skip)]
    pub edit: TextEdit,
}

/// Tokens shown on either side of what changes.
const CONTEXT: usize = 2;

/// Shows the mutants of one file.
pub struct Presenter<'a> {
    inserter: &'a Inserter<'a>,
    file: usize,
    idents: Idents<'a>,
    lines: LineIndex,
}

impl<'a> Presenter<'a> {
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

    /// Everything that is shown of it.
    pub fn show(&self, mutant: &Mutant) -> Shown {
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
        Shown {
            id: self.id(mutant),
            file: file.path.clone(),
            line: place.line,
            column: place.column,
            operators: entries.clone().map(|entry| entry.id.clone()).collect(),
            operator: entries.clone().next().map_or(String::new(), tool_text),
            before: one_line(self.inserter.def, &file.text[from..to]),
            after: one_line(self.inserter.def, &after),
            unfit: mutant.unfit.iter().map(|rule| rule.row().name).collect(),
            viable: None,
            error: String::new(),
            edit,
        }
    }
}

/// What an operator or shift does, in a line.
pub fn tool_text(entry: &Tooled) -> String {
    match &entry.tool {
        Tool::Operator(operator) => operator_text(operator),
        Tool::Shift(shift) => shift_text(shift),
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

/// One line per mutant.
pub fn list(shown: &[Shown]) -> String {
    let mut out = String::new();
    for mutant in shown {
        let verdict = match mutant.viable {
            Some(true) => "compiles  ",
            Some(false) => "broken    ",
            None => "",
        };
        let _ = writeln!(
            out,
            "{verdict}{}  {}:{}:{}  {} → {}  [{}]",
            mutant.id,
            mutant.file.display(),
            mutant.line,
            mutant.column,
            mutant.before,
            mutant.after,
            mutant.operator
        );
    }
    out
}

/// What was found, in figures.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    pub files: usize,
    pub tokens: usize,
    pub operators: usize,
    /// Operators and shifts that make at least one mutant.
    pub operators_used: usize,
    /// Places where an operator matched.
    pub sites: u64,
    pub mutants: u64,
    /// Sites that change nothing.
    pub same: u64,
    /// Sites whose result another operator had made.
    pub duplicates: u64,
    /// Sites in what is left alone.
    pub excluded: u64,
    /// Sites where a hole would stand for a string, but was never seen to.
    pub strings: u64,
    /// Left out by rule.
    pub unfit: BTreeMap<&'static str, u64>,
}

impl Figures {
    /// Adds up the files.
    pub fn new(inserter: &Inserter, all: &[FileMutants]) -> Self {
        let mut used = vec![false; inserter.arsenal.entries.len()];
        let mut figures = Self {
            files: inserter.target.files.len(),
            tokens: inserter.target.files.iter().map(|file| file.tokens.len()).sum(),
            operators: used.len(),
            ..Self::default()
        };
        let mut unfit: BTreeMap<Rule, u64> = BTreeMap::new();
        for file in all {
            figures.sites += file.sites;
            figures.mutants += file.mutants.len() as u64;
            figures.same += file.same;
            figures.duplicates += file.duplicates;
            figures.excluded += file.excluded;
            figures.strings += file.strings;
            file.rejected.iter().for_each(|(rule, count)| *unfit.entry(*rule).or_default() += count);
            for mutant in &file.mutants {
                mutant.entries.iter().for_each(|entry| used[*entry as usize] = true);
            }
        }
        figures.operators_used = used.iter().filter(|used| **used).count();
        figures.unfit = unfit.into_iter().map(|(rule, count)| (rule.row().name, count)).collect();
        figures
    }

    /// From sites to mutants, a line each.
    pub fn funnel(&self) -> Table {
        let mut table = Table::new(&[("count", Align::Right), ("what", Align::Left)]);
        let mut row = |count: u64, what: String| {
            if count > 0 {
                table.row(vec![thousands(count), what]);
            }
        };
        row(self.sites, "places where an operator matches".into());
        row(self.strings, "would change a string, by an operator that was not caught in one".into());
        row(self.excluded, "in what is left alone".into());
        row(self.same, "change nothing".into());
        for rule in crate::insert::RULES {
            row(self.unfit.get(rule.name).copied().unwrap_or(0), format!("{}: {}", rule.name, rule.says));
        }
        row(self.duplicates, "same result as another".into());
        row(self.mutants, "mutants".into());
        table
    }
}

/// Mutants by file and by operator, those with most first.
pub fn tables(inserter: &Inserter, all: &[FileMutants], top: usize) -> (Table, Table) {
    let mut files =
        Table::new(&[("mutants", Align::Right), ("operators", Align::Right), ("file", Align::Left)]);
    let mut rows: Vec<(usize, usize, String)> = Vec::new();
    let mut counts = vec![0u64; inserter.arsenal.entries.len()];
    for (file, mutants) in inserter.target.files.iter().zip(all) {
        let mut used: Vec<u32> = mutants.mutants.iter().map(|mutant| mutant.entries[0]).collect();
        used.iter().for_each(|entry| counts[*entry as usize] += 1);
        used.sort_unstable();
        used.dedup();
        rows.push((mutants.mutants.len(), used.len(), file.path.display().to_string()));
    }
    rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.2.cmp(&b.2)));
    for (mutants, operators, path) in rows.into_iter().take(top) {
        files.row(vec![thousands(mutants as u64), thousands(operators as u64), path]);
    }
    let mut operators =
        Table::new(&[("mutants", Align::Right), ("id", Align::Left), ("operator", Align::Left)]);
    let mut order: Vec<usize> = (0..counts.len()).filter(|entry| counts[*entry] > 0).collect();
    order.sort_by_key(|entry| (std::cmp::Reverse(counts[*entry]), *entry));
    for entry in order.into_iter().take(top) {
        let known = &inserter.arsenal.entries[entry];
        operators.row(vec![thousands(counts[entry]), known.id[..8].to_owned(), tool_text(known)]);
    }
    (files, operators)
}
