//! Which mutants the project's own compiler options reject.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::insert::Inserter;
use crate::insert::SourceFile;
use crate::insert::new_text;
use crate::runner::RunError;

use super::super::screen::Ladder;
use super::super::tce::Bench;
use super::super::tce::CompilerCall;
use super::super::tce::is_source;
use super::super::tce::loud_calls;
use super::super::tce::strict_calls;
use super::function_value::called;
use super::function_value::makes_function_value;
use super::trial::FunctionGroup;
use super::trial::Trial;
use super::trial::Turn;
use super::trial::groups;
use super::trial::singles;
use super::trial::trials;

/// What is checked.
pub struct WarningCheck<'a> {
    pub inserter: &'a Inserter<'a>,
    pub ladder: &'a Ladder<'a>,
    /// Per file of the target, its path inside of the tree.
    pub paths: &'a [PathBuf],
    pub tree: &'a Path,
    /// What the compilers wrote down.
    pub compiles: &'a Path,
    pub bench: Bench<'a>,
    /// Per mutant, whether its fate is known already.
    pub known: &'a [bool],
    pub jobs: usize,
}

/// What was found.
#[derive(Debug, Default)]
pub struct RefusedMutants {
    /// Mutants that the project's own options refuse, and what the compiler says.
    pub refused: Vec<(u32, String)>,
    /// Mutants in files that are never compiled by themselves, such as headers, where warnings are errors elsewhere.
    pub unchecked: usize,
}

/// How files are compiled, by their paths.
type Calls = BTreeMap<PathBuf, Vec<CompilerCall>>;

/// A file whose warnings may refuse mutants.
struct StrictFile<'a> {
    source: &'a SourceFile,
    /// As errors name it.
    name: &'a Path,
    path: PathBuf,
    ways: Vec<&'a CompilerCall>,
    groups: Vec<FunctionGroup>,
    /// The mutants of a compilation.
    trials: Vec<Vec<Turn>>,
}

/// A mutant that is refused among others; what the compiler said if it was alone.
type Suspect = (Turn, Option<String>);

impl WarningCheck<'_> {
    /// Compiles all mutants that are in the meta-program.
    pub fn run(&self) -> Result<RefusedMutants, RunError> {
        let record = fs::read(self.compiles).unwrap_or_default();
        let record = String::from_utf8_lossy(&record);
        let (strict, loud) = (strict_calls(&record), loud_calls(&record));
        let mut found = RefusedMutants::default();
        let files = self.files(&strict, &loud, &mut found)?;
        if files.is_empty() {
            return Ok(found);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build();
        let pool = pool.map_err(|error| RunError::Broken(error.to_string()))?;
        let refused = || files.par_iter().map(|file| self.refused(file)).collect::<Result<Vec<_>, _>>();
        found.refused = pool.install(refused)?.into_iter().flatten().collect();
        found.refused.sort();
        Ok(found)
    }

    /// The files whose mutants are compiled: all of them where warnings are errors, else those that make a value of
    /// a function. A compilation that refuses the original does not count.
    fn files<'c>(
        &'c self,
        strict: &'c Calls,
        loud: &'c Calls,
        found: &mut RefusedMutants,
    ) -> Result<Vec<StrictFile<'c>>, RunError> {
        let mut files = Vec::new();
        for file in (0..self.ladder.by_file.len()).filter(|file| !self.ladder.by_file[*file].is_empty()) {
            let (source, name) = (&self.inserter.target.files[file], self.paths[file].as_path());
            let path = self.tree.join(name);
            let path = path.canonicalize().unwrap_or(path);
            let is_strict = strict.contains_key(&path);
            let (calls, groups) = match (strict.get(&path), loud.get(&path)) {
                (Some(calls), _) => (calls, groups(self.ladder, file, source, |mutant| self.is_in(mutant))),
                (None, Some(calls)) => (calls, self.function_values(file, source)),
                (None, None) => {
                    if !strict.is_empty() && !is_source(name) {
                        let groups = groups(self.ladder, file, source, |mutant| self.is_in(mutant));
                        found.unchecked += groups.iter().map(|group| group.mutants.len()).sum::<usize>();
                    }
                    continue;
                }
            };
            if groups.is_empty() {
                continue;
            }
            let ways = self.accepting(calls, source, name, &path)?;
            if !ways.is_empty() {
                // A late warning is about what one function makes of another: a second mutant could hide it.
                let trials = if is_strict { trials(&groups) } else { singles(&groups) };
                files.push(StrictFile { source, name, path, ways, groups, trials });
            }
        }
        Ok(files)
    }

    /// Whether a mutant is in the meta-program, and its fate is not known.
    fn is_in(&self, mutant: u32) -> bool {
        !self.known[mutant as usize] && self.ladder.rungs[mutant as usize].piece().is_some()
    }

    /// The mutants of a file that make a value of a function.
    fn function_values(&self, file: usize, source: &SourceFile) -> Vec<FunctionGroup> {
        let (called, literals) = (called(source), &self.inserter.arsenal.literals);
        let wanted = |mutant: u32| {
            let edit = &self.ladder.mutants[mutant as usize].edit;
            let new: Vec<&[u8]> = edit.new.iter().map(|new| new_text(source, literals, *new)).collect();
            self.is_in(mutant) && makes_function_value(source, &called, (edit.from, edit.to), &new)
        };
        groups(self.ladder, file, source, wanted)
    }

    /// The compilations that take the original.
    fn accepting<'c>(
        &self,
        calls: &'c [CompilerCall],
        source: &SourceFile,
        name: &Path,
        path: &Path,
    ) -> Result<Vec<&'c CompilerCall>, RunError> {
        let mut ways = Vec::new();
        for call in calls {
            if self.bench.own_complaint(&source.text, name, call, path)?.is_none() {
                ways.push(call);
            }
        }
        Ok(ways)
    }

    /// The mutants of a file that are refused alone.
    fn refused(&self, file: &StrictFile) -> Result<Vec<(u32, String)>, RunError> {
        let suspects: Vec<Vec<Suspect>> = file
            .trials
            .par_iter()
            .map(|trial| self.suspects(file, trial.clone()))
            .collect::<Result<_, _>>()?;
        let alone = |(turn, said): Suspect| -> Result<Option<(u32, String)>, RunError> {
            let said = match said {
                Some(said) => Some(said),
                None => self.complaint_alone(file, turn)?.map(|said| self.message(&said)),
            };
            Ok(said.map(|said| (turn.mutant, said)))
        };
        let suspects: Vec<Suspect> = suspects.into_iter().flatten().collect();
        let refused = suspects.into_par_iter().map(alone).collect::<Result<Vec<_>, _>>()?;
        Ok(refused.into_iter().flatten().collect())
    }

    /// The mutants of a trial without which it compiles. Where errors name nobody, each half is tried.
    fn suspects(&self, file: &StrictFile, trial: Vec<Turn>) -> Result<Vec<Suspect>, RunError> {
        let mut suspects = Vec::new();
        let mut left = vec![trial];
        while let Some(turns) = left.pop() {
            let Some(said) = self.complaint(file, &turns)? else { continue };
            if let [turn] = turns[..] {
                suspects.push((turn, Some(self.message(&said))));
                continue;
            }
            let blamed = Trial::new(self.ladder, file.source, &file.groups, &turns)
                .blamed(&self.bench.complaints.read(&said), file.name);
            let (named, rest): (Vec<Turn>, Vec<Turn>) =
                turns.iter().partition(|turn| blamed.contains(&turn.mutant));
            if named.is_empty() {
                let (first, second) = rest.split_at(rest.len() / 2);
                left.extend([first.to_vec(), second.to_vec()]);
            } else {
                suspects.extend(named.into_iter().map(|turn| (turn, None)));
                left.extend(Some(rest).filter(|rest| !rest.is_empty()));
            }
        }
        Ok(suspects)
    }

    /// What the first compilation that refuses these mutants says.
    fn complaint(&self, file: &StrictFile, turns: &[Turn]) -> Result<Option<Vec<u8>>, RunError> {
        let trial = Trial::new(self.ladder, file.source, &file.groups, turns);
        for call in &file.ways {
            let said = self.bench.own_complaint(&trial.text, file.name, call, &file.path)?;
            if said.is_some() {
                return Ok(said);
            }
        }
        Ok(None)
    }

    /// The same for one mutant: most complaints come early, where no code is made yet.
    fn complaint_alone(&self, file: &StrictFile, turn: Turn) -> Result<Option<Vec<u8>>, RunError> {
        let turns = [turn];
        let trial = Trial::new(self.ladder, file.source, &file.groups, &turns);
        for call in &file.ways {
            let said = self.bench.own_early_complaint(&trial.text, file.name, call, &file.path)?;
            if said.is_some() {
                return Ok(said);
            }
        }
        self.complaint(file, &turns)
    }

    fn message(&self, said: &[u8]) -> String {
        let first = self.bench.complaints.read(said).into_iter().next();
        first.map_or_else(|| "it does not compile".to_owned(), |complaint| complaint.message)
    }
}
