//! Removes what killed runs left behind, when the next run starts.

use std::path::Path;

use crate::exec::end_orphans;
use crate::files::Abandoned;

/// Ends the processes and removes the temporary files of runs of this user that were killed.
pub fn sweep() {
    let abandoned = Abandoned::find();
    let paths: Vec<&Path> = abandoned.iter().map(Abandoned::path).collect();
    let ended = end_orphans(&paths);
    let removed = abandoned.len();
    for left in abandoned {
        let path = left.path().to_owned();
        if let Err(error) = left.remove() {
            tell(&format!(
                "warning: cannot remove {}, left behind by a run that was killed ({error}); remove it by hand",
                path.display()
            ));
        }
    }
    if ended + removed > 0 {
        tell(&format!(
            "cleaned up after killed runs: stopped {ended} left running, removed {removed} temporary directories"
        ));
    }
}

fn tell(line: &str) {
    tell!("{line}");
}
