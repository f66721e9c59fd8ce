//! `wildcaught submit` with programs in the place of Slurm's, which run the tasks at once. `tests/cluster/run` has a
//! real Slurm.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::kill9::export;
use super::targets::Project;
use super::targets::Ran;

/// Runs every task of an array but the one in NOT, and any other job; the number of the job is always 7.
const SBATCH: &str = r#"#!/bin/bash
for word; do script=$word; case $word in --array=*) array=${word#--array=} ;; --output=*) log=${word#--output=} ;; esac; done
if [ -n "${array:-}" ]; then
  for range in ${array//,/ }; do
    for task in $(seq "${range%-*}" "${range#*-}"); do
      [ "$task" = "${NOT:-}" ] || SLURM_ARRAY_TASK_ID=$task "$script" >"${log/\%a/$task}" 2>&1
    done
  done
else
  "$script" >"$log" 2>&1
fi
echo "7;cluster"
"#;

/// Runs wildcaught with these programs, and more variables.
#[track_caller]
fn run(project: &Project, arguments: &[&str], more: &[(&str, &str)]) -> Ran {
    let bin = project.scratch().join("bin");
    fs::create_dir_all(&bin).unwrap();
    for (name, text) in
        [("sbatch", SBATCH), ("squeue", "#!/bin/sh\n"), ("scancel", "#!/bin/sh\n"), ("sinfo", "#!/bin/sh\n")]
    {
        fs::write(bin.join(name), text).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    project.run_with(arguments, &[&[("PATH", &path[..])], more].concat())
}

#[test]
fn parts_that_failed_are_named_and_submitted_again() {
    let Some(project) = Project::new("c-cases") else { return };
    let submit = ["submit", "slurm", "--array", "3", "--wait", "--", "test", "--max", "30", "--quiet"];
    let ran = run(&project, &submit, &[("NOT", "2")]);
    assert_eq!(ran.code, 5, "{} {}", ran.out, ran.err);
    assert!(ran.err.contains("2 of 3 parts are done") && ran.err.contains("never ran: 2\n"), "{}", ran.err);
    let ran = run(&project, &["submit", "slurm", "--status"], &[]);
    assert!(ran.code == 5 && ran.out.contains("--resubmit"), "{} {}", ran.out, ran.err);
    let ran = run(&project, &["submit", "slurm", "--resubmit", "--wait"], &[]);
    assert!(ran.code == 2 && ran.err.contains("parts 2 as job 7"), "{} {}", ran.out, ran.err);
    assert!(ran.out.contains("from 3 parts"), "{}", ran.out);
    let whole = ["test", "--quiet", "--plan=wildcaught.out/submit/plan.wc", "--out", "wildcaught.out-whole"];
    assert_eq!(project.run(&whole).code, 2);
    assert_eq!(export(&project, "wildcaught.out"), export(&project, "wildcaught.out-whole"));
    let ran = run(&project, &["submit", "slurm", "--status"], &[]);
    assert!(ran.code == 0 && ran.out.contains("3 of 3 parts are done"), "{} {}", ran.out, ran.err);
}

#[test]
fn what_would_be_submitted_is_shown() {
    let project = Project::copy("c-cases");
    let shown = |engine: &[&str]| {
        let ran = project.run(
            &[&["submit"], engine, &["--print", "--array", "4", "--", "test", "--min-score", "50"]].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    let slurm = shown(&["slurm", "--partition", "short", "--sbatch=--mem=1G"]);
    for part in
        ["--array=1-4", "--partition=short", "--mem=1G", "afterany:", "--shard=\"$part\"/4", "--min-score=50"]
    {
        assert!(slurm.contains(part), "{part}: {slurm}");
    }
    let parallel = shown(&["parallel"]);
    assert!(parallel.contains("--resume-failed") && parallel.contains("--joblog"), "{parallel}");
    let jobs = shown(&["kubernetes", "--image", "i:1", "--claim", "project"]);
    assert_eq!(jobs.matches("kind: Job").count(), 3, "{jobs}");
    assert!(jobs.contains("completionMode: Indexed") && jobs.contains("JOB_COMPLETION_INDEX + 1"), "{jobs}");
    assert!(!project.root().join("wildcaught.out").exists());
}

#[test]
fn what_cannot_be_submitted_is_said() {
    let project = Project::copy("c-cases");
    for (arguments, why) in [
        (&["submit", "slurm"][..], "name a command after --"),
        (&["submit", "slurm", "--status"], "nothing was submitted"),
        (&["submit", "slurm", "--", "lex", "prog.c"], "cannot be split"),
        (
            &["submit", "kubernetes", "--print", "--image", "i", "--claim", "No Name", "--", "test"],
            "not a valid name in Kubernetes",
        ),
    ] {
        let ran = project.run(arguments);
        assert!(ran.code == 1 && ran.err.contains(why), "{arguments:?}: {} {}", ran.code, ran.err);
    }
}
