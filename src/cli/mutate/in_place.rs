//! `--in-place` and `--revert`.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;

use crate::harness::find_config;
use crate::insert::Description;
use crate::insert::Inserter;
use crate::workspace::InPlace;
use crate::workspace::Reverted;

use super::super::exit::Exit;
use super::super::output::write_bytes;
use super::job::diff;

/// The project's root: where its settings are, as for all commands; where it has none, the current directory.
fn root() -> PathBuf {
    let settings = find_config(Path::new("."));
    let found = settings.as_deref().and_then(Path::parent).filter(|root| !root.as_os_str().is_empty());
    found.unwrap_or(Path::new(".")).to_owned()
}

/// Refuses while another mutant is in place.
pub fn check_free() -> Result<()> {
    Ok(InPlace::check_free(&root())?)
}

/// Puts a mutant into its file and shows the change.
pub fn put(mutant: &Description, inserter: &Inserter) -> Result<Exit> {
    let file = inserter.target.files.iter().find(|file| file.path == mutant.file).expect("it is one of them");
    InPlace::put(&root(), &mutant.id, &mutant.file, &file.text, &mutant.edit)?;
    write_bytes(None, &diff(mutant, inserter))?;
    tell!(
        "wrote mutant {} into {}; `wildcaught mutate --revert` removes it",
        mutant.id,
        mutant.file.display()
    );
    Ok(Exit::Fine)
}

/// Takes the mutant back.
pub fn revert() -> Result<Exit> {
    let root = root();
    let Some(kept) = InPlace::current(&root)? else {
        bail!("nothing to revert here; run --revert in the project in which --in-place was run")
    };
    let name = kept.file.display();
    match kept.revert(&root)? {
        Reverted::TakenOut => tell!("removed mutant {} from {name}", kept.id),
        Reverted::NotThere => tell!("mutant {} was no longer in {name}", kept.id),
    }
    Ok(Exit::Fine)
}
