//! `wildcaught ops`: looks at operator sets and makes new ones of them; one file per subcommand.
//!
//! In: sets as TOML, `-` being standard input. Out: text for people, or a set.

mod diff;
mod field_test;
mod filter;
mod learn_fit;
mod lint;
mod merge;
mod page;
mod show;
pub(in crate::cli) mod source;
mod stats;
mod weigh;

use anyhow::Result;

pub use field_test::FieldTestArgs;
pub use learn_fit::LearnFitArgs;
pub use weigh::WeighArgs;

use super::args::OpsCommand;
use super::exit::Exit;

/// Runs the command.
pub fn run(command: &OpsCommand) -> Result<Exit> {
    match command {
        OpsCommand::Show { set, id, top, html } => show::run(set, id.as_deref(), *top, html.as_deref()),
        OpsCommand::Stats { set, json } => stats::run(set, *json),
        OpsCommand::Merge(args) => merge::run(args),
        OpsCommand::Diff { first, second } => diff::run(first, second),
        OpsCommand::Filter(args) => filter::run(args),
        OpsCommand::Weigh(args) => weigh::run(args),
        OpsCommand::FieldTest(args) => field_test::run(args),
        OpsCommand::LearnFit(args) => learn_fit::run(args),
        OpsCommand::Lint { set, language } => lint::run(set, language),
    }
}
