//! Harvesting whole repositories: what counts, what counts once, and what does not depend on how it ran.

use std::path::Path;

use wildcaught::control::Progress;
use wildcaught::harvest::FinishOptions;
use wildcaught::harvest::Harvest;
use wildcaught::harvest::IdiomRule;
use wildcaught::harvest::Tallied;
use wildcaught::harvest::Tally;
use wildcaught::harvest::TallyOptions;
use wildcaught::harvest::finish;
use wildcaught::harvest::read_raw;
use wildcaught::harvest::tally_git;
use wildcaught::harvest::write_raw;
use wildcaught::history::CommitSelection;
use wildcaught::history::FixWords;
use wildcaught::history::GitOptions;
use wildcaught::langdef::LangDef;
use wildcaught::langdef::builtin;
use wildcaught::operator::Direction;
use wildcaught::operator::Filter;
use wildcaught::operator::Granularity;
use wildcaught::operator::Source;
use wildcaught::operator::Thresholds;
use wildcaught::operator::merge;
use wildcaught::operator::read_set;
use wildcaught::operator::write_set;
use wildcaught::operator::write_terms;

use crate::fixture::Fixture;

fn options(granularity: Granularity) -> TallyOptions {
    TallyOptions { granularity, limits: Thresholds::default(), samples: 2 }
}

fn git(def: &LangDef) -> GitOptions {
    GitOptions {
        since: None,
        until: None,
        max_commits: None,
        branch: None,
        selection: CommitSelection::new(def, &[], false).unwrap(),
        fixes: FixWords::default(),
    }
}

fn tallied(path: &Path, name: &str, language: &str) -> Tallied {
    let def = builtin(language).unwrap();
    let source = Source { name: name.into(), ..Source::default() };
    tally_git(path, &source, &def, &git(&def), &options(Granularity::Line), &Progress::default()).unwrap()
}

fn tally(path: &Path, name: &str) -> Tally {
    tallied(path, name, "c").tally
}

fn finished(tally: Tally, idioms: IdiomRule, direction: Direction) -> Harvest {
    let def = builtin(tally.language()).unwrap();
    let limits = Thresholds { shift_min: 1, ..Thresholds::default() };
    let options = FinishOptions { name: "test".into(), tool: "test".into(), direction, idioms, limits };
    finish(tally, &def, &options)
}

fn operators(harvest: &Harvest) -> Vec<String> {
    let shown = |operator: &wildcaught::operator::Operator| {
        format!("{} => {}", write_terms(operator.find()), write_terms(operator.put()))
    };
    let mut list: Vec<String> = harvest.set.operators.iter().map(shown).collect();
    list.sort();
    list
}

fn rejected(harvest: &Harvest, filter: Filter) -> u64 {
    harvest.set.header.funnels["backward"].rejected(filter)
}

/// A history with fixes, deletions, renames and comments; `salt` makes two of them differ.
fn history(salt: &str) -> Fixture {
    let mut repo = Fixture::new();
    let file = |body: &str| format!("int f(int x, int y)\n{{\n{body}\treturn 0;\n}}\n");
    repo.commit("start", &[("f.c", &file("\tif (x)\n\t\tx = 0;\n"))]);
    repo.commit("Fix the check", &[("f.c", &file("\tif (x && y)\n\t\tx = 0;\n"))]);
    repo.commit("count", &[("f.c", &file("\tif (x && y)\n\t\tx = 0;\n\ty++;\n"))]);
    repo.commit("note", &[("f.c", &file("\t/* a note */\n\tif (x && y)\n\t\tx = 0;\n\ty++;\n"))]);
    repo.commit("notes", &[("f.c", &file("\t/* another note */\n\tif (x && y)\n\t\tx = 0;\n\ty++;\n"))]);
    repo.commit("uncount", &[("f.c", &file("\tif (x && y)\n\t\tx = 0;\n"))]);
    let renamed = format!("\tif (x && y)\n\t\tx = {salt};\n");
    repo.commit("shift", &[("f.c", &file(&renamed))]);
    repo.commit("shift again", &[("f.c", &file(&renamed.replace(salt, "other_name")))]);
    repo
}

#[test]
fn a_history_gives_its_operators_shifts_and_rejections() {
    let repo = history("some_name");
    let found = finished(tally(repo.path(), "a"), IdiomRule::None, Direction::Backward);
    assert_eq!(operators(&found), ["$_ .++ .; => ", ":if .( $1 .&& $_ .) => :if .( $1 .)"]);
    assert_eq!(rejected(&found, Filter::Comment), 3, "a comment added, changed and removed");
    assert_eq!(rejected(&found, Filter::NothingToMatch), 1, "y++ removed");
    let shifts: Vec<_> = found.set.shifts.iter().map(|s| (s.before.as_slice(), s.after.as_slice())).collect();
    assert_eq!(shifts, [(&b"some_name"[..], &b"other_name"[..])]);
    let fix = found.set.operators.iter().find(|operator| !operator.put().is_empty()).unwrap();
    assert_eq!((fix.evidence.count, fix.evidence.fixes, fix.evidence.commits), (1, 1, 1));
    assert_eq!(fix.evidence.habitat.bracket.keys().collect::<Vec<_>>(), ["{"]);
    assert_eq!(fix.evidence.habitat.position.keys().collect::<Vec<_>>(), ["start"]);
}

#[test]
fn lines_removed_are_an_operator_forward() {
    let repo = history("some_name");
    let found = finished(tally(repo.path(), "a"), IdiomRule::None, Direction::Forward);
    assert!(operators(&found).contains(&"$_ .++ .; => ".to_owned()));
    let both = finished(tally(repo.path(), "a"), IdiomRule::None, Direction::Both);
    assert_eq!(both.set.header.funnels.len(), 2);
    let deletion = both.set.operators.iter().find(|operator| operator.put().is_empty()).unwrap();
    assert_eq!((deletion.evidence.count, deletion.evidence.forward), (2, 1));
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let repo = history("some_name");
    let path = repo.path();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut tally = tally(path, "a");
            let raw = write_raw(&mut tally);
            (raw, write_set(&finished(tally, IdiomRule::Top(3), Direction::Backward).set))
        })
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn one_harvest_of_two_repositories_is_the_merge_of_two_harvests() {
    let (a, b) = (history("some_name"), history("third_name"));
    let idioms = || IdiomRule::Given(vec![b"0".to_vec()]);
    let mut both = tally(a.path(), "a");
    both.merge(tally(b.path(), "b"));
    let one = finished(both, idioms(), Direction::Backward).set;
    // The same edits by the same author at the same time are one change, seen again: only one history of
    // the two may have them for the merge to be the same.
    let c = {
        let mut repo = Fixture::new();
        repo.commit("start", &[("g.c", "int g(void) { return 1; }\n")]);
        repo.commit(
            "more",
            &[("g.c", "int g(void) { return 1; }\nint h(int z)\n{\n\tif (z)\n\t\tz--;\n}\n")],
        );
        repo.commit(
            "fix",
            &[("g.c", "int g(void) { return 1; }\nint h(int z)\n{\n\tif (z && z)\n\t\tz--;\n}\n")],
        );
        repo
    };
    let mut apart = tally(a.path(), "a");
    apart.merge(tally(c.path(), "c"));
    let together = finished(apart, idioms(), Direction::Backward).set;
    let sets = [(a.path(), "a"), (c.path(), "c")]
        .map(|(path, name)| finished(tally(path, name), idioms(), Direction::Backward).set);
    let merged = merge(sets.to_vec()).unwrap().unwrap();
    assert_eq!(write_set(&merged), write_set(&together));
    assert_eq!(one.header.funnels["backward"].rejected(Filter::SeenAgain), 3);
}

#[test]
fn raw_tallies_merge_exactly_even_where_forks_and_thresholds_are_in_the_way() {
    let (a, b) = (history("some_name"), history("third_name"));
    let mut both = tally(a.path(), "a");
    both.merge(tally(b.path(), "b"));
    let direct = finished(both, IdiomRule::Top(3), Direction::Backward).set;
    let written = |path: &Path, name: &str| write_raw(&mut tally(path, name));
    let raw_a = written(a.path(), "a");
    let raw_b = written(b.path(), "b");
    let mut read = read_raw(&raw_b, "b").unwrap();
    read.merge(read_raw(&raw_a, "a").unwrap());
    let later = finished(read, IdiomRule::Top(3), Direction::Backward).set;
    assert_eq!(write_set(&later), write_set(&direct));
}

#[test]
fn a_set_that_was_written_reads_as_it_was() {
    let repo = history("some_name");
    let set = finished(tally(repo.path(), "a"), IdiomRule::Top(3), Direction::Backward).set;
    let text = write_set(&set);
    let read = read_set(&text, "a.toml").unwrap();
    assert_eq!(read, set);
    assert_eq!(write_set(&read), text);
}

#[test]
fn a_cherry_picked_change_counts_once_and_an_edit_made_twice_counts_twice() {
    let mut repo = Fixture::new();
    let file = |a: &str, b: &str| {
        format!("void f(int x)\n{{\n\tif ({a})\n\t\tg();\n\th();\n\tif ({b})\n\t\tg();\n}}\n")
    };
    let base = repo.commit("start", &[("f.c", &file("x", "x"))]);
    repo.commit("other", &[("other.c", "int a;\n")]);
    let fix = file("x && y", "x && y");
    let picked = repo.commit_at("fix", &[("f.c", &fix)], 1_600_000_000, Some(base));
    let head = repo.repo().head().unwrap().target().unwrap();
    let again = repo.commit_at("fix", &[("f.c", &fix)], 1_600_000_000, Some(head));
    let tip = repo.repo().find_commit(again).unwrap();
    let side = repo.repo().find_commit(picked).unwrap();
    let author = tip.author();
    let merged =
        repo.repo().commit(None, &author, &author, "merge", &tip.tree().unwrap(), &[&tip, &side]).unwrap();
    repo.repo().set_head_detached(merged).unwrap();
    let found = finished(tally(repo.path(), "a"), IdiomRule::None, Direction::Backward);
    assert_eq!(rejected(&found, Filter::SeenAgain), 2);
    assert_eq!(found.set.operators[0].evidence.count, 2);
    assert_eq!(found.set.header.census.merges, 1);
}

#[test]
fn comments_and_strings_are_known_though_the_block_does_not_show_them() {
    let mut repo = Fixture::new();
    let file =
        |inside: &str, code: &str| format!("/*\n * text\n{inside}\n */\nint f(void)\n{{\n\t{code}\n}}\n");
    repo.commit("start", &[("f.c", &file("if (x)", "return x;"))]);
    repo.commit("comment", &[("f.c", &file("if (x && y)", "return x;"))]);
    repo.commit("code", &[("f.c", &file("if (x && y)", "return x + y;"))]);
    let found = finished(tally(repo.path(), "a"), IdiomRule::None, Direction::Backward);
    assert_eq!(operators(&found), [":return $1 .+ $_ .; => :return $1 .;"]);
    assert_eq!(rejected(&found, Filter::Comment), 1);
}

#[test]
fn vendored_generated_and_minified_files_are_left_out_and_counted() {
    let mut repo = Fixture::new();
    let long = |name: &str| format!("int {name};{}\n", "x=1;".repeat(400));
    let files = |x: &str| {
        vec![
            ("deps/lua/l.c".to_owned(), format!("int {x} = a + b;\n")),
            ("src/parse.tab.c".to_owned(), format!("int {x} = a + b;\n")),
            ("src/gen.c".to_owned(), format!("/* DO NOT EDIT */\nint {x} = a + b;\n")),
            ("src/min.c".to_owned(), long(x)),
            ("src/bin.c".to_owned(), format!("int {x}\0;\n")),
            ("README.md".to_owned(), format!("{x}\n")),
        ]
    };
    for x in ["one", "two"] {
        let files = files(x);
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        repo.commit(x, &files);
    }
    let census = finished(tally(repo.path(), "a"), IdiomRule::None, Direction::Backward).set.header.census;
    assert_eq!((census.vendored, census.generated, census.minified, census.unfit), (1, 2, 1, 1));
    assert_eq!(census.blocks, 0);
}

#[test]
fn an_empty_repository_is_a_warning() {
    let repo = Fixture::new();
    let tallied = tallied(repo.path(), "a", "c");
    assert!(tallied.warnings[0].starts_with("no commits"), "{:?}", tallied.warnings);
}

#[test]
fn a_repository_with_lost_objects_gives_what_is_left_and_says_so() {
    let mut repo = Fixture::new();
    repo.commit("start", &[("f.c", "int x = a;\n"), ("g.c", "int y = a;\n")]);
    repo.commit("one", &[("f.c", "int x = a + b;\n")]);
    repo.commit("two", &[("g.c", "int y = a - b;\n")]);
    let blob = repo.repo().blob(b"int x = a + b;\n").unwrap().to_string();
    std::fs::remove_file(repo.path().join("objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let tallied = tallied(repo.path(), "a", "c");
    assert_eq!(tallied.warnings.len(), 1);
    assert!(tallied.warnings[0].contains("missing or damaged"));
    let found = finished(tallied.tally, IdiomRule::None, Direction::Backward);
    assert_eq!(operators(&found), [":int $1 .= $2 .- $_ .; => :int $1 .= $2 .;"]);
    assert_eq!(found.set.header.census.unreadable, 1);
}

#[test]
fn token_granularity_keeps_what_differs_and_its_context() {
    let mut repo = Fixture::new();
    repo.commit("start", &[("f.c", "int f(void) { return call(first, second); }\n")]);
    repo.commit("fix", &[("f.c", "int f(void) { return call(first, second, third); }\n")]);
    let def = builtin("c").unwrap();
    let run = |context: u8| {
        let granularity = Granularity::Token { context };
        let source = Source { name: "a".into(), ..Source::default() };
        let tallied =
            tally_git(repo.path(), &source, &def, &git(&def), &options(granularity), &Progress::default());
        operators(&finished(tallied.unwrap().tally, IdiomRule::None, Direction::Backward))
    };
    assert_eq!(run(0), ["., $_ => "]);
    assert_eq!(run(1), ["$1 ., $_ .) => $1 .)"]);
    assert_eq!(run(2), ["., $1 ., $_ .) .; => ., $1 .) .;"]);
}

#[test]
fn python_is_harvested_by_its_lines_and_indentation() {
    let mut repo = Fixture::new();
    let file = |check: &str| {
        format!(
            "class A:\n    def f(self, x):\n        if {check}:\n            return 1\n        return 2\n"
        )
    };
    repo.commit("start", &[("a.py", &file("x"))]);
    repo.commit("fix", &[("a.py", &file("x and self"))]);
    repo.commit(
        "guard",
        &[(
            "a.py",
            &file("x and self")
                .replace("        return 2\n", "        if x:\n            g()\n        return 2\n"),
        )],
    );
    let found = finished(tallied(repo.path(), "a", "python").tally, IdiomRule::None, Direction::Backward);
    assert_eq!(
        operators(&found),
        [":if $1 :and $_ .: => :if $1 .:", ":if $_ .: ~newline ~indent $_ .( .) ~newline ~dedent => ",]
    );
}

#[test]
fn a_lost_endif_is_unbalanced_and_a_whole_condition_is_not() {
    let mut repo = Fixture::new();
    repo.commit("start", &[("f.c", "int a;\nint b;\n")]);
    repo.commit("guard", &[("f.c", "int a;\n#ifdef X\nint b;\n#endif\n")]);
    repo.commit("more", &[("f.c", "int a;\n#ifdef Y\n#define Z\n#endif\n#ifdef X\nint b;\n#endif\n")]);
    let found = finished(tally(repo.path(), "a"), IdiomRule::None, Direction::Backward);
    assert_eq!(rejected(&found, Filter::Unbalanced), 2);
    assert_eq!(operators(&found), [".# :ifdef $_ ~newline .# :define $_ ~newline .# :endif => "]);
}

#[test]
fn a_lost_commit_costs_only_what_it_leads_to() {
    let mut repo = Fixture::new();
    repo.commit("start", &[("f.c", "int x = a;\n")]);
    let lost = repo.commit("one", &[("f.c", "int x = a + b;\n")]).to_string();
    repo.commit("two", &[("f.c", "int x = a + b;\nint y = a;\n")]);
    repo.commit("three", &[("f.c", "int x = a + b;\nint y = a - c;\n")]);
    std::fs::remove_file(repo.path().join("objects").join(&lost[..2]).join(&lost[2..])).unwrap();
    let tallied = tallied(repo.path(), "a", "c");
    assert!(tallied.warnings[0].starts_with("1 commits are missing or damaged"), "{:?}", tallied.warnings);
    let found = finished(tallied.tally, IdiomRule::None, Direction::Backward);
    assert_eq!(operators(&found), [":int $1 .= $2 .- $_ .; => :int $1 .= $2 .;"]);
}
