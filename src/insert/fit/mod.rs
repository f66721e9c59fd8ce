//! Where a mutant fits: rules that recognize, from tokens alone, edits that would not compile or would change nothing.
//!
//! In: an edit of a file and the target's [`Facts`]. Out: the rules it breaks. Each rule is a row of a table: a name,
//! a description and a function; each can be switched off, and its hits are counted.

mod calls;
mod features;
mod flow;
mod judge;
mod model;
mod names;
mod rows;
mod rules;
mod same;
mod shipped;
mod statements;
mod undefined;
mod values;

pub use features::Sum;
pub use judge::Judge;
pub use model::Learned;
pub use model::Model;
pub use model::ModelError;
pub use model::ModelFile;
pub use model::Names;
pub use model::Trained;
pub use model::chance;
pub use model::field;
pub use rules::RULES;
pub use rules::Rule;
pub use rules::Rules;
pub use shipped::ModelWish;
pub use undefined::is_undefined;
