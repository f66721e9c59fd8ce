//! Trivial compiler equivalence for C and C++: a mutant that is compiled to the code of the original changes
//! nothing, and one that is compiled to the code of an earlier mutant says nothing new.
//!
//! In: mutants that compile, and a record of how each file was compiled. Out: for every mutant what its code
//! equals. All mutants of a file stand as renamed copies of their functions behind the original in one file,
//! which is compiled once; copies are compared with a copy of the original, never with the original itself.
//! Invariant: where something cannot be told, a mutant is different.

mod assembly;
mod bench;
mod compare;
mod originals;
mod record;
mod sheet;
#[cfg(test)]
mod unchanged;

pub use bench::Bench;
pub use compare::ComparedCode;
pub use compare::Comparison;
pub use compare::Same;
