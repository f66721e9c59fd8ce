//! Repairs a program: finds edits with which all of its tests pass.
//!
//! In: a project with failing tests, and a [`RepairRequest`]. Out: [`Patch`]es, ranked, each built from the plain
//! sources and tested by the whole suite. All edits stand in one program behind switches ([`SlotProgram`]); they are
//! tried one by one, then in combinations, those first that come near.

mod build;
mod candidates;
mod edit;
mod error;
mod expand;
mod expected;
mod genetic;
mod narrow;
mod patch;
mod program;
mod request;
mod result;
mod run;
mod search;
mod tries;
mod verify;
mod worker;

pub use build::SlotCount;
pub use build::count_slots;
pub use edit::Choice;
pub use edit::Edit;
pub use error::RepairError;
pub use patch::Patch;
pub use patch::PatchEdit;
pub use program::SlotProgram;
pub use request::RepairRequest;
pub use request::RepairSearch;
pub use result::HeldOut;
pub use result::RepairResult;
pub use result::VerifiedPatch;
pub use run::run;
