//! Where is the fault?
//!
//! In: a project in which tests fail ([`GatherRequest`]), or files about one ([`InputFiles`]). Both give a
//! [`LocalizeInput`]. Out: per method a ranking and, where the fault is known, how good it is ([`Localization`]);
//! over many faults, which method is better ([`compare`]).

mod audit;
mod choose;
mod compare;
mod error;
mod gather;
mod input;
mod observed;
mod rank;
mod rounds;
mod shortcoming;
mod truth;

pub use audit::AuditedEffect;
pub use audit::AuditedTests;
pub use compare::CompareError;
pub use compare::ComparedMethod;
pub use compare::FaultResult;
pub use compare::compare;
pub use error::InputError;
pub use error::RankError;
pub use gather::GatherEnd;
pub use gather::GatherRequest;
pub use gather::Gathered;
pub use gather::RanWith;
pub use input::InputFiles;
pub use input::LocalizeInput;
pub use rank::Localization;
pub use rank::Localized;
pub use rank::RankRequest;
pub use rank::chosen_methods;
pub use shortcoming::Shortcoming;
pub use truth::FaultSource;
