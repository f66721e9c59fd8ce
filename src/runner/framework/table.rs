//! All frameworks with a runner of their own.

use super::super::request::RunError;
use super::super::request::Runner;
use super::automake::Automake;
use super::cargo::Cargo;
use super::cases::CasesOfProgram;
use super::command::OneCommand;
use super::ctest::Ctest;
use super::go::Go;
use super::junit::JunitClasses;
use super::maven::Maven;
use super::meson::Meson;
use super::node::Node;
use super::node_test::NodeTest;
use super::python::Python;
use super::report::ReportFramework;
use super::ruby::Ruby;
use super::setup::TestSetup;

/// How the tests of a framework are listed and run.
pub trait Framework: Sync {
    /// Lists the tests of a project that was built, and makes their runner.
    fn runner(&self, setup: &TestSetup) -> Result<Box<dyn Runner>, RunError>;
}

/// Frameworks by the preset that names them.
const FRAMEWORKS: &[(&str, &dyn Framework)] = &[
    ("automake", &Automake),
    ("cargo", &Cargo),
    ("cases", &CasesOfProgram),
    ("command", &OneCommand),
    ("ctest", &Ctest),
    ("go", &Go),
    ("jest", &Node("jest")),
    ("junit", &JunitClasses),
    ("maven", &Maven),
    ("meson", &Meson),
    ("minitest", &Ruby("minitest")),
    ("mocha", &Node("mocha")),
    ("nextest", &Cargo),
    ("node", &NodeTest),
    ("pytest", &Python("pytest")),
    ("rspec", &Ruby("rspec")),
    ("unittest", &Python("unittest")),
    ("vitest", &Node("vitest")),
];

/// The framework of a preset: one command whose report is read, if it has no row.
pub fn framework(preset: &str) -> &'static dyn Framework {
    FRAMEWORKS.iter().find(|(name, _)| *name == preset).map_or(&ReportFramework, |(_, framework)| *framework)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::Format;
    use crate::harness::preset;
    use crate::harness::presets;

    #[test]
    fn every_framework_has_a_preset_and_every_preset_can_be_run() {
        for (name, _) in FRAMEWORKS {
            assert!(preset(name).is_some(), "{name}");
        }
        for preset in presets() {
            let own = FRAMEWORKS.iter().any(|(name, _)| *name == preset.name);
            assert!(own || preset.reads != Format::Exit, "{} reads nothing", preset.name);
        }
    }
}
