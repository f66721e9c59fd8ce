//! What a run depended on, function by function, kept beside its results.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::files::replace;
use crate::insert::FilePieces;
use crate::insert::file_pieces;
use crate::langdef::LangDef;
use crate::langdef::language_of_file;

use super::super::MutantRow;
use super::error::RunDirError;
use super::exports::exports;
use super::exports::number;
use super::fingerprint::project_files;

const MEMORY: &str = "memory.json";
const FORMAT: u32 = 1;
/// Files that change no verdict: what people read, and what starts us.
const UNREAD: [&str; 6] =
    ["CHANGELOG.md", "LICENSE", "LICENSE-MIT", "LICENSE-APACHE", ".gitignore", ".gitlab-ci.yml"];

/// What a run depended on.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Memory {
    format: u32,
    /// Settings, toolchain and version.
    settings: String,
    /// Files that are no sources of the language, by their content.
    others: BTreeMap<String, u64>,
    sources: BTreeMap<String, SourceMemory>,
    /// Per mutant, a number for the function it stands in, as it was.
    mutants: BTreeMap<String, u64>,
    #[serde(skip)]
    pieces: BTreeMap<String, FilePieces>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
struct SourceMemory {
    rest: u64,
    functions: Vec<(String, u32, u64)>,
}

/// What changed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectChange {
    /// Something on which every verdict may depend; in words.
    All(String),
    /// Bodies of functions, by name; none if nothing that counts did.
    Functions(BTreeSet<String>),
}

impl Memory {
    /// Looks at a project as it is.
    pub fn new(root: &Path, out: &Path, def: &LangDef, settings: &str) -> Self {
        let mut memory = Self { format: FORMAT, settings: settings.to_owned(), ..Self::default() };
        let exported = exports(out);
        for path in project_files(root, out) {
            let Ok(bytes) = fs::read(&path) else { continue };
            let inside = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let is_source = language_of_file(&path).is_ok_and(|found| found.name() == def.name());
            if is_source {
                let pieces = file_pieces(def, &bytes);
                let functions =
                    pieces.functions.iter().map(|one| (one.name.clone(), one.nth, one.hash)).collect();
                memory.sources.insert(inside.clone(), SourceMemory { rest: pieces.rest, functions });
                memory.pieces.insert(inside, pieces);
            } else if !exported.contains(&number(&bytes)) && !is_unread(&inside) {
                memory.others.insert(inside, xxh3_64(&bytes));
            }
        }
        memory
    }

    /// Notes where mutants stand.
    pub fn place(&mut self, rows: &[MutantRow]) {
        self.mutants = rows.iter().filter_map(|row| Some((row.id.clone(), self.place_of(row)?))).collect();
    }

    /// Takes up where the mutants of another part of the same run stand.
    pub fn add(&mut self, other: Self) {
        self.mutants.extend(other.mutants);
    }

    /// A number for the function of a mutant as it is now; none where that is not known.
    fn place_of(&self, row: &MutantRow) -> Option<u64> {
        let pieces = self.pieces.get(&row.file)?;
        let around = |one: &&crate::insert::FunctionPiece| one.first <= row.line && row.line <= one.last;
        let key = match pieces.functions.iter().find(around) {
            Some(one) => format!("{}\n{}\n{}\n{}", row.file, one.name, one.nth, one.hash),
            None => format!("{}\n{}", row.file, pieces.rest),
        };
        Some(xxh3_64(key.as_bytes()))
    }

    /// The name of the function that a mutant stands in.
    pub fn function_of(&self, row: &MutantRow) -> Option<&str> {
        let functions = &self.pieces.get(&row.file)?.functions;
        functions
            .iter()
            .find(|one| one.first <= row.line && row.line <= one.last)
            .map(|one| one.name.as_str())
    }

    /// Whether a mutant stands in the same function as in an earlier run.
    pub fn is_in_place(&self, earlier: &Self, id: &str) -> bool {
        matches!((self.mutants.get(id), earlier.mutants.get(id)), (Some(now), Some(then)) if now == then)
    }

    /// The functions of all sources: file, and what is in them.
    pub fn pieces(&self) -> &BTreeMap<String, FilePieces> {
        &self.pieces
    }

    /// What changed since an earlier run.
    pub fn changes_since(&self, earlier: &Self) -> ProjectChange {
        if (self.format, &self.settings) != (earlier.format, &earlier.settings) {
            return ProjectChange::All("the settings, the toolchain or wildcaught changed".to_owned());
        }
        if let Some(path) = first_difference(&self.others, &earlier.others) {
            return ProjectChange::All(format!("{path} changed"));
        }
        let rests = |memory: &Self| -> BTreeMap<String, u64> {
            memory.sources.iter().map(|(path, source)| (path.clone(), source.rest)).collect()
        };
        if let Some(path) = first_difference(&rests(self), &rests(earlier)) {
            return ProjectChange::All(
                match (self.sources.contains_key(&path), earlier.sources.contains_key(&path)) {
                    (true, true) => format!("{path} changed outside of functions"),
                    (true, false) => format!("{path} is new"),
                    _ => format!("{path} was deleted"),
                },
            );
        }
        let mut changed = BTreeSet::new();
        for (path, source) in &self.sources {
            let [now, then] =
                [source, &earlier.sources[path]].map(|one| one.functions.iter().collect::<BTreeSet<_>>());
            changed.extend(now.symmetric_difference(&then).map(|(name, _, _)| name.clone()));
        }
        ProjectChange::Functions(changed)
    }

    /// Reads what an earlier run left; none if there is nothing that can be used.
    pub fn read(out: &Path) -> Option<Self> {
        let text = fs::read_to_string(out.join(MEMORY)).ok()?;
        serde_json::from_str(&text).ok().filter(|memory: &Self| memory.format == FORMAT)
    }

    /// Keeps it beside the results.
    pub fn write(&self, out: &Path) -> Result<(), RunDirError> {
        let path = out.join(MEMORY);
        let text = serde_json::to_string(self).expect("names and numbers are JSON");
        replace(&path, text.as_bytes()).map_err(RunDirError::io(&path))
    }

    /// Forgets what is there: results that do not go with it are on their way.
    pub fn forget(out: &Path) {
        let _ = fs::remove_file(out.join(MEMORY));
    }
}

fn is_unread(path: &str) -> bool {
    UNREAD.contains(&path) || path.starts_with(".github/") || path.starts_with("wildcaught.")
}

/// The first name with different values, or that only one side has.
fn first_difference(one: &BTreeMap<String, u64>, other: &BTreeMap<String, u64>) -> Option<String> {
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().find(|name| one.get(*name) != other.get(*name)).cloned()
}
