//! The language-definition file as it is written: one struct per table, unknown keys refused.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

use super::switch::SwitchFile;
use super::syntax::SyntaxFile;
use super::syntax::TestCodeFile;

/// A whole `langdefs/<name>.toml`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LangFile {
    /// Version of the file format; 1.
    pub format: u32,
    /// Short lower-case name, as `-l` takes it.
    pub name: String,
    /// The name people use.
    pub title: String,
    /// File name extensions, without the dot.
    pub extensions: Vec<String>,
    /// Reserved words. A word with a sigil (`#if`, `@interface`) is listed with it.
    pub keywords: Vec<String>,
    /// Operators and punctuation, brackets included; the longest match wins.
    pub operators: Vec<String>,
    /// Pairs that must stay balanced.
    pub brackets: Vec<[String; 2]>,
    /// Operators that end a statement.
    #[serde(default)]
    pub statement_ends: Vec<String>,
    /// What the end of a line means.
    #[serde(default)]
    pub lines: Lines,
    /// A backslash before a line end joins the two lines (C, Python).
    #[serde(default)]
    pub line_splice: bool,
    /// What identifiers are made of.
    #[serde(default)]
    pub identifiers: IdentifiersFile,
    /// What numbers are made of.
    #[serde(default)]
    pub numbers: NumbersFile,
    /// After which tokens a value stands; needed where a literal is `operand_only`.
    #[serde(default)]
    pub operands: OperandsFile,
    /// Comments.
    #[serde(default, rename = "comment")]
    pub comments: Vec<CommentFile>,
    /// String and character literals.
    #[serde(default, rename = "quote")]
    pub quotes: Vec<QuoteFile>,
    /// Lines that a preprocessor reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preprocessor: Option<PreprocessorFile>,
    /// Marks around code; text outside of them is not code (PHP).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub island: Option<IslandFile>,
    /// Generated files.
    #[serde(default)]
    pub generated: GeneratedFile,
    /// A command that checks whether a file compiles; `{file}` is the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The syntax of code beyond its tokens.
    #[serde(default)]
    pub syntax: SyntaxFile,
    /// Where test code is.
    #[serde(default)]
    pub tests: TestCodeFile,
    /// How mutants are switched at run time.
    #[serde(default)]
    pub switch: SwitchFile,
}

/// What the end of a line means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Lines {
    /// Nothing: white space.
    #[default]
    Free,
    /// It may end a statement (Go, JavaScript, Kotlin), but is no token.
    Soft,
    /// It ends a statement and indentation makes blocks (Python): `LineEnd`, `Indent`, `Dedent` tokens.
    Indented,
}

/// What identifiers are made of, besides ASCII letters, digits and `_`.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IdentifiersFile {
    /// More characters that may stand anywhere in an identifier (`$`).
    #[serde(default)]
    pub extra: String,
    /// Characters that may only begin one, before a letter (`@` in C#, `#` in JavaScript and Swift).
    #[serde(default)]
    pub sigils: String,
    /// Whether letters beyond ASCII may be used.
    #[serde(default = "yes")]
    pub unicode: bool,
    /// A prefix that makes a keyword an identifier (`r#` in Rust).
    #[serde(default)]
    pub raw_prefix: String,
    /// Operators after which a keyword is a plain name (`promise.catch` in JavaScript).
    #[serde(default)]
    pub members: Vec<String>,
    /// Characters of which one may end an identifier (`?` and `!` in Ruby). Before `=` they do only if that begins `==`,
    /// `=~` or `=>`.
    #[serde(default)]
    pub endings: String,
}

impl Default for IdentifiersFile {
    fn default() -> Self {
        Self {
            extra: String::new(),
            sigils: String::new(),
            unicode: true,
            raw_prefix: String::new(),
            members: Vec::new(),
            endings: String::new(),
        }
    }
}

/// What numbers are made of; they begin with a digit.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NumbersFile {
    /// Characters, besides `_`, that may separate digits (`'` in C++).
    #[serde(default)]
    pub separators: String,
    /// Whether `.5` is a number.
    #[serde(default = "yes")]
    pub leading_dot: bool,
    /// Whether `5.` is a number.
    #[serde(default)]
    pub trailing_dot: bool,
    /// Letters that may follow such a dot (`e` and `f` in `5.e3`, `5.f`).
    #[serde(default)]
    pub dot_suffixes: String,
    /// Whether digits after a dot are a field, as in `pair.0.1` (Rust).
    #[serde(default)]
    pub fields: bool,
}

impl Default for NumbersFile {
    fn default() -> Self {
        Self {
            separators: String::new(),
            leading_dot: true,
            trailing_dot: false,
            dot_suffixes: String::new(),
            fields: false,
        }
    }
}

/// Which keywords and operators end a value, so that `/` after them divides.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OperandsFile {
    /// Those that end an operand (`)`, `this`).
    #[serde(default)]
    pub ends: Vec<String>,
    /// Those that leave it as it was: postfix after an operand, prefix elsewhere (`++`).
    #[serde(default)]
    pub postfix: Vec<String>,
}

/// One kind of comment.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentFile {
    pub open: String,
    /// Absent: the comment ends with the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<String>,
    /// Whether comments of this kind nest.
    #[serde(default, skip_serializing_if = "is_false")]
    pub nested: bool,
    /// Lua's long brackets: `open` is followed by `[`, any number of `=`, `[`; the close repeats them.
    #[serde(default, skip_serializing_if = "is_false")]
    pub leveled: bool,
    /// What ends a line comment besides the line (`?>` in PHP).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stops_before: Option<String>,
}

/// One kind of literal.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuoteFile {
    #[serde(default)]
    pub kind: QuoteKind,
    pub open: String,
    /// Absent: the same as `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close: Option<String>,
    /// Words that may stand before the opening quote (`L`, `u8`, `rb`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prefixes: Vec<String>,
    /// Whether any word but a keyword may stand there (Scala's `sql"…"`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub any_prefix: bool,
    /// Whether one of the prefixes must stand there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub prefix_required: bool,
    /// Whether letters right after the closing quote belong to it (`"…"sv` in C++, flags of `/…/g`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub suffix: bool,
    /// The character that takes the next one literally.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escape: Option<char>,
    /// Whether an escaped line end continues with the next line.
    #[serde(default, skip_serializing_if = "is_false")]
    pub joins_lines: bool,
    /// Escaped, it skips the white space that follows, line ends included (`\z` in Lua).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<char>,
    /// Whether the closing quote twice stands for itself.
    #[serde(default, skip_serializing_if = "is_false")]
    pub doubled: bool,
    /// Whether a longer run of quotes closes it, the first ones being content (`""""` in Kotlin).
    #[serde(default, skip_serializing_if = "is_false")]
    pub greedy_close: bool,
    /// Whether it may run over line ends.
    #[serde(default, skip_serializing_if = "is_false")]
    pub multiline: bool,
    /// Pairs of brackets inside which code stands (`${` and `}`). An opening bracket of one character
    /// stands for itself when doubled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interpolation: Vec<[String; 2]>,
    /// What ends the code of an interpolation and begins a format (`:` in `{price:>8}`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format_mark: Option<String>,
    /// A delimiter that the author chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<RawShape>,
    /// `'a` without a closing quote is a label or lifetime; what is neither that nor one character is
    /// no literal.
    #[serde(default, skip_serializing_if = "is_false")]
    pub or_label: bool,
    /// Only where an operand may begin: tells a regular expression from a division.
    #[serde(default, skip_serializing_if = "is_false")]
    pub operand_only: bool,
    /// Of these, whether it may also stand after a name with white space before it and none behind it (`puts /x/`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub after_names: bool,
    /// Whether brackets like its own must be balanced inside (`%w[a[1] b]`).
    #[serde(default, skip_serializing_if = "is_false")]
    pub nested: bool,
    /// Between `[` and `]` the closing quote has no meaning.
    #[serde(default, skip_serializing_if = "is_false")]
    pub regex: bool,
}

/// What a literal is taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QuoteKind {
    #[default]
    String,
    Char,
    /// A quoted name (`` `type` `` in Kotlin).
    Identifier,
}

/// How an author-chosen delimiter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RawShape {
    /// `#`s before the opening quote, as many after the closing one and after an escape (Rust, Swift).
    Hashes,
    /// `R"word( … )word"` (C++).
    Parenthesis,
    /// `[==[ … ]==]` (Lua).
    Level,
    /// `<<<WORD` to a line with `WORD` (PHP).
    Heredoc,
    /// `<<~WORD`, whose text stands between the next line and a line with `WORD` (Ruby). The mark is a label,
    /// the text a comment.
    NextLines,
    /// The last character of `open` three or more times, closed by as many (C#).
    Run,
}

/// Lines that a preprocessor reads.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PreprocessorFile {
    /// The operator that begins such a line.
    pub marker: String,
    /// The words that may follow it.
    pub directives: Vec<String>,
    /// Those after which `<…>` is a file name.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Those after which the line is prose (`#error don't`).
    #[serde(default)]
    pub texts: Vec<String>,
    /// Those that open a part (`#if`), and those that close it (`#endif`): they must stay balanced.
    #[serde(default)]
    pub opens: Vec<String>,
    #[serde(default)]
    pub closes: Vec<String>,
}

/// Code stands between these marks; what is outside is ignored.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IslandFile {
    /// The longest that fits wins; all begin with the same character.
    pub open: Vec<String>,
    pub close: String,
}

/// Generated files of this language, besides those that every language has.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneratedFile {
    /// Globs over the path.
    #[serde(default)]
    pub paths: Vec<String>,
    /// Texts in the first 2 KiB.
    #[serde(default)]
    pub marks: Vec<String>,
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}
