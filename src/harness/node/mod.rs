//! Projects with a `package.json`: which test runner they use, how it is called, what must be built and installed first.
//!
//! In: the files of a project. Out: the runner found in the scripts of `package.json`, else in configuration files,
//! dependencies or test files, called directly: linters, type checks and coverage are left out.

mod find;
mod manifest;
mod runners;
mod scripts;

pub(super) use find::ways;
