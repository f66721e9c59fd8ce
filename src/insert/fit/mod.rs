//! Where a mutant can live: rules that tell, from tokens alone, that an edit would not compile or would
//! change nothing.
//!
//! In: an edit of a file and the target's [`Facts`]. Out: the rules it breaks. Each rule is a row of a table:
//! a name, what it says, and a function; each can be switched off and is counted.

mod calls;
mod flow;
mod judge;
mod names;
mod rows;
mod rules;
mod statements;
mod undefined;
mod values;

pub use judge::Judge;
pub use rules::RULES;
pub use rules::Rule;
pub use rules::Rules;
pub use undefined::is_undefined;
