//! What people look at: tables, JSON, pictures, pages.
//!
//! In: results. Out: text; nothing here prints or writes a file.

mod curves;
pub mod documents;
mod entry;
mod funnel;
mod input_notes;
mod listing;
mod mutants;
mod page;
mod sankey;
mod schemas;
mod shortcomings;
mod stats;
mod svg;
mod table;
mod unified;

pub use curves::Axes;
pub use curves::CurveLine;
pub use curves::curves_svg;
pub use documents::CompareDocument;
pub use documents::DocumentError;
pub use documents::FunnelDocument;
pub use documents::LocalizeDocument;
pub use documents::MutateDocument;
pub use documents::OnionDocument;
pub use documents::PhaseTime;
pub use documents::StatsDocument;
pub use documents::SuitesFigures;
pub use documents::TameDocument;
pub use documents::TestDocument;
pub use entry::EntryText;
pub use funnel::funnel_table;
pub use input_notes::left_out_text;
pub use input_notes::note_text;
pub use listing::Listing;
pub use listing::ShortIds;
pub use listing::percent;
pub use mutants::Figures;
pub use mutants::list;
pub use mutants::tables;
pub use page::Mark;
pub use page::Page;
pub use sankey::sankey;
pub use schemas::NoSuchSchema;
pub use schemas::SCHEMAS;
pub use schemas::SchemaRow;
pub use shortcomings::first_names;
pub use shortcomings::shortcoming_text;
pub use stats::SetStats;
pub use table::Align;
pub use table::Table;
pub use table::apart;
pub use table::counted;
pub use table::thousands;
pub use unified::unified;
