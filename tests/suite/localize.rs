//! Fault localization: the worked examples of the papers, to the digits that they print.

use proptest::collection::vec;
use proptest::prelude::*;
use roaring::RoaringBitmap;

use wildcaught::analysis::Changes;
use wildcaught::analysis::localize::CoverageChanges;
use wildcaught::analysis::localize::FunctionTable;
use wildcaught::analysis::localize::Method;
use wildcaught::analysis::localize::MethodWish;
use wildcaught::analysis::localize::RankedBy;
use wildcaught::analysis::localize::RepairSets;
use wildcaught::analysis::localize::Scores;
use wildcaught::analysis::localize::Spectrum;
use wildcaught::analysis::localize::Subject;
use wildcaught::analysis::localize::evaluate;
use wildcaught::analysis::localize::evidence;
use wildcaught::analysis::localize::faults_from_list;
use wildcaught::analysis::localize::rank;
use wildcaught::analysis::localize::repair_distance;
use wildcaught::exec::Verdict;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::MajorFiles;
use wildcaught::matrix::coverage_from;
use wildcaught::matrix::from_csv;
use wildcaught::matrix::from_major;
use wildcaught::matrix::from_mte_json;
use wildcaught::matrix::from_pit;
use wildcaught::matrix::mte_json;

/// Figure 1 of the MUSE paper: 12 mutants of `setmax`, whose line 1 should be `max = x;`; TC1 and TC2 fail.
/// A test that does not execute a statement is not run on its mutants.
pub const FIGURE_1: &str = "mutant,file,line,fate,TC1,TC2,TC3,TC4,TC5\n\
    m1,max.c,1,killed,F,F,F,P,P\n\
    m2,max.c,1,killed,P,P,P,P,P\n\
    m3,max.c,2,killed,F,F,F,F,F\n\
    m4,max.c,2,killed,P,F,P,F,P\n\
    m5,max.c,3,killed,F,F,.,F,F\n\
    m6,max.c,3,killed,F,F,.,F,F\n\
    m7,max.c,4,killed,F,F,.,F,F\n\
    m8,max.c,4,killed,F,F,.,P,F\n\
    m9,max.c,5,killed,.,F,.,.,F\n\
    m10,max.c,5,killed,.,F,.,.,F\n\
    m11,max.c,6,killed,F,F,P,F,F\n\
    m12,max.c,6,killed,F,F,F,F,F\n";

fn figure_1() -> KillMatrix {
    let mut matrix = from_csv(FIGURE_1, "figure 1").unwrap();
    matrix.tests[..2].iter_mut().for_each(|test| test.verdict = Verdict::Fail);
    matrix
}

fn scores(subject: &Subject, method: &str) -> Scores {
    Method::called(method).unwrap().scores(subject, MethodWish::default()).unwrap()
}

fn printed(values: &[f64]) -> Vec<String> {
    values.iter().map(|value| format!("{value:.2}")).collect()
}

fn fact(scores: &Scores, name: &str) -> f64 {
    scores.facts.iter().find(|(known, _)| *known == name).unwrap().1
}

#[test]
fn muse_gives_what_its_figure_1_prints() {
    let matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let muse = scores(&subject, "muse");
    assert_eq!((fact(&muse, "f2p"), fact(&muse, "p2f")), (3.0, 19.0));
    assert!((fact(&muse, "alpha") - 3.0 / 24.0 * 36.0 / 19.0).abs() < 1e-15);
    assert_eq!(format!("{:.2}", fact(&muse, "alpha")), "0.24");
    assert_eq!(printed(&muse.values), ["0.46", "0.09", "-0.16", "-0.12", "-0.08", "-0.20"]);
    let ranking = rank(&spectrum, &muse, RankedBy::Statement);
    let order: Vec<u32> = ranking.places.iter().map(|place| place.place.line).collect();
    assert_eq!(order, [1, 2, 5, 4, 3, 6]);
}

#[test]
fn blend_is_the_mean_of_three_and_needs_no_mutant_that_repairs() {
    let mut matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let (blend, muse) = (scores(&subject, "blend"), scores(&subject, "muse"));
    let (best, ochiai) = (scores(&subject, "best-repair"), scores(&subject, "ochiai"));
    let scaled = |values: &[f64], at: usize| {
        let (low, high) = values.iter().fold((9.0, -9.0), |(low, high), v| (v.min(low), v.max(high)));
        (values[at] - low) / (high - low)
    };
    for at in 0..6 {
        let sum: f64 = [&muse, &best, &ochiai].iter().map(|part| scaled(&part.values, at)).sum();
        // m2 repairs both failing tests and breaks none: its statement comes before all others.
        let first = if at == 0 { 1.0 } else { 0.0 };
        assert!((blend.values[at] - first - sum / 3.0).abs() < 1e-12, "{at}");
    }
    assert_eq!(rank(&spectrum, &blend, RankedBy::Statement).places[0].place.line, 1);
    // Mutants that change nothing leave the order to the spectrum.
    matrix.outcomes.iter_mut().flatten().for_each(|outcome| {
        outcome.failed = [0, 1].into_iter().collect();
        outcome.crashed.clear();
        outcome.timed_out.clear();
    });
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let order = |method: &str| {
        let ranking = rank(&spectrum, &scores(&subject, method), RankedBy::Statement);
        ranking.places.iter().map(|place| place.place.line).collect::<Vec<u32>>()
    };
    assert_eq!(order("blend"), order("ochiai"));
}

#[test]
fn the_best_mutant_of_a_statement_counts_and_breaking_tests_costs() {
    let matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    // m2: 2 of 2 repaired, none broken. m4: 1 of 2 repaired, 1 broken: 1/√(2·2).
    assert_eq!(
        printed(&scores(&subject, "best-repair").values),
        ["1.00", "0.50", "0.00", "0.00", "0.00", "0.00"]
    );
}

#[test]
fn formulas_give_what_muses_figure_1_prints() {
    let matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    for (method, wanted) in [
        ("jaccard", ["0.40", "0.40", "0.50", "0.50", "0.33", "0.40"]),
        ("ochiai", ["0.63", "0.63", "0.71", "0.71", "0.50", "0.63"]),
        ("op2", ["1.25", "1.25", "1.50", "1.50", "0.75", "1.25"]),
    ] {
        let found = scores(&subject, method);
        assert_eq!(printed(&found.values), wanted, "{method}");
        let ranking = rank(&spectrum, &found, RankedBy::Statement);
        let mut worst: Vec<(u32, usize)> =
            ranking.places.iter().map(|place| (place.place.line, place.rank.worst)).collect();
        worst.sort_unstable();
        assert_eq!(worst, [(1, 5), (2, 5), (3, 2), (4, 2), (5, 6), (6, 5)], "{method}");
    }
}

#[test]
fn other_mutant_methods_agree_with_a_calculation_by_hand() {
    let matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found}, not {wanted}");
    let museum = scores(&subject, "museum").values;
    close(museum[0], (2.0 / 4.0 - 1.0 / 20.0) / 3.0);
    close(museum[1], (1.0 / 4.0 - 4.0 / 20.0) / 3.0);
    close(museum[4], -2.0 / 20.0 / 3.0);
    let metallaxis = scores(&subject, "metallaxis").values;
    close(metallaxis[0], 2.0 / (2.0_f64 * 2.0).sqrt());
    close(metallaxis[1], 1.0 / (2.0_f64 * 2.0).sqrt());
    assert_eq!(metallaxis[2..], [0.0; 4]);
    // m2 repairs both failing tests and breaks none; m4 repairs one and breaks another.
    assert_eq!(scores(&subject, "repair").values, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn evidence_says_which_mutant_repaired_what() {
    let matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let ranking = rank(&spectrum, &scores(&subject, "muse"), RankedBy::Statement);
    let first = evidence(&subject, &ranking.places[0]);
    let shown = |mutant: usize| matrix.mutants[mutant].id.as_str();
    assert_eq!(first.repairs.iter().map(|effect| shown(effect.mutant)).collect::<Vec<_>>(), ["m2"]);
    assert_eq!(first.repairs[0].repaired, RoaringBitmap::from([0, 1]));
    assert_eq!(first.breaks.iter().map(|effect| shown(effect.mutant)).collect::<Vec<_>>(), ["m1"]);
    assert_eq!((first.failing.len(), first.passing.len(), first.silent), (2, 3, 0));
}

#[test]
fn statements_without_a_failing_test_get_the_minimum() {
    let table = format!("{FIGURE_1}m13,max.c,7,survived,.,.,P,P,P\n");
    let mut matrix = from_csv(&table, "t").unwrap();
    matrix.tests[..2].iter_mut().for_each(|test| test.verdict = Verdict::Fail);
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let muse = scores(&subject, "muse");
    assert_eq!(printed(&muse.values[5..]), ["-0.20", "-0.20"]);
    assert_eq!(subject.targets(), 6);
}

#[test]
fn a_ranking_is_held_against_the_fault() {
    let matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let faults = faults_from_list("src/max.c:1\nother.c:9\n", "t").unwrap();
    let evaluated = |method: &str| {
        let ranking = rank(&spectrum, &scores(&subject, method), RankedBy::Statement);
        evaluate(&subject, &ranking, &faults)
    };
    let muse = evaluated("muse");
    assert_eq!((muse.first, muse.missing.as_slice()), (Some(1), ["other.c:9".to_owned()].as_slice()));
    assert!((muse.expense.unwrap() - 100.0 / 6.0).abs() < 1e-12);
    let ochiai = evaluated("ochiai");
    assert_eq!((ochiai.faults[0].rank.best, ochiai.faults[0].rank.mean, ochiai.first), (3, 4.0, Some(5)));
    assert!(ochiai.lil.unwrap() > muse.lil.unwrap());
}

/// Section 4 of the repair-distance paper: T1 to T7 fail, mutants of lines 3, 6, 7, 10 and 13.
const TOY_COMPILER: &str = "mutant,file,line,fate,T1,T2,T3,T4,T5,T6,T7,ok\n\
    NEGATE 03,compiler,3,survived,P,P,P,P,P,P,P,P\n\
    DELETE 06,compiler,6,survived,P,F,F,P,F,F,F,P\n\
    NEGATE 07,compiler,7,survived,F,P,P,F,P,P,F,P\n\
    DELETE 10,compiler,10,survived,F,P,F,F,P,F,F,P\n\
    DELETE 13,compiler,13,survived,F,F,P,F,F,P,F,P\n\
    NEGATE 08,compiler,8,killed,F,P,F,F,P,F,F,F\n";

fn toy_compiler() -> KillMatrix {
    let mut matrix = from_csv(TOY_COMPILER, "section 4").unwrap();
    matrix.tests[..7].iter_mut().for_each(|test| test.verdict = Verdict::Fail);
    matrix
}

#[test]
fn repair_distances_are_those_of_the_paper() {
    let matrix = toy_compiler();
    let (failing, passing) = (RoaringBitmap::from_iter(0..7), RoaringBitmap::from([7]));
    let changes: Vec<Changes> =
        (0..matrix.mutants.len()).map(|mutant| Changes::of(&matrix, mutant, &failing, &passing)).collect();
    let sets = RepairSets::of(&failing, &changes);
    let distance = |one: usize, other: usize| {
        format!("{:.2}", repair_distance(&sets.mutants[one - 1], &sets.mutants[other - 1]))
    };
    assert_eq!(distance(1, 2), "0.75");
    assert_eq!(distance(2, 3), "0.50");
    assert_eq!(distance(7, 1), "0.50");
    assert_eq!(distance(7, 2), "0.67");
    assert_eq!(distance(2, 5), "0.00");
    assert_eq!(repair_distance(&RoaringBitmap::new(), &RoaringBitmap::new()), 0.0);
}

#[test]
fn repair_localizes_t2_as_the_paper_does() {
    let matrix = toy_compiler();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let wish = MethodWish { test: Some(1), ..MethodWish::default() };
    let found = Method::called("repair").unwrap().scores(&subject, wish).unwrap();
    let ranking = rank(&spectrum, &found, RankedBy::Statement);
    let suggested: Vec<(u32, String)> = ranking
        .places
        .iter()
        .filter(|place| place.score > 0.0)
        .map(|place| (place.place.line, format!("{:.3}", place.score)))
        .collect();
    let wanted = [(10, "1.000"), (7, "0.667"), (3, "0.571")].map(|(line, score)| (line, score.to_owned()));
    assert_eq!(suggested, wanted);
}

#[test]
fn without_a_name_the_test_with_the_fewest_repairs_is_localized() {
    let matrix = toy_compiler();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    assert_eq!(scores(&subject, "repair").test, Some(6), "T7 is repaired by line 3 alone");
}

#[test]
fn coverage_localization_weighs_changes_by_how_rare_they_are() {
    let matrix = toy_compiler();
    let info = |test: &str, lines: &[u32]| {
        let lines: String = lines.iter().map(|line| format!("DA:{line},1\n")).collect();
        format!("TN:{test}\nSF:compiler\n{lines}end_of_record\n")
    };
    let all =
        "TN:none\nSF:compiler\nDA:2,0\nDA:3,0\nDA:7,0\nDA:8,0\nDA:10,0\nDA:13,0\nend_of_record\n".to_owned();
    let base = all + &info("T2", &[2, 3, 7, 8, 10]) + &info("T3", &[2, 3, 7, 13]);
    let spectrum =
        Spectrum::with_coverage(&matrix, &coverage_from(&base, "base", "").unwrap(), &FunctionTable::new());
    let mut changes = CoverageChanges::default();
    // Negating line 3 skips all that follows; deleting line 10 changes nothing but itself.
    let under_3 = info("T2", &[2, 3]) + &info("T3", &[2, 3]);
    changes.compare(&matrix, &spectrum, 0, &coverage_from(&under_3, "m", "").unwrap());
    let under_10 = info("T2", &[2, 3, 7, 8]);
    changes.compare(&matrix, &spectrum, 3, &coverage_from(&under_10, "m", "").unwrap());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    let wish = MethodWish { test: Some(1), coverage: Some(&changes) };
    let found = Method::called("coverage").unwrap().scores(&subject, wish).unwrap();
    let by_line: Vec<(u32, f64)> =
        spectrum.statements.iter().map(|row| row.place.line).zip(found.values).collect();
    // Line 7 changes for T3, too; lines 8 and 10 for T2 alone; line 13 for T3 alone.
    let of = |line: u32| by_line.iter().find(|(known, _)| *known == line).unwrap().1;
    assert_eq!([of(2), of(7), of(8), of(10), of(13)], [0.0, 0.5, 1.0, 1.0, 0.0]);
}

#[test]
fn one_failing_test_can_be_looked_at_alone() {
    let matrix = figure_1();
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::about(&matrix, &spectrum, 1).unwrap();
    assert_eq!((subject.failing.len(), subject.passing.len()), (1, 3));
    // m4 repairs TC1, which does not count now.
    assert!(scores(&subject, "muse").values[1] < 0.0);
    let refusal = Subject::about(&matrix, &spectrum, 2).map(|_| ()).unwrap_err().to_string();
    assert!(refusal.contains("`TC3` does not fail"), "{refusal}");
}

#[test]
fn diwis_score_of_a_statement_is_ochiai_with_one_failing_test() {
    let table = "mutant,file,line,fate,f,p1,p2,p3\n1,a,1,survived,F,.,.,.\n2,a,2,survived,F,P,P,P\n3,a,3,survived,.,P,.,.\n";
    let mut matrix = from_csv(table, "t").unwrap();
    matrix.tests[0].verdict = Verdict::Fail;
    let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
    let subject = Subject::new(&matrix, &spectrum).unwrap();
    assert_eq!(scores(&subject, "ochiai").values, [1.0, 0.5, 0.0]);
}

fn any_matrix() -> impl Strategy<Value = KillMatrix> {
    let cell = prop_oneof![Just('.'), Just('P'), Just('F'), Just('C')];
    let rows = vec((1u32..9, vec(cell, 5)), 1..20);
    (rows, vec(any::<bool>(), 5)).prop_map(|(rows, fails)| {
        let mut table = "mutant,file,line,fate,a,b,c,d,e\n".to_owned();
        for (number, (line, cells)) in rows.iter().enumerate() {
            let cells: Vec<String> = cells.iter().map(char::to_string).collect();
            table.push_str(&format!("{number},f.c,{line},killed,{}\n", cells.join(",")));
        }
        let mut matrix = from_csv(&table, "t").unwrap();
        for (test, fails) in matrix.tests.iter_mut().zip(fails) {
            test.verdict = if fails { Verdict::Fail } else { Verdict::Pass };
        }
        matrix.tests[0].verdict = Verdict::Fail;
        matrix
    })
}

proptest! {
    #[test]
    fn every_statement_is_ranked_once_by_every_method(matrix in any_matrix()) {
        let spectrum = Spectrum::from_matrix(&matrix, &FunctionTable::new());
        let subject = Subject::new(&matrix, &spectrum).unwrap();
        let changes = CoverageChanges::default();
        for method in Method::all() {
            let wish = MethodWish { test: None, coverage: Some(&changes) };
            let found = method.scores(&subject, wish).unwrap();
            prop_assert!(found.values.iter().all(|score| score.is_finite()), "{}", method.name());
            let ranking = rank(&spectrum, &found, RankedBy::Statement);
            let mut statements: Vec<usize> = ranking.places.iter().flat_map(|place| place.statements.clone()).collect();
            statements.sort_unstable();
            prop_assert_eq!(statements, (0..spectrum.statements.len()).collect::<Vec<_>>());
            for (at, place) in ranking.places.iter().enumerate() {
                prop_assert!(place.rank.best <= at + 1 && at < place.rank.worst);
                prop_assert!(at == 0 || ranking.places[at - 1].score >= place.score - 1e-9);
            }
        }
    }

    #[test]
    fn a_report_of_ours_is_read_as_others_are(matrix in any_matrix()) {
        let report = mte_json(&matrix, |_| None, "c");
        let back = from_mte_json(&report, "r").unwrap();
        prop_assert_eq!(back.mutants.len(), matrix.mutants.len());
        for mutant in 0..matrix.mutants.len() {
            prop_assert_eq!(back.kills(mutant), matrix.kills(mutant));
            prop_assert_eq!(&back.outcome(mutant).unwrap().ran, &matrix.outcome(mutant).unwrap().ran);
        }
    }

    #[test]
    fn whatever_is_in_a_file_reading_it_ends(pieces in vec((0usize..40, 0u32..30), 0..40), start in 0usize..5) {
        const PIECES: [&str; 32] = [
            "TN:", "SF:a.c", "DA:", "FN:", "FNL:", "FNA:", "end_of_record", "\n", ",", "{", "}", "[", "]", "\"files\":",
            "\"lines\":", "\"line_number\":", "\"count\":", ":", "<report>", "</report>", "<coverage>", "<package name='p'>",
            "<class filename='a'>", "<line nr='1' ci='2'/>", "<line number='7' hits='0'/>", "<method name='m' line='3'>",
            "</method>", "<mutations>", "<mutation status='KILLED'>", "</mutation>", "&amp;", "-",
        ];
        let mut text = ["", "TN:\n", "{", "<report>", "<coverage>"][start].to_owned();
        for (piece, number) in pieces {
            match PIECES.get(piece) {
                Some(piece) => text.push_str(piece),
                None => text.push_str(&number.to_string()),
            }
        }
        // An error is as good as a reading; only a panic is not.
        let _ = coverage_from(&text, "t", "t");
        let _ = from_pit(&text, "t");
        let _ = from_mte_json(&text, "t");
        let files = |text| MajorFiles { mutants: ("m", text), tests: ("t", text), kills: ("k", text), covered: None };
        let _ = from_major(&files(text.as_str()));
    }
}
