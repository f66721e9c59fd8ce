//! The runtime of Rust: a library that every crate is given. Crates that do not ask for it do not notice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

use super::setup::Env;
use super::setup::LanguageRuntime;
use super::setup::Outer;
use super::setup::RuntimeError;
use super::setup::Setup;
use super::setup::run_tool;

const SOURCE: &str = include_str!("rust/wildcaught_rt.rs.in");
const WRAPPER: &str = include_str!("rust/rustc.sh.in");
const OPTIONS: [&str; 7] =
    ["--edition", "2021", "--crate-type", "rlib", "-O", "--crate-name", "wildcaught_rt"];

/// Rust.
pub struct Rust;

impl LanguageRuntime for Rust {
    fn install(&self, setup: &Setup, outer: &Outer) -> Result<Env, RuntimeError> {
        let source = setup.write("wildcaught_rt.rs", &setup.fill(SOURCE))?;
        // Cargo builds all dependencies again where a path among the flags changes.
        let directory = setup.kept.join(format!("runtime-{}", setup.units));
        fs::create_dir_all(&directory)
            .map_err(|source| RuntimeError::Io { path: directory.clone(), source })?;
        let library = directory.join("libwildcaught_rt.rlib");
        let mut arguments: Vec<&Path> = OPTIONS.iter().map(Path::new).collect();
        arguments.extend([&source, Path::new("-o"), &library]);
        // In the target's copy, where a toolchain may be chosen.
        run_tool("rustc", outer.tree, &arguments)?;
        let mut flags = given(outer.env, "RUSTFLAGS");
        flags.push("--cap-lints=allow".into());
        flags.extend(outer.refused_warnings.iter().map(|lint| format!("--force-warn={lint}")));
        let found = [
            "--extern".to_owned(),
            format!("wildcaught_rt={}", library.display()),
            format!("-Ldependency={}", directory.display()),
        ];
        flags.extend(found.iter().cloned());
        // Macros with mutants in them are expanded in tests of the documentation, too.
        let mut doc_flags = given(outer.env, "RUSTDOCFLAGS");
        doc_flags.extend(found);
        let wrapper = install_wrapper(setup, outer.env)?;
        Ok(vec![
            ("CARGO_ENCODED_RUSTFLAGS".into(), flags.join("\u{1f}")),
            ("CARGO_ENCODED_RUSTDOCFLAGS".into(), doc_flags.join("\u{1f}")),
            ("RUSTC_WORKSPACE_WRAPPER".into(), wrapper.display().to_string()),
        ])
    }
}

/// A wrapper of rustc for the packages of the project, at a path of its own in every run. Cargo builds those again where
/// the path differs, and nothing else: it goes by times, and would take what was built of another copy, with other
/// mutants in it, for new. What it calls is noted, so that it can be removed.
fn install_wrapper(setup: &Setup, outer: &BTreeMap<String, String>) -> Result<PathBuf, RuntimeError> {
    let theirs = outer.get("RUSTC_WORKSPACE_WRAPPER").map_or("", String::as_str);
    let path = setup.write("rustc", &WRAPPER.replace("@WRAPPER@", &theirs.replace('\'', "'\\''")))?;
    #[cfg(unix)]
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .map_err(|source| RuntimeError::Io { path: path.clone(), source })?;
    Ok(path)
}

/// The flags that the user gives already, in a variable or in the one that cargo reads first.
fn given(outer: &BTreeMap<String, String>, name: &str) -> Vec<String> {
    let given: Vec<&str> = match outer.get(&format!("CARGO_ENCODED_{name}")) {
        Some(flags) => flags.split('\u{1f}').collect(),
        None => outer.get(name).map_or("", |flags| flags).split_whitespace().collect(),
    };
    given.into_iter().filter(|flag| !flag.is_empty()).map(str::to_owned).collect()
}
