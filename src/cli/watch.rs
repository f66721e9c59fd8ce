//! A pipeline on the terminal: progress while it runs, and how it ended.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use indicatif::ProgressBar;
use indicatif::ProgressStyle;

use crate::control::Events;
use crate::matrix::Fate;
use crate::pipeline::PipelineError;
use crate::report::thousands;
use crate::text::one_line;

use super::exit::Exit;
use super::progress::interrupted;

/// How often the bar is drawn.
const TICK: Duration = Duration::from_millis(100);

/// Runs `work` while a bar shows how far it is. The first Ctrl-C asks it to stop.
pub fn watch<T: Send>(events: &Events, quiet: bool, work: impl FnOnce() -> T + Send) -> T {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let spinner =
        ProgressStyle::with_template("{spinner} {msg} ({elapsed})").expect("the template is a constant");
    let counting = ProgressStyle::with_template("{bar:24} {human_pos}/{human_len} {msg}")
        .expect("the template is a constant");
    bar.set_style(spinner);
    let finished = AtomicBool::new(false);
    let mut begun: Option<(Instant, u64)> = None;
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work();
            finished.store(true, Ordering::Release);
            result
        });
        while !finished.load(Ordering::Acquire) && !worker.is_finished() {
            if interrupted() && !events.progress.stopped() {
                bar.println("stopping; press Ctrl-C again to quit at once");
                events.progress.stop();
            }
            bar.suspend(|| tell(events, quiet));
            let (step, tested) = (events.step(), events.counted_in_all());
            if step.phase.counts_mutants() && tested > 0 {
                let (since, first) = *begun.get_or_insert_with(|| (Instant::now(), tested));
                bar.set_style(counting.clone());
                bar.set_length(events.progress.total());
                bar.set_position(tested);
                bar.set_message(figures(events, since.elapsed(), tested - first, tested));
            } else {
                bar.set_message(one_line(&step.to_string()).into_owned());
                bar.tick();
            }
            thread::park_timeout(TICK);
        }
        bar.finish_and_clear();
        tell(events, quiet);
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Prints new notes and warnings.
fn tell(events: &Events, quiet: bool) {
    for note in events.take_notes().into_iter().filter(|_| !quiet) {
        tell!("{note}");
    }
    for warning in events.take_warnings() {
        tell!("warning: {warning}");
    }
}

/// A result; or the code to exit with, once it is said why there is none.
pub fn ended<T>(result: Result<T, PipelineError>) -> anyhow::Result<Result<T, Exit>> {
    match result {
        Ok(result) => Ok(Ok(result)),
        Err(PipelineError::Stopped { mutants: 0, .. }) => {
            tell!("stopped; continue with `--resume`");
            Ok(Err(Exit::Interrupted))
        }
        Err(PipelineError::Stopped { tested, mutants }) => {
            let (tested, mutants) = (thousands(tested as u64), thousands(mutants as u64));
            tell!("stopped after {tested} of {mutants} mutants; continue with `--resume`");
            Ok(Err(Exit::Interrupted))
        }
        Err(PipelineError::Baseline(why)) => {
            tell!("error: {why}");
            Ok(Err(Exit::Baseline))
        }
        Err(error) => Err(error.into()),
    }
}

/// How many mutants met which fate. How fast that went is known once the first has run: those before were decided
/// without a test.
fn figures(events: &Events, elapsed: Duration, since: u64, tested: u64) -> String {
    let count = |fate: Fate| thousands(events.counted(fate.name()));
    let counts = format!(
        "{} killed, {} survived, {} not covered",
        count(Fate::Killed),
        count(Fate::Survived),
        count(Fate::NotCovered)
    );
    if since == 0 {
        return format!("mutants, {counts}");
    }
    let rate = since as f64 / elapsed.as_secs_f64().max(0.1);
    let left = events.progress.total().saturating_sub(tested) as f64 / rate;
    let left = indicatif::HumanDuration(Duration::from_secs_f64(left.min(1e8)));
    format!("mutants, {rate:.1}/s, {counts}, {left} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rate_is_shown_before_a_mutant_ran() {
        let events = Events::default();
        let text = figures(&events, Duration::from_secs(2), 0, 60);
        assert_eq!(text, "mutants, 0 killed, 0 survived, 0 not covered");
        let text = figures(&events, Duration::from_secs(2), 10, 70);
        assert!(text.starts_with("mutants, 5.0/s, 0 killed"), "{text}");
        assert!(text.ends_with(" left"), "{text}");
    }
}
