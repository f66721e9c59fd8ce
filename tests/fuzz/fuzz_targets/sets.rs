//! Operator sets: text that is read can be written and read again; a set that is well-formed comes back as it was.
#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::lex::TokenKind;
use wildcaught::operator::Evidence;
use wildcaught::operator::Operator;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::Shift;
use wildcaught::operator::Term;
use wildcaught::operator::lint;
use wildcaught::operator::merge;
use wildcaught::operator::operator_text;
use wildcaught::operator::parse_terms;
use wildcaught::operator::read_set;
use wildcaught::operator::write_set;
use wildcaught::operator::write_terms;

static C: LazyLock<LangDef> = LazyLock::new(|| builtin("c").expect("C is built in"));

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Text(&'a str),
    Terms(&'a str),
    Set { name: String, operators: Vec<Entry>, shifts: Vec<(Vec<u8>, Vec<u8>, u32)> },
}

#[derive(Arbitrary, Debug)]
struct Entry {
    find: Vec<Letter>,
    put: Vec<Letter>,
    name: String,
    count: u32,
    repos: Vec<String>,
    left: BTreeMap<String, u32>,
}

#[derive(Arbitrary, Debug)]
enum Letter {
    Keyword(Vec<u8>),
    Operator(Vec<u8>),
    Layout(u8),
    Hole(u8),
    Any,
    Expression(u8),
    Statement(u8),
}

impl Letter {
    fn term(&self) -> Option<Term> {
        const LAYOUT: [TokenKind; 3] = [TokenKind::LineEnd, TokenKind::Indent, TokenKind::Dedent];
        Some(match self {
            Self::Keyword(text) | Self::Operator(text) if text.is_empty() => return None,
            Self::Keyword(text) => Term::Keyword(text.as_slice().into()),
            Self::Operator(text) => Term::Operator(text.as_slice().into()),
            Self::Layout(which) => Term::Layout(LAYOUT[usize::from(*which) % 3]),
            Self::Hole(0) | Self::Any => Term::Any,
            Self::Hole(number) => Term::Hole(u16::from(*number)),
            Self::Expression(number) => Term::Expression(u16::from(*number)),
            Self::Statement(number) => Term::Statement(u16::from(*number)),
        })
    }
}

/// Longer operators are refused.
const MOST: usize = 250;

impl Entry {
    fn operator(self) -> Option<Operator> {
        let find: Vec<Term> = self.find.iter().filter_map(Letter::term).take(MOST).collect();
        let bound = |term: &Term| match term {
            Term::Keyword(_) | Term::Operator(_) | Term::Layout(_) => true,
            _ => term.number().is_some() && find.contains(term),
        };
        let put: Vec<Term> = self.put.iter().filter_map(Letter::term).filter(bound).take(MOST).collect();
        let mut evidence = Evidence { count: u64::from(self.count), ..Evidence::default() };
        evidence.repos.extend(self.repos);
        evidence.habitat.left = self.left.into_iter().map(|(key, count)| (key, u64::from(count))).collect();
        if find.is_empty() {
            return None;
        }
        let mut operator = Operator::new(find, put, evidence);
        operator.name = self.name;
        Some(operator)
    }
}

fn again(set: &OperatorSet) -> OperatorSet {
    let text = write_set(set);
    let back = read_set(&text, "again").unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(write_set(&back), text);
    back
}

fuzz_target!(|input: Input| match input {
    Input::Text(text) => {
        if let Ok(set) = read_set(text, "fuzz") {
            assert_eq!(again(&set), set);
            set.operators.iter().for_each(|operator| drop(operator_text(operator)));
            drop(lint(&set, &C));
            drop(merge(vec![set.clone(), set]));
        }
    }
    Input::Terms(line) => {
        if let Ok(terms) = parse_terms(line) {
            assert_eq!(parse_terms(&write_terms(&terms)).expect("what was written is read"), terms);
        }
    }
    Input::Set { name, operators, shifts } => {
        let mut set = read_set("format = 1\nlanguage = \"c\"\n", "empty").expect("the smallest set");
        set.header.name = name;
        set.operators = operators.into_iter().filter_map(Entry::operator).collect();
        let shifts = shifts.into_iter().filter(|(a, b, _)| !a.is_empty() && !b.is_empty() && a != b);
        let seen = |count| Evidence { count: u64::from(count), ..Evidence::default() };
        set.shifts =
            shifts.map(|(before, after, count)| Shift { before, after, evidence: seen(count) }).collect();
        assert_eq!(again(&set), set);
    }
});
