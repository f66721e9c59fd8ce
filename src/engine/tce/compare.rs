//! Which mutants are compiled to code that was seen before.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use rayon::prelude::*;

use crate::insert::Inserter;
use crate::runner::RunError;

use super::super::screen::Ladder;
use super::bench::Bench;
use super::bench::Sheeted;
use super::claim::Claim;
use super::claim::Same;
use super::originals::Original;
use super::originals::originals;
use super::record::CompilerCall;
use super::record::calls;
use super::record::is_source;
use super::sheet::Copy;
use super::sheet::Sheet;
use super::whole::Whole;

/// Bytes of copies that are compiled at a time: enough to make the rest of the file cheap.
const AT_ONCE: usize = 400 << 10;
/// More ways than this to compile one file are not followed.
const MOST_WAYS: usize = 4;

/// What was found.
pub struct ComparedCode {
    /// Per mutant.
    pub same: Vec<Same>,
    /// Mutants whose code was compared.
    pub compared: usize,
    /// Files that could not be compared, and why.
    pub left: Vec<(PathBuf, &'static str)>,
}

/// What is compared.
pub struct Comparison<'a> {
    pub inserter: &'a Inserter<'a>,
    pub ladder: &'a Ladder<'a>,
    /// Per file of the target, its path inside of the tree.
    pub paths: &'a [PathBuf],
    pub tree: &'a Path,
    /// What the compilers wrote down.
    pub compiles: &'a Path,
    pub bench: Bench<'a>,
    pub jobs: usize,
}

/// A mutant's code, one for every way to compile its file; none where it is not compiled in.
type Code = Vec<Option<u128>>;

/// A sheet and its result for every way to compile it; none if it does not compile in one of them.
type Done<'a> = (Sheet<'a>, Option<Vec<Sheeted>>);

/// A file with what is known about it.
struct Source<'a> {
    file: usize,
    path: PathBuf,
    ways: &'a [CompilerCall],
    functions: Vec<Original>,
}

impl Comparison<'_> {
    /// Compares all mutants that are in the meta-program.
    pub fn run(&self) -> Result<ComparedCode, RunError> {
        let record = fs::read(self.compiles).unwrap_or_default();
        let calls = calls(&String::from_utf8_lossy(&record));
        let same = vec![Same::Different; self.ladder.mutants.len()];
        let mut found = ComparedCode { same, compared: 0, left: vec![] };
        let sources = self.sources(&calls, &mut found);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build();
        let pool = pool.map_err(|error| RunError::Broken(error.to_string()))?;
        let all = || sources.par_iter().map(|source| self.compiled(source)).collect::<Result<Vec<_>, _>>();
        for (source, sheets) in sources.iter().zip(pool.install(all)?) {
            if sheets.iter().any(|(_, done)| done.is_none()) {
                found.left.push((
                    self.paths[source.file].clone(),
                    "it does not compile with copies of its functions",
                ));
            }
            self.note(&sheets, &mut found);
        }
        let refuted = || sources.par_iter().map(|source| self.refuted(source, &found.same)).collect();
        let refuted: Vec<Vec<u32>> = pool.install(|| -> Result<_, RunError> { refuted() })?;
        for mutant in refuted.into_iter().flatten() {
            found.same[mutant as usize] = Same::Different;
        }
        Ok(found)
    }

    /// The files that can be compared.
    fn sources<'c>(
        &self,
        calls: &'c BTreeMap<PathBuf, Vec<CompilerCall>>,
        found: &mut ComparedCode,
    ) -> Vec<Source<'c>> {
        let mut out = Vec::new();
        for (file, here) in self.ladder.by_file.iter().enumerate() {
            if here.is_empty() || !is_source(&self.paths[file]) {
                continue;
            }
            let functions = originals(self.ladder, self.inserter.target.view(file), file);
            let path = self.tree.join(&self.paths[file]);
            let path = path.canonicalize().unwrap_or(path);
            match calls.get(&path) {
                _ if functions.is_empty() => {}
                None => found.left.push((self.paths[file].clone(), "no compiler call for it was seen")),
                Some(ways) if ways.len() > MOST_WAYS => {
                    found
                        .left
                        .push((self.paths[file].clone(), "it is compiled with too many different options"));
                }
                Some(ways) => out.push(Source { file, path, ways, functions }),
            }
        }
        out
    }

    /// The copies of a file's functions, this many at a time; each sheet has its own copies of the originals.
    fn sheets<'s>(&'s self, source: &'s Source) -> Vec<Sheet<'s>> {
        let mut sheets: Vec<Vec<Copy>> = vec![vec![]];
        let mut size = 0;
        for (function, original) in source.functions.iter().enumerate() {
            let length = original.end - original.start;
            let first = Copy { function, mutant: None };
            let mut begun = false;
            for &mutant in &original.mutants {
                if size > AT_ONCE {
                    sheets.push(vec![]);
                    (size, begun) = (0, false);
                }
                let sheet = sheets.last_mut().expect("there is one");
                size += length * (1 + usize::from(!begun));
                sheet.extend((!begun).then_some(first));
                sheet.push(Copy { function, mutant: Some(mutant) });
                begun = true;
            }
        }
        sheets.into_iter().map(|copies| self.sheet(source, copies)).collect()
    }

    fn sheet<'s>(&'s self, source: &'s Source, copies: Vec<Copy>) -> Sheet<'s> {
        Sheet {
            def: self.inserter.def,
            ladder: self.ladder,
            file: &self.inserter.target.files[source.file],
            path: &self.paths[source.file],
            functions: &source.functions,
            copies,
        }
    }

    fn compiled<'s>(&'s self, source: &'s Source) -> Result<Vec<Done<'s>>, RunError> {
        let all_ways = |sheet| {
            let done = self.all_ways(&sheet, source)?;
            Ok((sheet, done))
        };
        self.sheets(source).into_par_iter().map(all_ways).collect()
    }

    /// A sheet compiled in every way in which its file is; none if it cannot be in one of them.
    fn all_ways(&self, sheet: &Sheet, source: &Source) -> Result<Option<Vec<Sheeted>>, RunError> {
        let way = |call| self.bench.compile(sheet, call, &source.path);
        let done = source.ways.par_iter().map(way).collect::<Result<Vec<_>, _>>()?;
        Ok(done.into_iter().collect())
    }

    /// Compares the codes of a file's mutants with those of originals and of each other.
    fn note(&self, done: &[Done], found: &mut ComparedCode) {
        let mut seen: BTreeMap<(usize, Code), u32> = BTreeMap::new();
        for (sheet, ways) in done.iter().filter_map(|(sheet, ways)| Some((sheet, ways.as_deref()?))) {
            let mut originals: BTreeMap<usize, Code> = BTreeMap::new();
            for (number, copy) in sheet.copies.iter().enumerate() {
                let Some(code) = code_of(ways, number, *copy) else { continue };
                let Some(mutant) = copy.mutant else {
                    originals.insert(copy.function, code);
                    continue;
                };
                let Some(original) = originals.get(&copy.function) else { continue };
                found.compared += 1;
                if self.inserter.is_undefined(self.ladder.mutants[mutant as usize]) {
                    continue;
                }
                found.same[mutant as usize] = if *original == code {
                    Same::Original
                } else {
                    let first = *seen.entry((copy.function, code)).or_insert(mutant);
                    if first == mutant { Same::Different } else { Same::Mutant(first) }
                };
            }
        }
    }

    /// The mutants of a file that are not the same where their functions are inlined.
    fn refuted(&self, source: &Source, same: &[Same]) -> Result<Vec<u32>, RunError> {
        let mutants = source.functions.iter().flat_map(|function| &function.mutants);
        let claims = mutants.map(|mutant| Claim { mutant: *mutant, same: same[*mutant as usize] });
        let claims: Vec<Claim> = claims.filter(|claim| claim.same != Same::Different).collect();
        let whole = Whole {
            bench: &self.bench,
            ladder: self.ladder,
            text: &self.inserter.target.files[source.file].text,
            source: &source.path,
            name: &self.paths[source.file],
            ways: source.ways,
        };
        whole.refuted(&claims)
    }
}

/// A copy's code in every way; none if it was dropped somewhere or is compiled in nowhere.
fn code_of(ways: &[Sheeted], number: usize, copy: Copy) -> Option<Code> {
    if ways.iter().any(|way| way.dropped.has(number, copy)) {
        return None;
    }
    let code: Code = ways.iter().map(|way| way.codes.get(&number).copied()).collect();
    code.iter().any(Option::is_some).then_some(code)
}
