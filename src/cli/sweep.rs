//! What killed runs left behind is removed when the next one starts.

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
                "warning: {} was left by a run that was killed and cannot be removed ({error}); remove it by hand",
                path.display()
            ));
        }
    }
    if ended + removed > 0 {
        tell(&format!(
            "cleaned up after runs that were killed: {ended} left running, {removed} temporary directories"
        ));
    }
}

fn tell(line: &str) {
    tell!("{line}");
}
