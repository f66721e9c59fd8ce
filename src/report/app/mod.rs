//! The report of a run as one HTML file: overview, mutants, sources, matrix, tests and operators.
//!
//! In: a kill matrix, what else is known of the run, and a way to read sources. Out: one text that needs nothing from
//! elsewhere. The data is JSON inside of the page; the program in it makes text nodes of it and never HTML.

mod columns;
mod functions;
mod html;
mod notes;
mod sets;
mod utf16;

pub use functions::FunctionMap;
pub use html::RunReport;
pub use notes::AcceptedNote;
pub use notes::HistoryRow;
pub use notes::OperatorNote;
pub use notes::RunNotes;
pub use utf16::Utf16Lines;
