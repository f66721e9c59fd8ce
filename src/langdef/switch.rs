//! How many versions of a piece of code live side by side in a language, and how its compiler complains.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use super::points::PointsFile;
use super::slots::SlotsFile;

/// The `[switch]` section: the text around a guarded piece of code and its mutants. A language without it
/// is tested by building every mutant.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SwitchFile {
    /// What stands before the original code; `{unit}` is the number of the guarded piece.
    pub open: String,
    /// What stands before a mutant that is not the last; `{mutant}` is its number in the piece.
    pub next: String,
    /// What stands before the last mutant: no condition, so that every way through is covered.
    pub last: String,
    /// What stands after the last mutant.
    pub close: String,
    /// The runtime that the guards call; the name of one that is built in.
    pub runtime: String,
    /// Whether single statements are guarded, not only whole bodies.
    pub statements: bool,
    /// Whether the head of an `if` or a loop has no parentheses.
    pub bare_heads: bool,
    /// The keyword before the name of a label that is jumped to, and what declares such names in a block;
    /// `{names}` are the names.
    pub jump: Option<String>,
    pub labels: String,
    /// What gives the text behind it the number of a line; `{line}` is the number. Empty if nothing can.
    pub line: String,
    /// Words with which a program uses its line numbers.
    pub tells_lines: Vec<String>,
    /// Words before a function's name with which nothing inside can be switched (`const`).
    pub never: Vec<String>,
    /// Words in a function's return type with which versions of the body may differ in type (`impl`).
    pub unsure: Vec<String>,
    /// Words that begin statements which must stay first in a body (`super`, `global`).
    pub first: Vec<String>,
    /// Whether a variable or an import that nothing uses is an error.
    pub unused_names_are_errors: bool,
    /// The command that says whether a file is code at all, where nothing is built; `{file}` is the file.
    pub check: Option<String>,
    /// The command that says which compiler or interpreter it is, and of which version.
    pub version: Option<String>,
    /// How an error looks: regular expressions with groups `file`, `line` and `message`.
    pub errors: Vec<String>,
    /// How a further place of the same error looks: groups `file` and `line`.
    pub notes: Vec<String>,
    /// Messages after which later errors are meaningless: something was closed too early.
    pub spills: Vec<String>,
    /// Whether such later errors are ignored up to the end of the file, not only of the function.
    pub spills_over_file: bool,
    /// Warnings, by their code, that are errors in the project's own build. The program with all mutants is built
    /// without warnings, but for these.
    pub refused_warnings: Vec<String>,
    /// Messages that say that the runtime is not found, which is not the fault of a mutant.
    pub lost_runtime: Vec<String>,
    /// How a name looks that the linker does not find: a group `name`.
    pub unlinked: Option<String>,
    /// Operators that can be exchanged while the program runs.
    pub points: PointsFile,
    /// Conditions with alternatives.
    pub slots: SlotsFile,
}

impl SwitchFile {
    /// Whether mutants can be switched in this language.
    pub fn is_given(&self) -> bool {
        !self.open.is_empty()
    }
}
