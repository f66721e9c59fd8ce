//! Fault localization: statements, the most suspicious first.
//!
//! In: a kill matrix with tests that fail on the unchanged program, and a [`Spectrum`] (from the matrix, or
//! from coverage). Out: a [`Ranking`] per [`Method`], [`Evidence`] per place and, where the fault is known, an
//! [`Evaluation`]. Invariant: every statement is ranked, and every score is a finite number.

mod best_repair;
mod blend;
mod coverage_change;
mod error;
mod evaluate;
mod evidence;
mod faults;
mod formula;
mod information;
mod metallaxis;
mod method;
mod muse;
mod names;
mod normal;
mod place;
mod ranking;
mod repair;
mod spectrum;
mod subject;
mod summary;
mod wilcoxon;

pub use coverage_change::CoverageChanges;
pub use error::LocalizeError;
pub use evaluate::Evaluation;
pub use evaluate::FaultRank;
pub use evaluate::evaluate;
pub use evidence::Effect;
pub use evidence::PlaceEvidence;
pub use evidence::evidence;
pub use faults::FaultLine;
pub use faults::FaultsError;
pub use faults::faults_from_diff;
pub use faults::faults_from_list;
pub use faults::faults_from_versions;
pub use formula::FORMULAS;
pub use formula::Formula;
pub use formula::SpectrumCounts;
pub use information::locality_information_loss;
pub use method::Method;
pub use method::MethodWish;
pub use method::Scores;
pub use names::FileNames;
pub use names::TestNames;
pub use place::CodePlace;
pub use place::RankedBy;
pub use ranking::Rank;
pub use ranking::Ranked;
pub use ranking::Ranking;
pub use ranking::rank;
pub use repair::RepairSets;
pub use repair::repair_distance;
pub use spectrum::FunctionTable;
pub use spectrum::Spectrum;
pub use spectrum::Statement;
pub use subject::PartialMutants;
pub use subject::Subject;
pub use subject::sides;
pub use summary::LocalizeSummary;
pub use wilcoxon::Wilcoxon;
pub use wilcoxon::wilcoxon;
