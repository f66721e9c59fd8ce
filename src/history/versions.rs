//! Versions of one file, the last few cached.

use git2::Odb;
use git2::OdbObject;
use git2::Oid;

use crate::langdef::LangDef;

use super::ResumePoints;

/// Versions kept while a path is read: parallel branches interleave.
const VERSIONS: usize = 4;

/// One version of a file, and where a lexer may begin in it.
pub(super) struct Version<'o> {
    pub object: OdbObject<'o>,
    pub ground: ResumePoints,
}

impl Version<'_> {
    pub fn text(&self) -> &[u8] {
        self.object.data()
    }
}

/// The versions of one path that were read last.
pub(super) struct Versions<'o> {
    odb: &'o Odb<'o>,
    def: &'o LangDef,
    recent: Vec<([u8; 20], Version<'o>)>,
}

impl<'o> Versions<'o> {
    pub fn new(odb: &'o Odb<'o>, def: &'o LangDef) -> Self {
        Self { odb, def, recent: Vec::new() }
    }

    pub fn read(&mut self, id: [u8; 20]) -> Option<OdbObject<'o>> {
        if let Some(at) = self.recent.iter().position(|(known, _)| *known == id) {
            return Some(self.recent.remove(at).1.object);
        }
        let object = self.odb.read(Oid::from_bytes(&id).ok()?).ok()?;
        Some(object)
    }

    pub fn with_ground(&mut self, id: [u8; 20]) -> Option<Version<'o>> {
        if let Some(at) = self.recent.iter().position(|(known, _)| *known == id) {
            return Some(self.recent.remove(at).1);
        }
        let object = self.read(id)?;
        let ground = ResumePoints::of(self.def, object.data());
        Some(Version { object, ground })
    }

    pub fn keep(&mut self, id: [u8; 20], version: Version<'o>) {
        if self.recent.len() == VERSIONS {
            self.recent.remove(0);
        }
        self.recent.push((id, version));
    }
}
