//! Changes that do not affect what programs do: in tests, imports, annotations.

use globset::GlobSet;
use memchr::memmem;

use crate::history::Side;
use crate::history::test_files;
use crate::langdef::LangDef;
use crate::lex::Token;
use crate::operator::Filter;

/// Knows where such changes are.
pub(super) struct Inert {
    tests: GlobSet,
    /// Marks of tests inside of source files; what follows one is test code.
    marks: Vec<memmem::Finder<'static>>,
    imports: Vec<Vec<u8>>,
    headers: Vec<Vec<u8>>,
    attribute: Option<Vec<u8>>,
}

impl Inert {
    pub fn new(def: &LangDef) -> Self {
        let bytes = |words: &[String]| words.iter().map(|word| word.clone().into_bytes()).collect();
        let syntax = &def.file.syntax;
        let headers = def.file.preprocessor.as_ref().map_or(&[][..], |file| &file.headers[..]);
        Self {
            tests: test_files(def).unwrap_or_default(),
            marks: def.file.tests.marks.iter().map(|mark| memmem::Finder::new(mark).into_owned()).collect(),
            imports: bytes(&syntax.imports),
            headers: bytes(headers),
            attribute: syntax.attribute.clone().map(String::into_bytes),
        }
    }

    /// Why a change says nothing, by the side that shows it and that side's tokens.
    pub fn judge(&self, path: &[u8], side: &Side, tokens: &[Token]) -> Option<Filter> {
        let before = &side.text[..side.range().start];
        let marked = || self.marks.iter().any(|mark| mark.find(before).is_some());
        if self.tests.is_match(String::from_utf8_lossy(path).as_ref()) || marked() {
            return Some(Filter::TestCode);
        }
        let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| token.span.of(side.text));
        let among = |words: &[Vec<u8>], text: &[u8]| words.iter().any(|word| word == text);
        if among(&self.imports, word(0)) || (word(0) == b"#" && among(&self.headers, word(1))) {
            return Some(Filter::Import);
        }
        let attribute = self.attribute.as_deref().is_some_and(|mark| mark == word(0));
        attribute.then_some(Filter::Attribute)
    }
}
