//! `wildcaught schema`: JSON schemas of documents and files.

use anyhow::Result;
use clap::Args;

use crate::report::Align;
use crate::report::SCHEMAS;
use crate::report::SchemaRow;
use crate::report::Table;

use super::exit::Exit;
use super::output::print_text;
use super::output::write_json;

#[derive(Args, Debug)]
#[command(after_help = "Exit codes:\n  0  printed\n  1  no document has that name")]
pub struct SchemaArgs {
    /// Print the schema of this document. Default: list all documents.
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

/// Runs the command.
pub fn run(args: &SchemaArgs) -> Result<Exit> {
    match &args.name {
        Some(name) => write_json(&SchemaRow::called(name)?.schema())?,
        None => print_text(&listed())?,
    }
    Ok(Exit::Fine)
}

/// Every document in a line.
fn listed() -> String {
    let mut table = Table::new(&[("name", Align::Left), ("document", Align::Left)]);
    SCHEMAS.iter().for_each(|row| table.row(vec![row.name.to_owned(), row.what.to_owned()]));
    table.to_string()
}
