//! What code looks like beyond its tokens: as much of a grammar as a lexer can use, all of it optional.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// What functions, declarations, calls and members look like. A language without this section can also be mutated,
/// but more of its mutants do not compile.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SyntaxFile {
    /// Keywords that begin a function (`fn`, `def`); none: a name, parentheses and a block make one.
    pub functions: Vec<String>,
    /// Whether functions also begin without such a keyword: methods in classes and object literals, and `=>` before a block.
    pub methods: bool,
    /// Keywords whose block holds declarations, not statements (`class`, `struct`, `impl`).
    pub containers: Vec<String>,
    /// Keywords that name a type (`int`).
    pub types: Vec<String>,
    /// Keywords that may stand before a type or a declared name (`static`, `final`, `mut`).
    pub modifiers: Vec<String>,
    /// Keywords that begin the declaration of a name (`let`, `var`).
    pub declares: Vec<String>,
    /// Keywords that begin declarations without code (`import`, `use`, `package`).
    pub imports: Vec<String>,
    /// Words that begin what is gone at run time if a name follows (`type`, `interface`).
    pub erased: Vec<String>,
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
    /// Keywords that continue with the statement before (`else`, `catch`).
    pub continues: Vec<String>,
    /// Other keywords that begin a statement with a block (`try`, `unsafe`).
    pub blocks: Vec<String>,
    /// The keywords before and after the body of a loop whose condition stands behind it (`do`, `while`).
    pub tested_last: Option<[String; 2]>,
    /// Keywords that stand directly before another statement (`else`, `do`).
    pub before_statements: Vec<String>,
    /// Keywords that stand directly before a value (`return`, `in`, `case`).
    pub before_values: Vec<String>,
    /// Keywords that leave a function with a value (`return`).
    pub returning: Vec<String>,
    /// Keywords that throw a value (`throw`).
    pub throwing: Vec<String>,
    /// Keywords that stand before the type of a new object (`new`).
    pub creates: Vec<String>,
    /// Keywords after which control does not continue with the next statement.
    pub jumps: Vec<String>,
    /// Whether code after such a jump is an error.
    pub unreachable: bool,
    /// Whether it is undefined what a caller gets from a function that ends without the value it must return.
    pub needs_return: bool,
    /// Whether `<` and `>` also enclose types.
    pub angles: bool,
    /// The operator between a macro's name and its arguments (`!`).
    pub macros: Option<String>,
    /// What stands before the brackets of an attribute (`#`), or before its name (`@`).
    pub attribute: Option<String>,
}

impl SyntaxFile {
    /// The lists of keywords about statements, each with its key.
    pub(super) fn keyword_lists(&self) -> impl Iterator<Item = (&'static str, &[String])> {
        let tested_last = self.tested_last.as_ref().map_or(&[][..], |pair| &pair[..]);
        [
            ("conditions", &self.conditions[..]),
            ("loops", &self.loops),
            ("switches", &self.switches),
            ("cases", &self.cases),
            ("continues", &self.continues),
            ("blocks", &self.blocks),
            ("tested_last", tested_last),
            ("before_statements", &self.before_statements),
            ("before_values", &self.before_values),
            ("returning", &self.returning),
            ("throwing", &self.throwing),
            ("creates", &self.creates),
            ("jumps", &self.jumps),
        ]
        .into_iter()
    }
}

/// Where test code is.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TestCodeFile {
    /// Globs over the path.
    pub paths: Vec<String>,
    /// What stands before a test inside other code (`#[cfg(test)]`): the block or statement after it is skipped.
    pub marks: Vec<String>,
    /// First words of statements in which no test can detect a change.
    pub inert: Vec<String>,
}
