//! What records hold, symbols by kind and text.

use std::io;

use crate::harvest::generalize::Coded;
use crate::harvest::generalize::hole_of;
use crate::harvest::raw::KINDS;
use crate::harvest::symbols::Symbol;
use crate::harvest::symbols::Symbols;
use crate::harvest::tally::CommitRow;
use crate::harvest::tally::ShiftRow;
use crate::harvest::tally::Tally;
use crate::harvest::tally::TallyRow;
use crate::lex::TokenKind;

use super::codec::Fields;
use super::codec::Record;
use super::codec::damaged;

/// Stands where a symbol has its kind.
const HOLE: u8 = u8::MAX;

impl Record {
    pub fn symbol(&mut self, symbols: &Symbols, symbol: Symbol) {
        self.byte(symbols.kind(symbol) as u8);
        self.bytes(symbols.text(symbol));
    }

    /// A commit of the source with this number.
    pub fn commit(&mut self, source: u32, row: &CommitRow) {
        self.number(u64::from(source));
        self.bytes(row.id.as_bytes());
        self.byte(u8::from(row.fix) | u8::from(row.time.is_some()) << 1);
        self.key(row.time.unwrap_or_default() as u64);
    }

    pub fn row(&mut self, tally: &Tally, source: u32, row: &TallyRow) {
        self.key(row.key);
        self.commit(source, &tally.commits[row.commit as usize]);
        self.around(&tally.symbols, row);
        self.byte(row.before);
        self.number(row.tokens.len() as u64);
        row.tokens.iter().for_each(|&token| self.symbol(&tally.symbols, token));
    }

    /// What stands around a row.
    pub fn around(&mut self, symbols: &Symbols, row: &TallyRow) {
        [row.left, row.right, row.bracket, row.position].into_iter().for_each(|it| self.symbol(symbols, it));
    }

    pub fn shift(&mut self, tally: &Tally, source: u32, row: &ShiftRow) {
        self.key(row.key);
        self.commit(source, &tally.commits[row.commit as usize]);
        self.symbol(&tally.symbols, row.before);
        self.symbol(&tally.symbols, row.after);
    }

    /// An operator.
    pub fn coded(&mut self, symbols: &Symbols, coded: &Coded) {
        for side in [coded.find(), coded.put()] {
            self.number(side.len() as u64);
            for &code in side {
                if hole_of(code).is_some() {
                    self.byte(HOLE);
                    self.number(u64::from(code));
                } else {
                    self.symbol(symbols, code);
                }
            }
        }
    }

    /// What holes bound.
    pub fn kinds(&mut self, kinds: &[TokenKind]) {
        self.number(kinds.len() as u64);
        kinds.iter().for_each(|&kind| self.byte(kind as u8));
    }
}

impl<'a> Fields<'a> {
    pub fn kind(&mut self) -> io::Result<TokenKind> {
        let number = self.byte()?;
        KINDS.get(number as usize).copied().ok_or_else(damaged)
    }

    pub fn symbol(&mut self, symbols: &mut Symbols) -> io::Result<Symbol> {
        let kind = self.kind()?;
        Ok(symbols.intern(kind, self.bytes()?))
    }

    /// A commit, its repository by the number of a source.
    pub fn commit(&mut self) -> io::Result<CommitFields<'a>> {
        let repo = self.number()? as u32;
        let id = std::str::from_utf8(self.bytes()?).map_err(|_| damaged())?;
        let (flags, time) = (self.byte()?, self.key()? as i64);
        Ok(CommitFields { repo, id, fix: flags & 1 != 0, time: (flags & 2 != 0).then_some(time) })
    }

    /// What stands around a row of this commit.
    pub fn around(&mut self, symbols: &mut Symbols, key: u64, commit: u32) -> io::Result<TallyRow> {
        let (left, right) = (self.symbol(symbols)?, self.symbol(symbols)?);
        let (bracket, position) = (self.symbol(symbols)?, self.symbol(symbols)?);
        Ok(TallyRow { key, commit, left, right, bracket, position, tokens: [].into(), before: 0 })
    }

    pub fn coded(&mut self, symbols: &mut Symbols) -> io::Result<Coded> {
        let find = self.side(symbols)?;
        Ok(Coded::new(&find, &self.side(symbols)?))
    }

    fn side(&mut self, symbols: &mut Symbols) -> io::Result<Vec<u32>> {
        let length = self.number()?;
        let code = |_| match self.0.first() {
            Some(&HOLE) => {
                self.byte()?;
                Ok(self.number()? as u32)
            }
            _ => self.symbol(symbols),
        };
        (0..length).map(code).collect()
    }

    pub fn kinds(&mut self) -> io::Result<Vec<TokenKind>> {
        let length = self.number()?;
        (0..length).map(|_| self.kind()).collect()
    }
}

/// A commit of a record.
pub struct CommitFields<'a> {
    pub repo: u32,
    pub id: &'a str,
    pub time: Option<i64>,
    pub fix: bool,
}
