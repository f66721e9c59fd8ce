//! `wildcaught.toml`, written for people.

use crate::exec::SandboxMode;

use super::config::Config;
use super::config::FORMAT;
use super::file::BuildFile;
use super::file::ConfigFile;
use super::file::LimitsFile;
use super::file::SandboxFile;
use super::file::TestsFile;
use super::keys::KEYS;
use super::keys::Key;
use super::style::CaseList;
use super::style::Cases;
use super::style::Oracle;
use super::style::Style;

impl Config {
    /// The file that says this: each key with a line about it, those not set commented out, `notes` on top.
    /// Reading it gives the same configuration.
    pub fn to_commented_toml(&self, notes: &[String]) -> String {
        let file = ConfigFile::from(self);
        let values = toml::Table::try_from(&file).unwrap_or_default();
        let mut text = String::from("# How wildcaught builds and tests this project.\n");
        for note in notes.iter().flat_map(|note| note.lines()) {
            text.push_str(format!("# {note}").trim_end());
            text.push('\n');
        }
        let mut section = "";
        for key in KEYS.iter().filter(|key| key.section != "tests" || key.is_for(&file.tests.preset)) {
            if key.section != section {
                section = key.section;
                text.push_str(&format!("\n[{section}]"));
            }
            text.push_str(&entry(key, value(&values, key)));
        }
        text
    }
}

fn value<'a>(values: &'a toml::Table, key: &Key) -> Option<&'a toml::Value> {
    if key.section.is_empty() { values.get(key.name) } else { values.get(key.section)?.get(key.name) }
}

/// A key with its comment; commented out, with an example, if it is not set.
fn entry(key: &Key, value: Option<&toml::Value>) -> String {
    let (mark, value) = match value {
        Some(value) => ("", value.to_string()),
        None => ("# ", key.example.to_owned()),
    };
    format!("\n# {}\n{mark}{} = {value}\n", key.comment, key.name)
}

impl From<&Config> for ConfigFile {
    fn from(config: &Config) -> Self {
        Self {
            format: FORMAT,
            language: config.language.clone(),
            sources: Some(config.sources.clone()),
            exclude: config.exclude.clone(),
            exclude_lines: config.exclude_lines.clone(),
            skip_calls: config.skip_calls.clone(),
            skip_ops: config.skip_ops.clone(),
            ops: (config.ops != Config::default_ops()).then(|| config.ops.clone()),
            skip: config.skip.clone(),
            link: config.link.clone(),
            build: build(config),
            tests: tests(config),
            limits: limits(config),
            sandbox: sandbox(config),
        }
    }
}

fn build(config: &Config) -> BuildFile {
    let usual = Config::new(config.tests.style.clone()).build;
    BuildFile {
        command: config.build.command.clone(),
        timeout: (config.build.timeout != usual.timeout).then_some(config.build.timeout.as_secs_f64()),
        env: config.build.env.clone(),
    }
}

fn limits(config: &Config) -> LimitsFile {
    let usual = Config::new(config.tests.style.clone()).limits;
    let limits = &config.limits;
    LimitsFile {
        factor: (limits.factor.to_bits() != usual.factor.to_bits()).then_some(limits.factor),
        floor: (limits.floor != usual.floor).then_some(limits.floor.as_secs_f64()),
        baseline: (limits.baseline != usual.baseline).then_some(limits.baseline.as_secs_f64()),
        repeat: (limits.repeat != usual.repeat).then_some(limits.repeat),
        jobs: limits.jobs,
        memory: config.sandbox.limits.memory.map(|bytes| bytes >> 20),
        processes: config.sandbox.limits.processes,
        file_size: config.sandbox.limits.file_size.map(|bytes| bytes >> 20),
    }
}

fn sandbox(config: &Config) -> SandboxFile {
    let policy = &config.sandbox;
    SandboxFile {
        mode: (policy.mode != SandboxMode::default()).then_some(policy.mode),
        network: policy.network.then_some(true),
        write: policy.write.iter().map(|path| path.display().to_string()).collect(),
    }
}

fn tests(config: &Config) -> TestsFile {
    let tests = &config.tests;
    let mut file = TestsFile {
        preset: tests.style.name().to_owned(),
        doc: (!tests.doc).then_some(false),
        known_failing: tests.known_failing.patterns().to_vec(),
        only: tests.only.patterns().to_vec(),
        skip_tests: tests.skip.patterns().to_vec(),
        env: tests.env.clone(),
        ..TestsFile::default()
    };
    set_style(&mut file, &tests.style);
    file
}

fn set_style(file: &mut TestsFile, style: &Style) {
    match style {
        Style::Command { command } | Style::Tap { command } => file.command = Some(command.clone()),
        Style::JunitXml { command, report } => {
            (file.command, file.report) = (Some(command.clone()), Some(report.clone()));
        }
        Style::Listed { directory, .. } => file.directory = Some(directory.clone()),
        Style::Framework { command, report, .. } => {
            (file.command, file.report) = (command.clone(), report.clone());
        }
        Style::Junit(junit) => {
            file.main.clone_from(&junit.main);
            file.test.clone_from(&junit.test);
            file.exclude.clone_from(&junit.exclude);
            file.resources.clone_from(&junit.resources);
            file.classpath.clone_from(&junit.classpath);
        }
        Style::Cases(cases) => set_cases(file, cases),
    }
}

fn set_cases(file: &mut TestsFile, cases: &Cases) {
    match &cases.list {
        CaseList::Globs(globs) => file.cases.clone_from(globs),
        CaseList::Names(names) => file.list.clone_from(names),
        CaseList::Universe(path) => file.universe = Some(path.clone()),
    }
    file.run = Some(cases.run.clone());
    file.restore.clone_from(&cases.restore);
    let (name, golden, script) = match &cases.oracle {
        Oracle::Exit => ("exit", None, None),
        Oracle::Crash => ("crash", None, None),
        Oracle::Original => ("original", None, None),
        Oracle::Golden(golden) => ("golden", Some(golden.clone()), None),
        Oracle::Script(script) => ("script", None, Some(script.clone())),
    };
    (file.oracle, file.golden, file.script) = (Some(name.to_owned()), golden, script);
}
