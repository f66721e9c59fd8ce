//! What people look at: tables, JSON, pictures.
//!
//! In: results. Out: text; nothing here prints or writes a file.

mod funnel;
mod sankey;
mod table;

pub use funnel::funnel_json;
pub use funnel::funnel_table;
pub use sankey::sankey;
pub use table::Align;
pub use table::Table;
pub use table::thousands;
