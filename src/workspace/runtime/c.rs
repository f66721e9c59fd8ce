//! The runtime of C and C++: an archive that every link is given by a compiler that stands before the real
//! one in PATH.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::install::RuntimeError;
use super::install::join;

const PRELUDE: &str = include_str!("c/prelude.h");
const HEADER: &str = include_str!("c/runtime.h");
/// Each an object of its own.
const PARTS: [(&str, &str); 4] = [
    ("runtime", include_str!("c/runtime.c")),
    ("points", include_str!("c/points.c")),
    ("fork", include_str!("c/fork.c")),
    ("wrapmain", include_str!("c/wrapmain.c")),
];
const SHIM: &str = include_str!("c/shim.sh");

/// Names under which compilers are called.
const COMPILERS: [&str; 9] =
    ["cc", "gcc", "c99", "c89", "clang", "g++", "c++", "clang++", "x86_64-linux-gnu-gcc"];
/// Warnings say nothing about a mutant; all errors are wanted, at the place where a macro is used.
/// Hoisting out of versions of a piece makes every version slower (8 times in a bitwise checksum).
const FLAGS: &str = "-w -fmax-errors=0 -ftrack-macro-expansion=0 -fno-code-hoisting";

/// Builds the archive and the compilers; gives the environment to build in.
pub fn install(
    units: u32,
    directory: &Path,
    outer: &BTreeMap<String, String>,
) -> Result<Vec<(String, String)>, RuntimeError> {
    let io = |source| RuntimeError::Io { path: directory.to_owned(), source };
    let archive = directory.join("libwildcaught.a");
    fs::write(directory.join("wildcaught.h"), PRELUDE).map_err(io)?;
    fs::write(directory.join("runtime.h"), HEADER).map_err(io)?;
    let mut put = Command::new("ar");
    put.current_dir(directory).arg("crs").arg(&archive);
    for (name, text) in PARTS {
        fs::write(directory.join(name).with_extension("c"), text).map_err(io)?;
        let mut compile = Command::new("cc");
        compile.current_dir(directory).args(["-O2", "-fPIC", "-w", "-c"]);
        tool("cc", compile.arg(format!("-DWILDCAUGHT_UNITS={units}")).arg(format!("{name}.c")))?;
        put.arg(format!("{name}.o"));
    }
    tool("ar", &mut put)?;
    let bin = directory.join("bin");
    fs::create_dir_all(&bin).map_err(io)?;
    let path = outer.get("PATH").cloned().unwrap_or_default();
    for name in COMPILERS {
        let known = std::env::split_paths(&path).any(|entry| entry.join(name).is_file());
        if known {
            put_executable(&bin.join(name), SHIM).map_err(io)?;
        }
    }
    let text = |path: &Path| path.display().to_string();
    Ok(vec![
        ("PATH".into(), join(&text(&bin), Some(&path))),
        ("WILDCAUGHT_SHIM_DIR".into(), text(&bin)),
        ("WILDCAUGHT_CFLAGS".into(), FLAGS.into()),
        ("WILDCAUGHT_LDFLAGS".into(), "-Wl,--wrap=main".into()),
        ("WILDCAUGHT_RUNTIME".into(), text(&archive)),
        ("WILDCAUGHT_COMPILES".into(), text(&directory.join("compiles"))),
    ])
}

fn put_executable(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

fn tool(name: &'static str, command: &mut Command) -> Result<(), RuntimeError> {
    let fail = |said: String| RuntimeError::Compile { tool: name, said };
    let out = command.output().map_err(|error| fail(error.to_string()))?;
    if out.status.success() { Ok(()) } else { Err(fail(String::from_utf8_lossy(&out.stderr).into_owned())) }
}
