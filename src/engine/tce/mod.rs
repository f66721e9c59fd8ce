//! Trivial compiler equivalence for C and C++: a mutant that is compiled to the code of the original changes
//! nothing, and one that is compiled to the code of an earlier mutant is a duplicate.
//!
//! In: mutants that compile, and a record of how each file was compiled. Out: for every mutant what its code
//! equals. All mutants of a file stand as renamed copies of their functions behind the original in one file,
//! which is compiled once; copies are compared with a copy of the original, never with the original itself. What is
//! the same then is made in the file itself, which must be compiled to the same code in all its functions: those
//! that a function is inlined into may differ where it does not. Undefined behaviour equals nothing.
//! Invariant: in doubt, a mutant counts as different.

mod assembly;
mod bench;
mod claim;
mod compare;
mod originals;
mod record;
mod sheet;
#[cfg(test)]
mod unchanged;
mod whole;

pub use bench::Bench;
pub use bench::Desk;
pub use claim::Same;
pub use compare::ComparedCode;
pub use compare::Comparison;
pub use record::CompilerCall;
pub use record::is_source;
pub use record::loud_calls;
pub use record::strict_calls;
