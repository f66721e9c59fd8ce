//! A network with nothing but a loopback device.
//!
//! It is made once. Processes join it when they start, which takes a few microseconds.

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Write;
use std::net::UdpSocket;
use std::os::fd::AsFd;
use std::os::fd::AsRawFd;
use std::os::fd::OwnedFd;
use std::os::fd::RawFd;
use std::os::unix::process::CommandExt;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;

use super::calls::bring_up_loopback;
use super::calls::leave_network;
use super::calls::leave_users_and_network;

/// Namespaces to join, in this order.
#[derive(Debug)]
pub struct Namespaces {
    /// The users of the network: whoever is not root owns a network only in a namespace of users.
    users: Option<OwnedFd>,
    network: OwnedFd,
}

impl Namespaces {
    /// A network of its own; with users of its own if there is no other way. Users keep their numbers.
    pub fn new() -> io::Result<Self> {
        Self::with_our_users().or_else(|_| Self::with_own_users())
    }

    /// What to join, and of which kind it is.
    pub fn joined(&self) -> impl Iterator<Item = (RawFd, libc::c_int)> {
        let users = self.users.as_ref().map(|users| (users.as_raw_fd(), libc::CLONE_NEWUSER));
        users.into_iter().chain([(self.network.as_raw_fd(), libc::CLONE_NEWNET)])
    }

    fn with_our_users() -> io::Result<Self> {
        let made = std::thread::spawn(|| {
            leave_network()?;
            bring_up_loopback(UdpSocket::bind("0.0.0.0:0")?.as_fd())?;
            File::open("/proc/thread-self/ns/net")
        });
        let network = made.join().map_err(|_| io::Error::other("the thread ended"))??;
        Ok(Self { users: None, network: network.into() })
    }

    /// A process makes the namespaces, which live on while they are open here.
    fn with_own_users() -> io::Result<Self> {
        let mut command = Command::new("sh");
        command.args(["-c", "echo; read -r _"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        apart(&mut command);
        let mut keeper = command.spawn()?;
        let made = Self::of(&mut keeper);
        let _ = keeper.kill();
        let _ = keeper.wait();
        made
    }

    fn of(keeper: &mut Child) -> io::Result<Self> {
        // It speaks when it has left ours.
        keeper.stdout.take().map_or(Ok(0), |mut said| said.read(&mut [0]))?;
        let place = |name: &str| format!("/proc/{}/{name}", keeper.id());
        let put = |name: &str, text: String| {
            File::options().write(true).open(place(name))?.write_all(text.as_bytes())
        };
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        put("setgroups", "deny".to_owned())?;
        put("uid_map", format!("{0} {0} 1", user.as_raw()))?;
        put("gid_map", format!("{0} {0} 1", group.as_raw()))?;
        let open = |name: &str| File::open(place(name)).map(OwnedFd::from);
        Ok(Self { users: Some(open("ns/user")?), network: open("ns/net")? })
    }
}

/// Lets a command begin in namespaces of its own, where loopback works.
#[expect(unsafe_code, reason = "runs between fork and exec; it only makes system calls")]
fn apart(command: &mut Command) {
    // SAFETY: nothing is allocated, and no lock is taken.
    unsafe {
        command.pre_exec(|| {
            leave_users_and_network()?;
            bring_up_loopback(UdpSocket::bind("0.0.0.0:0")?.as_fd())
        });
    }
}
