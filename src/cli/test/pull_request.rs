//! `wildcaught test` in a CI job of a pull request: its target branch, and what is tested.

use std::path::Path;

use crate::history::revision_of_branch;

use super::args::TestArgs;

/// Mutants of every changed function that are tested unless the user says how many.
const PER_FUNCTION: usize = 3;

/// A CI system: the variable that names the branch which a pull request goes to, and one that says whether there is
/// any.
struct System {
    name: &'static str,
    branch: &'static str,
    /// A variable that is `false` or missing in other jobs, where `branch` is always set.
    only_with: Option<&'static str>,
}

const SYSTEMS: [System; 9] = [
    system("GitHub Actions", "GITHUB_BASE_REF", None),
    system("GitLab CI", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", None),
    system("Bitbucket Pipelines", "BITBUCKET_PR_DESTINATION_BRANCH", None),
    system("Azure Pipelines", "SYSTEM_PULLREQUEST_TARGETBRANCH", None),
    system("Jenkins", "CHANGE_TARGET", None),
    system("Buildkite", "BUILDKITE_PULL_REQUEST_BASE_BRANCH", None),
    system("Woodpecker", "CI_COMMIT_TARGET_BRANCH", None),
    system("Drone", "DRONE_TARGET_BRANCH", Some("DRONE_PULL_REQUEST")),
    system("Travis CI", "TRAVIS_BRANCH", Some("TRAVIS_PULL_REQUEST")),
];
/// Variables that say that a CI system runs us.
const IN_CI: [&str; 3] = ["CI", "TF_BUILD", "JENKINS_URL"];

const fn system(name: &'static str, branch: &'static str, only_with: Option<&'static str>) -> System {
    System { name, branch, only_with }
}

/// What the environment says of the change that is tested.
#[derive(Debug, PartialEq, Eq)]
enum Job {
    /// Nobody's job but the user's.
    Own,
    /// A CI job without a branch to compare with: of the main branch, say.
    WithoutBase,
    /// One of a pull request.
    PullRequest { system: &'static str, branch: String },
}

/// Options as typed, with those that a CI job of a pull request has unless the user says something else: only changed
/// lines, and few mutants of every function. One line says so.
pub fn as_in_ci(typed: &TestArgs) -> TestArgs {
    let mut args = typed.clone();
    let TestArgs { target, choice, run } = typed;
    let is_said = target.files.in_diff.is_some()
        || !target.paths.is_empty()
        || run.how.all
        || choice.op.is_some()
        || choice.id.is_some()
        || run.shared.plan.is_some();
    if is_said {
        return args;
    }
    let say = |line: String| {
        if !run.how.quiet {
            tell!("{line}");
        }
    };
    match job(|name| std::env::var(name).ok()) {
        Job::Own => {}
        Job::WithoutBase => {
            say("CI run without a target branch: testing the whole project".to_owned());
        }
        Job::PullRequest { system, branch } => match revision_of_branch(Path::new("."), &branch) {
            Some(revision) => {
                args.target.files.in_diff = Some(revision.clone());
                let few = choice.count.is_none() && choice.per_function.is_none();
                args.choice.per_function = if few { Some(PER_FUNCTION) } else { choice.per_function };
                say(format!(
                    "{system}, pull request into {branch}: testing only what changed since {revision}{}; \
                     --in-diff none tests the whole project",
                    if few {
                        format!(", {PER_FUNCTION} mutants per function (--per-function)")
                    } else {
                        String::new()
                    }
                ));
            }
            None => tell!(
                "warning: {system}, pull request into {branch}: that branch is not in this clone, so the whole \
                 project is tested; fetch it first (fetch-depth: 0, GIT_DEPTH: 0, or git fetch origin {branch})"
            ),
        },
    }
    args
}

fn job(variable: impl Fn(&str) -> Option<String>) -> Job {
    let set =
        |name: &str| variable(name).filter(|value| !matches!(value.trim(), "" | "false" | "False" | "0"));
    if !IN_CI.iter().any(|name| set(name).is_some()) {
        return Job::Own;
    }
    for System { name, branch, only_with } in SYSTEMS {
        if only_with.is_some_and(|other| set(other).is_none()) {
            continue;
        }
        if let Some(branch) = set(branch) {
            let branch = branch.trim().trim_start_matches("refs/heads/").to_owned();
            return Job::PullRequest { system: name, branch };
        }
    }
    Job::WithoutBase
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Job {
        let found =
            |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        job(found)
    }

    #[test]
    fn the_branch_of_a_pull_request_is_known_where_the_system_names_it() {
        let into = |system, branch: &str| Job::PullRequest { system, branch: branch.to_owned() };
        assert_eq!(of(&[("CI", "true"), ("GITHUB_BASE_REF", "main")]), into("GitHub Actions", "main"));
        let azure = [("TF_BUILD", "True"), ("SYSTEM_PULLREQUEST_TARGETBRANCH", "refs/heads/a/b")];
        assert_eq!(of(&azure), into("Azure Pipelines", "a/b"));
        let travis = [("CI", "true"), ("TRAVIS_BRANCH", "main"), ("TRAVIS_PULL_REQUEST", "12")];
        assert_eq!(of(&travis), into("Travis CI", "main"));
    }

    #[test]
    fn without_a_pull_request_nothing_is_assumed() {
        assert_eq!(of(&[("GITHUB_BASE_REF", "main")]), Job::Own);
        assert_eq!(of(&[("CI", "false"), ("GITHUB_BASE_REF", "main")]), Job::Own);
        assert_eq!(of(&[("CI", "true"), ("GITHUB_BASE_REF", "")]), Job::WithoutBase);
        let push = [("CI", "true"), ("TRAVIS_BRANCH", "main"), ("TRAVIS_PULL_REQUEST", "false")];
        assert_eq!(of(&push), Job::WithoutBase);
    }
}
