//! Files that are written safely, and temporary ones that are never left behind for good.
//!
//! [`Beneath`] writes below a directory and nowhere else, whatever links lie there. [`replace`] writes a file whole
//! or not at all. [`TemporaryDirectory`] and [`TemporaryFile`] are gone when they are dropped; of a process that was
//! killed, [`Abandoned`] finds and removes them.

mod abandoned;
mod beneath;
mod home;
mod replace;
mod temporary;

pub use abandoned::Abandoned;
pub use beneath::Beneath;
pub use replace::replace;
pub use replace::sync_directory;
pub use temporary::TemporaryDirectory;
pub use temporary::TemporaryFile;
pub use temporary::temporary_home;
