//! The operator-set file as it is written: one struct per table, unknown keys refused.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::mem::take;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Deserializer;
use serde::de::MapAccess;
use serde::de::SeqAccess;
use serde::de::Visitor;
use toml::Spanned;

use crate::history::Census;

use super::Direction;
use super::Thresholds;
use super::schema::CountsOrNames;
use super::schema::TextOrTexts;

/// A whole operator set.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct SetFile {
    /// Version of the file format; 1.
    #[schemars(with = "u32")]
    pub format: Spanned<u32>,
    #[serde(default)]
    pub name: String,
    pub language: String,
    #[serde(default)]
    pub direction: DirectionFile,
    #[serde(default)]
    pub granularity: GranularityFile,
    #[serde(default)]
    pub context: u8,
    #[serde(default)]
    pub tool: String,
    #[serde(default)]
    pub partial: bool,
    /// Tokens of the corpus in which patterns were counted.
    #[serde(default)]
    pub exposed: u64,
    /// Mutants per 1,000 tokens to keep; 0 for all.
    #[serde(default)]
    pub density: u32,
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub idioms: Vec<Spanned<String>>,
    #[serde(default)]
    pub thresholds: ThresholdsFile,
    #[serde(default)]
    pub corpus: Census,
    #[serde(default)]
    #[schemars(with = "BTreeMap<DirectionKey, BTreeMap<String, u64>>")]
    pub funnel: BTreeMap<DirectionKey, BTreeMap<Spanned<String>, u64>>,
    #[serde(default, rename = "source")]
    pub sources: Vec<OriginFile>,
    #[serde(default, rename = "operator")]
    pub operators: Vec<OperatorFile>,
    #[serde(default, rename = "shift")]
    pub shifts: Vec<ShiftFile>,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DirectionFile {
    #[default]
    Backward,
    Forward,
    Both,
}

#[derive(Clone, Copy, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub(super) enum DirectionKey {
    Backward,
    Forward,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum GranularityFile {
    #[default]
    Line,
    Token,
    Levels,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct ThresholdsFile {
    pub max_tokens: usize,
    pub min_tokens: usize,
    pub ascii_art: usize,
    pub max_identifiers: usize,
    pub max_adjacent: usize,
    pub shift_min: u64,
    pub min_count: u64,
    pub min_repos: usize,
    pub min_fixes: u64,
    pub idioms: String,
    pub fix_words: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OriginFile {
    pub name: String,
    #[serde(default)]
    pub head: String,
    #[serde(default)]
    pub license: String,
    #[serde(default)]
    pub id: String,
}

/// Where an entry was seen.
pub(super) struct EvidenceFile {
    pub count: u64,
    pub forward: u64,
    pub fixes: u64,
    pub commits: u64,
    pub repos: BTreeSet<String>,
    pub sources: Option<Spanned<String>>,
    pub first: Option<Spanned<String>>,
    pub last: Option<Spanned<String>>,
    pub examples: Vec<Spanned<String>>,
    pub sites: u64,
    pub viable: Option<Spanned<u64>>,
    pub matches: u64,
    pub binds: Vec<Bind>,
    pub left: TallyFile,
    pub right: TallyFile,
    pub bracket: TallyFile,
    pub position: TallyFile,
}

/// One text, whose place is that of the whole, or a list of alternatives.
pub(super) struct OperatorTexts(pub Vec<Spanned<String>>);

/// Counts by name; a list of names counts each once.
#[derive(Default)]
pub(super) struct TallyFile(pub BTreeMap<String, u64>);

/// The same for the kinds that a hole bound.
pub(super) struct Bind(pub BTreeMap<Spanned<String>, u64>);

impl<'de> Deserialize<'de> for OperatorTexts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct OneOrMany;
        impl<'de> Visitor<'de> for OneOrMany {
            type Value = OperatorTexts;
            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("a text or a list of texts")
            }
            fn visit_str<E>(self, text: &str) -> Result<OperatorTexts, E> {
                Ok(OperatorTexts(vec![Spanned::new(0..0, text.to_owned())]))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<OperatorTexts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(OperatorTexts(texts))
            }
        }
        from.deserialize_any(OneOrMany)
    }
}

/// Reads a table of counts, or a list of names that count once each.
fn counts<'de, K, D>(from: D) -> Result<BTreeMap<K, u64>, D::Error>
where
    K: Deserialize<'de> + Ord,
    D: Deserializer<'de>,
{
    struct TableOrList<K>(PhantomData<K>);
    impl<'de, K: Deserialize<'de> + Ord> Visitor<'de> for TableOrList<K> {
        type Value = BTreeMap<K, u64>;
        fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
            out.write_str("a table of counts or a list of names")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Self::Value, A::Error> {
            let mut counts = BTreeMap::new();
            while let Some((name, count)) = table.next_entry()? {
                counts.insert(name, count);
            }
            Ok(counts)
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut counts = BTreeMap::new();
            while let Some(name) = list.next_element()? {
                counts.insert(name, 1);
            }
            Ok(counts)
        }
    }
    from.deserialize_any(TableOrList(PhantomData))
}

impl<'de> Deserialize<'de> for TallyFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        counts(from).map(Self)
    }
}

impl<'de> Deserialize<'de> for Bind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        counts(from).map(Self)
    }
}

/// An entry as it is written: an id, two texts of a shape, and evidence. A macro rather than `#[serde(flatten)]`, which
/// forgets where in the file a wrong key or value stands.
macro_rules! entry {
    ($name:ident, $from:ident, $to:ident, $text:ty, $shape:tt $(, $label:ident)?) => {
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            #[schemars(with = "Option<String>")]
            pub id: Option<Spanned<String>>,
            $(
                #[serde(default)]
                pub $label: String,
            )?
            #[schemars(with = $shape)]
            pub $from: $text,
            #[schemars(with = $shape)]
            pub $to: $text,
            #[serde(default)]
            count: u64,
            #[serde(default)]
            forward: u64,
            #[serde(default)]
            fixes: u64,
            #[serde(default)]
            commits: u64,
            #[serde(default)]
            repos: BTreeSet<String>,
            #[schemars(with = "Option<String>")]
            sources: Option<Spanned<String>>,
            #[schemars(with = "Option<String>")]
            first: Option<Spanned<String>>,
            #[schemars(with = "Option<String>")]
            last: Option<Spanned<String>>,
            #[serde(default)]
            #[schemars(with = "Vec<String>")]
            examples: Vec<Spanned<String>>,
            #[serde(default)]
            sites: u64,
            #[schemars(with = "Option<u64>")]
            viable: Option<Spanned<u64>>,
            #[serde(default)]
            matches: u64,
            #[serde(default)]
            #[schemars(with = "Vec<CountsOrNames>")]
            binds: Vec<Bind>,
            #[serde(default)]
            #[schemars(with = "CountsOrNames")]
            left: TallyFile,
            #[serde(default)]
            #[schemars(with = "CountsOrNames")]
            right: TallyFile,
            #[serde(default)]
            #[schemars(with = "CountsOrNames")]
            bracket: TallyFile,
            #[serde(default)]
            #[schemars(with = "CountsOrNames")]
            position: TallyFile,
        }

        impl $name {
            /// The evidence, taken out.
            pub fn evidence(&mut self) -> EvidenceFile {
                EvidenceFile {
                    count: self.count,
                    forward: self.forward,
                    fixes: self.fixes,
                    commits: self.commits,
                    repos: take(&mut self.repos),
                    sources: self.sources.take(),
                    first: self.first.take(),
                    last: self.last.take(),
                    examples: take(&mut self.examples),
                    sites: self.sites,
                    viable: self.viable.take(),
                    matches: self.matches,
                    binds: take(&mut self.binds),
                    left: take(&mut self.left),
                    right: take(&mut self.right),
                    bracket: take(&mut self.bracket),
                    position: take(&mut self.position),
                }
            }
        }
    };
}

entry!(OperatorFile, find, put, Spanned<OperatorTexts>, "TextOrTexts", name);
entry!(ShiftFile, before, after, Spanned<String>, "String");

impl Default for ThresholdsFile {
    fn default() -> Self {
        let default = Thresholds::default();
        Self {
            max_tokens: default.max_tokens,
            min_tokens: default.min_tokens,
            ascii_art: default.ascii_art,
            max_identifiers: default.max_identifiers,
            max_adjacent: default.max_adjacent,
            shift_min: default.shift_min,
            min_count: default.min_count,
            min_repos: default.min_repos,
            min_fixes: default.min_fixes,
            idioms: default.idioms,
            fix_words: default.fix_words,
        }
    }
}

impl From<ThresholdsFile> for Thresholds {
    fn from(file: ThresholdsFile) -> Self {
        Self {
            max_tokens: file.max_tokens,
            min_tokens: file.min_tokens,
            ascii_art: file.ascii_art,
            max_identifiers: file.max_identifiers,
            max_adjacent: file.max_adjacent,
            shift_min: file.shift_min,
            min_count: file.min_count,
            min_repos: file.min_repos,
            min_fixes: file.min_fixes,
            idioms: file.idioms,
            fix_words: file.fix_words,
        }
    }
}

impl From<DirectionFile> for Direction {
    fn from(file: DirectionFile) -> Self {
        match file {
            DirectionFile::Backward => Self::Backward,
            DirectionFile::Forward => Self::Forward,
            DirectionFile::Both => Self::Both,
        }
    }
}
