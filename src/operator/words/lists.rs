//! Words of programming languages that sentences name.

/// Operators that join conditions.
pub const LOGIC: [&str; 4] = ["&&", "||", "and", "or"];
/// Operators that turn a condition round.
pub const NOT: [&str; 2] = ["!", "not"];
/// Operators between two values.
pub const BINARY: [&str; 19] = [
    "+", "-", "*", "/", "%", "<<", ">>", "|", "^", "&", "==", "!=", "<", "<=", ">", ">=", "===", "!==", "//",
];
/// Operators that compare.
pub const COMPARES: [&str; 8] = ["==", "!=", "<", "<=", ">", ">=", "===", "!=="];
/// Operators that assign.
pub const ASSIGNS: [&str; 11] = ["=", ":=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "<<=", ">>="];
/// Operators before a member.
pub const MEMBER: [&str; 4] = [".", "->", "::", "?."];
/// Keywords of statements with a block, and what the statement is called.
pub const BLOCKS: [(&str, &str); 26] = [
    ("if", "`if` statement"),
    ("else", "`else` branch"),
    ("elif", "`elif` branch"),
    ("elseif", "`elseif` branch"),
    ("while", "`while` loop"),
    ("for", "`for` loop"),
    ("foreach", "`foreach` loop"),
    ("loop", "`loop`"),
    ("do", "`do` loop"),
    ("switch", "`switch` statement"),
    ("match", "`match`"),
    ("case", "`case`"),
    ("default", "`default` case"),
    ("try", "`try` statement"),
    ("catch", "`catch` clause"),
    ("except", "`except` clause"),
    ("finally", "`finally` clause"),
    ("with", "`with` statement"),
    ("unsafe", "`unsafe` block"),
    ("fn", "function"),
    ("func", "function"),
    ("def", "function"),
    ("function", "function"),
    ("class", "class"),
    ("impl", "`impl` block"),
    ("synchronized", "`synchronized` block"),
];
/// Keywords of statements that leave or report.
pub const LEAVES: [&str; 15] = [
    "return", "break", "continue", "throw", "goto", "raise", "yield", "await", "assert", "defer", "panic",
    "require", "go", "throws", "del",
];
/// Keywords before what is declared.
pub const MODIFIERS: [&str; 16] = [
    "public",
    "private",
    "protected",
    "static",
    "final",
    "pub",
    "const",
    "async",
    "export",
    "abstract",
    "inline",
    "extern",
    "override",
    "virtual",
    "volatile",
    "readonly",
];
