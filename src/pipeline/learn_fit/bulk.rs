//! Which mutants compile, many in one build.
//!
//! In: mutants and a command that compiles a project. Out: the result of each. Mutants of different functions are put
//! into one tree; the compiler names the functions where it found errors, and their mutants leave until the rest
//! builds. What is outside of functions may break anything, so it is compiled by itself. Invariant: a mutant that is
//! called viable was in a tree that built.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::control::Progress;
use crate::engine::screen::Complaint;
use crate::engine::screen::Complaints;
use crate::engine::screen::file_meant;
use crate::exec::Ended;
use crate::exec::Sandbox;
use crate::exec::Spec;
use crate::insert::Inserter;
use crate::insert::Mutant;
use crate::insert::TextEdit;
use crate::insert::apply_all;
use crate::insert::describe;
use crate::insert::function_tokens;
use crate::langdef::LangDef;
use crate::lex::Lexer;
use crate::lex::Start;
use crate::lex::TokenKind;
use crate::workspace::Workspace;

use super::super::viability::Viability;

/// How much of what a compiler says is read.
const HEARD: u64 = 16 << 20;

/// Mutants outside of functions that are compiled one by one; what is left of them stays untried.
const MOST_ALONE: usize = 24;
/// One in so many mutants of functions with very many of them stays untried.
const SMALL: usize = 8;

/// Compiles mutants of one project.
pub struct Bulk<'a> {
    pub inserter: &'a Inserter<'a>,
    /// Per file of the target, its path inside of the project.
    pub files: &'a [PathBuf],
    /// A copy of the project.
    pub workspace: &'a Workspace,
    /// Compiles the files that it is given, or all.
    pub check: &'a str,
    /// Compiles all that a change outside of functions may break.
    pub whole: &'a str,
    pub complaints: &'a Complaints,
    pub limit: Duration,
    /// What the commands may do.
    pub sandbox: &'a Sandbox,
    pub progress: &'a Progress,
}

/// A mutant on its way through the compiler.
struct Trial {
    /// Its place in the list of mutants.
    number: usize,
    file: usize,
    edit: TextEdit,
    /// The bytes of the outermost function that it is in; none outside of functions.
    function: Option<Range<usize>>,
}

/// What a build said.
enum Said {
    Fine,
    Errors(Vec<Complaint>),
}

impl Bulk<'_> {
    /// Compiles mutants; gives the verdicts in their order. Those in code that is not compiled at all, and those
    /// that are left when the work is stopped, stay untried.
    pub fn run(&self, mutants: &[&Mutant]) -> io::Result<Vec<Viability>> {
        let mut verdicts = vec![Viability::Untried; mutants.len()];
        let (mut inside, mut alone) = (Vec::new(), Vec::new());
        for trial in self.trials(mutants) {
            match &trial.function {
                Some(function) if self.is_torn(&trial, function) => {
                    verdicts[trial.number] = Viability::Broken("brackets without mates".into());
                }
                Some(_) => inside.push(trial),
                None => alone.push(trial),
            }
        }
        self.progress.expect((inside.len() + alone.len()) as u64);
        self.drop_uncompiled(&mut inside)?;
        // The last batches are of few functions, and cost as much as the first.
        let least = inside.len() / SMALL;
        while inside.len() > least && !self.progress.stopped() {
            let mut taken = BTreeSet::new();
            let (batch, rest) = inside.into_iter().partition(|trial| {
                taken.insert((trial.file, trial.function.clone().map(|range| range.start)))
            });
            inside = rest;
            self.settle(batch, &mut verdicts)?;
        }
        let alone = self.accuse(alone, &mut verdicts)?;
        let step = alone.len().div_ceil(MOST_ALONE).max(1);
        for trial in alone.into_iter().step_by(step) {
            if self.progress.stopped() {
                break;
            }
            verdicts[trial.number] = self.compile_alone(&trial)?;
            self.progress.advance(1024);
        }
        Ok(verdicts)
    }

    /// Whether the unchanged project builds, as far as these files go.
    pub fn passes_unchanged(&self, files: &[usize]) -> io::Result<bool> {
        let nothing = TextEdit { start: 0, end: 0, text: vec![] };
        let used: BTreeSet<usize> = files.iter().copied().collect();
        let trials: Vec<Trial> = used
            .into_iter()
            .map(|file| Trial { number: 0, file, edit: nothing.clone(), function: None })
            .collect();
        Ok(matches!(self.build(&trials, self.check)?, Said::Fine))
    }

    fn trials(&self, mutants: &[&Mutant]) -> Vec<Trial> {
        let trial = |(number, (mutant, described)): (usize, (&&Mutant, crate::insert::Description))| Trial {
            number,
            file: mutant.file,
            function: self.function(mutant),
            edit: described.edit,
        };
        mutants.iter().zip(describe(self.inserter, mutants)).enumerate().map(trial).collect()
    }

    /// The outermost function whose body holds an edit.
    fn function(&self, mutant: &Mutant) -> Option<Range<usize>> {
        let view = self.inserter.target.view(mutant.file);
        let (from, to) = (mutant.edit.from as usize, mutant.edit.to as usize);
        let mut around = function_tokens(view, from).filter(|range| to < range.end)?;
        while let Some(outer) = around.start.checked_sub(1).and_then(|before| function_tokens(view, before)) {
            around = outer;
        }
        let tokens = &view.file.tokens;
        Some(tokens[around.start].span.start as usize..tokens[around.end - 1].span.end as usize)
    }

    /// Whether the function has brackets without mates, and had none before.
    fn is_torn(&self, trial: &Trial, function: &Range<usize>) -> bool {
        let text = &self.inserter.target.files[trial.file].text;
        let new =
            [&text[function.start..trial.edit.start], &trial.edit.text, &text[trial.edit.end..function.end]]
                .concat();
        let def = self.inserter.def;
        is_balanced(def, &text[function.clone()]) && !is_balanced(def, &new)
    }

    /// Leaves out trials in functions that the command does not compile: whatever is put there would pass.
    fn drop_uncompiled(&self, trials: &mut Vec<Trial>) -> io::Result<()> {
        let mut canaries = self.canaries(trials);
        let mut compiled: BTreeSet<(usize, usize)> = BTreeSet::new();
        // A compiler that stumbles over some says nothing about the others until those are gone.
        while let Said::Errors(errors) = self.build(&canaries, self.check)? {
            let places =
                errors.iter().filter_map(|error| guilty(self.files, &canaries, &self.texts(), error));
            let noticed: BTreeSet<usize> = places.collect();
            if noticed.is_empty() || self.progress.stopped() {
                break;
            }
            let mut at = 0;
            canaries.retain(|canary| {
                at += 1;
                let gone = noticed.contains(&(at - 1));
                if gone {
                    compiled.extend(canary.function.as_ref().map(|function| (canary.file, function.start)));
                }
                !gone
            });
        }
        if compiled.is_empty() {
            // A language whose compiler looks up no names says nothing about this.
            return Ok(());
        }
        let before = trials.len();
        trials.retain(|trial| {
            trial.function.as_ref().is_some_and(|function| compiled.contains(&(trial.file, function.start)))
        });
        self.progress.advance(1024 * (before - trials.len()) as u64);
        Ok(())
    }

    /// In every function, a call of what does not exist.
    fn canaries(&self, trials: &[Trial]) -> Vec<Trial> {
        let functions: BTreeMap<(usize, usize), &Trial> = trials
            .iter()
            .filter_map(|trial| Some(((trial.file, trial.function.as_ref()?.start), trial)))
            .collect();
        let canary = |(number, trial): (usize, &Trial)| {
            let function = trial.function.clone()?;
            let text = &self.inserter.target.files[trial.file].text;
            let brace = body_of(self.inserter, trial.file, &function)?;
            debug_assert!(text[brace] == b'{');
            let edit = TextEdit {
                start: brace + 1,
                end: brace + 1,
                text: format!(" wildcaught_canary_{number}(); ").into_bytes(),
            };
            Some(Trial { number, file: trial.file, edit, function: Some(function) })
        };
        functions.into_values().enumerate().filter_map(canary).collect()
    }

    /// Builds a batch until it builds; what the compiler points at leaves.
    fn settle(&self, batch: Vec<Trial>, verdicts: &mut [Viability]) -> io::Result<()> {
        let mut batches = vec![batch];
        while let Some(mut batch) = batches.pop() {
            if self.progress.stopped() || batch.is_empty() {
                continue;
            }
            let errors = match self.build(&batch, self.check)? {
                Said::Fine => {
                    for trial in &batch {
                        verdicts[trial.number] = Viability::Viable;
                        self.progress.advance(1024);
                    }
                    continue;
                }
                Said::Errors(errors) => errors,
            };
            let mut dead = self.dead(&batch, &errors);
            if dead.is_empty() && batch.len() == 1 {
                dead.insert(0, errors.first().map_or("", |error| &error.message));
            }
            if dead.is_empty() {
                let rest = batch.split_off(batch.len() / 2);
                batches.extend([rest, batch]);
                continue;
            }
            for (at, message) in &dead {
                verdicts[batch[*at].number] = Viability::Broken((*message).to_owned());
                self.progress.advance(1024);
            }
            let mut at = 0;
            batch.retain(|_| {
                at += 1;
                !dead.contains_key(&(at - 1))
            });
            batches.push(batch);
        }
        Ok(())
    }

    /// The mutants that errors point at, with what is said of them. Behind an error that spills over, the compiler may
    /// find fault with what is right: the next build tells.
    fn dead<'e>(&self, batch: &[Trial], errors: &'e [Complaint]) -> BTreeMap<usize, &'e str> {
        let switch = &self.inserter.def.file.switch;
        let mut dead: BTreeMap<usize, &str> = BTreeMap::new();
        let mut distrusted: BTreeSet<usize> = BTreeSet::new();
        for error in errors {
            let Some(at) = guilty(self.files, batch, &self.texts(), error) else { continue };
            let file = batch[at].file;
            if distrusted.contains(&file) {
                continue;
            }
            if switch.spills_over_file && is_spilling(&error.message, &switch.spills) {
                distrusted.insert(file);
            }
            dead.entry(at).or_insert(&error.message);
        }
        dead
    }

    /// Puts mutants outside of functions into one tree, and takes out those on whose own lines the compiler finds
    /// errors, until it finds none there; gives those that are left.
    fn accuse(&self, alone: Vec<Trial>, verdicts: &mut [Viability]) -> io::Result<Vec<Trial>> {
        let own = |mut trial: Trial| {
            trial.function = Some(trial.edit.start..trial.edit.end);
            trial
        };
        let mut left = Vec::new();
        let mut open: Vec<Trial> = alone.into_iter().map(own).collect();
        while !open.is_empty() && !self.progress.stopped() {
            let mut end = (0, 0);
            let (mut batch, rest): (Vec<Trial>, Vec<Trial>) = open.into_iter().partition(|trial| {
                // One in a line, and none that touch each other.
                let free = (trial.file, trial.edit.start) >= end;
                if free {
                    let text = &self.inserter.target.files[trial.file].text;
                    let line = memchr::memchr(b'\n', &text[trial.edit.end..]).unwrap_or(0);
                    end = (trial.file, trial.edit.end + line + 1);
                }
                free
            });
            open = rest;
            while let Said::Errors(errors) = self.build(&batch, self.check)? {
                let found = errors.iter().filter_map(|error| {
                    Some((guilty(self.files, &batch, &self.texts(), error)?, error.message.clone()))
                });
                let dead: BTreeMap<usize, String> = found.collect();
                for (at, message) in &dead {
                    verdicts[batch[*at].number] = Viability::Broken(message.clone());
                    self.progress.advance(1024);
                }
                if dead.is_empty() {
                    break;
                }
                let mut at = 0;
                batch.retain(|_| {
                    at += 1;
                    !dead.contains_key(&(at - 1))
                });
            }
            left.extend(batch);
        }
        Ok(left)
    }

    fn texts(&self) -> Vec<&[u8]> {
        self.inserter.target.files.iter().map(|file| &file.text[..]).collect()
    }

    fn compile_alone(&self, trial: &Trial) -> io::Result<Viability> {
        Ok(match self.build(std::slice::from_ref(trial), self.whole)? {
            Said::Fine => Viability::Viable,
            Said::Errors(errors) => {
                Viability::Broken(errors.first().map_or(String::new(), |error| error.message.clone()))
            }
        })
    }

    /// Compiles the project with edits in it, at most one per function, and takes them out again.
    fn build(&self, trials: &[Trial], command: &str) -> io::Result<Said> {
        let mut by_file: BTreeMap<usize, Vec<TextEdit>> = BTreeMap::new();
        for trial in trials {
            by_file.entry(trial.file).or_default().push(trial.edit.clone());
        }
        if by_file.is_empty() {
            return Ok(Said::Fine);
        }
        for (file, edits) in &mut by_file {
            edits.sort_by_key(|edit| edit.start);
            let text = apply_all(&self.inserter.target.files[*file].text, edits);
            self.workspace.write(&self.files[*file], &text)?;
        }
        let line = command.replace("{file}", "\"$@\"");
        let spec =
            Spec::shell(&line, self.workspace.path()).args(by_file.keys().map(|file| &self.files[*file]));
        let outcome = spec.time(self.limit).keep(HEARD).sandboxed(self.sandbox).run()?;
        for file in by_file.keys() {
            self.workspace.write(&self.files[*file], &self.inserter.target.files[*file].text)?;
        }
        Ok(match outcome.ended {
            Ended::Code(0) => Said::Fine,
            _ => Said::Errors(self.complaints.read(&outcome.stdout)),
        })
    }
}

/// Whether an error may be followed by others that are not there: one of syntax is.
fn is_spilling(message: &str, spills: &[String]) -> bool {
    const SYNTAX: [&str; 4] = ["expected", "illegal start", "not a statement", "without"];
    SYNTAX.iter().any(|word| message.contains(word))
        || spills.iter().any(|spill| message.contains(spill.as_str()))
}

/// The trials of a batch in whose functions an error is; the first place that is in one counts.
fn guilty(files: &[PathBuf], batch: &[Trial], texts: &[&[u8]], error: &Complaint) -> Option<usize> {
    error.places.iter().find_map(|(path, line)| {
        let used: BTreeSet<usize> = batch.iter().map(|trial| trial.file).collect();
        let known = used.into_iter().map(|file| (file, files[file].as_path() as &Path));
        let file = file_meant(known, path)?;
        let here: Vec<(usize, &Trial)> =
            batch.iter().enumerate().filter(|(_, trial)| trial.file == file).collect();
        here.iter().find(|(_, trial)| lines(trial, &here, texts[file]).contains(line)).map(|(at, _)| *at)
    })
}

/// The lines of a trial's function when all trials of its file are made.
fn lines(trial: &Trial, here: &[(usize, &Trial)], text: &[u8]) -> Range<u32> {
    let Some(function) = &trial.function else { return 0..0 };
    let count = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as i64;
    let moved = |until: usize| -> i64 {
        let before = here.iter().filter(|(_, other)| other.edit.end <= until);
        before
            .map(|(_, other)| count(&other.edit.text) - count(&text[other.edit.start..other.edit.end]))
            .sum()
    };
    let first = count(&text[..function.start]) + 1 + moved(function.start);
    let last = count(&text[..function.end]) + 1 + moved(function.end);
    first.max(0) as u32..last.max(0) as u32 + 1
}

/// Where the body of the function in these bytes begins.
fn body_of(inserter: &Inserter, file: usize, function: &Range<usize>) -> Option<usize> {
    let view = inserter.target.view(file);
    let tokens = &view.file.tokens;
    let body = view.structure.functions.iter().find(|known| {
        tokens.get(known.head as usize).is_some_and(|head| head.span.start as usize == function.start)
    })?;
    let at = tokens[body.body as usize].span.start as usize;
    (view.file.text[at] == b'{').then_some(at)
}

/// Whether every bracket of a text has its mate.
fn is_balanced(def: &LangDef, text: &[u8]) -> bool {
    let mut open = Vec::new();
    for token in Lexer::new(def, text, Start::Code).filter(|token| token.kind == TokenKind::Operator) {
        match def.bracket(token.span.of(text)) {
            Some((pair, true)) => open.push(pair),
            Some((pair, false)) if open.pop() != Some(pair) => return false,
            _ => {}
        }
    }
    open.is_empty()
}
