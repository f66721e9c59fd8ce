//! The canary: do the tests execute the code that is mutated at all?
//!
//! In: the sources of a project and its tests, which pass. Out: whether any test executes any statement of them, and if
//! none does, what is executed instead and how to fix it. A set-up that tests something else (an installed package, a
//! program in `/usr/local`, nothing) must never end in a score.

mod campaign;
mod check;
mod instead;

pub use check::Canary;
pub use check::Executed;
