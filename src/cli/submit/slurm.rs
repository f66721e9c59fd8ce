//! `wildcaught submit slurm`: an array of jobs, and a job behind it.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;
use serde::Deserialize;
use serde::Serialize;

use crate::exec::Spec;
use crate::exec::Streams;
use crate::exec::TAG;
use crate::files::replace;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::progress::catch_interrupt;
use super::super::progress::interrupted;
use super::args::SlurmArgs;
use super::bar::PartsBar;
use super::scripts::Desk;
use super::scripts::Standing;
use super::scripts::quoted;
use super::scripts::ranges;
use super::scripts::shown;
use super::work::Work;

/// What was submitted, beside the scripts.
const SUBMITTED: &str = "slurm.json";
const LOOK: Duration = Duration::from_secs(1);

/// What was submitted last.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Submitted {
    /// What was typed behind `--`.
    command: Vec<String>,
    parts: u32,
    /// The array, and the job behind it.
    array: String,
    merge: String,
}

/// Runs the command; `prepare` does what comes before the parts.
pub fn run(args: &SlurmArgs, work: &Work, prepare: impl FnOnce() -> Result<Exit>) -> Result<Exit> {
    let desk = Desk::set_up(work)?;
    let job = SlurmJob { args, desk: &desk };
    if args.work.print {
        let all: Vec<u32> = (1..=work.parts).collect();
        return job.print(&all);
    }
    if args.status {
        return job.status(&job.submitted()?);
    }
    let parts = match args.resubmit {
        true => job.left()?,
        false => (1..=work.parts).collect(),
    };
    if parts.is_empty() {
        tell!("nothing to submit again: all parts are done, waiting or running");
        return job.status(&job.submitted()?);
    }
    // A plan takes a while: whether there is a Slurm should be known before.
    slurm(&["sinfo", "-h"].map(str::to_owned))?;
    if !args.resubmit {
        job.refuse_while_running()?;
        desk.clear()?;
        match prepare()? {
            Exit::Fine => {}
            exit => return Ok(exit),
        }
    }
    let submitted = job.submit(&parts)?;
    if !args.work.quiet {
        let Submitted { array, merge, .. } = &submitted;
        tell!("submitted: parts {} as job {array}, merge as job {merge}", ranges(&parts));
    }
    if args.wait {
        return job.wait(&submitted);
    }
    if !args.work.quiet {
        tell!(
            "progress: the same command with --status instead of --; stop with scancel {} {}",
            submitted.array,
            submitted.merge
        );
    }
    Ok(Exit::Fine)
}

/// The last submission whose scripts are in a directory: what was typed, and into how many parts it was cut.
pub fn last_submission(dir: &Path) -> Result<(Vec<String>, u32)> {
    let Submitted { command, parts, .. } = read(dir)?;
    Ok((command, parts))
}

fn read(dir: &Path) -> Result<Submitted> {
    let path = dir.join(SUBMITTED);
    let text = fs::read_to_string(&path)
        .with_context(|| format!("nothing was submitted from {}; name a command after --", dir.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is damaged; submit again", path.display()))
}

struct SlurmJob<'a> {
    args: &'a SlurmArgs,
    desk: &'a Desk<'a>,
}

impl SlurmJob<'_> {
    fn submitted(&self) -> Result<Submitted> {
        read(&self.desk.dir)
    }

    /// The words of sbatch for an array of these parts.
    fn array_words(&self, parts: &[u32]) -> Vec<String> {
        let log = self.desk.dir.join("log/%a.log");
        let own = [
            format!("--array={}", ranges(parts)),
            "--job-name=wildcaught".to_owned(),
            format!("--output={}", log.display()),
        ];
        self.words(&own, "part")
    }

    /// Those for the job that puts them together, behind the job of that number.
    fn merge_words(&self, array: &str) -> Vec<String> {
        let own = [
            format!("--dependency=afterany:{array}"),
            "--kill-on-invalid-dep=yes".to_owned(),
            "--job-name=wildcaught-merge".to_owned(),
            format!("--output={}", self.desk.log("merge").display()),
        ];
        self.words(&own, "merge")
    }

    fn words(&self, own: &[String], script: &str) -> Vec<String> {
        let partition = self.args.partition.as_ref().map(|name| format!("--partition={name}"));
        let script = self.desk.script(script).display().to_string();
        let mut words = vec!["sbatch".to_owned(), "--parsable".to_owned()];
        words.extend(own.iter().cloned());
        words.extend(partition);
        words.extend(self.args.sbatch.iter().cloned());
        words.push(script);
        words
    }

    fn print(&self, parts: &[u32]) -> Result<Exit> {
        let line = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let mut text = String::new();
        if let Some(before) = &self.desk.work.before {
            text += &format!("# here, first\n{}\n\n", self.desk.line(before));
        }
        text += &format!("{}\n{}\n", line(&self.array_words(parts)), line(&self.merge_words("$ARRAY")));
        text += &format!("\n# {}\n{}", shown(&self.desk.script("part")), self.desk.part_script());
        text += &format!("\n# {}\n{}", shown(&self.desk.script("merge")), self.desk.merge_script());
        print_text(&text)?;
        Ok(Exit::Fine)
    }

    fn submit(&self, parts: &[u32]) -> Result<Submitted> {
        self.desk.write_scripts()?;
        self.desk.forget(parts.iter().map(ToString::to_string).chain(["merge".to_owned()]));
        let array = sbatch(&self.array_words(parts))?;
        let merge = sbatch(&self.merge_words(&array))?;
        let command = match self.args.resubmit {
            true => self.submitted()?.command,
            false => self.args.work.command.clone(),
        };
        let submitted = Submitted { command, parts: self.desk.work.parts, array, merge };
        let path = self.desk.dir.join(SUBMITTED);
        replace(&path, serde_json::to_string(&submitted)?.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(submitted)
    }

    /// Parts that neither are done nor will be.
    fn left(&self) -> Result<Vec<u32>> {
        let submitted = self.submitted()?;
        let queued = queued(&submitted.array)?;
        let Standing { failed, open, .. } = self.desk.standing();
        let mut left: Vec<u32> = failed.into_iter().map(|(part, _)| part).chain(open).collect();
        left.retain(|part| !queued.contains(part));
        left.sort_unstable();
        if !queued.is_empty() && !left.is_empty() {
            // Their merge waits for an array that does not have the new ones.
            let _ = slurm(&["scancel".to_owned(), submitted.merge]);
            bail!(
                "parts {} are still waiting or running; submit again when they have ended",
                ranges(&queued)
            );
        }
        Ok(left)
    }

    fn refuse_while_running(&self) -> Result<()> {
        let Ok(last) = self.submitted() else { return Ok(()) };
        if queued(&last.array).is_ok_and(|parts| !parts.is_empty()) {
            bail!(
                "job {} of the last submission is still running; wait for it, stop it with scancel {} {}, or choose another --dir",
                last.array,
                last.array,
                last.merge
            );
        }
        Ok(())
    }

    /// Prints the state of all parts.
    fn status(&self, submitted: &Submitted) -> Result<Exit> {
        let standing = self.desk.standing();
        let queued = queued(&submitted.array)?;
        let mut text = with_remedy(&standing, self.desk, &queued);
        let merged = self.desk.ended("merge");
        let exit = match merged {
            Some(code) => {
                text += &format!("merged: exit code {code}, {}\n", shown(&self.desk.log("merge")));
                if code == 5 { Exit::Incomplete } else { Exit::Fine }
            }
            None => Exit::Incomplete,
        };
        print_text(&text)?;
        Ok(exit)
    }

    /// Waits for the end, and shows what putting together printed.
    fn wait(&self, submitted: &Submitted) -> Result<Exit> {
        catch_interrupt()?;
        let bar = PartsBar::new(self.desk.work.parts, self.args.work.quiet);
        while is_queued(&submitted.merge)? {
            bar.show(&self.desk.standing());
            if interrupted() {
                drop(bar);
                tell!(
                    "the jobs keep running; stop them with scancel {} {}",
                    submitted.array,
                    submitted.merge
                );
                return Ok(Exit::Interrupted);
            }
            thread::sleep(LOOK);
        }
        drop(bar);
        let standing = self.desk.standing();
        if !(standing.failed.is_empty() && standing.open.is_empty()) {
            tell!("{}", with_remedy(&standing, self.desk, &[]).trim_end());
            return Ok(Exit::Incomplete);
        }
        let log = fs::read_to_string(self.desk.log("merge")).unwrap_or_default();
        print_text(&log)?;
        Ok(Exit::of_code(self.desk.ended("merge")))
    }
}

/// The outcome of the parts, and how those that failed are run again.
fn with_remedy(standing: &Standing, desk: &Desk, queued: &[u32]) -> String {
    let text = standing.text(desk, queued);
    let on_their_way = standing.open.iter().all(|part| queued.contains(part));
    match on_their_way && standing.failed.is_empty() {
        true => text,
        false => text + "to submit only these again: the same command with --resubmit instead of --\n",
    }
}

/// Submits a job; gives its number.
fn sbatch(words: &[String]) -> Result<String> {
    let said = slurm(words)?;
    // With several clusters, `number;cluster`.
    Ok(said.trim().split(';').next().unwrap_or_default().to_owned())
}

/// The parts of an array that wait or run.
fn queued(array: &str) -> Result<Vec<u32>> {
    let said = match slurm(&["squeue", "-h", "-r", "-o", "%K", "-j", array].map(str::to_owned)) {
        Ok(said) => said,
        // One that ended long ago is forgotten.
        Err(error) if error.to_string().contains("Invalid job id") => return Ok(vec![]),
        Err(error) => return Err(error),
    };
    let mut parts: Vec<u32> = said.lines().filter_map(|line| line.trim().parse().ok()).collect();
    parts.sort_unstable();
    Ok(parts)
}

fn is_queued(job: &str) -> Result<bool> {
    match slurm(&["squeue", "-h", "-o", "%i", "-j", job].map(str::to_owned)) {
        Ok(said) => Ok(!said.trim().is_empty()),
        Err(error) if error.to_string().contains("Invalid job id") => Ok(false),
        Err(error) => Err(error),
    }
}

/// Runs a program of Slurm; what it said.
fn slurm(words: &[String]) -> Result<String> {
    // What Slurm starts is not ours to end: it does not carry our mark.
    let words: Vec<OsString> =
        ["-u", TAG].into_iter().map(OsString::from).chain(words.iter().map(OsString::from)).collect();
    let name = words[2].to_string_lossy().into_owned();
    let said = Spec::program("env", ".").args(words).streams(Streams::Apart).run();
    let said = said.with_context(|| format!("cannot run {name}"))?;
    if !said.is_success() {
        let why = String::from_utf8_lossy(&said.stderr).trim().to_owned();
        let missing = why.contains("No such file");
        let remedy = if missing { "; is Slurm installed here?" } else { "" };
        bail!("{name}: {why}{remedy}");
    }
    Ok(String::from_utf8_lossy(&said.stdout).into_owned())
}
