//! Warnings that a project calls errors (`-Werror`): a mutant that draws one does not build in the plain project.
//!
//! In: mutants that compile, and a record of how each file was compiled. Out: the mutants that the project's own
//! compilations refuse, and what the compiler says. The meta-program is built without warnings, since its guards
//! would draw their own; mutants are therefore compiled here as they are, in the plain file and with the project's
//! own options. Mutants of different functions are compiled together; only what is refused alone is refused. Where
//! warnings are no errors, only those mutants are compiled whose warnings a compiler may stumble at.

mod check;
mod function_value;
mod trial;

pub use check::WarningCheck;
