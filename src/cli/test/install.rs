//! `wildcaught init --install`: installs dependencies into a cache outside of the project.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::exec::Spec;
use crate::harness::Style;
use crate::harness::Suggestion;
use crate::harness::python_install;
use crate::workspace::Copying;
use crate::workspace::Workspace;

use super::super::settings::outer;

/// How long an installation may take.
const LIMIT: Duration = Duration::from_secs(1800);

/// Installs what a way to test needs, and changes the settings so that it is used.
pub fn install(root: &Path, way: &mut Suggestion, quiet: bool) -> Result<()> {
    let home = cache(root)?;
    match way.language.as_str() {
        "python" => python(root, way, &home.join("python"), quiet),
        "javascript" | "typescript" => node(root, way, &home.join("node"), quiet),
        other => {
            bail!("--install does not support projects in {other}; install what the project needs yourself")
        }
    }
}

/// Packages that download a browser when they are installed are told not to.
const NO_BROWSERS: &str =
    "export PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 CYPRESS_INSTALL_BINARY=0";

/// A directory for this project, outside of it.
fn cache(root: &Path) -> Result<PathBuf> {
    let env = outer();
    let base = env.get("XDG_CACHE_HOME").map(PathBuf::from);
    let base = base.or_else(|| env.get("HOME").map(|home| Path::new(home).join(".cache")));
    let base = base.context("--install needs HOME or XDG_CACHE_HOME")?;
    let full = root.canonicalize()?;
    let name = full.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let number = xxhash_rust::xxh3::xxh3_64(full.as_os_str().as_encoded_bytes());
    let home = base.join("wildcaught").join(format!("{name}-{number:016x}"));
    fs::create_dir_all(&home).with_context(|| format!("cannot create {}", home.display()))?;
    Ok(home)
}

/// A copy of the project, in which tools may write what they want.
fn copy(root: &Path) -> Result<Workspace> {
    let skip = vec!["node_modules".to_owned(), ".venv".to_owned(), "venv".to_owned()];
    Ok(Workspace::copy(root, &Copying { skip, ..Copying::default() })?)
}

/// A virtual environment with the project and what its tests need.
fn python(root: &Path, way: &mut Suggestion, environment: &Path, quiet: bool) -> Result<()> {
    let copy = copy(root)?;
    for (number, line) in python_install(root).iter().enumerate() {
        let done = run(line, copy.path(), environment, quiet)?;
        if let (Err(said), 0..=1) = (&done, number) {
            bail!("--install: `{line}` failed:\n{said}");
        }
        if let Err(said) = done {
            tell!("warning: `{line}` did not install {}", said.lines().last().unwrap_or_default());
        }
    }
    if let Style::Framework { preset, command, .. } = &mut way.config.tests.style {
        *command = Some(format!("{}/bin/python -m {}", environment.display(), preset.name));
    }
    way.missing = None;
    Ok(())
}

/// The modules of a project.
fn node(root: &Path, way: &mut Suggestion, home: &Path, quiet: bool) -> Result<()> {
    let copy = copy(root)?;
    let modules = home.join("node_modules");
    let command = way.missing.take().and_then(|missing| missing.command);
    let command = command.unwrap_or_else(|| "npm ci || npm install".to_owned());
    let program = command.split(' ').next().unwrap_or_default();
    // A manager that is not there is asked for through npx; where that is no use, npm installs what it can.
    let line = match program {
        "npm" => {
            format!("{command} --no-audit --no-fund || npm install --no-audit --no-fund --legacy-peer-deps")
        }
        _ => {
            format!("{command} || npx --yes {command} || npm install --no-audit --no-fund --legacy-peer-deps")
        }
    };
    if let Err(said) = run(&format!("{NO_BROWSERS} && ({line})"), copy.path(), home, quiet)? {
        // A package may fail to download or build something that no test needs.
        let line = "npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps";
        if run(line, copy.path(), home, quiet)?.is_err() {
            bail!("--install: `{command}` failed:\n{said}");
        }
        tell!(
            "warning: packages were installed without their install scripts, since one of them fails; packages \
             that need theirs may not work"
        );
    }
    fs::create_dir_all(home)?;
    let moved = "rm -rf \"$1/node_modules\" && cp -a node_modules \"$1/node_modules\"";
    if let Err(said) = run(moved, copy.path(), home, true)? {
        bail!("--install: nothing was installed in node_modules: {said}");
    }
    way.config.link.retain(|name| name != "node_modules" && !name.starts_with("node_modules="));
    way.config.link.push(format!("node_modules={}", modules.display()));
    Ok(())
}

/// Runs a line in a directory with one argument; what it printed, if it failed.
fn run(line: &str, directory: &Path, argument: &Path, quiet: bool) -> Result<Result<(), String>> {
    if !quiet {
        tell!("installing: {line}");
    }
    let seen =
        Spec::shell(line, directory).arg(argument).time(LIMIT).run().with_context(|| line.to_owned())?;
    if seen.is_success() {
        return Ok(Ok(()));
    }
    let said = String::from_utf8_lossy(&seen.stdout);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    Ok(Err(lines[lines.len().saturating_sub(8)..].join("\n")))
}
