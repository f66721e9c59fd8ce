//! Progress on the terminal, and signals.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use indicatif::HumanBytes;
use indicatif::ProgressBar;
use indicatif::ProgressStyle;

use crate::control::Progress;
use crate::history::Received;

use super::sweep::sweep;
use super::terminal::Terminal;
use super::terminal::is_hangup_ignored;

/// How often the bar is drawn and Ctrl-C looked for.
const TICK: Duration = Duration::from_millis(100);
/// Signals within this time are one.
const ONE_PRESS: Duration = Duration::from_millis(300);

/// Runs `work` while a bar shows how far `progress` is. The first Ctrl-C asks the work to stop; the second
/// ends the program.
pub fn watch<T: Send>(
    progress: &Progress,
    label: &str,
    unit: &str,
    quiet: bool,
    work: impl FnOnce() -> T + Send,
) -> T {
    let finished = AtomicBool::new(false);
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let style = format!("{{msg}} {{bar:30}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left");
    bar.set_style(ProgressStyle::with_template(&style).expect("the template is a constant"));
    bar.set_message(label.to_owned());
    let watcher = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work();
            finished.store(true, Ordering::Release);
            watcher.unpark();
            result
        });
        while !finished.load(Ordering::Acquire) && !worker.is_finished() {
            if interrupted() && !progress.stopped() {
                bar.println("stopping; press Ctrl-C again to quit at once");
                progress.stop();
            }
            if progress.total() > 0 {
                bar.set_length(progress.total());
                bar.set_position(progress.done().min(progress.total()));
            }
            thread::park_timeout(TICK);
        }
        bar.finish_and_clear();
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Runs a transfer while a bar shows what was received; Ctrl-C ends it.
pub fn cloning<T>(
    label: &str,
    quiet: bool,
    work: impl FnOnce(&dyn Fn(Received) -> ControlFlow<()>) -> T,
) -> T {
    let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let style = "{msg} {bar:30} {human_pos}/{human_len} objects, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is a constant"));
    let result = work(&|received| {
        // Nothing is drawn before something comes: git may be asking for a password on that line.
        if received.total_objects > 0 {
            bar.set_message(format!("fetching {label} ({})", HumanBytes(received.bytes as u64)));
            bar.set_length(received.total_objects as u64);
            bar.set_position(received.objects as u64);
        }
        if interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    result
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Begins work that takes long: catches the first Ctrl-C (the second does what it always does), SIGTERM and the end of
/// the terminal, and removes what killed runs left behind. Asking again changes nothing.
pub fn catch_interrupt() -> std::io::Result<()> {
    static CAUGHT: AtomicBool = AtomicBool::new(false);
    if CAUGHT.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let (flag, again) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_default(signal, Arc::clone(&again))?;
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    let terminal = Terminal::new();
    if !is_hangup_ignored() {
        // A shell and the system both say that a terminal was closed: the second time is no wish to end at once.
        signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::clone(&flag))?;
    }
    sweep();
    thread::spawn(move || {
        while !flag.load(Ordering::Relaxed) {
            thread::sleep(TICK / 2);
        }
        terminal.forget_if_closed();
        INTERRUPTED.store(true, Ordering::Relaxed);
        // `timeout` and others signal a process and its group: that is one press, not two.
        thread::sleep(ONE_PRESS);
        again.store(true, Ordering::Relaxed);
    });
    Ok(())
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
