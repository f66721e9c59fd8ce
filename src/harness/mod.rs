//! How a project is built and tested.
//!
//! In: `wildcaught.toml`, or a directory to look at. Out: a checked [`Config`] with commands to run, and
//! verdicts read from what test frameworks print ([`Format`]). Nothing here runs anything. How frameworks are
//! run and detected is data, in `presets.toml`; how their tests are chosen is in `src/runner/framework`.

mod cargo;
mod check;
mod config;
mod detect;
mod file;
mod find;
mod java;
mod keys;
mod makefile;
mod members;
mod names;
mod node;
mod preset;
mod python;
pub mod read;
mod scripts;
mod sources;
mod style;
mod submodules;
mod test_options;
mod tree;
mod universe;
mod write;

pub use cargo::CargoChoice;
pub use cargo::ChoiceError;
pub use config::Build;
pub use config::Config;
pub use config::ConfigError;
pub use config::ConfigProblem;
pub use config::Limits;
pub use config::Tests;
pub use detect::Missing;
pub use detect::Suggestion;
pub use detect::detect;
pub use detect::detect_with_jars;
pub use file::BuildFile;
pub use file::ConfigFile;
pub use file::LimitsFile;
pub use file::TestsFile;
pub use find::CONFIG;
pub use find::find_config;
pub use keys::KEYS;
pub use keys::Key;
pub use members::members;
pub use members::unsupported;
pub use names::Names;
pub use preset::Preset;
pub use preset::preset;
pub use preset::preset_names;
pub use preset::presets;
pub use python::python_install;
pub use read::Format;
pub use read::Reading;
pub use read::Seen;
pub use style::Case;
pub use style::CaseList;
pub use style::Cases;
pub use style::Junit;
pub use style::Oracle;
pub use style::Style;
pub use submodules::missing_submodules;
pub use universe::Call;
pub use universe::universe;
