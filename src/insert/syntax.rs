//! The texts of a language that structure and rules depend on, as numbers.

use super::source::Sym;
use super::source::sym;
use crate::langdef::LangDef;
use crate::langdef::Layout;
use crate::lex::TokenKind;
use rustc_hash::FxHashSet;

/// The texts that structure depends on, as numbers.
pub struct Syntax {
    pub functions: FxHashSet<Sym>,
    pub containers: FxHashSet<Sym>,
    pub types: FxHashSet<Sym>,
    pub modifiers: FxHashSet<Sym>,
    pub declares: FxHashSet<Sym>,
    pub imports: FxHashSet<Sym>,
    pub members: FxHashSet<Sym>,
    pub paths: FxHashSet<Sym>,
    pub assignments: FxHashSet<Sym>,
    pub prefix: FxHashSet<Sym>,
    pub postfix: FxHashSet<Sym>,
    pub binary: FxHashSet<Sym>,
    pub comparisons: FxHashSet<Sym>,
    pub logic: FxHashSet<Sym>,
    pub values: FxHashSet<Sym>,
    pub truths: FxHashSet<Sym>,
    pub conditions: FxHashSet<Sym>,
    pub loops: FxHashSet<Sym>,
    pub switches: FxHashSet<Sym>,
    pub cases: FxHashSet<Sym>,
    pub jumps: FxHashSet<Sym>,
    pub leads: FxHashSet<Sym>,
    pub ends: FxHashSet<Sym>,
    pub annotates: Option<Sym>,
    pub returns: Option<Sym>,
    pub attribute: Option<Sym>,
    pub macros: Option<Sym>,
    pub truth_type: Option<Sym>,
    pub angles: bool,
    pub unreachable: bool,
    pub soft: bool,
    /// Functions of other files are called by their bare names.
    pub shares_names: bool,
}

pub fn operator(text: &str) -> Sym {
    sym(TokenKind::Operator, text.as_bytes())
}

pub fn word(text: &str) -> Sym {
    sym(TokenKind::Keyword, text.as_bytes())
}

impl Syntax {
    pub fn new(def: &LangDef) -> Self {
        let file = &def.file.syntax;
        let either = |text: &String| {
            let kind =
                if def.is_operator(text.as_bytes()) { TokenKind::Operator } else { TokenKind::Keyword };
            sym(kind, text.as_bytes())
        };
        let all = |list: &[String]| list.iter().map(either).collect::<FxHashSet<_>>();
        let mut leads: FxHashSet<Sym> =
            [&file.conditions, &file.loops, &file.switches].into_iter().flat_map(|list| all(list)).collect();
        leads.extend(["else", "try", "catch", "finally"].map(word));
        Self {
            functions: all(&file.functions),
            containers: all(&file.containers),
            types: all(&file.types),
            modifiers: all(&file.modifiers),
            declares: all(&file.declares),
            imports: all(&file.imports),
            members: all(&file.members),
            paths: all(&file.paths),
            assignments: all(&file.assignments),
            prefix: all(&file.prefix),
            postfix: all(&file.postfix),
            binary: all(&file.binary),
            comparisons: all(&file.comparisons),
            logic: all(&file.logic),
            values: all(&file.values),
            truths: all(&file.truths),
            conditions: all(&file.conditions),
            loops: all(&file.loops),
            switches: all(&file.switches),
            cases: all(&file.cases),
            jumps: all(&file.jumps),
            leads,
            ends: all(&def.file.statement_ends),
            annotates: file.annotates.as_ref().map(either),
            returns: file.returns.as_ref().map(either),
            attribute: file.attribute.as_ref().map(either),
            macros: file.macros.as_ref().map(either),
            truth_type: file.truth_type.as_ref().map(|text| word(text)),
            angles: file.angles,
            unreachable: file.unreachable,
            soft: def.layout() == Layout::Soft,
            shares_names: def.file.preprocessor.is_some(),
        }
    }
}
