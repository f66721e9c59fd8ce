//! One mutant in the target itself, and the way back.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use serde::Deserialize;
use serde::Serialize;

use crate::insert::Description;
use crate::insert::Inserter;

use super::super::exit::Exit;
use super::super::output::write_bytes;
use super::job::diff;

/// Where the way back is kept.
const KEPT: &str = "wildcaught.out/in-place.json";

/// What was done.
#[derive(Deserialize, Serialize)]
struct InPlace {
    id: String,
    file: PathBuf,
    start: usize,
    /// As bytes: sources need not be text.
    before: Vec<u8>,
    after: Vec<u8>,
}

/// Refuses while another mutant is in place.
pub fn check_free() -> Result<()> {
    match kept()? {
        Some(kept) => bail!(
            "mutant {} is in {}; take it back first with `wildcaught mutate --revert`",
            kept.id,
            kept.file.display()
        ),
        None => Ok(()),
    }
}

/// Puts a mutant into its file.
pub fn put(mutant: &Description, inserter: &Inserter) -> Result<Exit> {
    let file = inserter.target.files.iter().find(|file| file.path == mutant.file).expect("it is one of them");
    let edit = &mutant.edit;
    let record = InPlace {
        id: mutant.id.clone(),
        file: mutant.file.clone(),
        start: edit.start,
        before: file.text[edit.start..edit.end].to_vec(),
        after: edit.text.clone(),
    };
    // The way back first: whatever happens between the two, nothing is lost.
    fs::create_dir_all(Path::new(KEPT).parent().expect("it has one"))
        .context("cannot create wildcaught.out")?;
    write_bytes(Some(Path::new(KEPT)), &serde_json::to_vec(&record)?)?;
    write_bytes(Some(&mutant.file), &edit.apply(&file.text))?;
    write_bytes(None, &diff(mutant, inserter))?;
    anstream::eprintln!(
        "mutant {} is in {}; `wildcaught mutate --revert` takes it back",
        mutant.id,
        mutant.file.display()
    );
    Ok(Exit::Fine)
}

fn kept() -> Result<Option<InPlace>> {
    match fs::read(KEPT) {
        Ok(bytes) => Ok(Some(
            serde_json::from_slice(&bytes)
                .with_context(|| format!("{KEPT} is damaged; undo the mutant by hand and remove it"))?,
        )),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {KEPT}")),
    }
}

/// Takes the mutant back. What was changed elsewhere in the file since stays.
pub fn revert() -> Result<Exit> {
    let Some(kept) = kept()? else { bail!("no mutant is in place here ({KEPT} is not there)") };
    let name = kept.file.display();
    let text = fs::read(&kept.file).with_context(|| format!("cannot read {name}"))?;
    let there = |start: usize, part: &[u8]| text.get(start..start + part.len()) == Some(part);
    if there(kept.start, &kept.after) {
        let reverted = [&text[..kept.start], &kept.before, &text[kept.start + kept.after.len()..]].concat();
        write_bytes(Some(&kept.file), &reverted)?;
        anstream::eprintln!("took mutant {} out of {name}", kept.id);
    } else if there(kept.start, &kept.before) {
        anstream::eprintln!("mutant {} is not in {name} any more", kept.id);
    } else {
        bail!("{name} was changed where mutant {} is; undo it by hand, then remove {KEPT}", kept.id);
    }
    fs::remove_file(KEPT).with_context(|| format!("cannot remove {KEPT}"))?;
    // Leave no empty directory behind; one with something in it stays.
    let _ = fs::remove_dir("wildcaught.out");
    Ok(Exit::Fine)
}
