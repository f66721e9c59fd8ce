//! The paper's figures: from these patches come exactly these operators, in its notation.

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
use wildcaught::langdef::builtin;
use wildcaught::operator::Direction;
use wildcaught::operator::Evidence;
use wildcaught::operator::Filter;
use wildcaught::operator::Granularity;
use wildcaught::operator::Operator;
use wildcaught::operator::Source;
use wildcaught::operator::Thresholds;
use wildcaught::operator::parse_terms;
use wildcaught::operator::write_terms;

/// A harvest of one block, in the paper's granularity.
fn harvest(language: &str, before: &[&str], after: &[&str], idioms: &[&str], limits: Thresholds) -> Harvest {
    let def = builtin(language).unwrap();
    let patch = patch_of(&def.file.extensions[0], before, after);
    let git = GitOptions {
        since: None,
        until: None,
        max_commits: None,
        branch: None,
        selection: CommitSelection::new(&def, &[], false).unwrap(),
        fixes: FixWords::default(),
    };
    let options = TallyOptions { granularity: Granularity::Line, limits: limits.clone(), samples: 0 };
    let source = Source { name: "figure".into(), ..Source::default() };
    let text = PatchText { name: "figure", input: patch.as_bytes(), size: None };
    let tallied = tally_patch(text, &source, &def, &git, &options, &Progress::default()).unwrap();
    let finish_options = FinishOptions {
        name: "figure".into(),
        tool: String::new(),
        direction: Direction::Backward,
        idioms: IdiomRule::Given(idioms.iter().map(|word| word.as_bytes().to_vec()).collect()),
        limits,
    };
    finish(tallied.tally, &def, &finish_options)
}

fn patch_of(ending: &str, before: &[&str], after: &[&str]) -> String {
    let mut patch = format!("--- a/figure.{ending}\n+++ b/figure.{ending}\n");
    patch.push_str(&format!("@@ -1,{} +1,{} @@\n", before.len(), after.len()));
    before.iter().for_each(|line| patch.push_str(&format!("-{line}\n")));
    after.iter().for_each(|line| patch.push_str(&format!("+{line}\n")));
    patch
}

/// The operators as the paper prints them: replacement first, pattern second.
fn operators(harvest: &Harvest) -> Vec<(String, String)> {
    let both = |operator: &Operator| (write_terms(operator.put()), write_terms(operator.find()));
    harvest.set.operators.iter().map(both).collect()
}

fn shifts(harvest: &Harvest) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    harvest.set.shifts.iter().map(|shift| (text(&shift.before), text(&shift.after))).collect()
}

fn rejected(harvest: &Harvest, filter: Filter) -> u64 {
    harvest.set.header.funnels["backward"].rejected(filter)
}

#[track_caller]
fn gives(harvest: &Harvest, put: &str, find: &str) {
    assert_eq!(operators(harvest), [(put.to_owned(), find.to_owned())]);
}

fn defaults() -> Thresholds {
    Thresholds::default()
}

/// What the paper's footnote 6 changes: the identifier limit and the shift threshold. Two of its seven
/// patterns have 15 tokens, so the token limit must rise, too.
fn raised() -> Thresholds {
    Thresholds { max_tokens: 20, max_identifiers: 8, shift_min: 1, ..Thresholds::default() }
}

#[test]
fn figure_3a_gives_3b() {
    let found = harvest("c", &["if (x)"], &["if (x && y)"], &[], defaults());
    gives(&found, ":if .( $1 .)", ":if .( $1 .&& $_ .)");
}

#[test]
fn figure_3c_needs_synthesis() {
    let found = harvest("c", &["if (x && y)"], &["if (x)"], &[], defaults());
    assert_eq!(operators(&found), []);
    assert_eq!(rejected(&found, Filter::NeedsSynthesis), 1);
}

#[test]
fn figure_3d_is_admissible_by_the_idiom_0() {
    let without = harvest("c", &["if (x > 0)"], &["if (x > 1)"], &[], defaults());
    assert_eq!(rejected(&without, Filter::NeedsSynthesis), 1);
    let with = harvest("c", &["if (x > 0)"], &["if (x > 1)"], &["0"], defaults());
    gives(&with, ":if .( $1 .> :0 .)", ":if .( $1 .> $_ .)");
}

#[test]
fn figure_4_gives_a_lost_else_a_stray_semicolon_and_a_lost_modulo() {
    gives(&harvest("c", &["}"], &["} else"], &[], defaults()), ".}", ".} :else");
    let stray = harvest("c", &["while (i < n);"], &["while (i < n)"], &[], defaults());
    gives(&stray, ":while .( $1 .< $2 .) .;", ":while .( $1 .< $2 .)");
    let modulo = harvest("c", &["TMPFILE"], &["TMPFILE % 512"], &[], defaults());
    gives(&modulo, "$1", "$1 .% $_");
}

#[test]
fn figure_6_a_math_369_omits_an_argument() {
    let found = harvest("java", &["return solve(min, max);"], &["return solve(f, min, max);"], &[], raised());
    gives(&found, ":return $1 .( $2 ., $3 .) .;", ":return $1 .( $_ ., $2 ., $3 .) .;");
}

#[test]
fn figure_6_c_closure_747_is_a_shift() {
    let found = harvest(
        "java",
        &["int indexOfDot = namespace.indexOf('.');"],
        &["int indexOfDot = namespace.lastIndexOf('.');"],
        &[],
        raised(),
    );
    assert_eq!(shifts(&found), [("indexOf".to_owned(), "lastIndexOf".to_owned())]);
    assert_eq!(operators(&found), []);
}

/// The figure prints the operator without the dots that stand for left-out code; the patch has them.
#[test]
fn figure_6_e_chart_591_omits_a_chained_call() {
    let found = harvest(
        "java",
        &["return ... + tooltipText + ...;"],
        &["return ... + ImageMapUtilities.htmlEscape(tooltipText) + ...;"],
        &[],
        raised(),
    );
    let without_dots: Vec<(String, String)> = operators(&found)
        .into_iter()
        .map(|(put, find)| (put.replace(" ....", ""), find.replace(" ....", "")))
        .collect();
    let printed = (":return .+ $1 .+ .;".to_owned(), ":return .+ $_ .. $_ .( $1 .) .+ .;".to_owned());
    assert_eq!(without_dots, [printed]);
}

/// The figure numbers its holes 1, 3, 4; holes are the same wherever the number is, so the printed line,
/// read and renumbered, must be the operator harvested.
#[test]
fn figure_6_g_math_929_is_specific_by_idioms() {
    let found = harvest(
        "java",
        &["FastMath.pow(2 * FastMath.PI, -dim / 2)"],
        &["FastMath.pow(2 * FastMath.PI, -0.5 * dim)"],
        &["pow", "2", "0.5"],
        raised(),
    );
    let printed = Operator::new(
        parse_terms("$1 .. :pow .( :2 .* $1 .. $3 ., .- :0.5 .* $4 .)").unwrap(),
        parse_terms("$1 .. :pow .( :2 .* $1 .. $3 ., .- $4 ./ :2 .)").unwrap(),
        Evidence::default(),
    );
    assert_eq!(found.set.operators.len(), 1);
    assert_eq!(found.set.operators[0].id(), printed.id());
    gives(
        &found,
        "$1 .. :pow .( :2 .* $1 .. $2 ., .- $3 ./ :2 .)",
        "$1 .. :pow .( :2 .* $1 .. $2 ., .- :0.5 .* $3 .)",
    );
}

#[test]
fn figure_6_i_math_337_is_a_shift() {
    let found = harvest(
        "java",
        &["return getPct((Comparable<?>) v);"],
        &["return getCumPct((Comparable<?>) v);"],
        &[],
        Thresholds { shift_min: 1, ..defaults() },
    );
    assert_eq!(shifts(&found), [("getPct".to_owned(), "getCumPct".to_owned())]);
}

#[test]
fn figure_6_k_lang_882_replaces_a_type_argument() {
    let found = harvest(
        "java",
        &["lookupMap = new HashMap<CharSequence, CharSequence>();"],
        &["lookupMap = new HashMap<String, CharSequence>();"],
        &[],
        raised(),
    );
    gives(&found, "$1 .= :new $2 .< $3 ., $3 .> .( .) .;", "$1 .= :new $2 .< $_ ., $3 .> .( .) .;");
}

#[test]
fn figure_6_m_math_238_splits_a_product() {
    let found = harvest("java", &["if (u * v == 0)"], &["if ((u == 0) || (v == 0))"], &["0"], raised());
    gives(&found, ":if .( $1 .* $2 .== :0 .)", ":if .( .( $1 .== :0 .) .|| .( $2 .== :0 .) .)");
}
