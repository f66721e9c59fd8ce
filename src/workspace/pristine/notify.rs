//! Which process changed which file of a tree, as the Linux kernel reports it.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::path::PathBuf;

use rustix::fs::inotify;
use rustix::fs::inotify::ReadFlags;
use rustix::fs::inotify::WatchFlags;
use rustix::io::Errno;
use walkdir::WalkDir;

/// Bytes of events that are read at a time.
const READ: usize = 16 << 10;

/// Watches over all directories of a tree.
pub struct Notify {
    events: OwnedFd,
    tree: PathBuf,
    /// Directories by their watch, relative to the tree.
    directories: HashMap<i32, PathBuf>,
}

/// What was reported since the last look.
#[derive(Debug, Default)]
pub struct Told {
    /// Paths that may have changed.
    pub paths: BTreeSet<PathBuf>,
    /// Directories of which everything below may have changed.
    pub whole: BTreeSet<PathBuf>,
}

impl Notify {
    /// Watches a tree; an error where the system has no more watches.
    pub fn over(tree: &Path) -> io::Result<Self> {
        let events = inotify::init(inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK)?;
        let mut new = Self { events, tree: tree.to_owned(), directories: HashMap::new() };
        new.add(Path::new(""))?;
        Ok(new)
    }

    /// Watches a directory and all below it, also if some of them are watched already.
    pub fn add(&mut self, inside: &Path) -> io::Result<()> {
        let entries =
            WalkDir::new(self.tree.join(inside)).follow_root_links(false).into_iter().filter_map(Result::ok);
        for entry in entries.filter(|entry| entry.file_type().is_dir()) {
            let path = entry.path();
            match inotify::add_watch(&self.events, path, flags()) {
                Ok(watch) => {
                    let inside = path.strip_prefix(&self.tree).unwrap_or(Path::new("")).to_owned();
                    self.directories.insert(watch, inside);
                }
                // It went in the meantime, which is told of its parent.
                Err(Errno::NOENT | Errno::NOTDIR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// What was reported since the last look; no more than a system call if that is nothing.
    pub fn look(&mut self) -> io::Result<Told> {
        let mut told = Told::default();
        let mut buffer = [MaybeUninit::uninit(); READ];
        let mut reader = inotify::Reader::new(&self.events, &mut buffer);
        loop {
            let event = match reader.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => return Ok(told),
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
            if !note(&mut told, &self.directories, event.wd(), event.events(), name) {
                self.directories.remove(&event.wd());
            }
        }
    }
}

fn flags() -> WatchFlags {
    let content = WatchFlags::MODIFY | WatchFlags::CLOSE_WRITE | WatchFlags::ATTRIB;
    let names = WatchFlags::CREATE | WatchFlags::DELETE | WatchFlags::MOVED_FROM | WatchFlags::MOVED_TO;
    let itself = WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
    content | names | itself | WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW
}

/// Notes an event; whether the watch goes on.
fn note(
    told: &mut Told,
    directories: &HashMap<i32, PathBuf>,
    watch: i32,
    what: ReadFlags,
    name: Option<&OsStr>,
) -> bool {
    if what.contains(ReadFlags::QUEUE_OVERFLOW) {
        told.whole.insert(PathBuf::new());
        return true;
    }
    if what.contains(ReadFlags::IGNORED) {
        return false;
    }
    let Some(directory) = directories.get(&watch) else { return true };
    let named = name.map_or_else(|| directory.clone(), |name| directory.join(name));
    let itself = what.intersects(ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF);
    let replaced = what.contains(ReadFlags::ISDIR) && !what.contains(ReadFlags::ATTRIB);
    // A new directory is not watched yet, nor is one whose name came back.
    if itself || replaced {
        told.whole.insert(named);
    } else {
        told.paths.insert(named);
    }
    true
}
