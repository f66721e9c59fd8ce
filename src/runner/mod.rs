//! Running a project's tests with some mutants switched on: one process per test, many tests in a process,
//! or a resident server.
//!
//! In: what was built, and [`Request`]s. Out: [`Ran`]: the result of each test. A [`Runner`] belongs to one
//! worker; several run side by side, each in a copy of the tree of its own.

mod aligned;
mod batch;
mod each;
mod fork;
mod framework;
mod guarded;
mod imports;
mod nonce;
mod oracle;
mod remedy;
mod request;
mod resident;
mod restored;
mod split;
mod values;
mod whole;
mod wire;
mod words;

pub use aligned::Aligned;
pub use batch::Batch;
pub use batch::ChosenTests;
pub use batch::Dialect;
pub use batch::Group;
pub use each::Each;
pub use each::Single;
pub use each::TestCall;
pub use each::reach_file;
pub use each::read_reach;
pub use fork::ForkCase;
pub use fork::ForkServer;
pub use framework::TestSetup;
pub use framework::fetching_line;
pub use framework::own_build_line;
pub use framework::plain_line;
pub use framework::read_report;
pub use guarded::Guarded;
pub use imports::StrayImport;
pub use oracle::Expected;
pub use remedy::explained;
pub use remedy::remedy;
pub use request::OriginalLines;
pub use request::Ran;
pub use request::Request;
pub use request::RunError;
pub use request::Runner;
pub use request::Said;
pub use request::Thrift;
pub use resident::ServerKind;
pub use resident::TestServer;
pub use split::ANY_STEPS;
pub use split::Ending;
pub use split::SPLIT_VARIABLE;
pub use split::SplitEnd;
pub use split::SplitFile;
pub use split::SplitLimits;
pub use split::SplitTrace;
pub use values::ANY_PASSES;
pub use values::NotedValues;
pub use values::VALUES_VARIABLE;
pub use values::ValueNotes;
pub use values::ValuesFile;
pub use whole::Whole;
