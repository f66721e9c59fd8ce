//! The one policy for verdicts: which tests run on a variant, in which order, which run twice,
//! and which results count.
//!
//! In: an engine, a variant, the tests that reach it. Out: an outcome. The rules:
//! - A time-out counts if the program itself used the processor for so long. Any other is run again, with none of our
//!   workers running and with as many times the limit as other processes keep the machine busy, and counts if it happens
//!   again. Once a time-out of a variant is confirmed, its other time-outs count.
//! - A failing test that passes under a variant was *repaired*. It is run again; if it fails then, nothing is
//!   known about it.
//! - In localization, a variant that hangs in test after test is given up: every further test costs its limit.
//! - A test that is not trusted is ignored.
//! - A test that kills is run again without any mutant, at its first kill and whenever its kills have doubled (between
//!   waves). If it fails then, it is not trusted any more, and what it killed is judged again without it.
//! - Where tests share a process, those that ran before the test run before it again. A test that fails then, but not
//!   alone, depends on others: from then on it kills only where it fails alone, too.
//! - Where tests cannot even be started, the variant is killed, but by no test in particular.
//! - A run that takes its runner down is tried once more, alone and with a new runner. If that fails, too, while the
//!   unchanged program still runs, the variant is killed by no test in particular; otherwise it is an error.
//! - What a run changed in its tree is noted in the outcome.

mod judge;
#[cfg(test)]
mod tests;

pub use judge::Policy;
