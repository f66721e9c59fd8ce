//! Runs that several machines share: plans, parts, and what comes of putting parts together.

use std::fs;

use rand_mt::Mt;

use super::kill9::export;
use super::kill9::first_difference;
use super::targets::Project;
use super::targets::Ran;
use super::targets::told;

impl Project {
    /// Runs wildcaught, which must end with this code.
    #[track_caller]
    fn ends(&self, code: i32, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}\n{}\n{}", ran.out, ran.err);
        ran
    }

    #[track_caller]
    fn plan(&self, more: &[&str]) {
        self.ends(0, &[&["plan", "--quiet"], more].concat());
    }

    /// Tests one part of the plan; gives where its results are.
    #[track_caller]
    fn part(&self, part: usize, parts: usize) -> String {
        self.ends(0, &["test", "--plan", "--quiet", "--shard", &format!("{part}/{parts}")]);
        format!("wildcaught.out/shards/{part}-of-{parts}")
    }

    /// All of the plan at once, as it is exported.
    #[track_caller]
    fn whole(&self) -> String {
        let ran = self.run(&["test", "--plan", "--quiet", "--out", "wildcaught.out-whole"]);
        assert!(matches!(ran.code, 0 | 2 | 3), "{} {}", ran.code, ran.err);
        export(self, "wildcaught.out-whole")
    }

    #[track_caller]
    fn refuses(&self, arguments: &[&str], why: &str) {
        let ran = self.ends(1, arguments);
        assert!(ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
}

#[track_caller]
fn assert_same(found: &str, expected: &str) {
    if let Some(difference) = first_difference(found, expected) {
        panic!("{difference}");
    }
}

#[test]
fn any_number_of_parts_put_together_in_any_order_is_the_whole() {
    let Some(project) = Project::new("c-cases") else { return };
    let mut random = Mt::new(21);
    project.plan(&["--max", "60"]);
    let whole = project.whole();
    for parts in [1, 2, 3, 5] {
        let mut left: Vec<String> = (1..=parts).map(|part| project.part(part, parts)).collect();
        // Two at a time, whichever: what comes of it is a part of the whole again.
        for step in 0.. {
            if left.len() == 1 && step > 0 {
                break;
            }
            let mut draw = || {
                let at = random.next_u32() as usize % left.len();
                left.swap_remove(at)
            };
            let some: Vec<String> = if parts == 1 { vec![draw()] } else { vec![draw(), draw()] };
            let out = format!("wildcaught.out-merged-{parts}-{step}");
            let some: Vec<&str> = some.iter().map(String::as_str).collect();
            let ran = project.run(&[&["merge", "--out", &out], &some[..]].concat());
            let code = if left.is_empty() { 2 } else { 5 };
            assert_eq!(ran.code, code, "{} {}", ran.out, ran.err);
            assert_eq!(ran.err.contains("missing: "), code == 5, "{}", ran.err);
            left.push(out);
        }
        assert_same(&export(&project, &left[0]), &whole);
    }
}

#[test]
fn a_crate_and_java_classes_can_be_shared() {
    for target in ["rust-lib", "java-junit"] {
        let Some(project) = Project::new(target) else { continue };
        project.plan(&["--max", "24", "--matrix", "full"]);
        let whole = project.whole();
        (1..=2).for_each(|part| drop(project.part(part, 2)));
        let merged = project.run(&["merge"]);
        assert!(matches!(merged.code, 0 | 2 | 3), "{target}: {} {}", merged.code, merged.err);
        assert_same(&export(&project, "wildcaught.out"), &whole);
    }
}

#[test]
fn a_part_without_a_plan_decides_the_same_about_all_mutants() {
    let Some(project) = Project::new("c-cases") else { return };
    let arguments = ["test", "--quiet", "--max", "60", "--matrix", "full"];
    project.ends(2, &[&arguments[..], &["--out", "wildcaught.out-whole"]].concat());
    for shard in ["1/2", "2/2"] {
        project.ends(0, &[&arguments[..], &["--shard", shard]].concat());
    }
    project.ends(2, &["merge"]);
    let fates = |out: &str| told(&project.export(out));
    assert_eq!(fates("wildcaught.out"), fates("wildcaught.out-whole"));
}

#[test]
fn what_does_not_go_together_is_not_put_together() {
    let Some(project) = Project::new("c-command") else { return };
    project.refuses(&["merge"], "no parts found");
    project.plan(&["--max", "8"]);
    let (first, second) = (project.part(1, 2), project.part(2, 2));
    project.ends(2, &["merge"]);
    let before = export(&project, "wildcaught.out");
    project.refuses(&["merge", &first, &first], "part 1 of 2 is both in");
    let third = project.part(1, 3);
    project.refuses(&["merge", &first, &third], "the same N");
    project.plan(&["--max", "7"]);
    project.ends(0, &["test", "--plan", "--quiet", "--shard", "2/2", "--out", "wildcaught.out-other"]);
    project.refuses(&["merge", &first, "wildcaught.out-other"], "different plans");
    project.ends(2, &["test", "--quiet", "--max", "8", "--out", "wildcaught.out-plain"]);
    project.refuses(&["merge", &first, "wildcaught.out-plain"], "not a part of a run");
    project.refuses(&["merge", &first, "nowhere"], "no results");
    fs::write(project.root().join("wildcaught.out/shards/2-of-2/store.sqlite"), "not a store").unwrap();
    project.refuses(&["merge", &first, &second], "not a kill matrix");
    assert_same(&export(&project, "wildcaught.out"), &before);
}

#[test]
fn a_plan_is_for_the_project_that_it_was_made_for() {
    let Some(project) = Project::new("c-command") else { return };
    let test = ["test", "--plan", "--quiet", "--shard", "1/2"];
    project.refuses(&test, "no plan; make one");
    project.plan(&["--max", "8"]);
    project.refuses(&[&test[..], &["--max", "9"]].concat(), "cannot be used with");
    fs::write(project.root().join("wildcaught.out/not-a-plan.wc"), "x").unwrap();
    project.refuses(&["test", "--plan=wildcaught.out/not-a-plan.wc"], "not a kill matrix");
    project.write("new.c", "int nothing;");
    project.refuses(&test, "(new.c is new); make the plan again");
}

#[test]
fn a_part_goes_on_where_it_was_stopped_and_may_be_empty() {
    let Some(project) = Project::new("c-command") else { return };
    project.plan(&["--max", "3"]);
    let whole = project.whole();
    for part in 1..=7 {
        project.part(part, 7);
    }
    let resumed = ["test", "--plan", "--quiet", "--shard", "2/7", "--resume"];
    project.ends(0, &resumed);
    let other = ["--out", "wildcaught.out/shards/3-of-7"];
    project.refuses(&[&resumed[..], &other].concat(), "run without --resume");
    let merged = project.run(&["merge"]);
    assert!(matches!(merged.code, 0 | 2), "{}", merged.err);
    assert_same(&export(&project, "wildcaught.out"), &whole);
}

#[test]
fn what_parts_found_out_is_remembered() {
    let Some(project) = Project::new("c-cases") else { return };
    project.plan(&["--max", "30"]);
    (1..=2).for_each(|part| drop(project.part(part, 2)));
    let merged = project.ends(2, &["merge", "--json"]);
    assert!(merged.out.contains("\"survived\""), "{}", merged.out);
    project.ends(0, &["merge", "--min-score", "1"]);
    let again = project.ends(2, &["test", "--max", "30"]);
    assert!(again.out.contains("30 verdicts of the last run are still valid"), "{}", again.out);
}

#[test]
fn the_engine_says_which_part_it_is() {
    let Some(project) = Project::new("c-command") else { return };
    project.plan(&["--max", "8"]);
    let slurm = [("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "2")];
    let ran = project.run_with(&["test", "--plan", "--quiet", "--shard", "auto"], &slurm);
    assert!(ran.code == 0 && ran.out.contains("part 2/2"), "{} {}", ran.out, ran.err);
    let ran = project.run_with(&["test", "--plan", "--quiet"], &[("WILDCAUGHT_SHARD", "1/2")]);
    assert!(ran.code == 0 && ran.out.contains("part 1/2"), "{} {}", ran.out, ran.err);
}
