//! The runtime of Rust: a library that every crate is given. Crates that do not ask for it do not notice.

use std::collections::BTreeMap;
use std::path::Path;

use super::setup::Env;
use super::setup::LanguageRuntime;
use super::setup::Outer;
use super::setup::RuntimeError;
use super::setup::Setup;
use super::setup::run_tool;

const SOURCE: &str = include_str!("rust/wildcaught_rt.rs.in");
const OPTIONS: [&str; 7] =
    ["--edition", "2021", "--crate-type", "rlib", "-O", "--crate-name", "wildcaught_rt"];

/// Rust.
pub struct Rust;

impl LanguageRuntime for Rust {
    fn install(&self, setup: &Setup, outer: &Outer) -> Result<Env, RuntimeError> {
        let source = setup.write("wildcaught_rt.rs", &setup.fill(SOURCE))?;
        let library = setup.directory.join("libwildcaught_rt.rlib");
        let mut arguments: Vec<&Path> = OPTIONS.iter().map(Path::new).collect();
        arguments.extend([&source, Path::new("-o"), &library]);
        // In the target's copy, where a toolchain may be chosen.
        run_tool("rustc", outer.tree, &arguments)?;
        let mut flags = flags(outer.env);
        flags.push("--cap-lints=allow".into());
        flags.extend(outer.refused_warnings.iter().map(|lint| format!("--force-warn={lint}")));
        flags.push("--extern".into());
        flags.push(format!("wildcaught_rt={}", library.display()));
        flags.push(format!("-Ldependency={}", setup.directory.display()));
        Ok(vec![("CARGO_ENCODED_RUSTFLAGS".into(), flags.join("\u{1f}"))])
    }
}

/// The flags that the user gives rustc already.
fn flags(outer: &BTreeMap<String, String>) -> Vec<String> {
    let given: Vec<&str> = match outer.get("CARGO_ENCODED_RUSTFLAGS") {
        Some(flags) => flags.split('\u{1f}').collect(),
        None => outer.get("RUSTFLAGS").map_or("", |flags| flags).split_whitespace().collect(),
    };
    given.into_iter().filter(|flag| !flag.is_empty()).map(str::to_owned).collect()
}
