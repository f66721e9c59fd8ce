//! What is dubious in a set though it loads: mostly what a hand slipped over.

use std::collections::BTreeMap;

use crate::langdef::LangDef;

use super::Operator;
use super::OperatorSet;
use super::Term;
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
    for operator in &set.operators {
        let id = operator.id();
        let mut report = |problem: String| {
            findings.push(Finding { id: id.clone(), find: write_terms(operator.find()), problem });
        };
        if operator.find() == operator.put() {
            report("find and put are the same: it changes nothing".into());
        }
        if operator.find().iter().all(Term::is_hole) {
            report("find has holes only: it matches almost everywhere".into());
        }
        unknown_words(operator, set, def).into_iter().for_each(&mut report);
        if unbalances(operator.find(), operator.put(), def) {
            report("put opens or closes other brackets than find".into());
        }
        let times = seen.entry(id.clone()).or_default();
        *times += 1;
        if *times == 2 {
            report("stands twice".into());
        }
    }
    findings
}

fn unknown_words(operator: &Operator, set: &OperatorSet, def: &LangDef) -> Vec<String> {
    let mut problems = Vec::new();
    for term in operator.find().iter().chain(operator.put()) {
        match term {
            Term::Operator(text) if !def.is_operator(text) => {
                problems.push(format!(".{} is no operator of {}", escape(text), def.name()));
            }
            Term::Keyword(text)
                if !def.is_keyword(text) && !set.header.idioms.iter().any(|idiom| **idiom == **text) =>
            {
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

/// Whether putting one row of terms for the other opens or closes brackets it did not.
pub fn unbalances(find: &[Term], put: &[Term], def: &LangDef) -> bool {
    bracket_residue(find, def) != bracket_residue(put, def)
}

/// The brackets that a row of terms leaves open or closes without having opened, in order.
fn bracket_residue(terms: &[Term], def: &LangDef) -> Vec<Vec<u8>> {
    let mut residue: Vec<Vec<u8>> = Vec::new();
    for term in terms {
        let (text, opens, closes): (Vec<u8>, bool, Option<Vec<u8>>) = match term {
            Term::Operator(text) => {
                let partner = def.open_of(text).map(|open| open.as_bytes().to_vec());
                (text.to_vec(), def.is_open(text), partner)
            }
            Term::Layout(crate::lex::TokenKind::Indent) => (b"indent".to_vec(), true, None),
            Term::Layout(crate::lex::TokenKind::Dedent) => {
                (b"dedent".to_vec(), false, Some(b"indent".to_vec()))
            }
            _ => continue,
        };
        match closes {
            Some(open) if residue.last() == Some(&open) => drop(residue.pop()),
            Some(_) => residue.push(text),
            None if opens => residue.push(text),
            None => {}
        }
    }
    residue
}
