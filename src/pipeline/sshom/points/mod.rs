//! Programs whose operators are exchanged while they run, and the search for strongly subsuming higher-order
//! mutants of them.
//!
//! In: a project and its sources. Out: a program that was built once and runs any combination of operators
//! ([`PointProgram`]), and what a search found in it ([`search_all`], [`search_some`]).

mod build;
mod parts;
mod place;
mod program;
mod trials;
mod verify;
mod worker;

pub use build::build;
pub use parts::Part;
pub use parts::search_all;
pub use place::PointPlace;
pub use program::PointProgram;
pub use trials::SomeFound;
pub use trials::first_order;
pub use trials::search_some;
pub use verify::build_alone;
pub use worker::Bound;
pub use worker::PointStop;
pub use worker::Runs;
pub use worker::Worker;
