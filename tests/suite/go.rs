//! Verdicts on Go code that a switched mutant could hide.

use std::fs;

use serde_json::Value;

use super::cli::command;
use super::tools;

/// A lock that is not released is noticed by the next test only; a named result cannot be declared again.
const LIBRARY: &str = r#"package shared

import "sync"

var lock sync.Mutex
var count int

func Add(n int) (sum int) {
	lock.Lock()
	defer lock.Unlock()
	count += n
	sum = count
	return sum
}
"#;

const TESTS: &str = r#"package shared

import (
	"testing"
	"time"
)

// Keeps Go from noticing that nothing else goes on.
func init() {
	go func() {
		for {
			time.Sleep(time.Second)
		}
	}()
}

func TestOne(t *testing.T) {
	if Add(1) < 1 {
		t.Fail()
	}
}

func TestTwo(t *testing.T) {
	if Add(2) < 2 {
		t.Fail()
	}
}
"#;

const OPERATORS: &str = "format = 1\nlanguage = 'go'\n[[operator]]\nfind = ':defer $1 .. $2 .( .)'\nput = ''\n\
                         [[operator]]\nfind = '.='\nput = '.:='\n";

const SETTINGS: &str = "format = 1\nlanguage = 'go'\nsources = ['.']\n[build]\n\
                        command = \"go list -test -export -f '{{if 0}}{{end}}' ./...\"\n[tests]\npreset = 'go'\n";

#[test]
fn tests_that_wait_for_others_notice_and_what_is_declared_twice_is_unviable() {
    if !tools::are_here(&["go"]) {
        return;
    }
    let project = tempfile::tempdir().unwrap();
    let files = [
        ("go.mod", "module shared\n\ngo 1.20\n"),
        ("shared.go", LIBRARY),
        ("shared_test.go", TESTS),
        ("ops.toml", OPERATORS),
        ("wildcaught.toml", SETTINGS),
    ];
    for (name, text) in files {
        fs::write(project.path().join(name), text).unwrap();
    }
    let arguments =
        ["test", "--quiet", "--all", "--ops", "ops.toml", "--fit", "off", "--audit", "9", "--json"];
    let output = command(project.path()).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    assert_eq!(json["counts"]["time-out"], 1, "{json:#}");
    assert_eq!(json["counts"]["unviable"], 1, "{json:#}");
    assert_eq!(json["audit"]["agreed"], 2, "{json:#}");
}
