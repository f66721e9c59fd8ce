//! The runtime of C and C++: an archive that every link is given by a compiler that stands before the real
//! one in PATH.

use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::insert::SourceFile;

use super::setup::Env;
use super::setup::LanguageRuntime;
use super::setup::Outer;
use super::setup::RuntimeError;
use super::setup::Setup;
use super::setup::before;
use super::setup::run_tool;

const ARCHIVE: &str = "libwildcaught.a";
const PRELUDE: &str = include_str!("c/prelude.h");
const HEADER: &str = include_str!("c/runtime.h");
/// Each an object of its own.
const PARTS: [(&str, &str); 5] = [
    ("runtime", include_str!("c/runtime.c")),
    ("points", include_str!("c/points.c")),
    ("values", include_str!("c/values.c")),
    ("fork", include_str!("c/fork.c")),
    ("wrapmain", include_str!("c/wrapmain.c")),
];
const SHIM: &str = include_str!("c/shim.sh");

/// Names under which compilers are called.
const COMPILERS: [&str; 9] =
    ["cc", "gcc", "c99", "c89", "clang", "g++", "c++", "clang++", "x86_64-linux-gnu-gcc"];
/// The variable with options of ours.
const OPTIONS: &str = "WILDCAUGHT_CFLAGS";
/// Warnings say nothing about a mutant; all errors are wanted, at the place where a macro is used.
/// Hoisting out of versions of a piece makes every version slower (8 times in a bitwise checksum).
const FLAGS: &str = "-w -fmax-errors=0 -ftrack-macro-expansion=0 -fno-code-hoisting";

/// C and C++.
pub struct C;

impl LanguageRuntime for C {
    fn install(&self, setup: &Setup, outer: &Outer) -> Result<Env, RuntimeError> {
        let archive = archive(setup)?;
        let path = outer.env.get("PATH").cloned().unwrap_or_default();
        let bin = compilers(setup, &path)?;
        let text = |path: &Path| path.display().to_string();
        Ok(vec![
            ("PATH".into(), before(&text(&bin), Some(&path))),
            ("WILDCAUGHT_SHIM_DIR".into(), text(&bin)),
            (OPTIONS.into(), FLAGS.into()),
            ("WILDCAUGHT_LDFLAGS".into(), "-Wl,--wrap=main".into()),
            ("WILDCAUGHT_RUNTIME".into(), text(&archive)),
            ("WILDCAUGHT_COMPILES".into(), text(&setup.directory.join("compiles"))),
        ])
    }

    fn plain(&self, env: &Env) -> Env {
        env.iter().filter(|(key, _)| key != OPTIONS).cloned().collect()
    }

    fn dress(&self, setup: &Setup, _file: &SourceFile, text: &[u8]) -> Vec<u8> {
        let lead = format!("#include \"{}\"\n#line 1\n", setup.directory.join("wildcaught.h").display());
        [lead.as_bytes(), text].concat()
    }
}

/// Builds the archive, in one call and with -O1, since every campaign waits for it. Guards run in the prelude, which is
/// compiled with the target; points.c asks for -O2 itself.
fn archive(setup: &Setup) -> Result<PathBuf, RuntimeError> {
    setup.write("wildcaught.h", PRELUDE)?;
    setup.write("runtime.h", HEADER)?;
    let units = format!("-DWILDCAUGHT_UNITS={}", setup.units);
    let mut compile = vec!["-O1".to_owned(), "-fPIC".into(), "-w".into(), "-c".into(), units];
    let mut collect = vec!["crs".to_owned(), ARCHIVE.into()];
    for (name, text) in PARTS {
        setup.write(&format!("{name}.c"), text)?;
        compile.push(format!("{name}.c"));
        collect.push(format!("{name}.o"));
    }
    for (tool, words) in [("cc", compile), ("ar", collect)] {
        let words: Vec<&Path> = words.iter().map(Path::new).collect();
        run_tool(tool, &setup.directory, &words)?;
    }
    Ok(setup.directory.join(ARCHIVE))
}

/// Puts a script in the place of each compiler that is there. Returns their directory.
fn compilers(setup: &Setup, path: &str) -> Result<PathBuf, RuntimeError> {
    let bin = setup.directory.join("bin");
    let io = |source| RuntimeError::Io { path: bin.clone(), source };
    fs::create_dir_all(&bin).map_err(io)?;
    for name in COMPILERS {
        if std::env::split_paths(path).any(|entry| entry.join(name).is_file()) {
            put_executable(&bin.join(name), SHIM).map_err(io)?;
        }
    }
    Ok(bin)
}

fn put_executable(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}
