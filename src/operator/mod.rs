//! Mutation operators: a pattern of tokens, what replaces it, and what is known of both from the wild.
//!
//! In: notation (`:if .( $1 .)`) and TOML. Out: [`Operator`]s and [`OperatorSet`]s, checked. Invariant: an
//! operator's id depends on nothing but its pattern and template, and writing a set that was read gives
//! the same bytes.

mod algebra;
mod balance;
mod evidence;
mod file;
mod funnel;
mod lint;
mod notation;
mod position;
mod read;
mod repository;
mod schema;
mod set;
mod shipped;
mod source_numbers;
mod term;
mod weigh;
mod words;
mod write;

pub use algebra::Keep;
pub use algebra::SetDiff;
pub use algebra::diff;
pub use algebra::diff_shifts;
pub use algebra::filter;
pub use algebra::merge;
pub use algebra::same_kind;
pub use balance::Residue;
pub use balance::residue;
pub use evidence::Date;
pub use evidence::Evidence;
pub use evidence::Habitat;
pub use funnel::Filter;
pub use funnel::Funnel;
pub use funnel::FunnelRow;
pub use lint::Finding;
pub use lint::lint;
pub use notation::NotationError;
pub(crate) use notation::escape;
pub use notation::parse_terms;
pub(crate) use notation::unescape;
pub use notation::write_terms;
pub use position::line_ends_between;
pub use position::open_bracket;
pub use position::position;
pub use read::SetError;
pub use read::read_set;
pub use repository::repository_names;
pub use schema::set_schema;
pub use set::Direction;
pub use set::Granularity;
pub use set::Header;
pub use set::MergeError;
pub use set::Operator;
pub use set::OperatorSet;
pub use set::Shift;
pub use set::Source;
pub use set::Thresholds;
pub use shipped::shipped_model_text;
pub use shipped::shipped_names;
pub use shipped::shipped_text;
pub use term::Drawn;
pub use term::Term;
pub use weigh::Weights;
pub use weigh::weigh;
pub use words::operator_text;
pub use words::sentence;
pub use words::sentence_of_notation;
pub use words::shift_sentence;
pub use words::shift_text;
pub use write::write_set;
