//! What code looks like beyond its tokens: as much of a grammar as a lexer can use, all of it optional.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// What functions, declarations, calls and members look like. A language without this section can be
/// mutated, too; there is only less to tell a mutant that fits from one that does not.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SyntaxFile {
    /// Keywords that begin a function (`fn`, `def`); none: a name, parentheses and a block make one.
    pub functions: Vec<String>,
    /// Keywords whose block holds declarations, not statements (`class`, `struct`, `impl`).
    pub containers: Vec<String>,
    /// Keywords that name a type (`int`).
    pub types: Vec<String>,
    /// Keywords that may stand before a type or a declared name (`static`, `final`, `mut`).
    pub modifiers: Vec<String>,
    /// Keywords that begin the declaration of a name (`let`, `var`).
    pub declares: Vec<String>,
    /// Keywords that begin what is no code (`import`, `use`, `package`).
    pub imports: Vec<String>,
    /// The operator between a declared name and its type (`:`); none: the type stands before the name.
    pub annotates: Option<String>,
    /// The operator before the type that a function returns (`->`); none: that type stands before the name.
    pub returns: Option<String>,
    /// Operators after which a name belongs to what stands before them (`.`, `->`).
    pub members: Vec<String>,
    /// Operators that join the parts of a qualified name (`::`).
    pub paths: Vec<String>,
    /// Operators that assign.
    pub assignments: Vec<String>,
    /// Operators that may stand before an operand.
    pub prefix: Vec<String>,
    /// Operators that may stand after an operand.
    pub postfix: Vec<String>,
    /// Operators that stand between two operands; those that are prefix, too, included.
    pub binary: Vec<String>,
    /// Of these, those whose result is a truth value.
    pub comparisons: Vec<String>,
    /// Of these, those that take truth values, too.
    pub logic: Vec<String>,
    /// Keywords that are values (`this`, `null`, `true`).
    pub values: Vec<String>,
    /// Of these, the truth values.
    pub truths: Vec<String>,
    /// The type of truth values where a condition takes no other; none: any value will do.
    pub truth_type: Option<String>,
    /// Keywords after which a condition stands (`if`, `while`).
    pub conditions: Vec<String>,
    /// Keywords that begin a loop.
    pub loops: Vec<String>,
    /// Keywords that begin a choice among cases (`switch`).
    pub switches: Vec<String>,
    /// Keywords that begin a case (`case`, `default`).
    pub cases: Vec<String>,
    /// Keywords after which control does not go on with the next statement.
    pub jumps: Vec<String>,
    /// Whether code after such a jump is an error.
    pub unreachable: bool,
    /// Whether `<` and `>` also enclose types.
    pub angles: bool,
    /// The operator between a macro's name and its arguments (`!`).
    pub macros: Option<String>,
    /// What stands before the brackets of an attribute (`#`), or before its name (`@`).
    pub attribute: Option<String>,
}

/// Where test code is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TestsFile {
    /// Globs over the path.
    pub paths: Vec<String>,
    /// What stands before a test inside other code (`#[cfg(test)]`): the block or statement after it is left alone.
    pub marks: Vec<String>,
    /// How statements begin, from the first word that tells, that no test can notice a change in.
    pub inert: Vec<String>,
}
