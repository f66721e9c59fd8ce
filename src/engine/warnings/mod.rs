//! Warnings that a project treats as errors (`-Werror`): a mutant that causes one does not build in the original
//! project.
//!
//! In: mutants that compile, and a record of how each file was compiled. Out: the mutants that the project's own
//! compiler options reject, and the compiler's messages. The meta-program is built without warnings, since its guards
//! would draw their own; mutants are therefore compiled here as they are, in the plain file and with the project's
//! own options. Mutants of different functions are compiled together; only what is refused alone is refused. Where
//! warnings are no errors, only those mutants are compiled whose warnings a compiler may stumble at.

mod check;
mod function_value;
mod trial;

pub use check::WarningCheck;
