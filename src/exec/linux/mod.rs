//! What only Linux has: starting a process inside a sandbox, and ending everything that it left behind.

mod calls;
mod children;
mod files;
mod guardian;
mod launch;
mod leftovers;
mod network;
mod process;
mod starter;
mod tag;
mod usage;

pub use calls::environment;
pub use calls::landlock_version;
pub use files::ruleset;
pub use guardian::Guardian;
pub use launch::Launch;
pub use leftovers::adopt_orphans;
pub use network::Namespaces;
pub use process::Started;
pub use starter::start_for_good;
pub use tag::Tag;
pub use usage::Usage;
