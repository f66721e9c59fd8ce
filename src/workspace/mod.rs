//! Copies of a target's tree, which may be changed.
//!
//! In: a directory. Out: a [`Workspace`], a copy that is gone when it is dropped. The original is written to by
//! [`InPlace`] only, when the user asks for it.

mod below;
mod copy;
mod in_place;
mod links;
mod meta;
mod points;
mod pristine;
mod runtime;
mod slots;

pub use below::NotBelow;
pub use below::read_below;
pub use copy::Copying;
pub use copy::Workspace;
pub use in_place::InPlace;
pub use in_place::InPlaceError;
pub use in_place::Reverted;
pub use meta::Member;
pub use meta::Owner;
pub use meta::Probe;
pub use meta::Regions;
pub use meta::Unit;
pub use meta::Woven;
pub use meta::weave;
pub use meta::weave_with_lines;
pub use points::PointText;
pub use points::WovenPoint;
pub use points::weave_points;
pub use pristine::Pristine;
pub use pristine::Programs;
pub use pristine::SCRATCH;
pub use pristine::TreeChanges;
pub use pristine::TreeWatch;

pub use runtime::Runtime;
pub use runtime::RuntimeError;
pub use slots::SlotOwner;
pub use slots::SlotText;
pub use slots::WovenSlot;
pub use slots::weave_slots;
