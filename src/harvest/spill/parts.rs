//! Records in files: those that have to meet are in the same one.

use std::fs;
use std::fs::File;
use std::io;
use std::io::BufReader;
use std::io::BufWriter;
use std::io::Read;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use super::codec::Fields;

/// Into how many files records are put.
pub const PARTS: usize = 64;
/// Bytes that are written to a file at once.
const BUFFER: usize = 1 << 15;

/// Files that are being written.
pub struct PartWriter {
    place: PathBuf,
    files: Vec<BufWriter<File>>,
}

/// Files that were written.
pub struct Parts {
    place: PathBuf,
}

impl PartWriter {
    /// Files of this name in a directory.
    pub fn new(directory: &Path, name: &str) -> io::Result<Self> {
        let place = directory.join(name);
        let open = |part| Ok(BufWriter::with_capacity(BUFFER, File::create_new(file(&place, part))?));
        let files = (0..PARTS).map(open).collect::<io::Result<_>>()?;
        Ok(Self { place, files })
    }

    /// Writes a record; those of equal hashes meet.
    pub fn write(&mut self, hash: u64, record: &[u8]) -> io::Result<()> {
        let part = &mut self.files[(hash >> 32) as usize % PARTS];
        part.write_all(&(record.len() as u32).to_le_bytes())?;
        part.write_all(record)
    }

    /// Ends the writing.
    pub fn finish(self) -> io::Result<Parts> {
        for mut file in self.files {
            file.flush()?;
        }
        Ok(Parts { place: self.place })
    }
}

impl Parts {
    /// Reads the records of a part.
    pub fn each(&self, part: usize, mut take: impl FnMut(Fields) -> io::Result<()>) -> io::Result<()> {
        let mut input = BufReader::with_capacity(BUFFER, File::open(file(&self.place, part))?);
        let mut record = Vec::new();
        let mut length = [0; 4];
        loop {
            match input.read_exact(&mut length) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                result => result?,
            }
            record.resize(u32::from_le_bytes(length) as usize, 0);
            input.read_exact(&mut record)?;
            take(Fields(&record))?;
        }
    }

    /// Removes a part that is not needed any more.
    pub fn remove(&self, part: usize) -> io::Result<()> {
        fs::remove_file(file(&self.place, part))
    }
}

fn file(place: &Path, part: usize) -> PathBuf {
    place.with_extension(part.to_string())
}
