//! `wildcaught submit parallel`: the parts by GNU parallel.

use std::fs;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::control::Progress;
use crate::exec::Spec;
use crate::exec::Streams;
use crate::files::replace;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::progress::catch_interrupt;
use super::super::progress::interrupted;
use super::args::ParallelArgs;
use super::bar::PartsBar;
use super::scripts::Desk;
use super::scripts::quoted;
use super::work::Work;

/// What GNU parallel ran, and what was asked for, beside the scripts.
const JOBLOG: &str = "joblog";
const COMMAND: &str = "parallel.txt";
const LOOK: Duration = Duration::from_millis(300);
/// As long as it takes.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Runs the command; `prepare` does what comes before the parts.
pub fn run(args: &ParallelArgs, work: &Work, prepare: impl FnOnce() -> Result<Exit>) -> Result<Exit> {
    let desk = Desk::set_up(work)?;
    let words = words(args, &desk);
    if args.work.print {
        let mut text = String::new();
        if let Some(before) = &work.before {
            text += &format!("{} &&\n", desk.line(before));
        }
        let line: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        text += &format!("{} &&\n{}\n", line.join(" "), quoted(&desk.script("merge").display().to_string()));
        print_text(&text)?;
        return Ok(Exit::Fine);
    }
    if args.fresh || !goes_on(args, &desk) {
        let _ = fs::remove_file(desk.dir.join(JOBLOG));
        desk.clear()?;
        match prepare()? {
            Exit::Fine => {}
            exit => return Ok(exit),
        }
    }
    desk.write_scripts()?;
    replace(&desk.dir.join(COMMAND), command(args).as_bytes())?;
    desk.forget(["merge".to_owned()].into_iter());
    catch_interrupt()?;
    let progress = Progress::default();
    let said = thread::scope(|scope| {
        let parts = scope.spawn(|| {
            let spec = Spec::program(&words[0], ".").args(&words[1..]).time(LONGEST);
            spec.streams(Streams::Apart).stopped_by(&progress).run()
        });
        let bar = PartsBar::new(work.parts, args.work.quiet);
        while !parts.is_finished() {
            bar.show(&desk.standing());
            if interrupted() {
                progress.stop();
            }
            thread::sleep(LOOK);
        }
        parts.join().expect("it does not panic")
    });
    if interrupted() {
        tell!("stopped; the same command continues");
        return Ok(Exit::Interrupted);
    }
    let said = said.context("cannot run parallel; is GNU parallel installed?")?;
    let standing = desk.standing();
    if !(standing.failed.is_empty() && standing.open.is_empty()) {
        let why = String::from_utf8_lossy(&said.stderr);
        if standing.failed.is_empty() && standing.done.is_empty() {
            bail!("parallel: {}", why.trim());
        }
        tell_text(&said.stderr);
        tell!("{}", standing.text(&desk, &[]).trim_end());
        tell!("the same command runs only these again; --fresh starts over with a new plan");
        return Ok(Exit::Incomplete);
    }
    let merged = Spec::program(desk.script("merge"), ".")
        .time(LONGEST)
        .keep(64 << 20)
        .streams(Streams::Apart)
        .run()?;
    tell_text(&merged.stderr);
    print_text(&String::from_utf8_lossy(&merged.stdout))?;
    Ok(Exit::of_code(desk.ended("merge")))
}

/// What is shared, in a line.
fn command(args: &ParallelArgs) -> String {
    format!("{} {}\n", args.work.array, args.work.command.join(" "))
}

/// Whether the last run was of the same, and did not come to its end: then what was done is not done again.
fn goes_on(args: &ParallelArgs, desk: &Desk) -> bool {
    let same = fs::read_to_string(desk.dir.join(COMMAND)).is_ok_and(|known| known == command(args));
    let ended = desk.ended("merge").is_some_and(|code| code != Exit::Incomplete as i32);
    same && !ended && desk.dir.join(JOBLOG).exists()
}

fn tell_text(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if !text.trim().is_empty() {
        tell!("{}", text.trim_end());
    }
}

/// The command of GNU parallel: it runs what it did not run yet, and what failed.
fn words(args: &ParallelArgs, desk: &Desk) -> Vec<String> {
    let mut words: Vec<String> =
        ["parallel", "--will-cite", "-N0", "--resume-failed"].map(str::to_owned).to_vec();
    words.push("--joblog".to_owned());
    words.push(desk.dir.join(JOBLOG).display().to_string());
    words.extend(["-j".to_owned(), args.jobs.to_string()]);
    if let Some(file) = &args.sshloginfile {
        words.extend(["--sshloginfile".to_owned(), file.display().to_string()]);
    }
    let script = quoted(&desk.script("part").display().to_string());
    let logs = quoted(&desk.dir.join("log").display().to_string());
    words.push(format!("{script} {{#}} >{logs}/{{#}}.log 2>&1"));
    words.push(":::".to_owned());
    words.extend((1..=desk.work.parts).map(|part| part.to_string()));
    words
}
