//! A checked language definition, and what the rest of the crate may ask it.

use super::check::check;
use super::compile::Tables;
use super::file::LangFile;

pub use super::file::Lines as Layout;

/// A checked language definition.
#[derive(Clone, Debug)]
pub struct LangDef {
    /// The file it came from, as written.
    pub file: LangFile,
    /// What drives the lexer.
    pub(crate) tables: Tables,
}

/// Why a language definition was refused.
#[derive(Debug, thiserror::Error)]
pub enum LangDefError {
    #[error("{origin}: {error}")]
    Toml { origin: String, error: toml::de::Error },
    #[error("{origin}: {problem}; {remedy}")]
    Rule { origin: String, problem: String, remedy: String },
}

impl LangDef {
    /// Reads and checks a definition; `origin` names it in errors.
    pub fn parse(text: &str, origin: &str) -> Result<Self, LangDefError> {
        let file: LangFile =
            toml::from_str(text).map_err(|error| LangDefError::Toml { origin: origin.into(), error })?;
        match check(&file) {
            Ok(()) => Ok(Self { tables: Tables::new(&file), file }),
            Err((problem, remedy)) => Err(LangDefError::Rule { origin: origin.into(), problem, remedy }),
        }
    }

    /// Short name, as `-l` takes it.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// What line ends mean.
    pub fn layout(&self) -> Layout {
        self.file.lines
    }

    /// Whether a file of this name is of this language.
    pub fn owns(&self, path: &[u8]) -> bool {
        self.file.extensions.iter().any(|ext| {
            path.len() > ext.len() + 1
                && path.ends_with(ext.as_bytes())
                && path[path.len() - ext.len() - 1] == b'.'
        })
    }

    /// Which bracket pair an operator belongs to, and whether it opens it.
    pub fn bracket(&self, operator: &[u8]) -> Option<(usize, bool)> {
        if !self.tables.bracket_bytes[*operator.first()? as usize] {
            return None;
        }
        self.file.brackets.iter().enumerate().find_map(|(index, pair)| {
            let side = pair.iter().position(|bracket| bracket.as_bytes() == operator)?;
            Some((index, side == 0))
        })
    }

    /// Whether a word after the preprocessor's marker opens (`#if`) or closes (`#endif`) a part; none if neither.
    pub fn directive_opens(&self, marker: &[u8], word: &[u8]) -> Option<bool> {
        let file = self.file.preprocessor.as_ref().filter(|file| file.marker.as_bytes() == marker)?;
        let among = |list: &[String]| list.iter().any(|known| known.as_bytes() == word);
        if among(&file.opens) { Some(true) } else { among(&file.closes).then_some(false) }
    }

    /// Whether the operator opens a bracket pair.
    pub fn is_open(&self, operator: &[u8]) -> bool {
        self.bracket(operator).is_some_and(|(_, opens)| opens)
    }

    /// Whether the operator closes a bracket pair.
    pub fn is_close(&self, operator: &[u8]) -> bool {
        self.bracket(operator).is_some_and(|(_, opens)| !opens)
    }

    /// Whether the operator ends a statement.
    pub fn ends_statement(&self, operator: &[u8]) -> bool {
        self.file.statement_ends.iter().any(|end| end.as_bytes() == operator)
    }

    /// Whether the word is reserved, here or after the preprocessor's marker.
    pub fn is_keyword(&self, word: &[u8]) -> bool {
        self.tables.keywords.contains(word) || self.tables.preprocessor.directives.contains(word)
    }

    /// Whether the text is one of the operators.
    pub fn is_operator(&self, text: &[u8]) -> bool {
        self.file.operators.iter().any(|operator| operator.as_bytes() == text)
    }
}
