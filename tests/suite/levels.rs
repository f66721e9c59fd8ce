//! One change at several levels of generality: folded by structure, with names to draw; and what is no behaviour.

use wildcaught::control::Progress;
use wildcaught::harvest::FinishOptions;
use wildcaught::harvest::Harvest;
use wildcaught::harvest::IdiomRule;
use wildcaught::harvest::TallyOptions;
use wildcaught::harvest::finish;
use wildcaught::harvest::tally_patch;
use wildcaught::history::CommitSelection;
use wildcaught::history::FixWords;
use wildcaught::history::GitOptions;
use wildcaught::history::PatchText;
use wildcaught::insert::Rules;
use wildcaught::langdef::builtin;
use wildcaught::operator::Direction;
use wildcaught::operator::Filter;
use wildcaught::operator::Granularity;
use wildcaught::operator::Source;
use wildcaught::operator::Thresholds;
use wildcaught::operator::operator_text;

use crate::insert::mutated;
use crate::insert::set;

/// A harvest of changed blocks (path, before, after) of one commit that fixes something.
fn harvest(language: &str, blocks: &[(&str, &str, &str)]) -> Harvest {
    let def = builtin(language).unwrap();
    let mut patch = String::from(
        "commit 1111111111111111111111111111111111111111\nAuthor: A <a@b>\nDate:   Thu Jan 1 00:00:00 2015 +0000\n\n    Fix a bug\n\n",
    );
    for (path, before, after) in blocks {
        patch.push_str(&format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n"));
        let lines = |text: &str| text.lines().count();
        let start = |text: &str| usize::from(!text.is_empty());
        patch.push_str(&format!(
            "@@ -{},{} +{},{} @@\n",
            start(before),
            lines(before),
            start(after),
            lines(after)
        ));
        before.lines().for_each(|line| patch.push_str(&format!("-{line}\n")));
        after.lines().for_each(|line| patch.push_str(&format!("+{line}\n")));
    }
    let git = GitOptions {
        since: None,
        until: None,
        max_commits: None,
        branch: None,
        selection: CommitSelection::new(&def, &[], false).unwrap(),
        fixes: FixWords::default(),
    };
    let limits = Thresholds { max_tokens: 12, ..Thresholds::default() };
    let options = TallyOptions { granularity: Granularity::Levels, limits: limits.clone(), samples: 0 };
    let source = Source { name: "r".into(), ..Source::default() };
    let text = PatchText { name: "r", input: patch.as_bytes(), size: None };
    let tallied = tally_patch(text, &source, &def, &git, &options, &Progress::default()).unwrap();
    let direction = Direction::Backward;
    let idioms = IdiomRule::Given(vec![b"NULL".to_vec()]);
    let (name, tool) = (String::new(), String::new());
    finish(tallied.tally, &def, &FinishOptions { name, tool, direction, idioms, limits })
}

#[track_caller]
fn shows(language: &str, before: &str, after: &str, wanted: &[&str]) {
    let path = format!("a.{}", builtin(language).unwrap().file.extensions[0]);
    let harvest = harvest(language, &[(&path, before, after)]);
    let found: Vec<String> = harvest.set.operators.iter().map(operator_text).collect();
    for operator in wanted {
        assert!(found.iter().any(|text| text == operator), "{operator} is not among {found:#?}");
    }
}

#[test]
fn a_guard_that_a_fix_adds_is_a_shape_to_delete() {
    let guard = "if (p == NULL || p->length > limit(p, 3))\n  return -1;\n";
    shows("c", "", guard, &[":if .( $*_ .) ${_} ⇒ ε"]);
    shows("go", "", "if err != nil {\n  return err\n}\n", &[":if $(_) .{ $*_ .} ⇒ ε"]);
}

#[test]
fn a_statement_that_a_fix_adds_is_one_to_delete() {
    shows("c", "", "parser->tokens[i].start = find(parser, i + 1);\n", &["${_} ⇒ ε"]);
    shows("c", "f();\n", "f();\nparser->tokens[i].start = find(i + 1);\n", &[".; $(_) .= $(_) .; ⇒ .;"]);
    shows("go", "", "x.y = f(a, b)\nz()\n", &["${_} ${_} ⇒ ε"]);
    shows("python", "", "self.x.y = f(a, b)[0]\n", &["${_} ⇒ ε"]);
}

#[test]
fn a_long_operand_is_folded() {
    let fixed = "if (a && strcmp(b->name, c[3].name) == 0) {\n";
    shows("c", "if (a) {\n", fixed, &[".&& $(_) .) ⇒ .)", "$1 .&& $(_) .) ⇒ $1 .)"]);
}

#[test]
fn what_both_sides_share_is_bound() {
    shows("c", "x = a->b + c[1];\n", "x = check(a->b + c[1]);\n", &[".= $_ .( $(1) .) .; ⇒ .= $(1) .;"]);
}

#[test]
fn a_name_that_the_pattern_does_not_bind_is_drawn() {
    shows("c", "y = f(other);\n", "y = f(this_one);\n", &[".( $_ .) ⇒ .( $?1 .)", "$_ ⇒ $?1"]);
    shows("c", "return 31;\n", "return 29;\n", &[":return $_ .; ⇒ :return $#1 .;"]);
}

#[test]
fn changes_that_are_no_behaviour_are_counted_and_left_out() {
    let rejects = |blocks: &[(&str, &str, &str)], filter: Filter, count: u64| {
        let harvest = harvest("java", blocks);
        assert_eq!(harvest.set.header.funnels["backward"].rejected(filter), count, "{filter:?}");
        assert!(harvest.set.operators.is_empty(), "{filter:?}");
    };
    rejects(&[("src/test/java/A.java", "x = 1;\n", "x = 2;\n")], Filter::TestCode, 1);
    rejects(&[("A.java", "", "import a.b.C;\n")], Filter::Import, 1);
    rejects(&[("A.java", "", "@Deprecated\n")], Filter::Attribute, 1);
    rejects(&[("A.java", "int x = f(y);\n", "private final int x = f(y);\n")], Filter::Modifier, 1);
    let renamed = ["A.java", "B.java", "C.java"].map(|path| (path, "f(old, 1);\n", "f(fresh, 1);\n"));
    rejects(&renamed, Filter::Rename, 3);
    let gone = ("A.java", "call(a, b).run(c);\n", "");
    rejects(&[gone, ("B.java", "", "call(a, b).run(c);\n")], Filter::Moved, 2);
}

#[test]
fn the_rest_of_a_bracket_is_matched_and_kept() {
    let operators = set("c", &[], &[(":if .( $*1 .) .{ $*2 .}", ".{ $*2 .}")], &[]);
    let before = "void f(int a) { if (a && (a > 1)) { g(a); h(); } }\n";
    let after = "void f(int a) { { g(a); h(); } }\n";
    assert_eq!(mutated(&operators, Rules::NONE, before), [after]);
}

#[test]
fn drawn_names_play_the_part_that_is_asked_for() {
    let operators = set("c", &[], &[(":return $_ .;", ":return $?1 .;")], &[]);
    let code = "int f(int width, int height) { g(width, height); return width; }\nvoid h(int other) { }\n";
    let made = mutated(&operators, Rules::NONE, code);
    // The other variable of the function; neither the function that is called nor another function's variable.
    assert_eq!(made, [code.replace("return width", "return height")]);
}

#[test]
fn drawn_numbers_begin_with_the_neighbours() {
    let operators = set("c", &[], &[(":return $_ .;", ":return $#1 .;")], &[]);
    let made = mutated(&operators, Rules::NONE, "int f(void) { return 7; }\n");
    assert!(made.iter().any(|text| text.contains("return 8;")), "{made:?}");
    assert!(made.iter().any(|text| text.contains("return 6;")), "{made:?}");
    let largest = mutated(&operators, Rules::NONE, "int f(void) { return 4294967295; }\n");
    assert!(largest.iter().any(|text| text.contains("return 0;")), "{largest:?}");
}
