//! How files were compiled, as recorded by the compiler wrappers in PATH.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

/// A compilation without what it reads and writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompilerCall {
    pub directory: PathBuf,
    pub tool: String,
    pub arguments: Vec<String>,
}

/// Options whose value is the next argument, and which stay.
const WITH_VALUE: [&str; 24] = [
    "-D",
    "-U",
    "-I",
    "-F",
    "-B",
    "-A",
    "-x",
    "-include",
    "-imacros",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-imultilib",
    "-Xpreprocessor",
    "-Xclang",
    "--param",
    "-arch",
    "-target",
    "-mllvm",
    "-framework",
];

/// Options whose value is the next argument, and which go: they are about files, linkers and assemblers.
const GONE_WITH_VALUE: [&str; 15] = [
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-l",
    "-L",
    "-T",
    "-u",
    "-z",
    "-e",
    "-Xlinker",
    "-Xassembler",
    "-aux-info",
    "-wrapper",
];

/// Beginnings of options that go. Counters and link-time code would hide what is compared.
const GONE: [&str; 20] = [
    "-M",
    "-o",
    "-l",
    "-L",
    "-T",
    "-Wl,",
    "-Wa,",
    "-Wp,-M",
    "-flto",
    "-fprofile",
    "-ftest-coverage",
    "--coverage",
    "-pg",
    "-save-temps",
    "-fdump",
    "-fstack-usage",
    "-shared",
    "-static",
    "-pie",
    "-rdynamic",
];

/// Calls that compile nothing.
const NO_COMPILATION: [&str; 5] = ["-E", "-M", "-MM", "-fsyntax-only", "--precompile"];

/// Beginnings of options that do not change what a program means.
const MEANINGLESS: [&str; 9] =
    ["-O", "-g", "-W", "-pedantic", "-fPIC", "-fpic", "-fPIE", "-fpie", "-fdiagnostics"];

/// Beginnings of options that do not change what is warned of.
const SILENT: [&str; 6] = ["-g", "-fPIC", "-fpic", "-fPIE", "-fpie", "-fdiagnostics"];

/// Beginnings of options that make errors of warnings.
const STRICT: [&str; 2] = ["-Werror", "-pedantic-errors"];

/// The calls that compile each file, each way to compile it once; the last of those that mean the same.
pub fn calls(record: &str) -> BTreeMap<PathBuf, Vec<CompilerCall>> {
    distinct(record, &MEANINGLESS)
}

/// The calls that compile each file and make errors of warnings, each way to warn once.
pub fn strict_calls(record: &str) -> BTreeMap<PathBuf, Vec<CompilerCall>> {
    let strict = |argument: &String| STRICT.iter().any(|start| argument.starts_with(start));
    let mut found = distinct(record, &SILENT);
    found.values_mut().for_each(|calls| calls.retain(|call| call.arguments.iter().any(strict)));
    found.retain(|_, calls| !calls.is_empty());
    found
}

/// The calls that compile each file with warnings and optimisation, each way to warn once.
pub fn loud_calls(record: &str) -> BTreeMap<PathBuf, Vec<CompilerCall>> {
    let warns = |argument: &String| {
        let begins = |start: &&str| argument.starts_with(start);
        argument.starts_with("-W") && !["-Wno-", "-Wl,", "-Wa,", "-Wp,"].iter().any(begins)
    };
    let optimises = |argument: &String| argument.starts_with("-O") && argument != "-O0";
    let mut found = distinct(record, &SILENT);
    for calls in found.values_mut() {
        calls.retain(|call| {
            let arguments = &call.arguments;
            arguments.iter().any(warns)
                && arguments.iter().any(optimises)
                && !arguments.iter().any(|argument| argument == "-w")
        });
    }
    found.retain(|_, calls| !calls.is_empty());
    found
}

/// The calls that compile each file; of those that differ only in options that begin as these do, the last.
fn distinct(record: &str, but_for: &[&str]) -> BTreeMap<PathBuf, Vec<CompilerCall>> {
    let mut found: BTreeMap<PathBuf, BTreeMap<CompilerCall, CompilerCall>> = BTreeMap::new();
    for line in record.lines() {
        let mut fields = line.split('\t').map(unescape);
        let (Some(directory), Some(tool)) = (fields.next(), fields.next()) else { continue };
        let arguments: Vec<String> = fields.collect();
        if arguments.iter().any(|argument| NO_COMPILATION.contains(&argument.as_str())) {
            continue;
        }
        let (kept, inputs) = sort_out(&arguments);
        let call = CompilerCall { directory: directory.into(), tool, arguments: kept };
        for input in inputs {
            let path = call.directory.join(input);
            let path = path.canonicalize().unwrap_or(path);
            found.entry(path).or_default().insert(without(&call, but_for), call.clone());
        }
    }
    found.into_iter().map(|(path, calls)| (path, calls.into_values().collect())).collect()
}

/// What stays of the arguments, and the files that are read.
fn sort_out(arguments: &[String]) -> (Vec<String>, Vec<&Path>) {
    let (mut kept, mut inputs) = (Vec::new(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let text = argument.as_str();
        if GONE_WITH_VALUE.contains(&text) {
            rest.next();
        } else if WITH_VALUE.contains(&text) {
            kept.push(argument.clone());
            kept.extend(rest.next().cloned());
        } else if !text.starts_with('-') {
            inputs.push(Path::new(text));
        } else if !is_gone(text) {
            kept.push(argument.clone());
        }
    }
    inputs.retain(|input| is_source(input));
    (kept, inputs)
}

fn is_gone(option: &str) -> bool {
    matches!(option, "-c" | "-S" | "-r" | "-") || GONE.iter().any(|start| option.starts_with(start))
}

/// Whether a file is compiled (and not a header, an object or a library).
pub fn is_source(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["c", "cc", "cpp", "cxx", "c++", "C", "cp"].contains(&ending))
}

fn without(call: &CompilerCall, but_for: &[&str]) -> CompilerCall {
    let means = |argument: &&String| {
        argument.starts_with("-Wp,") || !but_for.iter().any(|start| argument.starts_with(start))
    };
    CompilerCall { arguments: call.arguments.iter().filter(means).cloned().collect(), ..call.clone() }
}

fn unescape(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut rest = field.chars();
    while let Some(next) = rest.next() {
        match next {
            '\\' => match rest.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back_without_what_is_read_and_written() {
        let record = "/nowhere\tgcc\t-O0\t-DA=\\t\\\\\t-I\tinc\t-MD\t-MF\tx.d\t-c\t-o\tx.o\tx.c\n";
        let found = calls(record);
        let call = &found[Path::new("/nowhere/x.c")][0];
        assert_eq!(call.tool, "gcc");
        assert_eq!(call.arguments, ["-O0", "-DA=\t\\", "-I", "inc"]);
    }

    #[test]
    fn only_calls_that_make_errors_of_warnings_are_strict() {
        let record = "/n\tcc\t-O2\t-c\tx.c\n/n\tcc\t-Wall\t-Werror=unused\t-g\t-c\tx.c\n\
                      /n\tcc\t-Wall\t-Werror=unused\t-c\tx.c\n/n\tcc\t-Wall\t-c\ty.c\n";
        let found = strict_calls(record);
        assert_eq!(found.len(), 1);
        assert_eq!(found[Path::new("/n/x.c")].len(), 1);
        assert_eq!(found[Path::new("/n/x.c")][0].arguments, ["-Wall", "-Werror=unused"]);
    }

    #[test]
    fn only_calls_that_optimise_and_warn_are_loud() {
        let record = "/n\tcc\t-O2\t-Wall\t-c\ta.c\n/n\tcc\t-O0\t-Wall\t-c\tb.c\n/n\tcc\t-O2\t-Wno-all\t-c\tc.c\n\
                      /n\tcc\t-O2\t-Wall\t-w\t-c\td.c\n";
        assert_eq!(loud_calls(record).into_keys().collect::<Vec<_>>(), [Path::new("/n/a.c")]);
    }

    #[test]
    fn ways_to_compile_are_told_apart_by_what_they_mean() {
        let record = "/n\tcc\t-O0\t-c\tx.c\n/n\tcc\t-O2\t-fPIC\t-c\tx.c\n/n\tcc\t-DA\tx.c\ty.o\t-lm\n\
                      /n\tcc\t-E\tx.c\n/n\tcc\ty.o\t-o\tx.c\n";
        let found = calls(record);
        let arguments: Vec<&[String]> =
            found[Path::new("/n/x.c")].iter().map(|call| &call.arguments[..]).collect();
        assert_eq!(arguments, [&["-O2", "-fPIC"][..], &["-DA"][..]]);
        assert_eq!(found.len(), 1);
    }
}
