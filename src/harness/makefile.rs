//! Which target of a makefile runs tests, and which only builds a program that would.

use std::collections::BTreeMap;

use regex::Regex;

/// Names of targets by which people run tests, best first.
const USUAL: [&str; 18] = [
    "check",
    "test",
    "tests",
    "runtests",
    "run-tests",
    "run_tests",
    "runtest",
    "unittest",
    "unittests",
    "unit-tests",
    "selftest",
    "testsuite",
    "test-all",
    "test_all",
    "regress",
    "regression",
    "smoke",
    "smoketest",
];
/// How far prerequisites are followed.
const DEPTH: usize = 6;

/// How a makefile has its tests run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MakeTests {
    pub build: String,
    pub command: String,
}

/// One rule.
struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<String>,
}

/// The tests of a makefile: a target that runs something, else a program that is built and called after tests.
pub(super) fn make_tests(text: &str) -> Option<MakeTests> {
    let rules = rules(text);
    let named = |name: &str| rules.iter().find(|rule| rule.targets.iter().any(|target| target == name));
    let usual = USUAL.iter().filter_map(|name| Some((*name, named(name)?)));
    // Make would run such a program only when it builds it.
    let built_and_run: Vec<(&str, String)> =
        rules.iter().filter_map(|rule| builds_and_runs(rule, &rules)).collect();
    let is_built = |name: &str| built_and_run.iter().any(|(built, _)| *built == name);
    if let Some((name, rule)) = usual.clone().find(|(name, rule)| !is_built(name) && runs(rule, &rules, 0)) {
        let build = match programs(rule, &rules, &variables(text)) {
            Some(programs) => format!("make -k {}", programs.join(" ")),
            None => "make -k".into(),
        };
        return Some(MakeTests { build, command: format!("make {name}") });
    }
    if !built_and_run.is_empty() {
        let (names, commands): (Vec<&str>, Vec<String>) = built_and_run.into_iter().unzip();
        return Some(MakeTests {
            build: format!("make -k {}", names.join(" ")),
            command: commands.join(" && "),
        });
    }
    // What is built under such a name is not run by anybody yet.
    let called = Regex::new(r"^(.*[-_/])?((unit)?tests?|check)([-_].*)?$").expect("it is correct");
    let program = |rule: &Rule| {
        let target = rule.targets.iter().find(|target| called.is_match(target) && !target.ends_with(".o"))?;
        rule.recipe.iter().any(|line| compiles(line)).then(|| target.clone())
    };
    let program = usual.map(|(_, rule)| rule).chain(&rules).find_map(program)?;
    Some(MakeTests { build: format!("make -k {program}"), command: format!("./{program}") })
}

/// What a rule that runs tests needs to be built first, if all of it is files that some rule compiles: whatever else the
/// makefile builds by default (examples, documents) is not needed.
fn programs(rule: &Rule, rules: &[Rule], variables: &BTreeMap<String, String>) -> Option<Vec<String>> {
    let is_phony = |name: &str| {
        rules.iter().any(|rule| rule.targets == [".PHONY"] && rule.needs.iter().any(|phony| phony == name))
    };
    // Rules are compared as they are written, with variables in their names.
    let compiled = |name: &str| {
        let mut making = rules.iter().filter(|rule| rule.targets.iter().any(|target| target == name));
        making.any(|rule| !runs(rule, rules, 0) && rule.recipe.iter().any(|line| compiles(line)))
    };
    let needs = || rule.needs.iter().filter(|name| *name != "|");
    if needs().any(|name| is_phony(name)) || !needs().any(|name| compiled(name)) {
        return None;
    }
    let plain = |name: &String| {
        let name = expand(name, variables, 0)?;
        let letters = |letter: char| letter.is_ascii_alphanumeric() || "-_./+".contains(letter);
        name.chars().all(letters).then_some(name)
    };
    needs().map(plain).collect()
}

/// The variables of a makefile that are given a value once.
fn variables(text: &str) -> BTreeMap<String, String> {
    let text = text.replace("\\\n", " ");
    let line = Regex::new(r"(?m)^([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*(:|::|\?|\+)?=[ \t]*(.*?)[ \t]*$")
        .expect("it is correct");
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for found in line.captures_iter(&text) {
        values.entry(found[1].to_owned()).or_default().push(found[3].to_owned());
    }
    values.into_iter().filter_map(|(name, mut all)| (all.len() == 1).then(|| (name, all.remove(0)))).collect()
}

/// A text with its plain variables put in; none if that is not known.
fn expand(text: &str, variables: &BTreeMap<String, String>, depth: usize) -> Option<String> {
    let Some((before, rest)) = text.split_once('$') else { return Some(text.to_owned()) };
    let close = match rest.chars().next()? {
        '(' => ')',
        '{' => '}',
        _ => return None,
    };
    let (name, after) = rest[1..].split_once(close)?;
    let value = variables.get(name).filter(|_| depth < DEPTH)?;
    Some(format!("{before}{}{}", expand(value, variables, depth + 1)?, expand(after, variables, depth)?))
}

/// The program that a rule builds and then runs, and how, if it is no example or the like.
fn builds_and_runs<'r>(rule: &'r Rule, rules: &[Rule]) -> Option<(&'r str, String)> {
    const OTHERS: [&str; 7] = ["bench", "example", "demo", "run", "fuzz", "prof", "sample"];
    let [name] = &rule.targets[..] else { return None };
    let phony = rules.iter().any(|rule| rule.targets == [".PHONY"] && rule.needs.contains(name));
    if phony || name.contains(['$', '%']) || OTHERS.iter().any(|other| name.contains(other)) {
        return None;
    }
    let lines =
        || rule.recipe.iter().map(|line| line.trim_start_matches(['@', '-', '+']).trim().replace("$@", name));
    let makes_it = |line: &String| compiles(line) && line.split_whitespace().any(|word| word == name);
    let starts_it = |line: &String| {
        line.split_whitespace().next().is_some_and(|word| word.strip_prefix("./") == Some(name))
    };
    let command = lines().skip_while(|line| !makes_it(line)).find(starts_it)?;
    (!command.contains('$')).then_some((name.as_str(), command))
}

/// The rules of a makefile whose names are plain. Lines that end in a backslash go on.
fn rules(text: &str) -> Vec<Rule> {
    let text = text.replace("\\\n", " ");
    let head = Regex::new(r"^([^\s:=#][^:=#]*?)\s*::?(?:[^=:](.*))?$").expect("it is correct");
    let mut rules: Vec<Rule> = Vec::new();
    for line in text.lines() {
        if let Some(recipe) = line.strip_prefix('\t') {
            rules.last_mut().into_iter().for_each(|rule| rule.recipe.push(recipe.trim().to_owned()));
        } else if let Some(found) = head.captures(line) {
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            let rest = found.get(2).map_or("", |rest| rest.as_str());
            let (needs, first) =
                rest.split_once(';').map_or((rest, None), |(needs, first)| (needs, Some(first)));
            let recipe = first.into_iter().map(|line| line.trim().to_owned()).collect();
            rules.push(Rule { targets: words(&found[1]), needs: words(needs), recipe });
        }
    }
    rules
}

/// Whether a rule starts anything but a compiler, itself or by what it needs. What cannot be seen may.
fn runs(rule: &Rule, rules: &[Rule], depth: usize) -> bool {
    let own = rule.recipe.iter().any(|line| starts_something(line));
    let needs = |name: &String| {
        name.contains('$')
            || rules
                .iter()
                .filter(|rule| rule.targets.contains(name))
                .any(|rule| runs(rule, rules, depth + 1))
    };
    // Every makefile has some way to say `all`, which builds.
    own || (depth < DEPTH && rule.needs.iter().filter(|name| *name != "all").any(needs))
}

/// Whether a line of a recipe starts a program that is no part of a build.
fn starts_something(line: &str) -> bool {
    const BUILDS: [&str; 14] = [
        "echo", "mkdir", "rm", "cp", "mv", "touch", "ar", "ranlib", "ln", "chmod", "printf", "install",
        "libtool", ":",
    ];
    let line = line.trim_start_matches(['@', '-', '+']).trim();
    let first = line.split_whitespace().next().unwrap_or("");
    !(first.is_empty() || first.starts_with('#') || compiles(line) || BUILDS.contains(&first))
}

/// Whether a line of a recipe calls a compiler.
fn compiles(line: &str) -> bool {
    const COMPILERS: [&str; 10] =
        ["cc", "gcc", "clang", "c++", "g++", "clang++", "c99", "tcc", "ld", "musl-gcc"];
    let line = line.trim_start_matches(['@', '-', '+']).trim();
    let first = line.split_whitespace().next().unwrap_or("");
    let variable = first.trim_start_matches(['$', '(', '{']).trim_end_matches([')', '}']).to_uppercase();
    let named = first.starts_with('$')
        && ["CC", "CXX", "LINK", "LD", "COMPILE", "LINKER", "HOSTCC", "AR"]
            .iter()
            .any(|name| variable.ends_with(name));
    named || COMPILERS.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<(String, String)> {
        make_tests(text).map(|tests| (tests.build, tests.command))
    }

    fn make(target: &str) -> Option<(String, String)> {
        Some(("make -k".to_owned(), format!("make {target}")))
    }

    #[test]
    fn a_target_that_only_builds_does_not_run_tests() {
        let built =
            "CFLAGS = -g\n\ntest : test.c lib.h\n\t$(CC) $(CFLAGS) -o $@ test.c\n\nrun : test\n\t./test -a\n";
        assert_eq!(of(built), Some(("make -k test".to_owned(), "./test".to_owned())));
        let all =
            "all: lib-test\n\nlib-test: lib.c\n\t$(CC) -o lib-test lib.c\n\t@echo \"Type ./lib-test\"\n";
        assert_eq!(of(all), Some(("make -k lib-test".to_owned(), "./lib-test".to_owned())));
    }

    #[test]
    fn a_program_that_checks_something_is_run() {
        let check = "check: check-lib\n\t@echo built\ncheck-lib: c.o\n\t$(CC) -o $@ c.o\n";
        assert_eq!(of(check), Some(("make -k check-lib".to_owned(), "./check-lib".to_owned())));
    }

    #[test]
    fn a_target_that_starts_a_program_does() {
        assert_eq!(of("test: prog\n\t./prog --self-test\n"), make("test"));
        assert_eq!(of("check: unit\nunit: t.c\n\t@$(CC) t.c -o t\n\t./t\n"), make("check"));
        assert_eq!(of("tests:\n\t$(MAKE) -C tests run\n"), make("tests"));
        assert_eq!(of("test: $(RESULTS)\n"), make("test"), "who knows");
        assert_eq!(of("CHECK := 1\ncheck ?= 2\nall: prog\nprog: p.c\n\tcc -o prog p.c\n"), None);
        assert_eq!(
            of("test: all\nall: prog\nprog: p.c\n\tcc -o prog p.c\n"),
            None,
            "it builds all, and ends"
        );
    }

    #[test]
    fn a_program_that_is_run_only_when_it_is_built_is_called_directly() {
        let text = "all: smoke smoke_pr bench\n\nsmoke: smoke.c\n\t$(CC) -o $@ $^ -lm\n\t./$@\n\n\
                    smoke_pr: smoke.c\n\t$(CC) -DPR -o $@ $^\n\t@./$@ -q\n\nbench: b.c\n\tcc -o $@ $^\n\t./$@\n";
        let found = Some(("make -k smoke smoke_pr".to_owned(), "./smoke && ./smoke_pr -q".to_owned()));
        assert_eq!(of(text), found);
        let test = "test: t.c\n\tcc -o test t.c\n\t./test\n";
        assert_eq!(of(test), Some(("make -k test".to_owned(), "./test".to_owned())));
        let phony = format!(".PHONY: test\n\n{test}");
        assert_eq!(of(&phony), make("test"));
    }

    #[test]
    fn only_what_tests_need_is_built() {
        let text = "OUT = build\nLIB := $(OUT)/lib.a\nall: demo check\ndemo: demo.c\n\tcc -o demo demo.c\n\
                    check: $(OUT)/.stamp $(OUT)/t\n\t./$(OUT)/t\n$(OUT)/.stamp:\n\tmkdir -p $(OUT)\n\
                    $(OUT)/t: t.c\n\t$(CC) -o $@ t.c\n";
        let found = Some(("make -k build/.stamp build/t".to_owned(), "make check".to_owned()));
        assert_eq!(of(text), found);
        assert_eq!(of(&format!(".PHONY: $(OUT)/t\n{text}")), make("check"), "it is no file");
        assert_eq!(of(&text.replace("OUT = build", "OUT = $(shell pwd)")), make("check"), "it is not known");
    }

    #[test]
    fn the_usual_names_go_before_others() {
        assert_eq!(of("test:\n\t./a\ncheck:\n\t./b\n"), make("check"));
    }
}
