//! Operator sets: reading, writing, merging.

use proptest::prelude::*;

use wildcaught::operator::Direction;
use wildcaught::operator::Evidence;
use wildcaught::operator::Filter;
use wildcaught::operator::OperatorSet;
use wildcaught::operator::diff;
use wildcaught::operator::merge;
use wildcaught::operator::read_set;
use wildcaught::operator::write_set;
use wildcaught::operator::write_terms;

use super::sets::Words;
use super::sets::direction;
use super::sets::set;

const HEAD: &str = "format = 1\nlanguage = \"c\"\n";

fn refusal(rest: &str) -> String {
    read_set(&format!("{HEAD}{rest}"), "set.toml").unwrap_err().to_string()
}

#[test]
fn two_lines_make_an_operator() {
    let text = format!("{HEAD}[[operator]]\nfind = \".< $2 $1\"\nput = \".<= $2\"\n");
    let set = read_set(&text, "set.toml").unwrap();
    assert_eq!(write_terms(set.operators[0].find()), ".< $1 $_");
    assert_eq!(write_terms(set.operators[0].put()), ".<= $1");
    assert_eq!(set.operators[0].evidence, Evidence::default());
    assert!(write_set(&set).ends_with("find = \".< $1 $_\"\nput = \".<= $1\"\n"), "{}", write_set(&set));
}

#[test]
fn unknown_keys_are_refused_wherever_they_stand() {
    for (rest, place) in [
        ("bogus = 1\n", "3:1"),
        ("[[operator]]\nfind = \".+\"\nput = \"\"\nbogus = 1\n", "6:1"),
        ("[[operator]]\nfind = \".+\"\nput = \"\"\nbefore = \"a\"\n", "6:1"),
        ("[[operator]]\nfind = \".+\"\nput = \"\"\nbinds = [{ bogus = 1 }]\n", "6:12"),
        ("[[shift]]\nbefore = \"a\"\nafter = \"b\"\n  bogus = 1\n", "6:3"),
        ("[[source]]\nname = \"a\"\nbogus = 1\n", "5:1"),
        ("[corpus]\nbogus = 1\n", "4:1"),
        ("[thresholds]\nbogus = 1\n", "4:1"),
        ("[funnel.backward]\nbogus = 1\n", "4:1"),
        ("[funnel.bogus]\ncandidates = 1\n", "3:9"),
    ] {
        let problem = refusal(rest);
        assert!(problem.starts_with(&format!("set.toml:{place}: ")), "{rest}: {problem}");
        assert!(problem.contains("bogus") || problem.contains("before"), "{rest}: {problem}");
    }
}

#[test]
fn mistakes_are_placed_and_say_what_to_do() {
    for (rest, expected) in [
        ("[[operator]]\nfind = \".+ x\"\nput = \"\"\n", "set.toml:4:12: `x` must begin with one of"),
        ("[[operator]]\nfind = \"\"\nput = \".+\"\n", "set.toml:4:8: find is empty"),
        ("[[operator]]\nfind = \".+\"\nput = \"$1\"\n", "set.toml:5:7: put has $1, which find does not bind"),
        ("[[operator]]\nfind = \"$1\"\nput = \"$_\"\n", "set.toml:5:7: put has $_"),
        ("[[operator]]\nid = \"0\"\nfind = \".+\"\nput = \"\"\n", "set.toml:4:6: id \"0\" does not match"),
        ("[[operator]]\nfind = \".+\"\nput = \"\"\ncount = \"x\"\n", "set.toml:6:9: invalid type"),
        ("[[operator]]\nfind = \".+\"\nput = \"\"\nfirst = \"x\"\n", "set.toml:6:9: \"x\" is not a date"),
        ("[[operator]]\nfind = \".+\"\nput = \"\"\nexamples = [\"x\"]\n", "set.toml:6:13: example \"x\""),
        ("[[operator]]\nfind = \".+\"\n", "set.toml:3:1: missing field `put`"),
        ("[[shift]]\nbefore = \"a\"\nafter = \"a\"\n", "set.toml:4:10: a shift needs two different"),
        ("x = = 1\n", "set.toml:3:5: "),
    ] {
        let problem = refusal(rest);
        assert!(problem.starts_with(expected), "{problem}");
    }
    let many = |letter: &str| (0..101).map(|at| format!("\":{letter}{at}\",")).collect::<String>();
    let problem = refusal(&format!("[[operator]]\nfind = [{}]\nput = [{}]\n", many("a"), many("b")));
    let expected =
        "set.toml:4:8: 101 × 101 alternatives are more than 10000 operators in one entry; write several";
    assert!(problem.starts_with(expected), "{problem}");
    let problem = refusal(&format!("[[operator]]\nfind = \"{}\"\nput = \"\"\n", ".+ ".repeat(251)));
    assert!(problem.starts_with("set.toml:4:8: 251 terms, but at most 250 can be matched"), "{problem}");
    let problem = read_set("format = 2\nlanguage = \"c\"\n", "set.toml").unwrap_err().to_string();
    assert_eq!(problem, "set.toml:1:10: unknown format = 2; this version reads format = 1");
}

fn small(find: &str, count: u64) -> OperatorSet {
    let text =
        format!("{HEAD}[[operator]]\nfind = \"{find}\"\nput = \"\"\ncount = {count}\nrepos = [\"r\"]\n");
    read_set(&text, "set.toml").unwrap()
}

#[test]
fn what_both_sets_have_adds_up_and_counts_as_a_duplicate() {
    let merged = merge(vec![small(".+", 2), small(".+", 3), small(".-", 1)]).unwrap().unwrap();
    assert_eq!(merged.operators.len(), 2);
    assert_eq!(merged.operators[0].evidence.count, 5);
    let funnel = &merged.header.funnels["backward"];
    assert_eq!((funnel.candidates, funnel.rejected(Filter::Duplicate), funnel.kept()), (3, 1, 2));
}

#[test]
fn sets_of_different_kind_are_not_merged() {
    let mut other = small(".+", 1);
    other.header.direction = Direction::Forward;
    let error = merge(vec![small(".+", 1), other]).unwrap_err().to_string();
    assert!(error.contains("direction (backward and forward)"), "{error}");
}

#[test]
fn a_difference_names_both_sides() {
    let (first, second) = (small(".+", 2), small(".-", 3));
    let found = diff(&first, &second);
    assert_eq!((found.only_first.len(), found.only_second.len(), found.both.len()), (1, 1, 0));
    assert!(diff(&first, &small(".+", 7)).is_same());
}

fn merged(sets: &[&OperatorSet]) -> OperatorSet {
    let mut set = merge(sets.iter().map(|set| (*set).clone()).collect()).unwrap().unwrap();
    set.header.name = "merged".into();
    set
}

proptest! {
    #[test]
    fn a_set_that_is_written_and_read_is_the_same(set in direction().prop_flat_map(|way| set(Words::Odd, way))) {
        let text = write_set(&set);
        let read = read_set(&text, "set.toml");
        prop_assert!(read.is_ok(), "{}\n{text}", read.unwrap_err());
        let read = read.unwrap();
        prop_assert_eq!(&write_set(&read), &text);
        prop_assert_eq!(read, set);
    }

    #[test]
    fn merging_does_not_care_about_order_or_grouping(
        (a, b, c) in direction().prop_flat_map(|way| {
            (set(Words::Few, way), set(Words::Few, way), set(Words::Few, way))
        })
    ) {
        let all = write_set(&merged(&[&a, &b, &c]));
        prop_assert_eq!(&write_set(&merged(&[&c, &a, &b])), &all);
        prop_assert_eq!(&write_set(&merged(&[&merged(&[&a, &b]), &c])), &all);
        prop_assert_eq!(&write_set(&merged(&[&a, &merged(&[&b, &c])])), &all);
    }
}
