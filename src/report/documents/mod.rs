//! Results as documents: what `--json` prints, written and read by the same types.
//!
//! Every document has a `format`, and a JSON schema that `wildcaught schema` prints.

mod audit;
mod coupling;
mod coupling_test;
mod effects;
mod localize;
mod mutate;
mod read;
mod repair;
mod report;
mod set;
mod sshom;
mod sshom_figures;
mod sshom_solve;
mod tame;
mod test;
mod witness;

pub use audit::AuditFigures;
pub use audit::AuditedFate;
pub use audit::AuditedVerdict;
pub use audit::PlainName;
pub use coupling::CouplingDocument;
pub use coupling_test::CouplingTestDocument;
pub use effects::EffectFigures;
pub use localize::CompareDocument;
pub use localize::LocalizeDocument;
pub use mutate::MutateDocument;
pub use read::DocumentError;
pub use repair::PatchDocument;
pub use repair::RepairDocument;
pub use report::ReportDocument;
pub use report::SurvivorText;
pub use set::FunnelDocument;
pub use set::SeenFigures;
pub use set::Sizes;
pub use set::StatsDocument;
pub use set::TopOperator;
pub use set::TopShift;
pub use set::funnels;
pub use sshom::MutantDocument;
pub use sshom::SearchDocument;
pub use sshom::SharedDocument;
pub use sshom::SshomDocument;
pub use sshom::SshomEntry;
pub use sshom_figures::CountDocument;
pub use sshom_figures::FiguresDocument;
pub use sshom_figures::SpreadDocument;
pub use sshom_solve::SolveDocument;
pub use sshom_solve::SolvedEntry;
pub use tame::OnionDocument;
pub use tame::TameDocument;
pub use test::PhaseTime;
pub use test::SuitesFigures;
pub use test::TestDocument;
pub use witness::WitnessDocument;
