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
    pub erased: FxHashSet<Sym>,
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
    pub continues: FxHashSet<Sym>,
    pub blocks: FxHashSet<Sym>,
    pub tested_last: Option<[Sym; 2]>,
    pub before_statements: FxHashSet<Sym>,
    pub before_values: FxHashSet<Sym>,
    pub returning: FxHashSet<Sym>,
    pub throwing: FxHashSet<Sym>,
    pub creates: FxHashSet<Sym>,
    pub jumps: FxHashSet<Sym>,
    pub leads: FxHashSet<Sym>,
    pub ends: FxHashSet<Sym>,
    pub annotates: Option<Sym>,
    pub returns: Option<Sym>,
    pub attribute: Option<Sym>,
    pub macros: Option<Sym>,
    pub truth_type: Option<Sym>,
    /// Whether methods and arrow functions have no keyword.
    pub methods: bool,
    pub angles: bool,
    pub unreachable: bool,
    pub needs_return: bool,
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
        let leads = [&file.conditions, &file.loops, &file.switches, &file.continues];
        let leads = leads.into_iter().flatten();
        // What may also begin a declaration (`unsafe`, `using`) says nothing about a block behind it.
        let declares = |word: &&String| file.modifiers.contains(word) || file.imports.contains(word);
        let leads = leads.chain(file.blocks.iter().filter(|word| !declares(word)));
        Self {
            functions: all(&file.functions),
            containers: all(&file.containers),
            types: all(&file.types),
            modifiers: all(&file.modifiers),
            declares: all(&file.declares),
            imports: all(&file.imports),
            erased: all(&file.erased),
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
            continues: all(&file.continues),
            blocks: all(&file.blocks),
            tested_last: file.tested_last.as_ref().map(|pair| pair.each_ref().map(|text| word(text))),
            before_statements: all(&file.before_statements),
            before_values: all(&file.before_values),
            returning: all(&file.returning),
            throwing: all(&file.throwing),
            creates: all(&file.creates),
            jumps: all(&file.jumps),
            leads: leads.map(either).collect(),
            ends: all(&def.file.statement_ends),
            annotates: file.annotates.as_ref().map(either),
            returns: file.returns.as_ref().map(either),
            attribute: file.attribute.as_ref().map(either),
            macros: file.macros.as_ref().map(either),
            truth_type: file.truth_type.as_ref().map(|text| word(text)),
            methods: file.methods,
            angles: file.angles,
            unreachable: file.unreachable,
            needs_return: file.needs_return,
            soft: def.layout() == Layout::Soft,
            shares_names: def.file.preprocessor.is_some(),
        }
    }

    /// Whether a word begins the other branch of a condition (`else`): it continues with the statement before, and
    /// another statement stands behind it.
    pub fn is_otherwise(&self, sym: Sym) -> bool {
        self.continues.contains(&sym) && self.before_statements.contains(&sym)
    }
}
