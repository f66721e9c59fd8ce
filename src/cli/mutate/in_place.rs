//! `--in-place` and `--revert`.

use std::path::Path;

use anyhow::Result;
use anyhow::bail;

use crate::insert::Description;
use crate::insert::Inserter;
use crate::workspace::InPlace;
use crate::workspace::Reverted;

use super::super::exit::Exit;
use super::super::output::write_bytes;
use super::job::diff;

/// The project is where wildcaught runs.
const ROOT: &str = ".";

/// Refuses while another mutant is in place.
pub fn check_free() -> Result<()> {
    Ok(InPlace::check_free(Path::new(ROOT))?)
}

/// Puts a mutant into its file and shows the change.
pub fn put(mutant: &Description, inserter: &Inserter) -> Result<Exit> {
    let file = inserter.target.files.iter().find(|file| file.path == mutant.file).expect("it is one of them");
    InPlace::put(Path::new(ROOT), &mutant.id, &mutant.file, &file.text, &mutant.edit)?;
    write_bytes(None, &diff(mutant, inserter))?;
    tell!("mutant {} is in {}; `wildcaught mutate --revert` takes it back", mutant.id, mutant.file.display());
    Ok(Exit::Fine)
}

/// Takes the mutant back.
pub fn revert() -> Result<Exit> {
    let root = Path::new(ROOT);
    let Some(kept) = InPlace::current(root)? else {
        bail!("no mutant is in place here; run --revert in the directory in which --in-place was run")
    };
    let name = kept.file.display();
    match kept.revert(root)? {
        Reverted::TakenOut => tell!("took mutant {} out of {name}", kept.id),
        Reverted::NotThere => tell!("mutant {} is not in {name} any more", kept.id),
    }
    Ok(Exit::Fine)
}
