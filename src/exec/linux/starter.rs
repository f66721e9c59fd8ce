//! A thread that starts processes which outlive the thread that wants them.
//!
//! The kernel ends a process when the thread that started it ends (`PR_SET_PDEATHSIG`). What serves several workers
//! must therefore be started by a thread that lives as long as we do.

use std::io;
use std::sync::OnceLock;
use std::sync::mpsc;
use std::sync::mpsc::Sender;

use super::launch::Launch;
use super::process::Started;

type Wish = (Launch, Sender<io::Result<Started>>);

/// Starts a process that ends only with us.
pub fn start_for_good(launch: Launch) -> io::Result<Started> {
    static STARTER: OnceLock<Sender<Wish>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (sender, wishes) = mpsc::channel::<Wish>();
        std::thread::spawn(move || {
            for (launch, answer) in wishes {
                // Whoever asked is waiting for it.
                let _ = answer.send(launch.start());
            }
        });
        sender
    });
    let gone = || io::Error::other("the thread that starts processes is gone");
    let (answer, started) = mpsc::channel();
    starter.send((launch, answer)).map_err(|_| gone())?;
    started.recv().map_err(|_| gone())?
}
