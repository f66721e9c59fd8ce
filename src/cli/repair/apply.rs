//! Patches of the last run: stored beside its results, and written into the sources by `--apply`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::insert::TextEdit;
use crate::report::documents::PatchDocument;
use crate::report::documents::RepairDocument;
use crate::workspace::InPlace;

use super::super::exit::Exit;
use super::super::output::as_json;
use super::super::output::write_out;
use super::super::settings::results;
use super::super::settings::settings;
use super::args::RepairArgs;

/// The directory of patches, in that of results.
const DIRECTORY: &str = "repair";
const DOCUMENT: &str = "repair.json";

/// Keeps a result: the document, and each patch as a diff.
pub fn keep(out: &Path, document: &RepairDocument) -> Result<()> {
    let directory = out.join(DIRECTORY);
    if directory.exists() {
        fs::remove_dir_all(&directory).with_context(|| format!("cannot remove {}", directory.display()))?;
    }
    fs::create_dir_all(&directory).with_context(|| format!("cannot create {}", directory.display()))?;
    for patch in &document.patches {
        write_out(Some(&directory.join(format!("{}.diff", patch.rank))), &patch.diff)?;
    }
    write_out(Some(&directory.join(DOCUMENT)), &as_json(document)?)
}

/// Writes a patch of the last run into the sources.
pub fn apply(args: &RepairArgs, number: usize) -> Result<Exit> {
    let directory = results(&args.out).join(DIRECTORY);
    let path = directory.join(DOCUMENT);
    let text = fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}; run `wildcaught repair` first", path.display()))?;
    let document: RepairDocument = serde_json::from_str(&text)
        .with_context(|| format!("{} is damaged; run `wildcaught repair` again", path.display()))?;
    let count = document.patches.len();
    let Some(patch) = document.patches.iter().find(|patch| patch.rank == number) else {
        bail!("--apply {number}: the last run found {count} patches")
    };
    let settings = settings(&args.config)?;
    put(patch, &settings.root, &directory)?;
    tell!("wrote patch {number} into the sources; `wildcaught repair --revert` removes it");
    Ok(Exit::Fine)
}

fn put(patch: &PatchDocument, root: &Path, directory: &Path) -> Result<()> {
    let file = &patch.changes[0].file;
    if patch.changes.iter().any(|change| change.file != *file) {
        let diff = directory.join(format!("{}.diff", patch.rank));
        bail!(
            "--apply writes only patches of one file, and this one changes several; use `git apply {}`",
            diff.display()
        );
    }
    InPlace::check_free(root)?;
    let path = root.join(file);
    let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let (start, end) = (patch.changes[0].start, patch.changes[patch.changes.len() - 1].end);
    if end > text.len() || !fits(patch, &text) {
        bail!("{file} has changed since the patch was found; run `wildcaught repair` again");
    }
    let (mut new, mut at) = (Vec::new(), start);
    for change in &patch.changes {
        new.extend_from_slice(&text[at..change.start]);
        new.extend_from_slice(change.text.as_bytes());
        at = change.end;
    }
    let edit = TextEdit { start, end, text: new };
    InPlace::put(root, &format!("patch-{}", patch.rank), &path, &text, &edit)?;
    Ok(())
}

/// Whether the lines that the diff takes away or shows around stand in the file.
fn fits(patch: &PatchDocument, text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let old: Vec<&str> = patch
        .diff
        .lines()
        .filter(|line| !line.starts_with("---") && (line.starts_with('-') || line.starts_with(' ')))
        .map(|line| &line[1..])
        .collect();
    let lines: BTreeSet<&str> = text.lines().collect();
    old.iter().all(|line| lines.contains(line))
}
