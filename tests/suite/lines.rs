//! Lines keep their numbers in what is tested, so that a program which prints them says what it always says.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::cli::command;
use super::tools;

const C: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define TELL(x) printf("%s:%d %d\\n", __FILE__, __LINE__, (x))

static int tell(int n) {
    int most = 3;
    if (n > most)
        TELL(n);
    for (int at = 0;
         at < n;
         at++) {
        TELL(at
             + 1);
        if (at == 7) {
            TELL(0);
        }
    }
    return most;
}

int main(int count, char **words) {
    int n = count > 1 ? atoi(strrchr(words[1], '/') + 1) : 0;
    TELL(tell(n));
    return 0;
}
"#;

const GO: &str = r#"package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

func tell(n int) {
	_, _, line, _ := runtime.Caller(1)
	fmt.Println(line, n)
}

func count(n int) int {
	most := 3
	if n > most {
		tell(n)
	}
	for at := 0; at < n; at++ {
		tell(at +
			1)
	}
	return most
}

func main() {
	n := len(filepath.Base(os.Args[1])) - 5
	tell(count(n))
	tell(n - 1)
}
"#;

const RUST: &str = r#"fn fall(n: usize) {
    let most = 3;
    let mut sum = 0;
    for at in 0..n {
        sum += at;
    }
    if n > most {
        panic!("{n} {sum}");
    }
    println!("{sum}");
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let name = path.rsplit('/').next().unwrap();
    let n = name.len();
    fall(n - 4);
}
"#;

const JAVA: &str = r#"public class A {
    static int fall(int n) {
        int most = 3;
        int sum = 0;
        for (int at = 0; at < n; at++) {
            sum += at;
        }
        if (n > most) {
            throw new IllegalStateException(n + " " + sum);
        }
        return sum;
    }

    public static void main(String[] words) {
        String name = new java.io.File(words[0]).getName();
        int n = name.length() - 4;
        System.out.println(fall(n));
    }
}
"#;

const PYTHON: &str = r#"import os
import sys


def fall(n):
    most = 3
    total = 0
    for at in range(n):
        total += at
    if n > most:
        raise ValueError(n, total)
    return total


def main():
    name = os.path.basename(sys.argv[1])
    n = len(name) - 4
    print(fall(n))


main()
"#;

fn project(files: &[(&str, &str)], settings: &str) -> TempDir {
    let project = tempfile::tempdir().unwrap();
    let more =
        [("wildcaught.toml", settings), ("cases/1.txt", ""), ("cases/5.txt", ""), ("cases/9-long.txt", "")];
    for (name, text) in files.iter().chain(&more) {
        let path = project.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    project
}

/// Tests all mutants in one program, but for very few; the plain project must confirm the verdicts, and no test may be distrusted.
#[track_caller]
fn holds(project: &TempDir) {
    let arguments = ["test", "--all", "--ops", "classic", "--audit", "1000", "--json"];
    let output = command(project.path()).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
    assert!(json["switched"].as_u64() > Some(10), "{said} {json:#}");
    // The last use of an import cannot be switched off.
    assert!(json["built_alone"].as_u64() < Some(3), "{said} {json:#}");
    assert!(
        !said.contains("ignored, so it kills no mutants") && !said.contains("different line numbers"),
        "{said}"
    );
}

#[test]
fn a_c_program_that_prints_its_lines_prints_those_of_the_original() {
    if !tools::are_here(&["cc"]) {
        return;
    }
    let settings = "format = 1\nlanguage = 'c'\nsources = ['a.c']\n[build]\ncommand = 'cc -O1 a.c -o a'\n\
                    [tests]\npreset = 'cases'\ncases = ['cases/*.txt']\nrun = './a {case}'\noracle = 'original'\n";
    holds(&project(&[("a.c", C)], settings));
}

#[test]
fn a_go_program_that_prints_its_lines_prints_those_of_the_original() {
    if !tools::are_here(&["go"]) {
        return;
    }
    let settings = "format = 1\nlanguage = 'go'\nsources = ['.']\n[build]\ncommand = 'go build -o a .'\n\
                    [tests]\npreset = 'cases'\ncases = ['cases/*.txt']\nrun = './a {case}'\noracle = 'original'\n";
    holds(&project(&[("main.go", GO), ("go.mod", "module a\n\ngo 1.20\n")], settings));
}

/// Settings of one file with cases that must do what the unchanged program does.
fn original(language: &str, file: &str, build: &str, run: &str) -> String {
    format!(
        "format = 1\nlanguage = '{language}'\nsources = ['{file}']\n[build]\ncommand = '{build}'\n[tests]\n\
         preset = 'cases'\ncases = ['cases/*.txt']\nrun = '{run} {{case}}'\noracle = 'original'\n"
    )
}

#[test]
fn a_rust_program_that_panics_names_the_line_of_the_original() {
    if !tools::are_here(&["cargo"]) {
        return;
    }
    let build = "cargo build --message-format=json --target-dir out";
    let settings = original("rust", "src/main.rs", build, "out/debug/a");
    let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    holds(&project(&[("src/main.rs", RUST), ("Cargo.toml", manifest)], &settings));
}

#[test]
fn mutants_are_built_alone_where_the_build_does_not_find_what_switches_them() {
    if !tools::are_here(&["cargo"]) {
        return;
    }
    let settings = original("rust", "a.rs", "rustc --edition 2021 -o a a.rs", "./a");
    let project = project(&[("a.rs", RUST)], &settings);
    let arguments = ["test", "--max", "4", "--ops", "classic", "--audit", "4", "--json", "--quiet"];
    let output = command(project.path()).args(arguments).output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["built_alone"], &json["switched"]), (&4.into(), &0.into()), "{json:#}");
    assert_eq!(json["audit"]["agreed"], json["audit"]["tried"], "{json:#}");
}

#[test]
fn a_java_program_that_throws_names_the_line_of_the_original() {
    if tools::are_here(&["javac"]) {
        let settings = original("java", "A.java", "javac A.java", "java A");
        holds(&project(&[("A.java", JAVA)], &settings));
    }
}

#[test]
fn a_python_program_that_raises_names_the_line_of_the_original() {
    if tools::are_here(&["pytest"]) {
        let settings = original("python", "a.py", "true", "python3 a.py");
        holds(&project(&[("a.py", PYTHON)], &settings));
    }
}
