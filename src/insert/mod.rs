//! From operators to mutants: one pass over a target's tokens, rules for where a mutant can live, text that
//! reads as if a person had written it.
//!
//! In: operator sets and the files of a target. Out: [`Mutant`]s, each result once, in the order of the files.
//! Invariant: the same sets and files give the same mutants, whatever the number of threads.

mod arsenal;
mod demands;
mod describe;
mod edit;
mod facts;
mod fit;
mod functions;
mod gaps;
mod ident;
mod index;
mod mutants;
mod mutated;
mod points;
mod recreate;
mod render;
mod sample;
mod select;
mod skip;
mod source;
mod structure;
mod syntax;
mod target;
mod types;
mod units;
mod walk;

pub use arsenal::Arsenal;
pub use arsenal::ArsenalError;
pub use arsenal::Entry;
pub use arsenal::Tool;
pub use describe::Describer;
pub use describe::Description;
pub use describe::describe;
pub use edit::Edit;
pub use edit::new_text;
pub use fit::RULES;
pub use fit::Rule;
pub use fit::Rules;
pub use functions::function_lines;
pub use index::Index;
pub use index::View;
pub use index::scan;
pub use mutants::FileMutants;
pub use mutants::Fit;
pub use mutants::Inserter;
pub use mutants::Mutant;
pub use points::Grouped;
pub use points::Point;
pub use points::find_points;
pub use recreate::OtherVersion;
pub use recreate::function_tokens;
pub use render::Setter;
pub use render::TextEdit;
pub use render::apply_all;
pub use sample::Sampler;
pub use select::DrawBy;
pub use select::SelectError;
pub use select::Selection;
pub use select::by_id;
pub use skip::Skipped;
pub use skip::Skips;
pub use skip::Why;
pub use source::SourceFile;
pub use target::Target;
pub use units::Piece;
pub use units::Units;
pub use walk::FileChoice;
pub use walk::FoundFiles;
pub use walk::LeftOut;
pub use walk::WalkError;
pub use walk::walk;
