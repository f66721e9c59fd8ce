//! Names for mutants that survive edits elsewhere in the file.

use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64;

use super::arsenal::Arsenal;
use super::edit::new_text;
use super::index::View;
use super::mutants::Mutant;

/// Tokens on either side of a place that make it what it is.
const AROUND: usize = 10;

/// The places of a file, each with a number that depends on the path and on what stands around it; places
/// with the same surroundings are told apart by their order.
pub struct Idents<'a> {
    view: View<'a>,
    places: Vec<u64>,
}

impl<'a> Idents<'a> {
    /// Numbers the places of a file.
    pub fn new(view: View<'a>) -> Self {
        let syms = &view.file.syms;
        let path = xxh3_64(view.file.path.as_os_str().as_encoded_bytes());
        let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
        let places = (0..=syms.len()).map(|at| {
            let around = &syms[at.saturating_sub(AROUND)..(at + AROUND).min(syms.len())];
            let bytes: Vec<u8> = around.iter().chain([&path]).flat_map(|sym| sym.to_le_bytes()).collect();
            let hash = xxh3_64(&bytes);
            let rank = seen.entry(hash).or_default();
            *rank += 1;
            hash.wrapping_add(*rank - 1)
        });
        Self { view, places: places.collect() }
    }

    /// The name of a mutant: the first digits of its operator's id, and a number of what it does where.
    pub fn of(&self, mutant: &Mutant, arsenal: &Arsenal) -> String {
        let entry = &arsenal.entries[mutant.entries[0] as usize];
        format!("{}-{}", &entry.id[..8], self.site(mutant, arsenal))
    }

    /// The second half of the name: the same whichever operator is named first.
    pub fn site(&self, mutant: &Mutant, arsenal: &Arsenal) -> String {
        let edit = &mutant.edit;
        let mut bytes = self.places[edit.from as usize].to_le_bytes().to_vec();
        bytes.extend((edit.to - edit.from).to_le_bytes());
        for new in &edit.new {
            bytes.push(b' ');
            bytes.extend_from_slice(new_text(self.view.file, &arsenal.literals, *new));
        }
        format!("{:08x}", xxh3_64(&bytes) >> 32)
    }
}
