//! `wildcaught.toml`, what betrays how a project is tested, and readers that take any bytes.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use proptest::prelude::*;
use wildcaught::harness::CargoChoice;
use wildcaught::harness::CaseList;
use wildcaught::harness::Config;
use wildcaught::harness::Format;
use wildcaught::harness::Junit;
use wildcaught::harness::Oracle;
use wildcaught::harness::Style;
use wildcaught::harness::Suggestion;
use wildcaught::harness::detect;
use wildcaught::harness::detect_with_jars;
use wildcaught::harness::preset_names;
use wildcaught::harness::read;

fn parse(text: &str) -> Config {
    Config::parse(text, "wildcaught.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(text: &str) -> String {
    Config::parse(text, "wildcaught.toml").unwrap_err().to_string()
}

#[test]
fn a_short_file_has_sensible_defaults() {
    let config = parse("format = 1\n[tests]\npreset = 'cargo'\n");
    assert_eq!(config.sources, ["."]);
    assert_eq!(config.ops, ["wild"]);
    assert_eq!(config.build.command, None);
    assert_eq!(config.build.timeout, Duration::from_secs(600));
    assert_eq!((config.limits.factor, config.limits.repeat, config.limits.jobs), (5.0, 2, None));
    assert_eq!(config.tests.style.name(), "cargo");
    assert_eq!(config.tests.style.format(), Format::Libtest);
    assert!(config.tests.wants("anything"));
}

#[test]
fn a_style_knows_its_command_report_and_format() {
    let config = parse("format = 1\n[tests]\npreset = 'maven'\n");
    assert!(config.tests.style.command().unwrap().starts_with("mvn"));
    assert_eq!(config.tests.style.report(), Some("**/target/surefire-reports/TEST-*.xml"));
    let config = parse(
        "format = 1\n[tests]\npreset = 'pytest'\ncommand = 'tox'\nonly = ['a*']\nskip_tests = ['ab']\n",
    );
    assert_eq!(config.tests.style.command(), Some("tox"));
    assert_eq!(config.tests.style.format(), Format::Pytest);
    assert!(config.tests.wants("aa") && !config.tests.wants("ab") && !config.tests.wants("b"));
}

#[test]
fn cases_have_an_oracle() {
    let style =
        |rest: &str| match parse(&format!("format = 1\n[tests]\npreset = 'cases'\n{rest}")).tests.style {
            Style::Cases(cases) => cases,
            other => panic!("{other:?}"),
        };
    let cases = style("cases = ['t/*.json']\nrun = './p {case}'\n");
    assert_eq!((cases.list, cases.oracle), (CaseList::Globs(vec!["t/*.json".into()]), Oracle::Exit));
    let cases = style("list = ['a', 'b']\nrun = './p {case}'\ngolden = '{case}.expected'\n");
    assert_eq!(cases.oracle, Oracle::Golden("{case}.expected".into()));
}

#[test]
fn refusals_name_the_key_and_the_remedy() {
    let with = |tests: &str| refusal(&format!("format = 1\n[tests]\n{tests}"));
    let expected = [
        (refusal("format = 2\n[tests]\npreset = 'cargo'"), "format: unknown version 2; write format = 1"),
        (
            refusal("format = 1\nlanguage = 'klingon'\n[tests]\npreset = 'go'"),
            "language: unknown language \"klingon\"; use one of c,",
        ),
        (
            refusal("format = 1\nsources = ['/etc']\n[tests]\npreset = 'go'"),
            "sources: \"/etc\" is not inside the project",
        ),
        (
            refusal("format = 1\nsources = ['../x']\n[tests]\npreset = 'go'"),
            "sources: \"../x\" is not inside the project",
        ),
        (refusal("format = 1\nexclude = ['a[']\n[tests]\npreset = 'go'"), "exclude: glob \"a[\""),
        (refusal("format = 1\nskip_calls = ['log(']\n[tests]\npreset = 'go'"), "skip_calls: \"log(\""),
        (refusal("format = 1\nexclude_lines = ['log(']\n[tests]\npreset = 'go'"), "exclude_lines: \"log(\""),
        (refusal("format = 1\nskip = ['a/b']\n[tests]\npreset = 'go'"), "skip: \"a/b\" is not a name"),
        (refusal("format = 1\n[tests]\npreset = 'go'\n[limits]\nfactor = 0.5"), "limits.factor: 0.5"),
        (
            refusal("format = 1\n[tests]\npreset = 'go'\n[build]\ntimeout = -1.0"),
            "build.timeout: -1 is not a time",
        ),
        (refusal("format = 1\nfoo = 1\n[tests]\npreset = 'go'"), "unknown field `foo`"),
        (
            with("preset = 'karma'"),
            "tests.preset: unknown preset \"karma\"; use one of command, cases, cargo",
        ),
        (
            with("preset = 'command'"),
            "tests.command: preset \"command\" needs it; add command = \"make check\"",
        ),
        (
            with("preset = 'cargo'\ngolden = 'x'"),
            "tests.golden: preset \"cargo\" does not support it; remove it, or use preset = cases",
        ),
        (with("preset = 'pytest'\ncommand = ' '"), "tests.command: it is blank; write the command"),
        (with("preset = 'cases'\nrun = 'x {case}'"), "tests.cases: cases are missing"),
        (with("preset = 'go'\n[limits]\nbaseline = -1.0"), "limits.baseline: -1 is not a time"),
        (
            with("preset = 'cases'\nlist = ['a']\nrun = 'x'"),
            "tests.run: \"x\" does not contain {case}; put {case}",
        ),
        (
            with("preset = 'cases'\nlist = ['a']\nrun = 'x {case}'\noracle = 'golden'"),
            "tests.golden: preset \"cases\" needs it",
        ),
        (
            with("preset = 'cases'\nlist = ['a']\nrun = 'x {case}'\noracle = 'exit'\nscript = 'y'"),
            "tests.script: oracle \"exit\" does not support it",
        ),
        (with("preset = 'junit-xml'\ncommand = 'x'"), "tests.report: preset \"junit-xml\" needs it"),
    ];
    for (refusal, expected) in expected {
        assert!(refusal.contains(expected), "{refusal}\nshould say\n{expected}");
        assert!(refusal.starts_with("wildcaught.toml: "), "{refusal}");
    }
}

const FULL: &str = r#"
format = 1
language = "c"
sources = ["src", "lib"]
exclude = ["**/gen/**"]
exclude_lines = ['log\(', "\""]
skip_calls = ["log.*", "print"]
skip_ops = ["relational"]
ops = ["wild-c", "classic"]
skip = ["build"]
link = ["data"]
[build]
command = "make -k CFLAGS='-O1'"
timeout = 30.5
env = { CC = "gcc \"x\"" }
[tests]
preset = "cases"
cases = ["tests/*.in"]
run = "./prog < {case}"
oracle = "script"
script = "cmp {output} {dir}/{stem}.out"
known_failing = ["tests/odd.in"]
only = ["tests/*"]
skip_tests = ["*slow*"]
env = { TZ = "UTC" }
[limits]
factor = 3.25
floor = 0.5
repeat = 3
jobs = 4
"#;

#[test]
fn what_is_written_reads_back_as_the_same() {
    let mut texts = vec![FULL.to_owned()];
    for rest in [
        "list = ['a', 'b']\nrun = 'p {case}'\noracle = 'original'",
        "cases = ['*']\nrun = 'p {case}'\ngolden = '{stem}.gold'",
    ] {
        texts.push(format!("format = 1\n[tests]\npreset = 'cases'\n{rest}\n"));
    }
    texts.push("format = 1\n[tests]\npreset = 'junit-xml'\ncommand = 'x'\nreport = 'y/*.xml'\n".to_owned());
    texts.push("format = 1\n[tests]\npreset = 'junit'\nclasspath = ['lib/*.jar']\n".to_owned());
    texts.push("format = 1\n[tests]\npreset = 'ctest'\ndirectory = 'out'\n".to_owned());
    for preset in preset_names().filter(|name| !["cases", "junit-xml"].contains(name)) {
        let command = if ["command", "tap"].contains(&preset) { "command = 'x'\n" } else { "" };
        texts.push(format!("format = 1\n[tests]\npreset = '{preset}'\n{command}"));
    }
    for text in texts {
        let config = parse(&text);
        let written = config.to_commented_toml(&["a note".to_owned(), "two\nlines".to_owned()]);
        assert_eq!(parse(&written), config, "{written}");
        assert!(written.contains("# a note\n# two\n# lines\n"), "{written}");
        // What is commented out is TOML, too: with its comment signs taken off, all of it is there.
        let bare = written.lines().filter(|line| !line.starts_with("# ") || line.contains(" = "));
        let bare: Vec<&str> = bare.map(|line| line.strip_prefix("# ").unwrap_or(line)).collect();
        assert!(toml::from_str::<toml::Table>(&bare.join("\n")).is_ok(), "{}", bare.join("\n"));
    }
}

#[test]
fn a_written_file_comments_every_key() {
    let written = parse(FULL).to_commented_toml(&[]);
    for line in [
        "sources = [\"src\", \"lib\"]",
        "factor = 3.25",
        "preset = \"cases\"",
        "# golden = \"{case}.expected\"",
    ] {
        let before = written.lines().zip(written.lines().skip(1)).find(|(_, next)| *next == line);
        assert!(before.is_some_and(|(comment, _)| comment.starts_with("# ")), "{line} in\n{written}");
    }
    assert!(!written.contains("classpath"), "{written}");
}

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// What is suggested, checked to be writable.
fn suggested(root: &Path, jars: &[PathBuf]) -> Vec<Suggestion> {
    let found = detect_with_jars(root, jars);
    for suggestion in &found {
        let written = suggestion.config.to_commented_toml(std::slice::from_ref(&suggestion.why));
        assert_eq!(parse(&written), suggestion.config);
    }
    found
}

fn first(files: &[(&str, &str)]) -> Suggestion {
    suggested(project(files).path(), &[]).remove(0)
}

#[test]
fn a_cargo_workspace_is_told_by_its_manifest() {
    let found = first(&[
        ("Cargo.toml", "[workspace]\nmembers = ['crates/*', 'tool']\nexclude = ['crates/old']"),
        ("crates/a/Cargo.toml", ""),
        ("crates/a/src/lib.rs", ""),
        ("crates/old/Cargo.toml", ""),
        ("crates/old/src/lib.rs", ""),
        ("tool/Cargo.toml", ""),
        ("tool/src/main.rs", ""),
    ]);
    assert_eq!(found.why, "Cargo.toml: cargo test");
    assert_eq!(found.language, "rust");
    assert_eq!(found.config.sources, ["crates/a/src", "tool/src"]);
    assert_eq!(found.config.skip, ["target"]);
    assert_eq!(found.config.build.command.as_deref(), Some("cargo test --no-run --message-format=json"));
    assert!(matches!(found.config.tests.style, Style::Framework { preset, .. } if preset.name == "cargo"));
}

#[test]
fn a_cmake_project_switches_its_tests_on() {
    let cmake = "project(x C)\noption(ACME_BUILD_TESTS \"t\" OFF)\nenable_testing()\n";
    let found = first(&[("CMakeLists.txt", cmake), ("src/a.c", ""), ("src/a.h", ""), ("tests/t.c", "")]);
    assert_eq!((found.preset.as_str(), found.language.as_str()), ("ctest", "c"));
    let build = found.config.build.command.unwrap();
    assert!(build.contains("-DBUILD_TESTING=ON -DACME_BUILD_TESTS=ON && cmake --build"), "{build}");
    assert_eq!(found.config.sources, ["src"]);
}

#[test]
fn tests_that_start_compilers_are_left_out_and_named() {
    let found = first(&[
        ("Cargo.toml", "[package]\nname = 'a'"),
        ("src/lib.rs", ""),
        ("tests/ui.rs", "#[test] fn ui() { trybuild::TestCases::new(); }"),
        ("tests/plain.rs", "#[test] fn plain() {}"),
    ]);
    assert_eq!(found.config.tests.skip.patterns(), ["*ui::*"]);
    assert!(found.why.contains("tests/ui.rs left out by skip_tests"), "{}", found.why);
}

#[test]
fn a_package_of_a_workspace_can_be_chosen() {
    let root = project(&[
        ("Cargo.toml", "[workspace]\nmembers = ['a', 'b']"),
        ("a/Cargo.toml", "[package]\nname = 'first'"),
        ("a/src/lib.rs", ""),
        ("b/Cargo.toml", "[package]\nname = 'second'"),
        ("b/src/lib.rs", ""),
    ]);
    let mut config = suggested(root.path(), &[]).remove(0).config;
    let choice = |package: &str| CargoChoice { package: Some(package.into()), features: Some("x,y".into()) };
    choice("second").apply(root.path(), &mut config).unwrap();
    assert_eq!(config.sources, ["b/src"]);
    let command = config.build.command.unwrap();
    assert!(command.ends_with(" --features x,y --package second"), "{command}");
    let mut config = suggested(root.path(), &[]).remove(0).config;
    let error = choice("third").apply(root.path(), &mut config).unwrap_err().to_string();
    assert_eq!(error, "--package third: no such package; known are first, second");
}

#[test]
fn options_that_leave_tests_out_are_not_switched_on() {
    let cmake = "option(DISABLE_TESTS \"t\" OFF)\noption(ENABLE_SSL_TESTS \"t\" OFF)\noption(X_ENABLE_TESTING \"t\" OFF)\n\
                 option(ENABLE_UNIT_TESTS \"t\" OFF)\noption(X_SKIP_TESTS \"\" OFF)\nenable_testing()\n";
    let build = first(&[("CMakeLists.txt", cmake), ("a.c", "")]).config.build.command.unwrap();
    assert!(build.contains(" -DX_ENABLE_TESTING=ON -DENABLE_UNIT_TESTS=ON && cmake --build"), "{build}");
    let cmake = "if(ENABLE_TESTS)\nenable_testing()\nadd_test(a b)\nendif()\nif (ENABLE_TESTS)\nendif()\nif(TEST)\nendif()\n";
    let build = first(&[("CMakeLists.txt", cmake), ("a.c", "")]).config.build.command.unwrap();
    assert!(build.contains(" -DENABLE_TESTS=ON && cmake --build"), "{build}");
}

#[test]
fn a_script_beside_the_build_runs_the_tests() {
    let script = ("scripts/run-tests.py", "#!/usr/bin/env python3\n");
    let found = first(&[("CMakeLists.txt", "project(x)"), ("src/a.c", ""), ("test/spec.py", ""), script]);
    assert_eq!(found.config.tests.style.command(), Some("cd build && python3 ../scripts/run-tests.py"));
    let script = ("tests/run_tests.sh", "#!/bin/bash\n");
    let found = first(&[("Makefile", "all: a\na: a.c\n\tcc -o a a.c\n"), ("a.c", ""), script]);
    assert_eq!(found.config.tests.style.command(), Some("./tests/run_tests.sh"));
}

#[test]
fn tests_of_c_are_not_mutated() {
    let found = first(&[("Makefile", "test: a\n\t./a\n"), ("a.c", ""), ("test.c", "")]);
    let globs = found.config.exclude.iter().map(|glob| globset::Glob::new(glob).unwrap().compile_matcher());
    let globs: Vec<_> = globs.collect();
    let left_out = |file: &str| globs.iter().any(|glob| glob.is_match(file));
    for file in ["test.c", "tests/a.c", "xmltest.cpp", "sub/test_a.c", "a_test.cc", "testhelp.h", "docs/x.c"]
    {
        assert!(left_out(file), "{file}");
    }
    for file in ["a.c", "src/attest.h", "latest/b.c", "testing.c", "contest.h"] {
        assert!(!left_out(file), "{file}");
    }
}

#[test]
fn a_way_to_test_that_needs_a_missing_program_comes_last() {
    let meson = ("meson.build", "test('a', a)");
    let found = suggested(project(&[meson, ("Makefile", "test:\n\t./a\n"), ("a.c", "")]).path(), &[]);
    let mesons = found.iter().position(|found| found.why.starts_with("meson.build")).unwrap();
    let lacks = found[mesons].missing.as_ref().map(|missing| missing.what.as_str());
    assert!(
        lacks.is_none() && mesons == 0
            || lacks == Some("meson is not installed") && mesons == found.len() - 1,
        "{found:?}"
    );
}

#[test]
fn only_modules_that_the_build_names_are_mutated() {
    let root = project(&[
        ("pom.xml", "<modules><module>core</module><!-- <module>old</module> --></modules>"),
        ("core/pom.xml", "<modules><module>deep</module></modules>"),
        ("core/src/main/java/A.java", ""),
        ("core/deep/src/main/java/B.java", ""),
        ("old/src/main/java/C.java", ""),
    ]);
    let found = suggested(root.path(), &[]);
    let maven = found.iter().find(|found| found.preset == "maven").unwrap();
    assert_eq!(maven.config.sources, ["core/deep/src/main/java", "core/src/main/java"]);
}

#[test]
fn makefiles_are_told_by_their_targets() {
    let found = first(&[("Makefile", "all: a\ncheck: a\n\t./a\n"), ("a.c", "")]);
    assert_eq!(found.config.tests.style, Style::Command { command: "make check".into() });
    assert_eq!(found.config.sources, ["."]);
    assert_eq!(found.why, "Makefile: make check");
    let found = first(&[("Makefile", "test := x\ntest:\n\t./a\n"), ("a.lua", "")]);
    assert_eq!((found.why.as_str(), found.language.as_str()), ("Makefile: make test", "lua"));
    assert!(detect(project(&[("Makefile", "test := x\n"), ("a.c", "")]).path()).is_empty());
    let found = first(&[("configure", ""), ("src/a.c", "")]);
    assert_eq!(
        found.config.build.command.as_deref(),
        Some("(test -f Makefile || ./configure -q) && make -k")
    );
}

#[test]
fn scripting_languages_are_told() {
    let found = first(&[("acme/__init__.py", ""), ("acme/x.py", ""), ("tests/test_x.py", "")]);
    assert_eq!(
        (found.preset.as_str(), found.config.sources.as_slice()),
        ("pytest", ["acme".to_owned()].as_slice())
    );
    assert_eq!(found.config.build.command, None);
    let json = r#"{"scripts": {"test": "node --test"}}"#;
    assert_eq!(first(&[("package.json", json), ("index.js", "")]).preset, "node");
    let json = r#"{"scripts": {"test": "jest"}}"#;
    let found = first(&[("package.json", json), ("src/index.ts", ""), ("node_modules/x/x.js", "")]);
    assert_eq!(found.why, "package.json (scripts.test): npx --no-install jest");
    assert_eq!(found.config.link, ["node_modules"]);
    assert_eq!(first(&[("go.mod", ""), ("a.go", "")]).preset, "go");
}

#[test]
fn the_language_of_most_files_comes_first() {
    let found = suggested(
        project(&[
            ("Cargo.toml", ""),
            ("src/lib.rs", ""),
            ("tests/test_x.py", ""),
            ("a/x.py", ""),
            ("a/y.py", ""),
        ])
        .path(),
        &[],
    );
    let presets: Vec<&str> = found.iter().map(|found| found.preset.as_str()).collect();
    assert_eq!(presets, ["pytest", "cargo"]);
}

const STACK: &str = "package com.acme;\nimport java.util.List;\nclass Stack {}\n";
const STACK_TEST: &str = "package com.acme;\nimport static org.junit.Assert.*;\nimport org.junit.Test;\n";

#[test]
fn a_plain_maven_project_is_compiled_without_maven_if_its_jars_are_known() {
    let root = project(&[
        ("pom.xml", "<project/>"),
        ("src/main/java/com/acme/Stack.java", STACK),
        ("src/test/java/com/acme/StackTest.java", STACK_TEST),
        ("src/test/resources/a.txt", ""),
    ]);
    let jars = project(&[("junit4.jar", ""), ("hamcrest.jar", "")]);
    let found = suggested(root.path(), &[jars.path().to_owned()]);
    let found: Vec<Suggestion> = found.into_iter().filter(|found| found.preset == "junit").collect();
    let jar = |name: &str| jars.path().join(name).display().to_string();
    let expected = Junit {
        exclude: vec![],
        main: vec!["src/main/java".into()],
        test: vec!["src/test/java".into()],
        resources: vec!["src/test/resources".into()],
        classpath: vec![jar("junit4.jar"), jar("hamcrest.jar")],
    };
    assert_eq!(found[0].config.tests.style, Style::Junit(expected));
    assert_eq!(found[0].config.sources, ["src/main/java"]);
    assert_eq!(found[0].why, "pom.xml: JUnit by javac, 3 imports found in 2 jars");
    // Without the jars, Maven has to find them.
    assert!(suggested(root.path(), &[]).iter().all(|found| found.preset == "maven"));
}

#[test]
fn a_project_with_modules_or_unknown_imports_is_left_to_its_build_tool() {
    let jars = project(&[("junit4.jar", ""), ("hamcrest.jar", "")]);
    let jars = [jars.path().to_owned()];
    let main = ("src/main/java/com/acme/Stack.java", STACK);
    let test = ("src/test/java/com/acme/StackTest.java", STACK_TEST);
    let modules = project(&[("pom.xml", "<modules><module>a</module></modules>"), main, test]);
    assert_eq!(suggested(modules.path(), &jars)[0].preset, "maven");
    let odd = ("src/main/java/com/acme/Odd.java", "package com.acme;\nimport org.odd.Thing;\n");
    assert_eq!(suggested(project(&[("pom.xml", ""), main, test, odd]).path(), &jars)[0].preset, "maven");
}

#[test]
fn test_classes_that_need_unknown_jars_are_left_out() {
    let jars = project(&[("junit4.jar", ""), ("hamcrest.jar", "")]);
    let root = project(&[
        ("pom.xml", ""),
        ("src/main/java/com/acme/Stack.java", STACK),
        ("src/test/java/com/acme/StackTest.java", STACK_TEST),
        ("src/test/java/com/acme/Bench.java", "package com.acme;\nimport org.openjdk.jmh.Bench;\n"),
        ("src/test/java/com/acme/Benches.java", "package com.acme;\nclass Benches extends Bench {}\n"),
        ("src/test/java/com/acme/All.java", "package com.acme;\nclass All { Benches all; }\n"),
        ("src/test/java/com/acme/Other.java", "package com.acme;\nclass Other { String bench; }\n"),
        ("src/test/java/com/acme/Another.java", "package com.acme;\nclass Another { Other other; }\n"),
    ]);
    let mut found = suggested(root.path(), &[jars.path().to_owned()]);
    found.retain(|found| found.preset == "junit");
    let Style::Junit(junit) = &found[0].config.tests.style else { panic!("{found:?}") };
    let left_out = ["All", "Bench", "Benches"].map(|name| format!("src/test/java/com/acme/{name}.java"));
    assert_eq!(junit.exclude, left_out);
    assert!(
        found[0].why.ends_with("; 3 test classes are left out, since they need other jars"),
        "{}",
        found[0].why
    );
}

#[test]
fn jars_that_come_along_are_looked_into() {
    let root = project(&[
        ("src/Stack.java", "import org.odd.Thing;\nclass Stack {}\n"),
        ("test/StackTest.java", "import org.junit.Test;\n"),
        ("lib/odd.jar", "PK\u{3}\u{4}org/odd/Thing.class"),
        ("lib/junit.jar", "PK\u{3}\u{4}org/junit/Test.class"),
    ]);
    let found = suggested(root.path(), &[]).remove(0);
    let Style::Junit(junit) = found.config.tests.style else { panic!("{found:?}") };
    assert_eq!(junit.classpath, ["lib/junit.jar", "lib/odd.jar"]);
    assert_eq!((junit.main, junit.test), (vec!["src".to_owned()], vec!["test".to_owned()]));
}

const FORMATS: [Format; 9] = [
    Format::Libtest,
    Format::Nextest,
    Format::JunitXml,
    Format::Tap,
    Format::GoJson,
    Format::GoVerbose,
    Format::Ctest,
    Format::Pytest,
    Format::Exit,
];

/// Reads with every reader there is.
fn read_all(bytes: &[u8]) {
    for format in FORMATS {
        let reading = format.read(bytes);
        let mut names: Vec<&str> = reading.seen.iter().map(|seen| seen.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), reading.seen.len(), "{format:?} names a test twice");
    }
    read::libtest_list(bytes);
    read::nextest_list(bytes);
    read::go_list(bytes);
    read::pytest_list(bytes);
    read::ctest_list(bytes);
    read::executables(bytes);
}

/// Pieces of what frameworks print, to be put together wrongly.
const PIECES: [&str; 28] = [
    "test a::b ... ",
    "ok",
    "FAILED",
    "\n",
    "---- a::b stdout ----",
    "failures:",
    "    ",
    "not ok 1 - x",
    "# Subtest: g",
    "---",
    "...",
    "1..9",
    " # SKIP",
    "Bail out!",
    "<testcase name='a'",
    ">",
    "/>",
    "<failure>",
    "</testcase>",
    "&",
    "&amp;",
    "=== RUN   T",
    "--- FAIL: T (0.1s)",
    "{\"Action\":\"run\",\"Test\":\"T\"}",
    "1/2 Test #1: a ....",
    "***Failed 0.1 sec",
    "t.py::a[",
    " PASSED [ 5%]",
];

proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
    }

    #[test]
    fn any_pieces_of_output_can_be_read(pieces in prop::collection::vec(0..PIECES.len(), 0..40), bad in any::<u8>()) {
        let mut bytes: Vec<u8> = Vec::new();
        for piece in pieces {
            bytes.extend(PIECES[piece].as_bytes());
            if piece % 7 == 0 {
                bytes.push(bad);
            }
        }
        read_all(&bytes);
    }
}

#[test]
fn the_runner_is_called_directly_without_linters_and_reporters() {
    for (test, preset, line) in [
        ("xo && ava && tsd", "tap", "npx --no-install ava --tap"),
        ("pnpm lint && vitest run --typecheck", "vitest", "npx --no-install vitest run"),
        ("nyc --reporter=text mocha -r x --reporter dot", "mocha", "npx --no-install mocha -r x"),
        ("eslint . && jest --coverage", "jest", "npx --no-install jest"),
        ("node --test test/*.js", "node", "node --test-reporter=tap --test test/*.js"),
        ("make all", "command", "npm test --silent"),
    ] {
        let manifest = format!("{{\"scripts\": {{\"test\": \"{test}\", \"lint\": \"eslint\"}}}}");
        let found = first(&[("package.json", &manifest), ("src/a.js", ""), ("test/a.js", "")]);
        assert_eq!(
            (found.preset.as_str(), found.config.tests.style.command()),
            (preset, Some(line)),
            "{test}"
        );
        assert_eq!(found.config.sources, ["src"]);
    }
}

#[test]
fn what_is_not_installed_is_named_with_the_command_of_the_lock_file() {
    let manifest = r#"{"scripts": {"test": "jest"}, "devDependencies": {"jest": "1"}}"#;
    for (lock, command) in [
        ("package-lock.json", "npm ci"),
        ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
        ("yarn.lock", "yarn install --frozen-lockfile"),
        ("other", "npm install"),
    ] {
        let found = first(&[("package.json", manifest), (lock, ""), ("index.js", "")]);
        assert_eq!(found.missing.unwrap().command.as_deref(), Some(command));
    }
    let installed = [("package.json", manifest), ("node_modules/jest/a.js", ""), ("index.js", "")];
    let found = first(&installed);
    assert_eq!((found.missing, found.config.link), (None, vec!["node_modules".to_owned()]));
}

#[test]
fn what_tests_need_is_built_first_and_packages_of_a_workspace_are_mutated() {
    let manifest = r#"{"scripts": {"pretest": "npm run build && npm run lint", "build": "babel src -d lib",
        "lint": "eslint .", "test": "mocha"}, "workspaces": ["packages/*"]}"#;
    let found = first(&[
        ("package.json", manifest),
        ("packages/a/package.json", "{}"),
        ("packages/a/src/a.js", ""),
        ("packages/b/package.json", "{}"),
        ("packages/b/lib/b.js", ""),
    ]);
    assert_eq!(found.config.build.command.as_deref(), Some("npm run --silent build"));
    assert_eq!(found.config.sources, ["packages/a/src", "packages/b/lib"]);
}

#[test]
fn a_project_without_source_directories_has_what_it_publishes() {
    let manifest = r#"{"files": ["index.js", "index.d.ts"], "scripts": {"test": "ava"}}"#;
    let found = first(&[("package.json", manifest), ("index.js", ""), ("benchmark.js", ""), ("test.js", "")]);
    assert_eq!(found.config.sources, ["index.js"]);
}

#[test]
fn python_uses_the_environment_of_the_project() {
    let found = first(&[("tests/test_a.py", ""), ("a.py", ""), (".venv/bin/python", "")]);
    assert_eq!(found.config.tests.style.command(), Some(".venv/bin/python -m pytest"));
    let found = suggested(project(&[("tests/test_a.py", "import unittest\n"), ("a.py", "")]).path(), &[]);
    let presets: Vec<&str> = found.iter().map(|one| one.preset.as_str()).collect();
    assert_eq!(presets, ["pytest", "unittest"]);
}

#[test]
fn lua_and_php_are_run_by_their_own_commands() {
    let found = first(&[(".busted", ""), ("src/a.lua", ""), ("spec/a_spec.lua", "")]);
    assert_eq!((found.preset.as_str(), found.config.tests.style.command()), ("tap", Some("busted -o TAP")));
    let found = first(&[("phpunit.xml.dist", ""), ("src/a.php", ""), ("tests/ATest.php", "")]);
    assert_eq!((found.preset.as_str(), found.language.as_str()), ("junit-xml", "php"));
}

#[test]
fn parts_are_listed_where_the_whole_cannot_be_tested() {
    let root = project(&[
        ("web/package.json", r#"{"scripts": {"test": "jest"}}"#),
        ("web/src/a.js", ""),
        ("core/Cargo.toml", ""),
        ("core/src/lib.rs", ""),
    ]);
    let found: Vec<(String, String)> = wildcaught::harness::members(root.path())
        .into_iter()
        .map(|(place, one)| (place, one.preset))
        .collect();
    assert_eq!(found, [("core".into(), "cargo".into()), ("web".into(), "jest".into())]);
    assert!(wildcaught::harness::unsupported(project(&[("a.csproj", "")]).path()).unwrap().contains(".NET"));
}

#[test]
fn a_main_file_of_node_beside_a_directory_of_sources_is_mutated_too() {
    let package = ("package.json", r#"{"scripts": {"test": "node --test"}, "devDependencies": {}}"#);
    let files = [package, ("index.mjs", ""), ("lib/re.mjs", ""), ("tool.js", ""), ("test/a.test.mjs", "")];
    assert_eq!(first(&files).config.sources, ["lib", "index.mjs"]);
}
