//! Who killed whom.
//!
//! In: mutants, tests and what came of running them. Out: one file that survives a power cut, and the
//! documents that analyses and other tools read.
//!
//! Tests and mutants are known by their place in the lists. What tests did to a mutant is one row of bit
//! sets, never one record per cell: a matrix of 10,000 by 10,000 is a few megabytes.

mod accepted;
mod coverage;
mod csv;
mod elements;
mod error;
mod export;
mod fate;
mod foreign;
mod import;
mod json;
mod kills;
mod mutant_rows;
mod row;
mod run_dir;
mod store;
mod suites;
mod tally;
mod xml;

pub use accepted::ACCEPTED;
pub use accepted::Accepted;
pub use accepted::AcceptedError;
pub use accepted::AcceptedMutant;
pub use accepted::AcceptedReview;
pub use coverage::ArcsError;
pub use coverage::Counters;
pub use coverage::Coverage;
pub use coverage::CoverageError;
pub use coverage::CoveredStatement;
pub use coverage::FileLines;
pub use coverage::LineCoverage;
pub use coverage::NotedFunction;
pub use coverage::Notes;
pub use coverage::PlainError;
pub use coverage::PlainFile;
pub use coverage::TestCoverage;
pub use coverage::coverage_from;
pub use coverage::executed;
pub use coverage::from_plain;
pub use coverage::list_plain;
pub use coverage::read_coverage;
pub use coverage::read_plain;
pub use coverage::to_lcov;
pub(crate) use csv::Cells;
pub(crate) use csv::OpenQuote;
pub(crate) use csv::Rows;
pub use elements::mte_json;
pub use error::ImportError;
pub use export::mutants_json;
pub use export::to_csv;
pub use export::to_json;
pub use fate::Fate;
pub use fate::FateCounts;
pub use fate::UnknownFate;
pub use fate::score;
pub use foreign::MajorFiles;
pub use foreign::MatrixReadError;
pub use foreign::from_major;
pub use foreign::from_mte_json;
pub use foreign::from_pit;
pub use foreign::read_matrix;
pub use import::from_csv;
pub use import::from_json;
pub use json::MutantFate;
pub use json::matrix_schema;
pub use json::mutants_schema;
pub use kills::KillMatrix;
pub use mutant_rows::mutant_rows;
pub use row::MutantRow;
pub use row::Outcome;
pub use row::Switch;
pub use row::TestRow;
pub use run_dir::Begun;
pub use run_dir::Earlier;
pub use run_dir::Memory;
pub use run_dir::ProjectChange;
pub use run_dir::RunDir;
pub use run_dir::RunDirError;
pub use run_dir::fingerprint;
pub use run_dir::note_export;
pub use store::Store;
pub use store::StoreError;
pub use suites::Draw;
pub use suites::SuiteSpread;
pub use suites::SuitesError;
pub use suites::draw_suites;
pub use suites::suite_spread;
pub use tally::FateTally;
