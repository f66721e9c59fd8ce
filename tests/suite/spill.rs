//! Tallies that do not fit into memory give the same set, byte for byte, however they are split.

use proptest::prelude::*;

use wildcaught::control::Progress;
use wildcaught::harvest::FinishOptions;
use wildcaught::harvest::IdiomRule;
use wildcaught::harvest::Tally;
use wildcaught::harvest::TallyMerge;
use wildcaught::harvest::TallyOptions;
use wildcaught::harvest::finish;
use wildcaught::harvest::read_raw;
use wildcaught::harvest::tally_patch;
use wildcaught::harvest::write_raw;
use wildcaught::history::CommitSelection;
use wildcaught::history::FixWords;
use wildcaught::history::GitOptions;
use wildcaught::history::PatchText;
use wildcaught::langdef::builtin;
use wildcaught::operator::Direction;
use wildcaught::operator::Granularity;
use wildcaught::operator::Source;
use wildcaught::operator::Thresholds;
use wildcaught::operator::write_set;

/// Lines as they were and as they became: fixes, renamings, moved and deleted code, and shifts.
const CHANGES: [(&str, &str); 12] = [
    ("if (a)", "if (a && b)"),
    ("if (n < 0)", "if (n <= 0)"),
    ("x = first;", "x = second;"),
    ("x = first;", "x = third;"),
    ("free(p);", ""),
    ("", "free(p);"),
    ("return call(a, b);", "return call(b, a);"),
    ("count = 1;", "count = 2;"),
    ("p = old_name(q, NULL);", "p = new_name(q, NULL);"),
    ("/* a note */", "/* another note */"),
    ("while (i < n) i++;", "while (i < n - 1) i++;"),
    ("lock(m); work(); unlock(m);", "work();"),
];

/// A commit: its number, its source, and the changes in it. Equal ones in several sources are the same change seen again.
type Made = (u8, u8, Vec<u8>);

fn patch(commit: &Made) -> String {
    let (number, source, changes) = commit;
    let id = format!("{number:02x}{source:02x}").repeat(10);
    let fix = if number % 2 == 0 { "Fix it" } else { "Change it" };
    let day = 1 + number % 28;
    let mut text =
        format!("commit {id}\nAuthor: A <a@b>\nDate:   Thu Jan {day} 00:00:00 2015 +0000\n\n    {fix}\n\n");
    for (place, change) in changes.iter().enumerate() {
        let (before, after) = CHANGES[*change as usize % CHANGES.len()];
        let lines = |text: &str| text.lines().count();
        let at = |text: &str| 10 * place + usize::from(!text.is_empty());
        text.push_str(&format!("diff --git a/f{place}.c b/f{place}.c\n--- a/f{place}.c\n+++ b/f{place}.c\n"));
        text.push_str(&format!("@@ -{},{} +{},{} @@\n", at(before), lines(before), at(after), lines(after)));
        before.lines().for_each(|line| text.push_str(&format!("-{line}\n")));
        after.lines().for_each(|line| text.push_str(&format!("+{line}\n")));
    }
    text
}

fn tally(commits: &[Made], granularity: Granularity) -> Tally {
    let def = builtin("c").unwrap();
    let text: String = commits.iter().map(patch).collect();
    let git = GitOptions {
        since: None,
        until: None,
        max_commits: None,
        branch: None,
        selection: CommitSelection::new(&def, &[], false).unwrap(),
        fixes: FixWords::default(),
    };
    let options = TallyOptions { granularity, limits: Thresholds::default(), samples: 2 };
    let name = format!("s{}", commits.first().map_or(0, |commit| commit.1));
    // Two names of one repository, and two repositories of one name.
    let id = ["111111111111", "222222222222", "222222222222", "333333333333"][commits[0].1 as usize % 4];
    let name = if commits[0].1 == 3 { "s0".to_owned() } else { name };
    let source = Source { name, id: id.into(), ..Source::default() };
    let text = PatchText { name: "p", input: text.as_bytes(), size: None };
    tally_patch(text, &source, &def, &git, &options, &Progress::default()).unwrap().tally
}

fn options(direction: Direction, idioms: IdiomRule, least: u64) -> FinishOptions {
    let limits = Thresholds {
        shift_min: least,
        min_count: least,
        min_repos: least as usize,
        min_fixes: least - 1,
        ..Thresholds::default()
    };
    FinishOptions { name: "t".into(), tool: "t".into(), direction, idioms, limits }
}

/// One tally per source and part, in this order.
fn tallies(commits: &[Made], parts: usize, granularity: Granularity) -> Vec<Tally> {
    let mut all = Vec::new();
    for part in 0..parts {
        for source in 0..4 {
            let chosen: Vec<Made> = commits
                .iter()
                .enumerate()
                .filter(|(at, commit)| at % parts == part && commit.1 == source)
                .map(|(_, commit)| commit.clone())
                .collect();
            if !chosen.is_empty() {
                all.push(tally(&chosen, granularity));
            }
        }
    }
    all
}

/// The set, with the rejections that are shown, in this much memory.
fn merged(tallies: Vec<Tally>, memory: u64, options: &FinishOptions) -> String {
    let mut merge = TallyMerge::new(memory);
    for tally in tallies {
        merge.add(tally).unwrap();
    }
    assert_eq!(merge.is_spilled(), memory == 0);
    let harvest = merge.finish(&builtin("c").unwrap(), options).unwrap().unwrap();
    let mut text = write_set(&harvest.set);
    for filter in wildcaught::operator::Filter::ALL {
        harvest.samples.of(filter).for_each(|sample| text.push_str(&format!("{sample:?}\n")));
    }
    text + &harvest.shifts_seen.to_string()
}

/// Commits of four sources. Those of one number in several sources are by the same author at the same time.
fn commits() -> impl Strategy<Value = Vec<Made>> {
    let changes = prop::collection::vec(any::<u8>(), 1..7);
    let commits = prop::collection::btree_map((0..8_u8, 0..4_u8), changes, 1..14);
    commits.prop_map(|all| {
        all.into_iter().map(|((number, source), changes)| (number, source, changes)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn files_give_the_bytes_that_memory_gives(
        made in commits(),
        parts in 1..4_usize,
        granularity in 0..3_usize,
        direction in 0..3_usize,
        rule in 0..4_usize,
        least in 1..3_u64,
    ) {
        let granularity =
            [Granularity::Line, Granularity::Token { context: 1 }, Granularity::Levels][granularity];
        let direction = [Direction::Backward, Direction::Forward, Direction::Both][direction];
        let rule = [IdiomRule::Top(3), IdiomRule::Incidence(4), IdiomRule::Frequency(0.05), IdiomRule::None]
            [rule].clone();
        let options = options(direction, rule, least);
        let whole = merged(tallies(&made, 1, granularity), u64::MAX, &options);
        let split = || tallies(&made, parts, granularity);
        prop_assert_eq!(&merged(split(), 0, &options), &whole);
        let other = split().into_iter().rev().collect();
        prop_assert_eq!(&merged(other, 0, &options), &merged(split().into_iter().rev().collect(), u64::MAX, &options));
    }
}

#[test]
fn tallies_go_to_files_once_they_are_too_many_and_only_then() {
    let made: Vec<Made> = (0..8).map(|at| (at, at % 3, vec![at, at + 1, at + 2])).collect();
    let options = options(Direction::Backward, IdiomRule::Top(3), 1);
    let raw = |tally: &mut Tally| write_raw(tally);
    let texts: Vec<String> = tallies(&made, 2, Granularity::Line).iter_mut().map(raw).collect();
    let read = |text: &String| read_raw(text, "t").unwrap();
    let mut merge = TallyMerge::new(12_000);
    let mut spilled = Vec::new();
    for text in &texts {
        merge.add(read(text)).unwrap();
        spilled.push(merge.is_spilled());
    }
    assert!(!spilled[0] && spilled[spilled.len() - 1], "{spilled:?}");
    let def = builtin("c").unwrap();
    let in_files = merge.finish(&def, &options).unwrap().unwrap();
    let mut whole = read(&texts[0]);
    texts[1..].iter().for_each(|text| whole.merge(read(text)));
    assert_eq!(write_set(&in_files.set), write_set(&finish(whole, &def, &options).set));
}
