//! A command that is to be run, and its limits.

use std::ffi::OsStr;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::time::Duration;

use crate::control::Progress;
use crate::files::temporary_home;

use super::group::in_own_group;
use super::limits::SystemLimits;
use super::sandbox::Sandbox;
use super::tag::ProcessIdentity;
use super::tag::TAG;

/// How many bytes of output are kept, unless set otherwise.
const USUAL_KEPT: u64 = 64 << 10;
/// How many bytes a process may print, unless set otherwise or more is to be kept.
const USUAL_MOST: u64 = 256 << 20;
/// How long a command may take, unless set otherwise.
const USUAL_TIME: Duration = Duration::from_secs(600);

/// How standard output and standard error are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streams {
    /// In one text, in the order of a terminal.
    Joined,
    /// Each in its own text.
    Apart,
}

/// A command that is to be run: program and arguments, directory, environment, limits, and which output is kept.
#[derive(Clone, Debug)]
pub struct Spec<'a> {
    pub(super) words: Vec<OsString>,
    /// The name by which the program knows itself, if not the one by which it is found.
    pub(super) name: Option<OsString>,
    pub(super) directory: PathBuf,
    pub(super) env: Vec<(OsString, OsString)>,
    pub(super) time: Duration,
    pub(super) silence: Option<Duration>,
    pub(super) work: Option<Duration>,
    pub(super) limits: SystemLimits,
    pub(super) keep: u64,
    most: u64,
    pub(super) streams: Streams,
    /// Whether it shares our process group, and with it the terminal.
    pub(super) foreground: bool,
    pub(super) sandbox: Sandbox,
    pub(super) progress: Option<&'a Progress>,
}

impl<'a> Spec<'a> {
    /// A program without arguments that runs in a directory.
    pub fn program(program: impl Into<OsString>, directory: impl Into<PathBuf>) -> Self {
        Self {
            words: vec![program.into()],
            name: None,
            directory: directory.into(),
            env: Vec::new(),
            time: USUAL_TIME,
            silence: None,
            work: None,
            limits: SystemLimits::default(),
            keep: USUAL_KEPT,
            most: USUAL_MOST,
            streams: Streams::Joined,
            foreground: false,
            sandbox: Sandbox::none(),
            progress: None,
        }
    }

    /// A command line for `sh -c`. Arguments that are added are `$1`, `$2`, ….
    pub fn shell(line: impl Into<OsString>, directory: impl Into<PathBuf>) -> Self {
        Self::program("sh", directory).arg("-c").arg(line).arg("sh")
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.words.push(argument.into());
        self
    }

    /// Adds arguments.
    pub fn args<T: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.words.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets the name by which the program knows itself (`argv[0]`).
    pub fn known_as(mut self, name: impl Into<OsString>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets a variable on top of the outer environment.
    pub fn env(mut self, key: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.env.push((key.into(), value.into()));
        self
    }

    /// Sets variables on top of the outer environment.
    pub fn envs(mut self, pairs: &[(String, String)]) -> Self {
        self.env.extend(pairs.iter().map(|(key, value)| (key.into(), value.into())));
        self
    }

    /// Limits the wall time; 10 minutes otherwise.
    pub fn time(mut self, most: Duration) -> Self {
        self.time = most;
        self
    }

    /// Limits how long it may print nothing.
    pub fn silence(mut self, most: Option<Duration>) -> Self {
        self.silence = most;
        self
    }

    /// Limits the processor time of its busiest thread; with [`Spec::silence`], between two prints.
    pub fn work(mut self, most: Duration) -> Self {
        self.work = Some(most);
        self
    }

    /// Limits the address space of each of its processes, in bytes.
    pub fn memory(mut self, most: u64) -> Self {
        self.limits.memory = Some(most);
        self
    }

    /// Limits the size of each file that it writes, in bytes.
    pub fn file_size(mut self, most: u64) -> Self {
        self.limits.file_size = Some(most);
        self
    }

    /// Sets how many bytes of each stream are kept, from its start; 64 KiB otherwise.
    pub fn keep(mut self, bytes: u64) -> Self {
        self.keep = bytes;
        self
    }

    /// Limits how much it may print before it is ended; 256 MiB otherwise, or what is kept if that is more.
    pub fn most_output(mut self, bytes: u64) -> Self {
        self.most = bytes;
        self
    }

    /// Sets how standard output and standard error are kept; joined otherwise.
    pub fn streams(mut self, streams: Streams) -> Self {
        self.streams = streams;
        self
    }

    /// Runs it in our process group, so that it can ask for a password at the terminal. Only the process itself is
    /// ended then, not what it started.
    pub fn in_foreground(mut self, foreground: bool) -> Self {
        self.foreground = foreground;
        self
    }

    /// Restricts what it may do. When it ends, all that it started ends, too, whatever session that is in.
    pub fn sandboxed(mut self, sandbox: &Sandbox) -> Self {
        self.sandbox = sandbox.clone();
        self
    }

    /// Ends it when the work is cancelled.
    pub fn stopped_by(mut self, progress: &'a Progress) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The command line, for messages.
    pub fn line(&self) -> String {
        let is_shell = self.words.len() > 3 && self.words[0] == "sh" && self.words[1] == "-c";
        let words = if is_shell { &self.words[2..3] } else { &self.words[..] };
        words.join(OsStr::new(" ")).to_string_lossy().into_owned()
    }

    /// How much it may print.
    pub(super) fn most(&self) -> u64 {
        self.most.max(self.keep)
    }

    /// The process that is to be started, with nothing to read, in a group of its own unless it is in the foreground.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).current_dir(&self.directory).stdin(Stdio::null());
        command.envs(ProcessIdentity::own().map(|own| (TAG, own.tag())));
        // What it leaves there when it is killed goes with ours.
        command.envs(temporary_home().map(|home| ("TMPDIR", home)));
        command.envs(self.env.iter().map(|(key, value)| (key, value)));
        #[cfg(unix)]
        if let Some(name) = &self.name {
            std::os::unix::process::CommandExt::arg0(&mut command, name);
        }
        if !self.foreground {
            in_own_group(&mut command);
        }
        command
    }
}
