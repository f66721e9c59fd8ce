//! Bit sets as bytes.
//!
//! An empty set is no bytes. Otherwise the first byte says what follows: [`ROARING`], the portable roaring
//! format with runs, which is small for few tests and for nearly all; or [`PLAIN`], bit n of byte n/8, which
//! is smaller where about half of a few thousand tests are in the set.

use roaring::RoaringBitmap;

const ROARING: u8 = 0;
const PLAIN: u8 = 1;

/// The shorter of the two.
pub(super) fn encode(set: &RoaringBitmap) -> Vec<u8> {
    let Some(last) = set.max() else { return Vec::new() };
    let mut packed = set.clone();
    packed.optimize();
    let plain = last as usize / 8 + 1;
    if plain <= packed.serialized_size() { encode_plain(set, plain) } else { encode_roaring(&packed) }
}

fn encode_roaring(set: &RoaringBitmap) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + set.serialized_size());
    bytes.push(ROARING);
    set.serialize_into(&mut bytes).expect("a vector takes what it is given");
    bytes
}

fn encode_plain(set: &RoaringBitmap, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; 1 + length];
    bytes[0] = PLAIN;
    for value in set {
        bytes[1 + value as usize / 8] |= 1 << (value % 8);
    }
    bytes
}

/// The set again; none if these are not the bytes of one.
pub(super) fn decode(bytes: &[u8]) -> Option<RoaringBitmap> {
    match bytes.split_first() {
        None => Some(RoaringBitmap::new()),
        Some((&ROARING, rest)) => {
            let mut set = RoaringBitmap::deserialize_from(rest).ok()?;
            set.remove_run_compression();
            Some(set)
        }
        Some((&PLAIN, rest)) => Some(RoaringBitmap::from_lsb0_bytes(0, rest)),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_come_back_in_few_bytes() {
        let full: RoaringBitmap = (0..10_000).collect();
        let half: RoaringBitmap = (0..10_000).filter(|n| n * n % 7 < 3).collect();
        let few = RoaringBitmap::from([0, 17, 9_999, u32::MAX]);
        for (set, limit) in [(full, 20), (half, 1251), (few, 64), (RoaringBitmap::new(), 0)] {
            let bytes = encode(&set);
            assert!(bytes.len() <= limit, "{} bytes", bytes.len());
            assert_eq!(decode(&bytes), Some(set));
        }
        assert_eq!(decode(&[ROARING, 1, 2]), None);
        assert_eq!(decode(&[9]), None);
    }
}
