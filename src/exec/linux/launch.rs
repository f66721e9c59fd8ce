//! Starts a process inside a sandbox.
//!
//! `Command` copies our page tables for whatever must be done between `fork` and `exec`, which takes longer than most
//! tests when there are many mutants. This starts a process as `posix_spawn` does: the child shares our memory until it
//! executes its program, and the thread that started it waits for that.
#![expect(
    unsafe_code,
    reason = "the child shares our memory: it makes system calls and touches nothing else"
)]

use std::ffi::CString;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::fd::OwnedFd;
use std::os::fd::RawFd;
use std::ptr;
use std::sync::Arc;

use libc::c_char;
use libc::c_int;

use super::calls::check;
use super::network::Namespaces;
use super::process::Started;
use super::tag::Tag;

/// Words of the stack on which the child runs until it executes its program.
const STACK: usize = 4096;
/// The shell that runs scripts which do not name one.
const SHELL: &std::ffi::CStr = c"/bin/sh";
/// How many signals there are.
const SIGNALS: c_int = 64;

/// A process that is to be started.
pub struct Launch {
    /// The file that is executed, seen from `directory`.
    pub program: CString,
    pub arguments: Vec<CString>,
    pub environment: Vec<CString>,
    pub directory: CString,
    /// Standard input, output and error.
    pub streams: [OwnedFd; 3],
    /// Limits, by resource; both soft and hard.
    pub limits: Vec<(u32, u64)>,
    pub rules: Option<Arc<OwnedFd>>,
    pub namespaces: Option<Arc<Namespaces>>,
    pub tag: Tag,
}

/// What the child reads, prepared before it is there.
struct Orders {
    program: *const c_char,
    arguments: *const *const c_char,
    /// The same for a shell.
    script: *const *const c_char,
    environment: *const *const c_char,
    directory: *const c_char,
    streams: [c_int; 3],
    limits: *const [(u32, u64)],
    joined: *const [(RawFd, c_int)],
    rules: Option<RawFd>,
    tag: u64,
    parent: libc::pid_t,
    /// What the child could not do.
    error: c_int,
}

impl Launch {
    /// Starts it. It has a session of its own, and ends with the thread that starts it.
    pub fn start(self) -> io::Result<Started> {
        let list = |texts: &[CString]| -> Vec<*const c_char> {
            texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect()
        };
        let (arguments, environment) = (list(&self.arguments), list(&self.environment));
        let script = [&[SHELL.as_ptr(), self.program.as_ptr()], arguments.get(1..).unwrap_or(&[])].concat();
        let joined: Vec<(RawFd, c_int)> =
            self.namespaces.iter().flat_map(|namespaces| namespaces.joined()).collect();
        let mut orders = Orders {
            program: self.program.as_ptr(),
            arguments: arguments.as_ptr(),
            script: script.as_ptr(),
            environment: environment.as_ptr(),
            directory: self.directory.as_ptr(),
            streams: [0, 1, 2].map(|number: usize| self.streams[number].as_raw_fd()),
            limits: &raw const self.limits[..],
            joined: &raw const joined[..],
            rules: self.rules.as_ref().map(|rules| rules.as_raw_fd()),
            tag: self.tag.limit(),
            parent: rustix::process::getpid().as_raw_nonzero().get(),
            error: 0,
        };
        let pid = start(&mut orders)?;
        let started = Started::new(pid, self.tag);
        match orders.error {
            0 => started,
            error => {
                drop(started);
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }
}

/// Makes the child, and returns when it has executed its program or has failed to.
fn start(orders: &mut Orders) -> io::Result<libc::pid_t> {
    let mut stack = [const { MaybeUninit::<u128>::uninit() }; STACK];
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the child has a stack of its own, and this thread, which owns all that the child reads, waits until the
    // child no longer needs it. No signal handler of ours runs in the child: all signals are blocked until it has none.
    let pid = unsafe {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        let top = stack.as_mut_ptr().add(STACK).cast();
        let pid = libc::clone(child, top, flags, ptr::from_mut(orders).cast());
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        if pid < 0 { Err(error) } else { Ok(pid) }
    }?;
    // SAFETY: the child wrote it before it ended; the compiler does not know of that.
    orders.error = unsafe { ptr::read_volatile(&raw const orders.error) };
    Ok(pid)
}

extern "C" fn child(orders: *mut libc::c_void) -> c_int {
    // SAFETY: it is what `start` handed over, and lives until the child has executed its program.
    unsafe {
        let orders: *mut Orders = orders.cast();
        let failed = become_program(&*orders).err().and_then(|error| error.raw_os_error());
        ptr::write_volatile(&raw mut (*orders).error, failed.unwrap_or(libc::EIO));
        libc::_exit(127)
    }
}

/// Puts the child into its sandbox and executes the program; returns only if that fails.
///
/// # Safety
/// Only for the child of `start`.
unsafe fn become_program(orders: &Orders) -> io::Result<()> {
    // SAFETY: only system calls, with what `Launch::start` prepared.
    unsafe {
        forget_handlers();
        check(libc::setsid())?;
        set_limits(orders)?;
        for (namespace, kind) in &*orders.joined {
            check(libc::setns(*namespace, *kind))?;
        }
        check(libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL))?;
        if libc::getppid() != orders.parent && orders.joined.len() < 2 {
            libc::_exit(127);
        }
        for (to, from) in (0..).zip(orders.streams) {
            check(libc::dup2(from, to))?;
        }
        check(libc::chdir(orders.directory))?;
        if let Some(rules) = orders.rules {
            check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))?;
            check(libc::syscall(libc::SYS_landlock_restrict_self, rules, 0) as c_int)?;
        }
        let mut none = MaybeUninit::uninit();
        libc::sigemptyset(none.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, none.as_ptr(), ptr::null_mut());
        libc::execve(orders.program, orders.arguments, orders.environment);
        if *libc::__errno_location() == libc::ENOEXEC {
            libc::execve(SHELL.as_ptr(), orders.script, orders.environment);
        }
        Err(io::Error::last_os_error())
    }
}

/// Lets signals do what they usually do. The child's table of handlers is a copy of ours.
///
/// # Safety
/// Only for the child of `start`.
unsafe fn forget_handlers() {
    // SAFETY: all bytes zero is the usual action.
    unsafe {
        let usual: libc::sigaction = std::mem::zeroed();
        for signal in 1..=SIGNALS {
            // Some cannot be changed; these have no handlers.
            libc::sigaction(signal, &raw const usual, ptr::null_mut());
        }
    }
}

/// # Safety
/// Only for the child of `start`.
unsafe fn set_limits(orders: &Orders) -> io::Result<()> {
    // SAFETY: only system calls, with what `Launch::start` prepared.
    unsafe {
        let mut limit = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
        for (resource, most) in &*orders.limits {
            check(libc::prlimit64(0, *resource, ptr::null(), &raw mut limit))?;
            limit.rlim_max = limit.rlim_max.min(*most);
            limit.rlim_cur = limit.rlim_max;
            check(libc::prlimit64(0, *resource, &raw const limit, ptr::null_mut()))?;
        }
        check(libc::prlimit64(0, libc::RLIMIT_LOCKS, ptr::null(), &raw mut limit))?;
        limit.rlim_cur = orders.tag;
        check(libc::prlimit64(0, libc::RLIMIT_LOCKS, &raw const limit, ptr::null_mut()))
    }
}
