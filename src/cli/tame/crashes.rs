//! Inputs that fail, from source: a project whose cases they are.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use tempfile::TempDir;

use crate::harness::CaseList;
use crate::harness::Cases;
use crate::harness::Config;
use crate::harness::Oracle;
use crate::harness::Style;

use super::super::exit::Exit;
use super::super::gather::Gather;
use super::super::gather::GatherArgs;
use super::super::settings::Settings;
use super::super::settings::settings;
use super::super::target::TargetArgs;
use super::args::OracleArg;
use super::args::ProgramArgs;
use super::args::TameArgs;

/// Operators that tell bugs apart best, by the study of repair distance: 88 % fewer mutants than all.
const OPERATORS: [&str; 2] = ["delete statement", "negate condition"];
/// What fuzzers leave beside inputs.
const NO_INPUTS: [&str; 4] = ["README.txt", "README.md", "HONGGFUZZ.REPORT.TXT", ".state"];
/// Directories of inputs that fail, inside of what AFL leaves.
const CRASHES: [&str; 2] = ["crashes", "hangs"];
/// Sanitizers end a program by a signal, so that no output need be read.
const SANITIZERS: [(&str, &str); 2] = [
    ("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0:symbolize=0"),
    ("UBSAN_OPTIONS", "halt_on_error=1:abort_on_error=1"),
];

/// Runs mutants on what fails; gives where the results are.
pub fn run(args: &TameArgs) -> Result<Result<PathBuf, Exit>> {
    let mut settings = found_settings(args)?;
    let cases = args.crashes.as_deref().map(|crashes| staged(crashes, &args.program)).transpose()?;
    if let Some((staging, names)) = &cases {
        settings.config = config(&settings.config, &args.program, staging.path(), names)?;
    }
    let own = !args.program.ops.is_empty();
    let target = TargetArgs {
        paths: args.program.sources.clone(),
        ops: if own { args.program.ops.clone() } else { vec!["classic".into()] },
        language: args.program.language.clone(),
        fit: args.program.fit.clone(),
        files: args.program.files.clone(),
    };
    let operators: &[&str] = if own { &[] } else { &OPERATORS };
    let run = GatherArgs { per_statement: 0, ..args.run.clone() };
    let gather = Gather {
        args: &run,
        target: &target,
        settings: &settings,
        operators,
        mutants: true,
        thorough: false,
    };
    Ok(gather.run()?.map(|_| settings.out(&args.run.out)))
}

/// The settings; a program that is named by its command needs none.
fn found_settings(args: &TameArgs) -> Result<Settings> {
    let known = args.run.config.exists();
    if args.program.cmd.is_none() || known {
        return settings(&args.run.config);
    }
    let style = Style::Command { command: String::new() };
    Ok(Settings { root: PathBuf::from("."), config: Config::new(style), from: "--cmd".into() })
}

fn config(known: &Config, program: &ProgramArgs, staging: &Path, names: &[String]) -> Result<Config> {
    let run = match (&program.cmd, &known.tests.style) {
        (Some(command), _) if command.contains("{}") => {
            command.replace("{}", &staging.join("{case}").display().to_string())
        }
        (Some(command), _) => bail!("--cmd {command}: write {{}} where the input's path stands"),
        (None, Style::Cases(cases)) => {
            cases.run.replace("{case}", &staging.join("{case}").display().to_string())
        }
        (None, _) => bail!("say how the program is run: --cmd './prog {{}}'"),
    };
    let oracle = oracle(program)?;
    let mut config = known.clone();
    config.tests.style = Style::Cases(Cases { list: CaseList::Names(names.to_vec()), run, oracle });
    for (key, value) in SANITIZERS {
        if std::env::var_os(key).is_none() {
            config.tests.env.entry(key.into()).or_insert_with(|| value.into());
        }
    }
    if let Some(command) = &program.build {
        config.build.command = Some(command.clone());
    }
    Ok(config)
}

fn oracle(program: &ProgramArgs) -> Result<Oracle> {
    let (golden, script) = (&program.golden, &program.script);
    if golden.is_some() && program.oracle != OracleArg::Golden {
        bail!("--golden: write --oracle golden");
    }
    if script.is_some() && program.oracle != OracleArg::Script {
        bail!("--script: write --oracle script");
    }
    Ok(match program.oracle {
        OracleArg::Crash => Oracle::Crash,
        OracleArg::Exit => Oracle::Exit,
        OracleArg::Golden => {
            let golden =
                golden.as_ref().context("--oracle golden: say where the right output is, by --golden")?;
            // The program runs in a copy of the project; what is named is meant here.
            Oracle::Golden(std::env::current_dir()?.join(golden).display().to_string())
        }
        OracleArg::Script => Oracle::Script(script.clone().context("--oracle script: name it by --script")?),
    })
}

/// A directory with a link to every input, so that they are called by their names and not by where they are.
fn staged(crashes: &Path, program: &ProgramArgs) -> Result<(TempDir, Vec<String>)> {
    let staging = tempfile::Builder::new().prefix("wildcaught-").tempdir()?;
    let mut names = stage(crashes, staging.path(), "")?;
    if names.is_empty() {
        bail!("{}: there is no input in it", crashes.display());
    }
    if let Some(passing) = &program.passing {
        fs::create_dir(staging.path().join("passing"))?;
        names.extend(stage(passing, staging.path(), "passing/")?);
    }
    Ok((staging, names))
}

fn stage(directory: &Path, staging: &Path, prefix: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for (name, path) in listed(directory)? {
        let name = format!("{prefix}{name}");
        let link = staging.join(&name);
        std::os::unix::fs::symlink(&path, &link)
            .with_context(|| format!("cannot link {}", path.display()))?;
        names.push(name);
    }
    Ok(names)
}

/// The inputs in a directory; in what AFL leaves, those of all its instances.
fn listed(directory: &Path) -> Result<Vec<(String, PathBuf)>> {
    let unread = || format!("cannot read {}", directory.display());
    let root = directory.canonicalize().with_context(unread)?;
    let (mut files, mut below) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(&root).with_context(unread)? {
        let path = entry.with_context(unread)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && !NO_INPUTS.contains(&name.as_str()) {
            files.push((name, path));
        } else if path.is_dir() {
            let instances = [path.clone()].into_iter().chain(subdirectories(&path));
            below.extend(instances.filter(|path| CRASHES.iter().any(|crashes| path.ends_with(crashes))));
        }
    }
    if !below.is_empty() {
        files.clear();
        for path in below {
            let label = path.strip_prefix(&root).unwrap_or(&path).display().to_string().replace('/', "-");
            files.extend(listed(&path)?.into_iter().map(|(name, file)| (format!("{label}-{name}"), file)));
        }
    }
    files.sort();
    Ok(files)
}

fn subdirectories(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}
