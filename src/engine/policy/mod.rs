//! The one policy for verdicts: what is asked of an engine about a change, in which order, what is asked twice,
//! and what is believed.
//!
//! In: an engine, a change, the tests that reach it. Out: an outcome. The rules:
//! - A time-out counts when it happens while nobody else runs, or by the processor time of the program itself.
//!   Any other is run again alone. Once a time-out of a change is confirmed, its others are believed.
//! - A failing test that passes under a change was *repaired*. It is run again; if it fails then, nothing is
//!   known about it.
//! - In localization, a change that hangs in test after test is given up: every further test costs its limit.
//! - A test that is not trusted says nothing.
//! - Where tests cannot even be started, the change is killed, but by no test in particular.

mod judge;
#[cfg(test)]
mod tests;

pub use judge::Policy;
