//! The canary: do the tests execute the mutated code at all?
//!
//! In: the sources of a project and its tests, which pass. Out: whether any test executes any statement of them; if
//! none does, what they execute instead and how to fix it. A setup that tests something else (an installed package, a
//! program in `/usr/local`, nothing) must never lead to a score.

mod campaign;
mod check;
mod instead;

pub use check::Canary;
pub use check::Executed;
