//! `wildcaught export`.

use std::path::Path;

use anyhow::Result;
use anyhow::bail;

use crate::langdef::LangDef;
use crate::langdef::language_of_file;
use crate::matrix::KillMatrix;
use crate::matrix::RunDir;
use crate::matrix::mte_json;
use crate::matrix::mutants_json;
use crate::matrix::to_csv;
use crate::matrix::to_json;
use crate::workspace::read_below;

use super::super::exit::Exit;
use super::super::output::write_result;
use super::super::settings::results;
use super::args::ExportArgs;

/// Runs the command.
pub fn run(args: &ExportArgs) -> Result<Exit> {
    let matrix = KillMatrix::load(&RunDir::open_store(&results(&args.out))?)?;
    for file in &args.files {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = match name.as_str() {
            "matrix.json" => to_json(&matrix),
            "matrix.csv" => to_csv(&matrix),
            "mutants.json" => mutants_json(&matrix),
            "mte.json" => mte(&args.root, &matrix),
            _ => bail!(
                "{}: the file name sets the content: matrix.json, matrix.csv, mutants.json or mte.json",
                file.display()
            ),
        };
        write_result(&args.out, if args.print { None } else { Some(file) }, &text)?;
    }
    Ok(Exit::Fine)
}

/// The document of mutation-testing-elements.
pub fn mte(root: &Path, matrix: &KillMatrix) -> String {
    mte_json(matrix, |path| source(root, path), &language(matrix))
}

fn source(root: &Path, path: &str) -> Option<String> {
    match read_below(root, path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(why) => {
            tell!("warning: mte.json lacks the source of a file: {why}");
            None
        }
    }
}

fn language(matrix: &KillMatrix) -> String {
    let first = matrix.mutants.first().map(|row| row.file.clone()).unwrap_or_default();
    language_of_file(Path::new(&first)).map_or(String::new(), |def: LangDef| def.name().to_owned())
}
