//! `wildcaught test --watch`: tests the mutants of the functions that were just saved, again and again.
//!
//! In: the options of `test`. Out: after every save, what tests notice now and did not before, and the other way round.
//! A save that touches no function with mutants (a test, say) runs the mutants of the last functions again.

mod round;
mod saved;
mod session;

pub use session::run;
