//! `wildcaught test --watch`: tests the mutants of functions whenever they are saved.
//!
//! In: the options of `test`. Out: after every save, which mutants are newly killed or newly missed. A save that
//! touches no function with mutants (a test, for example) runs the mutants of the last functions again.

mod round;
mod saved;
mod session;

pub use session::run;
