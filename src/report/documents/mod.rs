//! Results as documents: what `--json` prints, written and read by the same types.
//!
//! Every document has a `format`, and a JSON schema that `wildcaught schema` prints.

mod test;

pub use test::PhaseTime;
pub use test::SuitesFigures;
pub use test::TestDocument;
