//! Strategies that make up operator sets, odd bytes and all.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use proptest::collection::btree_map;
use proptest::collection::btree_set;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use wildcaught::history::Census;
use wildcaught::lex::TokenKind;
use wildcaught::operator::Date;
use wildcaught::operator::Direction;
use wildcaught::operator::Evidence;
use wildcaught::operator::Filter;
use wildcaught::operator::Funnel;
use wildcaught::operator::Granularity;
use wildcaught::operator::Habitat;
use wildcaught::operator::Header;
use wildcaught::operator::Operator;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::Shift;
use wildcaught::operator::Source;
use wildcaught::operator::Term;
use wildcaught::operator::Thresholds;

/// How odd the words are.
#[derive(Clone, Copy)]
pub enum Words {
    /// Any bytes.
    Odd,
    /// So few that sets have operators in common.
    Few,
}

impl Words {
    fn bytes(self) -> BoxedStrategy<Vec<u8>> {
        match self {
            Self::Odd => vec(any::<u8>(), 1..6).boxed(),
            Self::Few => select(vec![b"a".to_vec(), b"b c".to_vec(), b"\xff\"'\\".to_vec()]).boxed(),
        }
    }

    fn text(self) -> BoxedStrategy<String> {
        match self {
            Self::Odd => any::<String>().boxed(),
            Self::Few => select(vec!["a".to_owned(), "b/c".to_owned(), "d".to_owned()]).boxed(),
        }
    }
}

/// A set of this direction.
pub fn set(words: Words, direction: Direction) -> impl Strategy<Value = OperatorSet> {
    (header(words, direction), vec(operator(words), 0..6), vec(shift(words), 0..4))
        .prop_map(|(header, operators, shifts)| OperatorSet { header, operators, shifts })
}

/// A direction.
pub fn direction() -> impl Strategy<Value = Direction> {
    select(vec![Direction::Backward, Direction::Forward, Direction::Both])
}

fn header(words: Words, direction: Direction) -> impl Strategy<Value = Header> {
    let sources = vec((words.text(), "[0-9a-f]{0,12}"), 0..3);
    let directions = select(vec![vec![], vec!["backward"], vec!["forward"], vec!["backward", "forward"]]);
    let notes = (words.text(), words.text(), words.text(), any::<bool>());
    (notes, thresholds(words), census(), sources, directions, funnel(), vec(words.bytes(), 0..4)).prop_map(
        move |((name, tool, license, partial), thresholds, census, sources, directions, funnel, idioms)| {
            let source = |(name, head)| Source { name, head, license: license.clone(), ..Source::default() };
            Header {
                name,
                language: "c".into(),
                direction,
                granularity: Granularity::Token { context: 1 },
                exposed: 0,
                density: 0,
                tool,
                partial,
                thresholds,
                census,
                sources: sources.into_iter().map(source).collect(),
                funnels: directions.into_iter().map(|direction| (direction, funnel.clone())).collect(),
                idioms,
            }
        },
    )
}

fn thresholds(words: Words) -> impl Strategy<Value = Thresholds> {
    (0..20usize, 0..9u64, words.text(), words.text()).prop_map(|(size, count, idioms, fix_words)| {
        let max_adjacent = 20 - size;
        Thresholds {
            max_tokens: size,
            shift_min: count,
            max_adjacent,
            idioms,
            fix_words,
            ..Default::default()
        }
    })
}

fn census() -> impl Strategy<Value = Census> {
    (0..9u64, 0..1u64 << 40).prop_map(|(commits, bytes)| Census { commits, bytes, ..Census::default() })
}

fn funnel() -> impl Strategy<Value = Funnel> {
    let rejected = btree_map(select(Filter::ALL.to_vec()), 0..1u64 << 40, 0..12);
    (0..1u64 << 50, rejected).prop_map(|(candidates, rejected)| Funnel::of(candidates, &rejected))
}

fn term(words: Words) -> impl Strategy<Value = Term> {
    let layout = select(vec![TokenKind::LineEnd, TokenKind::Indent, TokenKind::Dedent]);
    prop_oneof![
        words.bytes().prop_map(|text| Term::Keyword(text.into())),
        words.bytes().prop_map(|text| Term::Operator(text.into())),
        layout.prop_map(Term::Layout),
        (1..4u16).prop_map(Term::Hole),
        Just(Term::Any),
        select(vec![0u16, 4, 5]).prop_map(Term::Expression),
        select(vec![0u16, 6]).prop_map(Term::Statement),
    ]
}

fn operator(words: Words) -> impl Strategy<Value = Operator> {
    let longest = match words {
        Words::Odd => 6,
        Words::Few => 2,
    };
    (vec(term(words), 1..=longest), vec(term(words), 0..=longest), evidence(words)).prop_map(
        |(find, put, evidence)| {
            let nameless = [Term::Any, Term::Expression(0), Term::Statement(0)];
            let known =
                |term: &Term| !nameless.contains(term) && (term.number().is_none() || find.contains(term));
            let put = put.into_iter().filter(known).collect();
            Operator::new(find, put, evidence)
        },
    )
}

fn shift(words: Words) -> impl Strategy<Value = Shift> {
    (words.bytes(), words.bytes(), evidence(words))
        .prop_filter("two different identifiers", |(before, after, _)| before != after)
        .prop_map(|(before, after, evidence)| Shift { before, after, evidence })
}

fn evidence(words: Words) -> impl Strategy<Value = Evidence> {
    let counts = (0..5u64, 0..3u64, 0..3u64, 0..3u64);
    let days = (proptest::option::of(0..20_000i64), proptest::option::of(0..20_000i64));
    let examples = btree_set(("[0-9a-f]{12}", words.text()), 0..=3);
    let binds = vec(btree_map(select(vec![TokenKind::Identifier, TokenKind::Label]), 0..9u64, 0..3), 0..3);
    let around = btree_map(words.text(), 1..9u64, 0..3);
    (counts, btree_set(words.text(), 0..3), days, examples, binds, around).prop_map(
        |(counts, repos, days, examples, binds, around)| seen(counts, repos, days, examples, binds, around),
    )
}

fn seen(
    (count, forward, fixes, commits): (u64, u64, u64, u64),
    repos: BTreeSet<String>,
    (first, last): (Option<i64>, Option<i64>),
    examples: BTreeSet<(String, String)>,
    binds: Vec<BTreeMap<TokenKind, u64>>,
    around: BTreeMap<String, u64>,
) -> Evidence {
    let day = |days: i64| Date::of_seconds(days * 86_400);
    let habitat = Habitat { left: around.clone(), position: around, ..Habitat::default() };
    Evidence {
        count,
        forward,
        fixes,
        commits,
        repos,
        first: first.map(day),
        last: last.map(day),
        sites: forward + commits,
        matches: 0,
        viable: commits,
        examples,
        binds,
        habitat,
    }
}
