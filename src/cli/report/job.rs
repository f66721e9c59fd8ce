//! `wildcaught report`: arguments → results → a document.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Result;

use crate::harness::find_config;
use crate::matrix::KillMatrix;
use crate::matrix::RunDir;
use crate::report::ReportDocument;
use crate::report::annotations;
use crate::report::csv;
use crate::report::gitlab;
use crate::report::junit;
use crate::report::markdown;
use crate::report::sarif;
use crate::report::sonar;

use super::super::exit::Exit;
use super::super::output::as_json;
use super::super::output::write_result;
use super::super::settings::results;
use super::super::test::mte;
use super::args::FormatArg;
use super::args::ReportArgs;
use super::kept::Kept;
use super::kept::PAGE;

/// Runs the command.
pub fn run(args: &ReportArgs) -> Result<Exit> {
    let root = args.root.clone().unwrap_or_else(project_root);
    let out = results(&args.out);
    let matrix = KillMatrix::load(&RunDir::open_store(&out)?)?;
    let text = document(args.format, &root, &out, &matrix)?;
    let beside = (args.format == FormatArg::Html).then(|| out.join(PAGE));
    let wanted = args.output.clone().filter(|path| path != Path::new("-"));
    let path = wanted.or(beside.filter(|_| args.output.is_none()));
    write_result(&args.out, path.as_deref(), &text)?;
    if let Some(path) = path {
        tell!("wrote {}", path.display());
    }
    Ok(Exit::Fine)
}

/// Where the settings are, or here.
pub fn project_root() -> PathBuf {
    let config = find_config(Path::new("."));
    let parent = config.as_deref().and_then(Path::parent).filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

fn document(format: FormatArg, root: &Path, out: &Path, matrix: &KillMatrix) -> Result<String> {
    let kept = Kept::read(root, out, matrix)?;
    let documented = kept.documented(matrix);
    Ok(match format {
        FormatArg::Html => kept.html(matrix),
        FormatArg::Sarif => sarif(&documented),
        FormatArg::Junit => junit(&documented),
        FormatArg::Markdown => markdown(&documented),
        FormatArg::Github => annotations(&documented),
        FormatArg::Gitlab => gitlab(&documented),
        FormatArg::Sonar => sonar(&documented),
        FormatArg::Mte => mte(root, matrix),
        FormatArg::Csv => csv(&documented),
        FormatArg::Json => as_json(&ReportDocument::new(&documented))?,
    })
}
