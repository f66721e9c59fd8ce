//! The JSON schemas of what wildcaught writes and reads, one row each.

use schemars::Schema;
use schemars::schema_for;
use thiserror::Error;

use crate::harness::ConfigFile;
use crate::langdef::LangFile;
use crate::matrix::Accepted;
use crate::matrix::matrix_schema;
use crate::matrix::mutants_schema;
use crate::operator::set_schema;

use super::documents::CompareDocument;
use super::documents::CouplingDocument;
use super::documents::CouplingTestDocument;
use super::documents::FunnelDocument;
use super::documents::LocalizeDocument;
use super::documents::MutateDocument;
use super::documents::OnionDocument;
use super::documents::RepairDocument;
use super::documents::ReportDocument;
use super::documents::SolveDocument;
use super::documents::SshomDocument;
use super::documents::StatsDocument;
use super::documents::TameDocument;
use super::documents::TestDocument;
use super::documents::WitnessDocument;
use super::mutants::Figures;

/// A document with a schema.
pub struct SchemaRow {
    /// Its name on the command line.
    pub name: &'static str,
    /// What the document is, in a line.
    pub what: &'static str,
    make: fn() -> Schema,
}

/// All documents: results of commands, then files of a run, then files that people write.
pub static SCHEMAS: [SchemaRow; 22] = [
    row("test", "what `wildcaught test --json` prints", || schema_for!(TestDocument)),
    row("localize", "what `wildcaught localize --json` prints", || schema_for!(LocalizeDocument)),
    row("compare", "what `wildcaught localize --compare FILE --json` prints", || {
        schema_for!(CompareDocument)
    }),
    row("repair", "what `wildcaught repair --json` prints", || schema_for!(RepairDocument)),
    row("witness", "what `wildcaught witness --json` prints", || schema_for!(WitnessDocument)),
    row("tame", "what `wildcaught tame --json` prints", || schema_for!(TameDocument)),
    row("onion", "what `wildcaught onion --json` prints", || schema_for!(OnionDocument)),
    row("sshom", "what `wildcaught sshom --json` prints", || schema_for!(SshomDocument)),
    row("sshom-solve", "what `wildcaught sshom solve --json` prints", || schema_for!(SolveDocument)),
    row("coupling", "what `wildcaught coupling --json` prints", || schema_for!(CouplingDocument)),
    row("coupling-test", "what `wildcaught coupling --test --json` prints", || {
        schema_for!(CouplingTestDocument)
    }),
    row("mutate", "what `wildcaught mutate --json` prints", || schema_for!(Figures)),
    row("mutate-list", "what `wildcaught mutate --list --json` prints", || schema_for!(MutateDocument)),
    row("funnel", "what `wildcaught harvest --json` prints, and `--funnel` writes as JSON", || {
        schema_for!(FunnelDocument)
    }),
    row("stats", "what `wildcaught ops stats --json` prints", || schema_for!(StatsDocument)),
    row("report", "what `wildcaught report json` prints", || schema_for!(ReportDocument)),
    row("matrix", "matrix.json, the kill matrix that `wildcaught export` writes", matrix_schema),
    row("mutants", "mutants.json, the mutants and fates that `wildcaught export` writes", mutants_schema),
    row("config", "wildcaught.toml, the settings of a project", || schema_for!(ConfigFile)),
    row("accepted", "wildcaught.accepted.toml, the missed mutants that a team accepts", || {
        schema_for!(Accepted)
    }),
    row("operators", "operator sets, as `wildcaught harvest` writes them", set_schema),
    row("langdef", "language definitions, langdefs/*.toml", || schema_for!(LangFile)),
];

/// Why there is no schema of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown document `{name}`; known are {known}")]
pub struct NoSuchSchema {
    name: String,
    known: String,
}

const fn row(name: &'static str, what: &'static str, make: fn() -> Schema) -> SchemaRow {
    SchemaRow { name, what, make }
}

impl SchemaRow {
    /// The row of that name.
    pub fn called(name: &str) -> Result<&'static Self, NoSuchSchema> {
        SCHEMAS.iter().find(|row| row.name == name).ok_or_else(|| {
            let known = SCHEMAS.iter().map(|row| row.name).collect::<Vec<_>>().join(", ");
            NoSuchSchema { name: name.to_owned(), known }
        })
    }

    /// The schema, in draft 2020-12.
    pub fn schema(&self) -> Schema {
        (self.make)()
    }
}
