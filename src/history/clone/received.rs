//! How far a transfer is, read from what `git fetch --progress` prints.

/// How far a transfer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    pub objects: usize,
    /// 0 until the server says how many there are.
    pub total_objects: usize,
    pub bytes: usize,
}

impl Received {
    /// The newest figures in a piece of output, if it has any.
    pub(super) fn newest(output: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(output);
        text.rsplit(['\r', '\n']).find_map(Self::parse)
    }

    /// Reads `Receiving objects:  45% (450/1000), 1.20 MiB | 2.30 MiB/s`.
    fn parse(line: &str) -> Option<Self> {
        let (_, rest) = line.strip_prefix("Receiving objects:")?.split_once('(')?;
        let (counts, rest) = rest.split_once(')')?;
        let (objects, total) = counts.split_once('/')?;
        let size = rest.strip_prefix(", ").and_then(|rest| bytes(rest.split(['|', ',']).next()?));
        Some(Self {
            objects: objects.parse().ok()?,
            total_objects: total.parse().ok()?,
            bytes: size.unwrap_or(0),
        })
    }
}

/// Reads `1.20 MiB` or `312 bytes`.
fn bytes(size: &str) -> Option<usize> {
    let (number, unit) = size.trim().split_once(' ')?;
    let factor = match unit {
        "bytes" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    Some((number.parse::<f64>().ok()? * factor) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_figures_count() {
        let output = b"remote: Counting objects: 100% (9/9), done.\r\nReceiving objects:  10% (1/9)\r\
            Receiving objects:  45% (4/9), 1.50 KiB | 2.30 MiB/s\rReceiving obj";
        let received = Received { objects: 4, total_objects: 9, bytes: 1536 };
        assert_eq!(Received::newest(output), Some(received));
        assert_eq!(Received::newest(b"Resolving deltas: 100% (3/3), done.\n"), None);
        let done = Received::newest(b"Receiving objects: 100% (9/9), 312 bytes | 1.00 KiB/s, done.\n");
        assert_eq!(done.map(|received| received.bytes), Some(312));
    }
}
