//! `wildcaught submit kubernetes`: an Indexed Job, with a job before it and one after it.
//!
//! All pods see the project in one volume. Kubernetes does not order jobs, so a job that others wait for writes a
//! file there when it is done.

use std::fs;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::exec::Spec;
use crate::exec::Streams;

use super::super::exit::Exit;
use super::super::output::print_text;
use super::super::report::seconds;
use super::args::KubernetesArgs;
use super::scripts::quoted;
use super::work::PART;
use super::work::Work;

/// Runs the command.
pub fn run(args: &KubernetesArgs, work: &Work) -> Result<Exit> {
    if let Some(wrong) = [&args.name, &args.claim].into_iter().find(|name| !is_name(name)) {
        bail!("{wrong:?} is not a valid name in Kubernetes; use lower-case letters, digits and -");
    }
    let manifest = manifest(args, work);
    if args.work.print {
        print_text(&manifest)?;
        return Ok(Exit::Fine);
    }
    let path = work.dir.join("jobs.yaml");
    fs::create_dir_all(&work.dir)?;
    fs::write(&path, &manifest).with_context(|| format!("cannot write {}", path.display()))?;
    let said = Spec::program("kubectl", ".").args(["create", "-f"]).arg(&path).streams(Streams::Apart).run();
    let said = said.context("cannot run kubectl")?;
    if !said.is_success() {
        bail!("kubectl: {}", String::from_utf8_lossy(&said.stderr).trim());
    }
    print_text(&String::from_utf8_lossy(&said.stdout))?;
    tell!("progress: kubectl get jobs -l app={}; result: kubectl logs job/{}-merge", args.name, args.name);
    Ok(Exit::Fine)
}

fn is_name(text: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    !text.is_empty()
        && text.len() <= 50
        && text.chars().all(letter)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// A job: its name behind the common one, how it is cut, what it waits for, and what it runs.
struct JobText<'a> {
    name: &'a str,
    cut: String,
    wait: Option<String>,
    run: String,
}

fn manifest(args: &KubernetesArgs, work: &Work) -> String {
    // Where an earlier submission left its files, they say nothing about this one.
    let ended = format!("{}/ended-{}", work.dir.display(), seconds());
    let line = |words: &[String]| {
        let words =
            words.iter().map(|word| word.split(PART).map(quoted).collect::<Vec<_>>().join("\"$part\""));
        format!("wildcaught {}", words.collect::<Vec<_>>().join(" "))
    };
    let note = |name: &str| format!("mkdir -p {0} && touch {0}/{name}", quoted(&ended));
    let parts = work.parts;
    let waited = |names: &str| {
        format!("for name in {names}; do until [ -e {}/$name ]; do sleep 2; done; done", quoted(&ended))
    };
    let mut jobs = Vec::new();
    if let Some(before) = &work.before {
        let run = format!("{} && {}", line(before), note("plan"));
        let cut = format!("backoffLimit: {}", args.retries);
        jobs.push(JobText { name: "plan", cut, wait: None, run });
    }
    let fine: Vec<String> = work.fine.iter().map(ToString::to_string).collect();
    jobs.push(JobText {
        name: "parts",
        cut: format!(
            "completionMode: Indexed\n  completions: {parts}\n  parallelism: {parts}\n  backoffLimitPerIndex: {}\n  \
             maxFailedIndexes: {parts}",
            args.retries
        ),
        wait: work.before.as_ref().map(|_| waited("plan")),
        run: format!(
            "part=$((JOB_COMPLETION_INDEX + 1)); {}; code=$?; case \" {} \" in *\" $code \"*) {} ;; *) exit $code ;; esac",
            line(&work.part),
            fine.join(" "),
            note("$part"),
        ),
    });
    let after: Vec<String> = work.after.iter().map(|words| line(words)).collect();
    jobs.push(JobText {
        name: "merge",
        cut: "backoffLimit: 0".to_owned(),
        wait: Some(waited(&format!("$(seq {parts})"))),
        run: after.join(" && "),
    });
    jobs.iter().map(|job| text(args, job)).collect::<Vec<_>>().join("---\n")
}

fn text(args: &KubernetesArgs, job: &JobText) -> String {
    let KubernetesArgs { name, image, claim, path, .. } = args;
    let container = |kind: &str, run: &str| {
        format!(
            "        - name: {kind}\n          image: {}\n          workingDir: {}\n          command: [bash, -c, {}]\n          \
             volumeMounts:\n            - {{name: project, mountPath: /project}}\n",
            string(image),
            string(format!("/project/{path}").trim_end_matches('/')),
            string(run),
        )
    };
    let wait = job
        .wait
        .as_ref()
        .map_or_else(String::new, |wait| format!("      initContainers:\n{}", container("wait", wait)));
    format!(
        "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {name}-{}\n  labels: {{app: {name}}}\nspec:\n  {}\n  \
         template:\n    metadata:\n      labels: {{app: {name}}}\n    spec:\n      restartPolicy: Never\n{wait}      \
         containers:\n{}      volumes:\n        - name: project\n          persistentVolumeClaim: {{claimName: {claim}}}\n",
        job.name,
        job.cut,
        container(job.name, &job.run),
    )
}

/// A string as YAML reads it.
fn string(text: &str) -> String {
    serde_json::to_string(text).expect("text is JSON, which is YAML")
}
