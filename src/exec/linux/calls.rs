//! System calls that no crate offers without `unsafe`.
#![expect(unsafe_code, reason = "plain calls of the system with arguments that are checked here")]

use std::ffi::CStr;
use std::ffi::CString;
use std::io;
use std::os::fd::AsRawFd;
use std::os::fd::BorrowedFd;

use libc::c_int;

/// Asks `landlock_create_ruleset` for the version that the kernel has.
const VERSION_ONLY: libc::c_uint = 1;

/// The limits of file locks, soft and hard, of a process, 0 for our own; none if it is gone or not ours to ask.
pub fn lock_limits(pid: libc::pid_t) -> Option<(u64, u64)> {
    let mut limit = libc::rlimit64 { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: nothing is set, and `limit` outlives the call.
    let asked = unsafe { libc::prlimit64(pid, libc::RLIMIT_LOCKS, std::ptr::null(), &raw mut limit) };
    (asked == 0).then_some((limit.rlim_cur, limit.rlim_max))
}

/// How a child of ours ended, as `wait` has it, and the most memory that it or a child of its had, in bytes. None if it
/// runs and we do not wait.
pub fn wait_for(pid: libc::pid_t, wait: bool) -> io::Result<Option<(c_int, u64)>> {
    let flags = if wait { 0 } else { libc::WNOHANG };
    loop {
        let mut status = 0;
        // SAFETY: all bytes zero is a valid record, and both outlive the call.
        let (ended, used) = unsafe {
            let mut used: libc::rusage = std::mem::zeroed();
            (libc::wait4(pid, &raw mut status, flags, &raw mut used), used)
        };
        match check(ended) {
            Ok(()) if ended == 0 => return Ok(None),
            Ok(()) => return Ok(Some((status, u64::try_from(used.ru_maxrss).unwrap_or(0) << 10))),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The version of Landlock in this kernel; 0 if there is none.
pub fn landlock_version() -> u32 {
    // SAFETY: without attributes, only the version is asked for.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION_ONLY)
    };
    u32::try_from(version).unwrap_or(0)
}

/// The environment that we were started in, as `NAME=value`.
pub fn environment() -> Vec<CString> {
    unsafe extern "C" {
        static environ: *const *const libc::c_char;
    }
    let mut all = Vec::new();
    // SAFETY: a list of texts that ends with a null pointer. Nobody changes the environment.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            all.push(CStr::from_ptr(*at).to_owned());
            at = at.add(1);
        }
    }
    all
}

/// Moves this thread into a new network namespace.
pub fn leave_network() -> io::Result<()> {
    // SAFETY: only this thread is concerned.
    check(unsafe { libc::unshare(libc::CLONE_NEWNET) })
}

/// Moves this process, which must have one thread, into new namespaces of users and network.
pub fn leave_users_and_network() -> io::Result<()> {
    // SAFETY: it takes no pointer.
    check(unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET) })
}

/// Brings up the loopback device of the namespace that a socket belongs to.
pub fn bring_up_loopback(socket: BorrowedFd) -> io::Result<()> {
    // SAFETY: all bytes zero is a valid request, and it outlives the call.
    let set = unsafe {
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request)
    };
    check(set)
}

/// Turns -1 into the error of the last call.
pub fn check(returned: c_int) -> io::Result<()> {
    if returned < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
