//! Which verdicts of an earlier run still hold.
//!
//! In: what the run depended on, its results, and the project as it is. Out: the mutants that need not be run again,
//! and in words why the others must. A verdict holds as long as the mutant stands in the same function, nothing that
//! this function may call changed, and neither did the tests that execute it or what they may call. Who may call whom
//! is taken from names: a function may call every function of the project whose name stands in it. A test whose code
//! cannot be found is taken to depend on everything.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::insert::FunctionPiece;
use crate::matrix::Fate;
use crate::matrix::KillMatrix;
use crate::matrix::Memory;
use crate::matrix::MutantRow;
use crate::matrix::Outcome;
use crate::matrix::ProjectChange;

/// Functions that are called without their names: by operators, loops, formatting, conversions.
const IMPLICIT: [&str; 52] = [
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "neg",
    "not",
    "bitand",
    "bitor",
    "bitxor",
    "shl",
    "shr",
    "index",
    "index_mut",
    "deref",
    "deref_mut",
    "drop",
    "fmt",
    "next",
    "eq",
    "ne",
    "cmp",
    "partial_cmp",
    "lt",
    "le",
    "gt",
    "ge",
    "hash",
    "from",
    "into",
    "try_from",
    "from_str",
    "clone",
    "default",
    "call",
    "as_ref",
    "borrow",
    "toString",
    "equals",
    "hashCode",
    "compareTo",
    "iterator",
    "hasNext",
    "close",
    "run",
    "String",
    "Error",
    "Len",
    "Less",
    "Swap",
    "init",
    "main",
];
/// Words in or before a function that a test framework calls by itself.
const HOOKS: [&str; 20] = [
    "Before",
    "After",
    "BeforeEach",
    "AfterEach",
    "BeforeAll",
    "AfterAll",
    "BeforeClass",
    "AfterClass",
    "setUp",
    "tearDown",
    "setup",
    "teardown",
    "setup_method",
    "setup_class",
    "fixture",
    "TestMain",
    "constructor",
    "beforeEach",
    "afterEach",
    "SetUp",
];

/// What of an earlier run can be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    /// Per mutant that is kept, the names of the tests that executed it.
    pub kept: BTreeMap<String, BTreeSet<String>>,
    /// Those of them that were settled by their compiled code. Another function of the file may change what that is.
    pub by_code: BTreeSet<String>,
    /// Functions that changed.
    pub changed: BTreeSet<String>,
    /// Why nothing is kept, if so.
    pub why_all: Option<String>,
}

impl Recall {
    /// All verdicts but those of missed mutants.
    pub fn all_but_missed(matrix: &KillMatrix) -> Self {
        let is_kept = |at: &usize| !matrix.fate(*at).is_missed() && matrix.fate(*at) != Fate::Untested;
        let kept = (0..matrix.mutants.len()).filter(is_kept);
        let kept = kept.map(|at| (matrix.mutants[at].id.clone(), BTreeSet::new())).collect();
        Self { kept, ..Self::default() }
    }
}

/// Compares the project as it is with the one that was tested.
pub fn recall(now: &Memory, then: &Memory, matrix: &KillMatrix, rows: &[MutantRow]) -> Recall {
    let changed = match now.changes_since(then) {
        ProjectChange::All(why) => return Recall { why_all: Some(why), ..Recall::default() },
        ProjectChange::Functions(changed) => changed,
    };
    let calls = CallNames::new(now);
    if let Some(name) = changed.iter().find(|name| calls.is_called_without_name(name)) {
        let why = format!("`{name}` changed, and it can be called without its name");
        return Recall { why_all: Some(why), ..Recall::default() };
    }
    let touched = calls.callers_of(&changed);
    let stale: BTreeSet<u32> = (0..)
        .zip(&matrix.tests)
        .filter(|(_, test)| !changed.is_empty() && calls.depends(&test.name, &touched))
        .map(|(number, _)| number)
        .collect();
    let known: BTreeMap<&str, &Outcome> = matrix
        .mutants
        .iter()
        .zip(&matrix.outcomes)
        .filter_map(|(row, outcome)| Some((row.id.as_str(), outcome.as_ref()?)))
        .filter(|(_, outcome)| outcome.fate != Fate::Untested)
        .collect();
    let (mut kept, mut by_code) = (BTreeMap::new(), BTreeSet::new());
    for row in rows {
        let Some(outcome) = known.get(row.id.as_str()) else { continue };
        let function = now.function_of(row);
        let affected = match function {
            Some(name) => touched.contains(name),
            // Outside of functions nobody knows who depends on it.
            None => !changed.is_empty(),
        };
        let reached = &outcome.covered | &outcome.ran;
        if affected || !now.is_in_place(then, &row.id) || reached.iter().any(|test| stale.contains(&test)) {
            continue;
        }
        let names =
            outcome.covered.iter().filter_map(|test| Some(matrix.tests.get(test as usize)?.name.clone()));
        kept.insert(row.id.clone(), names.collect());
        if matches!(outcome.fate, Fate::Equivalent | Fate::Duplicate) {
            by_code.insert(row.id.clone());
        }
    }
    Recall { kept, by_code, changed, why_all: None }
}

/// Functions, and the names in them.
struct CallNames<'a> {
    functions: BTreeMap<&'a str, Vec<&'a FunctionPiece>>,
    /// The functions of a file, by the name of the file without its ending.
    files: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> CallNames<'a> {
    fn new(memory: &'a Memory) -> Self {
        let mut functions: BTreeMap<&str, Vec<&FunctionPiece>> = BTreeMap::new();
        let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, pieces) in memory.pieces() {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let stem = name.split('.').next().unwrap_or(name);
            for one in &pieces.functions {
                functions.entry(&one.name).or_default().push(one);
                files.entry(stem).or_default().push(&one.name);
            }
        }
        Self { functions, files }
    }

    /// All functions that may call one of these, however indirectly, and these themselves.
    fn callers_of(&self, changed: &BTreeSet<String>) -> BTreeSet<String> {
        let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, pieces) in &self.functions {
            for word in pieces.iter().flat_map(|piece| &piece.words) {
                users.entry(word).or_default().push(name);
            }
        }
        let mut found: BTreeSet<String> = changed.clone();
        let mut left: Vec<String> = changed.iter().cloned().collect();
        while let Some(name) = left.pop() {
            for user in users.get(name.as_str()).into_iter().flatten() {
                if found.insert((*user).to_owned()) {
                    left.push((*user).to_owned());
                }
            }
        }
        found
    }

    fn is_called_without_name(&self, name: &str) -> bool {
        let hook = |piece: &&FunctionPiece| piece.words.iter().any(|word| HOOKS.contains(&word.as_str()));
        let special = IMPLICIT.contains(&name) || name.starts_with("__") || name.starts_with("operator");
        special
            || name.ends_with("_assign")
            || self.functions.get(name).is_some_and(|pieces| pieces.iter().any(hook))
    }

    /// Whether a test may depend on one of these functions. One whose code is not found does.
    fn depends(&self, test: &str, touched: &BTreeSet<String>) -> bool {
        let words = || test.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let own: Vec<&str> = words().filter(|word| self.functions.contains_key(word)).collect();
        // A test that is no function of its file may be a program of its own, named after the file.
        let is_own = |names: &&Vec<&str>| names.iter().any(|name| own.contains(name));
        let programs = words().filter_map(|word| self.files.get(word)).filter(|names| !is_own(names));
        let code: Vec<&str> = own.iter().chain(programs.flatten()).copied().collect();
        code.is_empty() || code.iter().any(|name| touched.contains(*name))
    }
}
