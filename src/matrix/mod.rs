//! Who killed whom.
//!
//! In: mutants, tests and what came of running them. Out: one file that survives a power cut, and the
//! documents that analyses and other tools read.
