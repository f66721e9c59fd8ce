//! Where a process prints to: files without a name.

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::os::fd::OwnedFd;
use std::path::Path;

use super::spec::Streams;

/// What a process has printed so far.
pub struct Output {
    out: File,
    /// None if both streams are in one.
    err: Option<File>,
}

impl Output {
    /// Files to print into, in a directory where whoever prints may open them again; anywhere if there is none.
    pub fn new(streams: Streams, directory: Option<&Path>) -> io::Result<Self> {
        let file = || directory.map_or_else(tempfile::tempfile, tempfile::tempfile_in);
        let out = file()?;
        let err = if streams == Streams::Apart { Some(file()?) } else { None };
        Ok(Self { out, err })
    }

    /// What a process is given as standard output and standard error.
    pub fn ends(&self) -> io::Result<(OwnedFd, OwnedFd)> {
        let err = self.err.as_ref().unwrap_or(&self.out);
        Ok((self.out.try_clone()?.into(), err.try_clone()?.into()))
    }

    /// How many bytes there are.
    pub fn length(&self) -> io::Result<u64> {
        let err = self.err.as_ref().map_or(Ok(0), |err| err.metadata().map(|about| about.len()))?;
        Ok(self.out.metadata()?.len() + err)
    }

    /// The start of each stream, and whether there is more.
    pub fn read(mut self, keep: u64) -> io::Result<(Vec<u8>, Vec<u8>, bool)> {
        let (out, cut) = start(&mut self.out, keep)?;
        let (err, cut_err) = self.err.as_mut().map_or(Ok((vec![], false)), |err| start(err, keep))?;
        Ok((out, err, cut || cut_err))
    }
}

fn start(file: &mut File, keep: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(keep).read_to_end(&mut bytes)?;
    let cut = file.metadata()?.len() > bytes.len() as u64;
    Ok((bytes, cut))
}
