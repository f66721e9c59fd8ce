//! wildcaught: mutation testing with operators caught in the wild.
//!
//! The map of the house, in the order in which the data flows. A module uses only modules above it.

/// Places in text: spans of bytes, lines and columns; text that is safe on terminals.
pub mod text;

/// Progress, phases, warnings, cancellation and workers, for everything that takes long.
pub mod control;

/// Files written safely: below a directory, whole or not at all; temporary ones that are never left for good.
pub mod files;

/// The only room that starts processes: what to run and its limits in, what it did out.
pub mod exec;

/// What a language looks like to a lexer, read from `langdefs/*.toml`.
pub mod langdef;

/// Bytes in, tokens out, losslessly.
pub mod lex;

/// How code changed: git histories and patch text in, blocks of changed lines out.
pub mod history;

/// Mutation operators and sets of them: notation, TOML, merging.
pub mod operator;

/// From changes to operators: candidates, filters, tallies, idioms, shifts.
pub mod harvest;

/// From operators to mutants of a target.
pub mod insert;

/// Copies of a target in which things may be broken.
pub mod workspace;

/// How a project is built and tested: `wildcaught.toml`, presets, what test frameworks print.
pub mod harness;

/// Running tests with mutants switched on, process by process, in batches or by resident servers; one oracle; a file
/// per test framework.
pub mod runner;

/// Who killed whom: tests, mutants, fates, the store on disk and the files that others read.
pub mod matrix;

/// Scenarios in, runs out: mutants switched in one program, or built one by one; one policy for verdicts.
pub mod engine;

/// Pure functions of matrices: rankings, distances, subsumption.
pub mod analysis;

/// One room per question that is answered by running mutants: a request in, a result out.
pub mod pipeline;

/// Results as documents with schemas, as tables, pictures and pages.
pub mod report;

/// The command line: arguments to a request, a result to the terminal.
pub mod cli;
