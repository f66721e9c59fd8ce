//! Mutants as files: a patch series, or whole files.

use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::insert::Description;
use crate::insert::Inserter;
use crate::report::counted;

use super::args::AsArg;
use super::job::diff;

/// A mutant as a patch: who made it, then the diff. `git apply` and `patch -p1` take it.
pub fn patch(mutant: &Description, inserter: &Inserter) -> Vec<u8> {
    let mut out = format!(
        "# {} {}:{}:{}\n# {} {}\n",
        mutant.id,
        mutant.file.display(),
        mutant.line,
        mutant.column,
        mutant.operators.join(" "),
        mutant.operator
    )
    .into_bytes();
    out.extend(diff(mutant, inserter));
    out
}

/// Writes them into a directory that has nothing in it.
pub fn run(directory: &Path, form: AsArg, inserter: &Inserter, shown: &[Description]) -> Result<()> {
    let name = directory.display();
    fs::create_dir_all(directory).with_context(|| format!("cannot create {name}"))?;
    if fs::read_dir(directory).with_context(|| format!("cannot read {name}"))?.next().is_some() {
        bail!("{name} is not empty; name a new directory, or empty it first");
    }
    let mut series = String::new();
    for (number, mutant) in shown.iter().enumerate() {
        let (path, bytes) = match form {
            AsArg::Patches => {
                let file = format!("{:0width$}-{}.patch", number + 1, mutant.id, width = width(shown.len()));
                series.push_str(&file);
                series.push('\n');
                (directory.join(file), patch(mutant, inserter))
            }
            AsArg::Files => {
                let original = inserter.target.files.iter().find(|file| file.path == mutant.file);
                let text = &original.expect("it is one of them").text;
                let inside: std::path::PathBuf = mutant
                    .file
                    .components()
                    .filter(|part| matches!(part, std::path::Component::Normal(_)))
                    .collect();
                (directory.join(&mutant.id).join(inside), mutant.edit.apply(text))
            }
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        }
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if form == AsArg::Patches {
        fs::write(directory.join("series"), series).with_context(|| format!("cannot write {name}/series"))?;
    }
    tell!("wrote {} to {name}", counted(shown.len() as u64, "mutant"));
    Ok(())
}

fn width(count: usize) -> usize {
    count.to_string().len().max(4)
}
