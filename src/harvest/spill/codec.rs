//! Records as bytes: numbers in as few bytes as they need, texts with their lengths.

use std::io;

/// A record that is being written.
#[derive(Default)]
pub struct Record(pub Vec<u8>);

impl Record {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// A number that is mostly small.
    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// A number that is anything.
    pub fn key(&mut self, key: u64) {
        self.0.extend_from_slice(&key.to_le_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }
}

/// What is left to read of a record.
pub struct Fields<'a>(pub &'a [u8]);

impl<'a> Fields<'a> {
    pub fn byte(&mut self) -> io::Result<u8> {
        Ok(self.take(1)?[0])
    }

    pub fn number(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged())
    }

    pub fn key(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.take(8)?.try_into().expect("eight bytes")))
    }

    pub fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = self.number()? as usize;
        self.take(length)
    }

    fn take(&mut self, length: usize) -> io::Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(damaged)?;
        self.0 = rest;
        Ok(taken)
    }
}

/// Somebody wrote to our temporary files.
pub fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a temporary file is damaged; harvest again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut record = Record::default();
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            record.number(number);
            record.key(number);
        }
        record.bytes(b"text");
        let mut fields = Fields(&record.0);
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            assert_eq!((fields.number().unwrap(), fields.key().unwrap()), (number, number));
        }
        assert_eq!(fields.bytes().unwrap(), b"text");
        assert!(fields.byte().is_err());
    }
}
