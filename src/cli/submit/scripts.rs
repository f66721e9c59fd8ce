//! The scripts of submitted work, and their results: one file per finished part with its exit code.

use std::fs;
use std::path::Path;
use std::path::PathBuf;

use anyhow::Context;
use anyhow::Result;

use crate::files::replace;

use super::work::PART;
use super::work::Work;

/// The directory in which parts say how they ended.
const ENDED: &str = "ended";
const LOGS: &str = "log";

/// Where work is, and its state.
pub struct Desk<'a> {
    pub work: &'a Work,
    /// The directory, by a path that holds on all machines.
    pub dir: PathBuf,
    here: PathBuf,
    program: PathBuf,
}

/// How far the parts are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub done: Vec<u32>,
    /// Parts that failed, with their exit codes.
    pub failed: Vec<(u32, i32)>,
    /// Parts that did not say how they ended.
    pub open: Vec<u32>,
}

impl<'a> Desk<'a> {
    /// Looks where the work is; makes nothing.
    pub fn set_up(work: &'a Work) -> Result<Self> {
        let here = std::env::current_dir()?;
        let dir = here.join(&work.dir);
        Ok(Self { work, dir, here, program: std::env::current_exe()? })
    }

    /// Where a log goes.
    pub fn log(&self, name: &str) -> PathBuf {
        self.dir.join(LOGS).join(format!("{name}.log"))
    }

    /// Where a script is.
    pub fn script(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Makes the directories, and writes the scripts.
    pub fn write_scripts(&self) -> Result<()> {
        for name in [ENDED, LOGS] {
            let path = self.dir.join(name);
            fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        }
        for (name, text) in [("part", self.part_script()), ("merge", self.merge_script())] {
            let path = self.script(name);
            replace(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
        Ok(())
    }

    /// A command of ours as a shell reads it.
    pub fn line(&self, words: &[String]) -> String {
        let words: Vec<String> = words.iter().map(|word| with_part(word)).collect();
        format!("{} {}", quoted(&self.program.display().to_string()), words.join(" "))
    }

    /// The script of one part; its number is the first argument, or the task of a Slurm array.
    pub fn part_script(&self) -> String {
        let Self { work, here, .. } = self;
        let (here, line) = (quoted(&here.display().to_string()), self.line(&work.part));
        format!(
            "#!/bin/bash\n# One of {} parts.\ncd {here} || exit 1\npart=${{1:-$SLURM_ARRAY_TASK_ID}}\n\
             ended={}/\"$part\"\nrm -f \"$ended\"\n{line}\n{}",
            work.parts,
            quoted(&self.dir.join(ENDED).display().to_string()),
            NOTE
        )
    }

    /// The script that puts the parts together, unless one failed.
    pub fn merge_script(&self) -> String {
        let Self { work, here, dir, .. } = self;
        let fine: Vec<String> = work.fine.iter().map(ToString::to_string).collect();
        let lines: Vec<String> = work.after.iter().map(|line| self.line(line)).collect();
        // All but the last only prepare.
        let lines = lines.join(" >&2 || exit\n");
        format!(
            "#!/bin/bash\n# Merges {parts} parts.\ncd {here} || exit 1\nhome={home}\nended=$home/merge\n\
             rm -f \"$ended\"\nfailed=\nfor part in $(seq {parts}); do\n  \
             case \" {fine} \" in *\" $(cat \"$home/$part\" 2>/dev/null || echo none) \"*) ;; *) failed=\"$failed $part\" ;; esac\n\
             done\nif [ -n \"$failed\" ]; then\n  echo \"not merged, since these parts failed:$failed\" >&2\n  (exit 5)\n\
             else (\n{lines}\n) fi\n{NOTE}",
            parts = work.parts,
            here = quoted(&here.display().to_string()),
            home = quoted(&dir.join(ENDED).display().to_string()),
            fine = fine.join(" "),
        )
    }

    /// The outcome of the parts.
    pub fn standing(&self) -> Standing {
        let mut standing = Standing::default();
        for part in 1..=self.work.parts {
            match self.ended(&part.to_string()) {
                Some(code) if self.work.fine.contains(&code) => standing.done.push(part),
                Some(code) => standing.failed.push((part, code)),
                None => standing.open.push(part),
            }
        }
        standing
    }

    /// The exit code of a part, or of `merge`, if it ended.
    pub fn ended(&self, name: &str) -> Option<i32> {
        fs::read_to_string(self.dir.join(ENDED).join(name)).ok()?.trim().parse().ok()
    }

    /// Removes what an earlier submission left of its parts: they are of another plan.
    pub fn clear(&self) -> Result<()> {
        for name in ["parts", ENDED] {
            let path = self.dir.join(name);
            if path.exists() {
                fs::remove_dir_all(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        Ok(())
    }

    /// Forgets how parts ended.
    pub fn forget(&self, names: impl Iterator<Item = String>) {
        for name in names {
            let _ = fs::remove_file(self.dir.join(ENDED).join(name));
        }
    }
}

/// Notes the exit code, whole or not at all.
const NOTE: &str =
    "code=$?\necho \"$code\" >\"$ended.new\" && mv \"$ended.new\" \"$ended\"\nexit \"$code\"\n";

/// A word as a shell reads it; the number of the part is filled in by the shell.
fn with_part(word: &str) -> String {
    let pieces: Vec<String> = word.split(PART).map(quoted).collect();
    pieces.join("\"$part\"")
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=/.,:+@%".contains(letter);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Numbers as Slurm writes them: `1-3,7`.
pub fn ranges(numbers: &[u32]) -> String {
    let mut text: Vec<String> = Vec::new();
    let mut at = 0;
    while at < numbers.len() {
        let mut last = at;
        while last + 1 < numbers.len() && numbers[last + 1] == numbers[last] + 1 {
            last += 1;
        }
        text.push(match last == at {
            true => numbers[at].to_string(),
            false => format!("{}-{}", numbers[at], numbers[last]),
        });
        at = last + 1;
    }
    text.join(",")
}

/// A path as a person who stands here would write it.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_the_shell_as_they_are() {
        assert_eq!(quoted("a/b-1"), "a/b-1");
        assert_eq!(quoted("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(with_part("--out=my dir/{part}"), "'--out=my dir/'\"$part\"");
    }

    #[test]
    fn neighbours_are_written_as_ranges() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(ranges(&[]), "");
    }
}
