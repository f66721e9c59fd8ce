//! The map in `src/lib.rs` holds: a module uses only modules listed above it, only `cli` prints, and
//! only `exec` starts processes.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

/// The modules in the order of `src/lib.rs`.
fn modules() -> Vec<String> {
    let lib = fs::read_to_string(root().join("lib.rs")).unwrap();
    lib.lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

fn files(module: &str) -> Vec<PathBuf> {
    let mut open = vec![root().join(module)];
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Code without its comments, so that links in documentation may point anywhere.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn used(code: &str) -> impl Iterator<Item = &str> {
    code.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn a_module_uses_only_modules_above_it() {
    let modules = modules();
    assert!(modules.len() > 5, "{modules:?}");
    for (place, module) in modules.iter().enumerate() {
        for file in files(module) {
            for other in used(&code(&file)) {
                let Some(found) = modules.iter().position(|name| name == other) else { continue };
                let problem = "is listed below it in src/lib.rs; move the code or the line";
                assert!(found <= place, "{}: {module} uses {other}, which {problem}", file.display());
            }
        }
    }
}

#[test]
fn every_module_is_on_the_map() {
    let modules = modules();
    for entry in fs::read_dir(root()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert!(modules.contains(&name), "src/{name} is not in src/lib.rs");
        }
    }
}

#[test]
fn only_the_command_line_prints_exits_or_reads_the_environment() {
    // The build script of langdef is a program of its own.
    let program = root().join("langdef/embed.rs");
    for module in modules().iter().filter(|module| *module != "cli") {
        for file in files(module).into_iter().filter(|file| *file != program) {
            let code = code(&file);
            let code = code.split("#[cfg(test)]").next().unwrap();
            for word in ["println!", "print!(", "process::exit", "env::var", "SystemTime::now"] {
                assert!(!code.contains(word), "{}: {word} belongs in src/cli", file.display());
            }
        }
    }
}

/// Names, messages and what other programs print may hold escape sequences.
#[test]
fn everything_printed_is_cleaned_in_one_place() {
    let printing = [root().join("cli/output.rs"), root().join("cli/terminal.rs")];
    for file in files("cli").into_iter().filter(|file| !printing.contains(file)) {
        let code = code(&file);
        let code = code.split("#[cfg(test)]").next().unwrap();
        for word in ["println!", "print!(", "io::stdout", "io::stderr", "anstream::", "\\u{1b}", "\\x1b"] {
            assert!(
                !code.contains(word),
                "{}: {word}: print with tell! or print_text of cli/output.rs; colours are in src/text",
                file.display()
            );
        }
    }
}

/// Pages and pictures are written by `report` alone, which escapes with one function.
#[test]
fn markup_is_written_and_escaped_in_one_place() {
    for module in modules() {
        for file in files(&module) {
            let code = code(&file);
            let code = code.split("#[cfg(test)]").next().unwrap();
            let escapes = code.contains("&lt;") && !file.ends_with("report/svg.rs");
            assert!(!escapes, "{}: escape markup with report/svg.rs", file.display());
            for tag in ["<svg", "<html", "<td", "<span", "<text"] {
                let writes = code.contains(tag) && module != "report";
                assert!(!writes, "{}: {tag}: write pages with report::Page", file.display());
            }
            // The page of a run shows data with a program of its own, which makes text nodes and no markup.
            let runs = code.contains("<script") && !file.ends_with("report/app/html.rs");
            assert!(!runs, "{}: pages run nothing", file.display());
        }
    }
}

#[test]
fn only_exec_starts_processes() {
    // The build script of langdef is a program of its own.
    let program = root().join("langdef/embed.rs");
    for module in modules().iter().filter(|module| *module != "exec") {
        for file in files(module).into_iter().filter(|file| *file != program) {
            let code = code(&file);
            for word in ["Command::new", "process::Command", "process::Child"] {
                assert!(
                    !code.contains(word),
                    "{}: {word} belongs in src/exec; use exec::Spec",
                    file.display()
                );
            }
        }
    }
}

#[test]
fn analyses_touch_no_file() {
    for file in files("analysis") {
        let code = code(&file);
        let code = code.split("#[cfg(test)]").next().unwrap();
        for word in ["std::fs", "File::open", "tempfile::"] {
            assert!(!code.contains(word), "{}: {word} belongs in src/matrix or src/pipeline", file.display());
        }
    }
}
