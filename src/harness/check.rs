//! What a `wildcaught.toml` must fulfil beyond being TOML with known keys.

use std::path::Component;
use std::path::Path;

use crate::insert::CallPattern;
use crate::langdef::builtin_names;

use super::config::ConfigProblem;
use super::config::FORMAT;
use super::file::ConfigFile;
use super::file::LimitsFile;
use super::file::TestsFile;
use super::keys::KEYS;
use super::preset::preset;
use super::preset::preset_names;
use super::style::CaseList;
use super::style::Cases;
use super::style::Junit;
use super::style::Oracle;
use super::style::Style;

/// The longest time that can be said, in seconds: a year.
const LONGEST: f64 = 365.0 * 24.0 * 3600.0;

fn problem(key: &str, problem: impl Into<String>, remedy: impl Into<String>) -> ConfigProblem {
    ConfigProblem { key: key.to_owned(), problem: problem.into(), remedy: remedy.into() }
}

fn ensure(holds: bool, key: &str, wrong: impl Into<String>, remedy: &str) -> Result<(), ConfigProblem> {
    if holds { Ok(()) } else { Err(problem(key, wrong, remedy)) }
}

/// Checks all but the way of testing.
pub(super) fn file(file: &ConfigFile) -> Result<(), ConfigProblem> {
    let version = format!("unknown version {}", file.format);
    ensure(
        file.format == FORMAT,
        "format",
        version,
        "write format = 1, or use a newer version of wildcaught",
    )?;
    if let Some(name) = &file.language {
        language(name)?;
    }
    for source in file.sources.iter().flatten() {
        inside("sources", source)?;
    }
    ensure(
        file.sources.as_ref().is_none_or(|list| !list.is_empty()),
        "sources",
        "the list is empty",
        "name the files and directories to mutate",
    )?;
    file.exclude.iter().try_for_each(|glob| self::glob("exclude", glob))?;
    file.exclude_lines.iter().try_for_each(|line| regex(line))?;
    for name in &file.skip_calls {
        CallPattern::new(name).map_err(|wrong| problem("skip_calls", wrong, "* matches any text"))?;
    }
    file.skip.iter().try_for_each(|name| plain_name("skip", name))?;
    file.link.iter().try_for_each(|link| linked(link))?;
    seconds("build.timeout", file.build.timeout)?;
    for path in &file.sandbox.write {
        let wrong = format!("{path:?} is not an absolute path");
        ensure(
            Path::new(path).is_absolute(),
            "sandbox.write",
            wrong,
            "write it from the root, as \"/dev/shm\"",
        )?;
    }
    limits(&file.limits)
}

fn language(name: &str) -> Result<(), ConfigProblem> {
    let known = builtin_names().any(|known| known == name) || name.ends_with(".toml");
    let names: Vec<&str> = builtin_names().collect();
    let remedy = format!("use one of {}, or name a definition file (.toml)", names.join(", "));
    ensure(known, "language", format!("unknown language {name:?}"), &remedy)
}

/// A path inside the project: the copy has nothing else.
fn inside(key: &str, path: &str) -> Result<(), ConfigProblem> {
    let mut parts = Path::new(path).components();
    let stays =
        !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    ensure(
        stays,
        key,
        format!("{path:?} is not inside the project"),
        "write a path relative to the project's root",
    )
}

fn plain_name(key: &str, name: &str) -> Result<(), ConfigProblem> {
    let plain = !name.is_empty() && !name.contains(['/', '\\', '*']) && name != "." && name != "..";
    ensure(
        plain,
        key,
        format!("{name:?} is not a name"),
        "write the bare name of a directory or file, such as \"target\"",
    )
}

/// A name, or a name and the directory outside of the project that it leads to: `node_modules=/cache/node_modules`.
fn linked(link: &str) -> Result<(), ConfigProblem> {
    let (name, target) = link.split_once('=').map_or((link, None), |(name, target)| (name, Some(target)));
    plain_name("link", name)?;
    ensure(
        target.is_none_or(|target| Path::new(target).is_absolute()),
        "link",
        format!("{link:?} does not lead to an absolute path"),
        "write it from the root, as \"node_modules=/cache/node_modules\"",
    )
}

fn glob(key: &str, glob: &str) -> Result<(), ConfigProblem> {
    match globset::Glob::new(glob) {
        Ok(_) => Ok(()),
        Err(error) => {
            Err(problem(key, format!("glob {glob:?}: {}", error.kind()), "write a glob as in .gitignore"))
        }
    }
}

fn regex(line: &str) -> Result<(), ConfigProblem> {
    let wrong = |error: regex::Error| {
        let last = error.to_string().lines().last().unwrap_or_default().to_owned();
        problem("exclude_lines", format!("{line:?}: {last}"), "escape special characters, as in 'log\\('")
    };
    regex::bytes::Regex::new(line).map(|_| ()).map_err(wrong)
}

fn seconds(key: &str, value: Option<f64>) -> Result<(), ConfigProblem> {
    let fits = value.is_none_or(|value| (0.0..=LONGEST).contains(&value));
    ensure(fits, key, format!("{} is not a time", value.unwrap_or_default()), "write seconds, at least 0")
}

fn limits(limits: &LimitsFile) -> Result<(), ConfigProblem> {
    let factor = limits.factor.unwrap_or(1.0);
    ensure(
        (1.0..=1e6).contains(&factor),
        "limits.factor",
        format!("{factor} must be between 1 and 1000000"),
        "change it, or remove it for the default",
    )?;
    seconds("limits.floor", limits.floor)?;
    seconds("limits.baseline", limits.baseline)?;
    ensure(
        limits.repeat != Some(0),
        "limits.repeat",
        "must be at least 1",
        "change it, or remove it for the default",
    )?;
    ensure(
        limits.jobs != Some(0),
        "limits.jobs",
        "must be at least 1",
        "change it, or remove it for the default",
    )?;
    for (key, value) in
        [("memory", limits.memory), ("processes", limits.processes), ("file_size", limits.file_size)]
    {
        ensure(
            value != Some(0),
            &format!("limits.{key}"),
            "must be at least 1",
            "change it, or remove it for the default",
        )?;
    }
    Ok(())
}

/// The way of testing, with the keys that its preset takes and needs.
pub(super) fn style(tests: &TestsFile) -> Result<Style, ConfigProblem> {
    let known = preset_names().any(|name| name == tests.preset);
    let remedy = format!("use one of {}", preset_names().collect::<Vec<_>>().join(", "));
    ensure(known, "tests.preset", format!("unknown preset {:?}", tests.preset), &remedy)?;
    foreign_keys(tests)?;
    let command = || needed(tests, "command", tests.command.as_ref());
    match tests.preset.as_str() {
        "command" => Ok(Style::Command { command: command()? }),
        "tap" => Ok(Style::Tap { command: command()? }),
        "junit-xml" => {
            let report = needed(tests, "report", tests.report.as_ref())?;
            Ok(Style::JunitXml { command: command()?, report })
        }
        "cases" => cases(tests).map(Style::Cases),
        "junit" => Ok(Style::Junit(junit(tests)?)),
        name => framework(name, tests),
    }
}

fn framework(name: &str, tests: &TestsFile) -> Result<Style, ConfigProblem> {
    let Some(preset) = preset(name) else {
        return Err(problem(
            "tests.preset",
            format!("{name:?} cannot be used here"),
            "use preset = \"command\"",
        ));
    };
    if preset.takes.iter().any(|key| key == "directory") {
        let directory = tests.directory.clone().unwrap_or_else(|| "build".into());
        inside("tests.directory", &directory)?;
        return Ok(Style::Listed { preset, directory });
    }
    let blank = tests.command.as_ref().is_some_and(|command| command.trim().is_empty());
    ensure(!blank, "tests.command", "it is blank", "write the command, or remove the key")?;
    Ok(Style::Framework { preset, command: tests.command.clone(), report: tests.report.clone() })
}

/// Refuses keys that belong to another preset: they would do nothing, in silence.
fn foreign_keys(tests: &TestsFile) -> Result<(), ConfigProblem> {
    let written = toml::Table::try_from(tests).unwrap_or_default();
    let foreign = KEYS
        .iter()
        .filter(|key| key.section == "tests" && written.contains_key(key.name))
        .find(|key| !key.is_for(&tests.preset));
    match foreign {
        None => Ok(()),
        Some(key) => Err(problem(
            &format!("tests.{}", key.name),
            format!("preset {:?} does not support it", tests.preset),
            format!("remove it, or use preset = {}", key.presets().join(" or ")),
        )),
    }
}

fn needed(tests: &TestsFile, key: &str, value: Option<&String>) -> Result<String, ConfigProblem> {
    let example = KEYS.iter().find(|known| known.section == "tests" && known.name == key);
    let remedy = format!("add {key} = {}", example.map_or("…", |key| key.example));
    let missing = || problem(&format!("tests.{key}"), format!("preset {:?} needs it", tests.preset), &remedy);
    value.filter(|value| !value.trim().is_empty()).cloned().ok_or_else(missing)
}

fn cases(tests: &TestsFile) -> Result<Cases, ConfigProblem> {
    let list = case_list(tests)?;
    tests.cases.iter().try_for_each(|glob| self::glob("tests.cases", glob))?;
    tests.restore.iter().try_for_each(|glob| self::glob("tests.restore", glob))?;
    let run = needed(tests, "run", tests.run.as_ref())?;
    match list {
        CaseList::Universe(_) => {
            let named = run.contains("{arguments}");
            let wrong = format!("{run:?} does not contain {{arguments}}");
            ensure(named, "tests.run", wrong, "put {arguments} after the program")?;
        }
        _ => names_case("tests.run", &run)?,
    }
    Ok(Cases { list, run, oracle: oracle(tests)?, restore: tests.restore.clone() })
}

fn case_list(tests: &TestsFile) -> Result<CaseList, ConfigProblem> {
    match (&tests.cases[..], &tests.list[..], &tests.universe) {
        ([_, ..], [], None) => Ok(CaseList::Globs(tests.cases.clone())),
        ([], [_, ..], None) => Ok(CaseList::Names(tests.list.clone())),
        ([], [], Some(path)) => {
            inside("tests.universe", path)?;
            Ok(CaseList::Universe(path.clone()))
        }
        ([], [], None) => {
            let remedy = "add cases = [\"tests/*.json\"], list = [\"a\"] or universe = \"universe.txt\"";
            Err(problem("tests.cases", "cases are missing", remedy))
        }
        (_, _, Some(_)) => {
            Err(problem("tests.universe", "it conflicts with other cases", "keep one of them"))
        }
        _ => Err(problem("tests.list", "it conflicts with cases", "keep one of the two")),
    }
}

/// Every template must say where the case goes, or all cases would be one.
fn names_case(key: &str, template: &str) -> Result<(), ConfigProblem> {
    let named = ["{case}", "{stem}", "{name}"].iter().any(|mark| template.contains(mark));
    ensure(named, key, format!("{template:?} does not contain {{case}}"), "put {case} where the case goes")
}

fn oracle(tests: &TestsFile) -> Result<Oracle, ConfigProblem> {
    let name = tests.oracle.as_deref().unwrap_or(match (&tests.golden, &tests.script) {
        (Some(_), _) => "golden",
        (None, Some(_)) => "script",
        (None, None) => "exit",
    });
    fitting_oracle(tests, name)?;
    match name {
        "exit" => Ok(Oracle::Exit),
        "crash" => Ok(Oracle::Crash),
        "original" => Ok(Oracle::Original),
        "golden" => {
            let golden = needed(tests, "golden", tests.golden.as_ref())?;
            names_case("tests.golden", &golden)?;
            Ok(Oracle::Golden(golden))
        }
        "script" => needed(tests, "script", tests.script.as_ref()).map(Oracle::Script),
        other => {
            let remedy = "use exit, original, golden or script";
            Err(problem("tests.oracle", format!("unknown oracle {other:?}"), remedy))
        }
    }
}

/// Refuses what belongs to another oracle.
fn fitting_oracle(tests: &TestsFile, name: &str) -> Result<(), ConfigProblem> {
    for (key, present) in [("golden", tests.golden.is_some()), ("script", tests.script.is_some())] {
        let remedy = format!("remove it, or write oracle = {key:?}");
        let wrong = format!("oracle {name:?} does not support it");
        ensure(!present || key == name, &format!("tests.{key}"), wrong, &remedy)?;
    }
    Ok(())
}

fn junit(tests: &TestsFile) -> Result<Junit, ConfigProblem> {
    let or = |given: &[String], usual: &str| {
        if given.is_empty() { vec![usual.to_owned()] } else { given.to_vec() }
    };
    let junit = Junit {
        main: or(&tests.main, "src/main/java"),
        test: or(&tests.test, "src/test/java"),
        exclude: tests.exclude.clone(),
        resources: tests.resources.clone(),
        classpath: tests.classpath.clone(),
    };
    let directories = [
        ("main", &junit.main),
        ("test", &junit.test),
        ("exclude", &junit.exclude),
        ("resources", &junit.resources),
    ];
    for (key, paths) in directories {
        paths.iter().try_for_each(|path| inside(&format!("tests.{key}"), path))?;
    }
    junit.classpath.iter().try_for_each(|jar| glob("tests.classpath", jar))?;
    Ok(junit)
}
