//! Where a process prints to: files without a name.

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::process::Command;
use std::process::Stdio;

use super::spec::Streams;

/// What a process has printed so far.
pub struct Output {
    out: File,
    /// None if both streams are in one.
    err: Option<File>,
}

impl Output {
    /// Lets a command print into files.
    pub fn of(command: &mut Command, streams: Streams) -> io::Result<Self> {
        let out = tempfile::tempfile()?;
        let err = if streams == Streams::Apart { Some(tempfile::tempfile()?) } else { None };
        command.stdout(Stdio::from(out.try_clone()?));
        command.stderr(Stdio::from(err.as_ref().unwrap_or(&out).try_clone()?));
        Ok(Self { out, err })
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
