//! RSpec and Minitest: one command that runs all tests, told by variables to write a report with a verdict on each.

use std::fs;
use std::path::Path;

use super::super::request::RunError;
use super::super::request::Runner;
use super::report::ReportFramework;
use super::setup::TestSetup;
use super::table::Framework;

/// Files that Ruby loads, by their names below the directory of the runner.
const FILES: [(&str, &str); 3] = [
    ("report.rb", include_str!("ruby/report.rb")),
    ("rspec.rb", include_str!("ruby/rspec.rb")),
    ("minitest/wildcaught_plugin.rb", include_str!("ruby/minitest/wildcaught_plugin.rb")),
];

/// A framework of Ruby, by the name of its preset.
pub struct Ruby(pub &'static str);

impl Framework for Ruby {
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError> {
        let directory = setup.scratch.join("ruby");
        for (name, text) in FILES {
            let file = directory.join(name);
            let parent = file.parent().unwrap_or(&directory);
            fs::create_dir_all(parent)
                .and_then(|()| fs::write(&file, text))
                .map_err(RunError::io(file.display().to_string()))?;
        }
        let (name, separator, value) = self.variable(&directory);
        let mut env = setup.env();
        let set = env.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value);
        let outer = set.or_else(|| setup.outer.get(name)).map(|outer| format!("{separator}{outer}"));
        env.push((name.to_owned(), value + &outer.unwrap_or_default()));
        ReportFramework::runner_in(setup, env)
    }
}

impl Ruby {
    /// The variable by which the framework finds our reporter, with what separates its parts. Formatters that are named
    /// there replace those of `.rspec`.
    fn variable(&self, directory: &Path) -> (&'static str, char, String) {
        let directory = directory.display();
        match self.0 {
            "rspec" => {
                let options = "--format WildcaughtFormatter --order defined";
                ("SPEC_OPTS", ' ', format!("--require {directory}/rspec.rb {options}"))
            }
            _ => ("RUBYLIB", ':', directory.to_string()),
        }
    }
}
