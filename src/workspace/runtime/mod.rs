//! The library that the guards of a meta-program call, placed where the target's build finds it.
//!
//! In: a language definition, a directory of ours, a copy of the target. Out: a [`Runtime`] in place: the
//! environment to build with, text to put into files, files to add. No file of the target is edited by hand for it.
//! Each runtime implements one trait in a file of its own, with the sources that it installs in the directory of the
//! same name; [`table`] lists them by the name that `[switch] runtime` in a language definition gives.

mod c;
mod csharp;
mod go;
mod installed;
mod java;
mod javascript;
mod python;
mod rust;
mod setup;
mod table;

pub use installed::Runtime;
pub use setup::RuntimeError;
