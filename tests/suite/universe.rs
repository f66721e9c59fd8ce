//! Cases that are calls: arguments, variables, standard input, and files that are put back.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::cli::command;
use super::tools;

/// Counts its runs in a file, adds its arguments and what it reads, and begins with a variable.
const SOURCE: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int counted(void)
{
    int runs = 0;
    FILE *file = fopen("state/runs", "r");
    if (!file || fscanf(file, "%d", &runs) != 1)
        return -1;
    fclose(file);
    file = fopen("state/runs", "w");
    fprintf(file, "%d\n", runs + 1);
    fclose(file);
    return runs;
}

int main(int count, char **words, char **env)
{
    const char *first = getenv("FIRST");
    int sum = first ? atoi(first) : 0;
    int n, i, seen = 0;
    for (i = 1; i < count; i++)
        sum += atoi(words[i]);
    while (scanf("%d", &n) == 1)
        sum += n;
    for (; *env; env++)
        if (!strncmp(*env, "FIRST=", 6))
            seen = 1;
    printf("%d %d %d\n", counted(), seen, sum);
    return 0;
}
"#;

const UNIVERSE: &str = "# one call per line\n1 2 '3' < in/a.txt\nfirst: FIRST=40 2\nboth: FIRST='-5' 7 < in/a.txt\n\"8\"\nnothing:\n";

fn project(preset: &str) -> TempDir {
    let project = tempfile::tempdir().unwrap();
    let settings = format!(
        "format = 1\nlanguage = 'c'\nsources = ['a.c']\n[build]\ncommand = 'cc -O1 a.c -o a'\n[tests]\npreset = 'cases'\n{preset}"
    );
    for (name, text) in [
        ("a.c", SOURCE),
        ("in/a.txt", "10 20\n"),
        ("state/runs", "7\n"),
        ("universe.txt", UNIVERSE),
        ("wildcaught.toml", &settings),
    ] {
        let path = project.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

fn tested(project: &TempDir) -> (Value, String) {
    let arguments = ["test", "--all", "--ops", "classic", "--audit", "1000", "--json"];
    let output = command(project.path()).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}")), said)
}

#[test]
fn calls_have_arguments_variables_and_input_and_find_files_as_they_were() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let keys = "universe = 'universe.txt'\nrun = './a {arguments}'\nrestore = ['state/*']\n";
    // Under the fork server, and with a shell for each case.
    for run in [keys.to_owned(), keys.replace("'./a {arguments}'", "'exec ./a {arguments}'")] {
        let project = project(&format!("{run}oracle = 'original'\n"));
        let (json, said) = tested(&project);
        assert_eq!(json["tests"], 5, "{json:#}");
        assert!(!said.contains("ignored, so it kills no mutants"), "{said}");
        assert!(json["counts"]["killed"].as_u64() > Some(10), "{json:#}");
        assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
        let runs = fs::read_to_string(project.path().join("state/runs")).unwrap();
        assert_eq!(runs, "7\n", "the user's file is not written to");
    }
}

#[test]
fn without_restore_calls_find_what_others_wrote_and_are_not_believed() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let keys = "universe = 'universe.txt'\nrun = './a {arguments}'\noracle = 'original'\n";
    let output = command(project(keys).path()).args(["test", "--all", "--ops", "classic"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("fail") || said.contains("ignored") || said.contains("unreliable"), "{said}");
}

#[test]
fn what_is_wrong_with_a_universe_is_said_with_its_line() {
    for (keys, told) in [
        ("universe = 'universe.txt'\nrun = './a'\n", "put {arguments} after the program"),
        ("universe = 'universe.txt'\nlist = ['a']\nrun = './a {arguments}'\n", "keep one of them"),
        ("universe = '../universe.txt'\nrun = './a {arguments}'\n", "tests.universe"),
        ("universe = 'none.txt'\nrun = './a {arguments}'\n", "none.txt"),
        (
            "universe = 'twice.txt'\nrun = './a {arguments}'\n",
            "twice.txt: line 2 has the same name as line 1",
        ),
    ] {
        let project = project(keys);
        fs::write(project.path().join("twice.txt"), "a: 1\na: 2\n").unwrap();
        let output = command(project.path()).args(["test", "--ops", "classic"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(told), "{keys}: {said}");
        assert_ne!(output.status.code(), Some(0));
    }
}
