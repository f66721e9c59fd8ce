//! What tests may execute instead of the sources.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use walkdir::WalkDir;

use crate::exec::Spec;
use crate::harness::Style;

use super::super::workbench::Workbench;
use super::check::Canary;

/// Suspects of one kind that are named.
const MOST_NAMED: usize = 3;
/// Lines of what a command printed that are shown.
const LINES: usize = 3;

/// A way to find suspects.
type Detective = fn(&Canary, &Workbench) -> Vec<String>;

/// Who looks for what else may be executed, by the runtime of the language; the empty name is any.
const DETECTIVES: &[(&str, Detective)] = &[
    ("python", packages),
    ("javascript", modules),
    ("go", go_packages),
    ("", programs),
    ("", silent_command),
];

/// What may be executed instead, and what to do about each.
pub fn suspects(canary: &Canary, bench: &Workbench) -> Vec<String> {
    let runtime = &canary.inserter.def.file.switch.runtime;
    let asked = DETECTIVES.iter().filter(|(name, _)| name.is_empty() || name == runtime);
    asked.flat_map(|(_, find)| find(canary, bench).into_iter().take(MOST_NAMED)).collect()
}

/// Python packages that are imported from elsewhere although the copy is first on `PYTHONPATH`.
fn packages(canary: &Canary, bench: &Workbench) -> Vec<String> {
    let strays = canary.project.strays(bench.tree(), &bench.env).unwrap_or_default();
    let suspect = |stray: &crate::runner::StrayImport| {
        let (name, from) = (&stray.name, stray.from.as_ref()?.display());
        Some(format!(
            "Python imports {name} from {from} even with the copy first on PYTHONPATH: uninstall it (pip \
             uninstall {name}), or remove changes of sys.path from conftest.py and the test command"
        ))
    };
    strays.iter().filter_map(suspect).collect()
}

/// The package under test, where `node_modules` has it, too.
fn modules(canary: &Canary, bench: &Workbench) -> Vec<String> {
    let Ok(text) = fs::read(canary.project.root.join("package.json")) else { return vec![] };
    let Ok(package) = serde_json::from_slice::<serde_json::Value>(&text) else { return vec![] };
    let Some(name) = package["name"].as_str() else { return vec![] };
    let inside = bench.tree().canonicalize().unwrap_or_else(|_| bench.tree().to_owned());
    let Ok(found) = bench.tree().join("node_modules").join(name).canonicalize() else { return vec![] };
    if found.starts_with(&inside) && !found.starts_with(inside.join("node_modules")) {
        return vec![];
    }
    vec![format!(
        "node finds {name:?} in {}: require it by its path, or remove \"node_modules\" from `link` so that \
         links in it point into the copy",
        found.display()
    )]
}

/// Packages of the mutated module that go finds in another directory: `replace`, `vendor`, a workspace.
fn go_packages(canary: &Canary, bench: &Workbench) -> Vec<String> {
    let list = ["list", "-e", "-deps", "-test", "-f", "{{.ImportPath}}\t{{.Dir}}", "./..."];
    let spec = Spec::program("go", bench.tree()).args(list).envs(&bench.env).keep(16 << 20);
    let Ok(seen) = spec.run() else { return vec![] };
    let said = String::from_utf8_lossy(&seen.stdout).into_owned();
    let own: Vec<(String, PathBuf)> =
        canary.paths.iter().filter_map(|path| go_path(bench.tree(), path.parent()?)).collect();
    let used = said.lines().filter_map(|line| line.split_once('\t'));
    let elsewhere =
        used.filter(|(name, at)| own.iter().any(|(own, dir)| own == name && Path::new(at) != dir));
    let mut found: Vec<String> = elsewhere
        .map(|(name, at)| {
            let at = Path::new(at).strip_prefix(bench.tree()).unwrap_or(Path::new(at)).display();
            format!("go compiles {name} from {at}: check `replace` in go.mod and the vendor directory")
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The import path of a directory, by the nearest go.mod, and where it is.
fn go_path(tree: &Path, directory: &Path) -> Option<(String, PathBuf)> {
    let module = directory.ancestors().find(|above| tree.join(above).join("go.mod").exists())?;
    let text = fs::read_to_string(tree.join(module).join("go.mod")).ok()?;
    let name = text.lines().find_map(|line| line.trim().strip_prefix("module "))?.trim().trim_matches('"');
    let rest = directory.strip_prefix(module).ok()?;
    let path =
        if rest.as_os_str().is_empty() { name.to_owned() } else { format!("{name}/{}", rest.display()) };
    Some((path, tree.join(directory)))
}

/// Programs that were built in the copy and are also found on `PATH`.
fn programs(canary: &Canary, bench: &Workbench) -> Vec<String> {
    let path = canary.project.outer.get("PATH").map_or("", String::as_str);
    let mut found = Vec::new();
    for program in built(canary, bench) {
        let Some(name) = program.file_name() else { continue };
        let inside = program.display();
        let installed =
            std::env::split_paths(path).map(|place| place.join(name)).find(|there| is_program(there));
        if let Some(installed) = installed {
            let installed = installed.display();
            found.push(format!(
                "the build creates {inside}, but {installed} has the same name: call it as ./{inside} in the tests"
            ));
        }
    }
    found
}

/// What the test command printed, and which programs it does not start.
fn silent_command(canary: &Canary, bench: &Workbench) -> Vec<String> {
    let Style::Command { command } = &canary.project.config.tests.style else { return vec![] };
    let Ok(sandbox) = canary.project.build_sandbox(&[bench.tree()], &bench.env) else { return vec![] };
    let spec = Spec::shell(command, bench.tree()).envs(&bench.env).stopped_by(&canary.events.progress);
    let spec = spec.sandboxed(&sandbox);
    let Ok(seen) = spec.run() else { return vec![] };
    let said = String::from_utf8_lossy(&seen.stdout);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n    ");
    let mut found = vec![match last.is_empty() {
        true => {
            format!("`{command}` prints nothing: check that it runs the tests and does not only build them")
        }
        false => format!(
            "`{command}` prints this; check that it runs the tests and does not only build them:\n    {last}"
        ),
    }];
    let built: Vec<String> =
        built(canary, bench).iter().take(MOST_NAMED).map(|program| program.display().to_string()).collect();
    if !built.is_empty() {
        found.push(format!("the build creates {}: check that the test command starts it", built.join(", ")));
    }
    found
}

/// Programs in the copy that are not in the project, in order.
fn built(canary: &Canary, bench: &Workbench) -> Vec<PathBuf> {
    let files = WalkDir::new(bench.tree()).sort_by_file_name().into_iter().filter_map(Result::ok);
    let inside = files.filter_map(|file| file.path().strip_prefix(bench.tree()).ok().map(Path::to_owned));
    inside
        .filter(|path| !path.starts_with("wildcaught.scratch"))
        .filter(|path| is_program(&bench.tree().join(path)) && !canary.project.root.join(path).exists())
        .collect()
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| known.is_file() && may_be_started(&known))
}

#[cfg(unix)]
fn may_be_started(known: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&known.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn may_be_started(_: &fs::Metadata) -> bool {
    true
}
