//! Places of a target where code can be exchanged, put in or left out, and what could stand there.
//!
//! In: a target, and texts that its tests expect. Out: [`Slot`]s with their [`Alternative`]s, in the order of the
//! files. Only the lexer and the definition's `[syntax]` are asked: what does not compile, the compiler says.

mod comparison;
mod conditions;
mod expected;
mod family;
mod find;
mod inserted;
mod scope;
mod slot;
mod statements;
mod tokens;

pub use comparison::Comparison;
pub use comparison::Form;
pub use comparison::comparisons;
pub use expected::ExpectedTexts;
pub use family::FAMILIES;
pub use family::Family;
pub use find::SlotRequest;
pub use find::find_slots;
pub use slot::Alternative;
pub use slot::Slot;
pub use slot::SlotKind;
pub use slot::SlotValue;
