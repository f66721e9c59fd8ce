//! What is dubious in a set though it loads: mostly what a hand slipped over.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::langdef::LangDef;
use crate::lex::TokenKind;

use super::Habitat;
use super::Operator;
use super::OperatorSet;
use super::Term;
use super::balance::Residue;
use super::balance::residue;
use super::notation::escape;
use super::notation::write_terms;

/// Something dubious, with the operator it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub id: String,
    pub find: String,
    pub problem: String,
}

/// Looks for operators that change nothing, cannot match, unbalance brackets, or stand twice.
pub fn lint(set: &OperatorSet, def: &LangDef) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let idioms: BTreeSet<&[u8]> = set.header.idioms.iter().map(Vec::as_slice).collect();
    for operator in &set.operators {
        let id = operator.id();
        let mut report = |problem: String| {
            findings.push(Finding { id: id.clone(), find: write_terms(operator.find()), problem });
        };
        if operator.find() == operator.put() {
            report("find and put are the same: it changes nothing".into());
        }
        let evidence = &operator.evidence;
        let held =
            evidence.is_wild() || (evidence.binds.is_empty() && evidence.habitat == Habitat::default());
        if held && operator.find().iter().all(Term::is_hole) {
            report("find has holes only: it matches almost everywhere".into());
        }
        unknown_words(operator, &idioms, def).into_iter().for_each(&mut report);
        if brackets(operator.find(), def) != brackets(operator.put(), def) {
            report("put opens or closes different brackets than find".into());
        }
        let times = seen.entry(id.clone()).or_default();
        *times += 1;
        if *times == 2 {
            report("is listed twice".into());
        }
    }
    findings
}

fn unknown_words(operator: &Operator, idioms: &BTreeSet<&[u8]>, def: &LangDef) -> Vec<String> {
    let mut problems = Vec::new();
    for term in operator.find().iter().chain(operator.put()) {
        match term {
            Term::Operator(text) if !def.is_operator(text) => {
                problems.push(format!(".{} is not an operator of {}", escape(text), def.name()));
            }
            Term::Keyword(text) if !def.is_keyword(text) && !idioms.contains(&**text) => {
                problems.push(format!(
                    ":{} is neither a keyword of {} nor an idiom of this set; add it to idioms if it is meant literally",
                    escape(text),
                    def.name()
                ));
            }
            _ => {}
        }
    }
    problems.dedup();
    problems
}

/// What a row of terms opens or closes.
fn brackets(terms: &[Term], def: &LangDef) -> Residue {
    let tokens = terms.iter().map(|term| match term {
        Term::Operator(text) => (TokenKind::Operator, &**text),
        Term::Keyword(text) => (TokenKind::Keyword, &**text),
        Term::Layout(kind) => (*kind, &b""[..]),
        _ => (TokenKind::Identifier, &b""[..]),
    });
    residue(tokens, def)
}
