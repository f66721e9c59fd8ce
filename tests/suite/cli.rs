//! The built command, run on small inputs: output, exit codes, messages.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;

use tempfile::TempDir;

const FIRST: &str = r#"format = 1
name = "first"
language = "c"
idioms = ["NULL"]

[corpus]
commits = 1234

[funnel.backward]
candidates = 200
too-many-tokens = 198

[[source]]
name = "gh:a/b"

[[operator]]
find = ":if .( $1 .&& $2 .)"
put = ":if .( $1 .)"
count = 12
fixes = 6
commits = 11
repos = ["gh:a/b", "gh:c/d"]
examples = ["gh:a/b@0123456789ab"]
binds = [{ identifier = 10, number = 2 }, { identifier = 12 }]
position = { start = 12 }

[[operator]]
find = "$1 .== :NULL"
put = ""
count = 3
repos = ["gh:a/b"]

[[shift]]
before = "min"
after = "max"
count = 4
repos = ["gh:a/b"]
"#;

const SECOND: &str = r#"format = 1
name = "second"
language = "c"

[[operator]]
find = "$1 .== :NULL"
put = ""
count = 2
repos = ["gh:e/f"]

[[operator]]
find = ".< $1"
put = ".<= $1"
"#;

/// The definition in the paper's Figure 2.
const FIGURE_2: &str = r#"K auto break case char const continue default
K do double else enum extern float for goto
K if inline int long register restrict return
K short signed sizeof static struct switch
K typedef union unsigned void volatile while
O = += -= *= /= %= &= |= ^= <<= >>= ++ --
O + - * / % ~ & | ^ << >> ! && ||
O == != < > <= >= [ ] -> . ( ) , ? :
Q ' "
C /* */
c //
"#;

pub fn command(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wildcaught"));
    command.current_dir(directory).env("COLUMNS", "100").env_remove("WILDCAUGHT_CACHE").stdin(Stdio::null());
    // Not the pull request of the job that runs these tests.
    for name in ["CI", "TF_BUILD", "JENKINS_URL"] {
        command.env_remove(name);
    }
    command
}

/// A directory with two sets in it, and commands run there.
struct Place(TempDir);

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("a.toml", FIRST);
        place.write("b.toml", SECOND);
        place
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), text).unwrap();
    }

    fn run(&self, line: &str) -> Ran {
        Ran::of(command(self.0.path()).args(line.split_whitespace()).output().unwrap())
    }

    fn pipe(&self, input: &str, line: &str) -> Ran {
        let mut child = command(self.0.path())
            .args(line.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses its arguments ends before it reads.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Ran::of(child.wait_with_output().unwrap())
    }
}

impl Ran {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The output, if all was well.
    #[track_caller]
    fn fine(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""));
        self.out
    }

    /// The output of a command that found something.
    #[track_caller]
    fn findings(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(2), ""));
        self.out
    }

    /// The message of a command that refused its input and wrote nothing.
    #[track_caller]
    fn refusal(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(1), ""), "{}", self.err);
        self.err
    }
}

#[track_caller]
fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in:\n{text}");
}

#[test]
fn show_lists_a_line_per_operator_and_shift() {
    let text = Place::new().run("ops show a.toml").fine();
    assert_has(&text, "     12      2   50 %  :if .( $1 .&& $_ .) ⇒ :if .( $1 .)\n");
    assert_has(&text, "$_ .== :NULL ⇒ ε\n");
    assert_has(&text, "min ⇔ max\n");
    assert_eq!(Place::new().run("ops show a.toml --top 1").fine().lines().count(), 5);
}

#[test]
fn show_with_an_id_tells_everything() {
    let place = Place::new();
    let list = place.run("ops show a.toml").fine();
    let id = list.lines().nth(1).unwrap().split(' ').next().unwrap();
    let text = place.run(&format!("ops show a.toml {id}")).fine();
    for part in [
        "find      :if .( $1 .&& $_ .)\n",
        "12 changes in 11 commits of 2 repositories; 6 in fixes (50 %)\n",
        "hole      $1: identifier 10, number 2\n",
        "hole      $_: identifier 12\n",
        "position  start 12\n",
        "example   gh:a/b@0123456789ab\n",
    ] {
        assert_has(&text, part);
    }
    assert_has(
        &place.run("ops show a.toml xyz").refusal(),
        "no operator or shift whose id begins with \"xyz\"",
    );
}

#[test]
fn an_ambiguous_id_lists_the_candidates() {
    let place = Place::new();
    let mut set = "format = 1\nlanguage = \"c\"\n".to_owned();
    for number in 0..17 {
        set.push_str(&format!("[[operator]]\nfind = \":w{number}\"\nput = \"\"\n"));
    }
    place.write("many.toml", set);
    let digits = "0123456789abcdef".chars().map(|digit| place.run(&format!("ops show many.toml {digit}")));
    let errors: Vec<String> =
        digits.filter(|ran| ran.err.contains("add more digits")).map(Ran::refusal).collect();
    assert!(!errors.is_empty(), "seventeen ids begin with sixteen digits");
    assert_has(&errors[0], " ⇒ ε\n");
}

#[test]
fn stats_are_for_people_and_programs() {
    let place = Place::new();
    let text = place.run("ops stats a.toml").fine();
    assert_has(&text, "Too many tokens                     198              99.0 %     2\n");
    assert_has(&text, "seen in two or more repositories          1       0\n");
    let json: serde_json::Value = serde_json::from_str(&place.run("ops stats a.toml --json").fine()).unwrap();
    assert_eq!(json["operators"], 2);
    assert_eq!(json["deletions"], 1);
    assert_eq!(json["operator_figures"]["changes"], 15);
    assert_eq!(json["top_operators"][0]["put"], ":if .( $1 .)");
}

#[test]
fn sets_go_through_pipes() {
    let place = Place::new();
    let thin = place.run("ops filter a.toml --min-repos 2 --name thin").fine();
    assert_has(
        &place.pipe(&thin, "ops stats -").fine(),
        "in the set                                1       0\n",
    );
    assert_eq!(place.pipe(&thin, "ops merge -").fine(), thin);
    assert_has(&place.pipe(&thin, "ops diff - -").refusal(), "can be read only once");
    assert_has(
        &place.pipe("format = 1", "ops show -").refusal(),
        "standard input:1:1: missing field `language`",
    );
}

#[test]
fn merge_adds_up_and_refuses_another_kind() {
    let place = Place::new();
    assert_eq!(place.run("ops merge a.toml b.toml -o c.toml").fine(), "");
    let text = fs::read_to_string(place.0.path().join("c.toml")).unwrap();
    assert_has(&text, "count = 5\nrepos = [\"gh:a/b\", \"gh:e/f\"]\n");
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 3, "no temporary file stays");
    place.write("java.toml", "format = 1\nlanguage = \"java\"\n");
    let error = place.run("ops merge a.toml java.toml").refusal();
    assert_has(&error, "a.toml and java.toml differ in language (c and java)");
    let twice = place.run("ops merge a.toml a.toml");
    assert_eq!(twice.code, Some(0));
    assert_has(&twice.err, "warning: a.toml: source gh:a/b is also in an earlier set");
}

#[test]
fn diff_finds_what_only_one_set_has() {
    let place = Place::new();
    let text = place.run("ops diff a.toml b.toml").findings();
    assert_has(&text, "-     12  :if .( $1 .&& $_ .) ⇒ :if .( $1 .)\n");
    assert_has(&text, "+      0  .< $1 ⇒ .<= $1\n");
    assert_has(&text, "= in both                              1       0\n");
    assert_has(&text, "  of these, with other counts          1       0\n");
    place.run("ops diff a.toml a.toml").fine();
    assert_has(&place.run("ops diff a.toml none.toml").refusal(), "cannot read none.toml");
}

#[test]
fn filter_keeps_what_was_seen_widely() {
    let place = Place::new();
    let text = place.run("ops filter a.toml --min-count 4 --top 1").fine();
    assert_eq!(text.matches("[[operator]]").count(), 1);
    let nothing = place.run("ops filter a.toml --min-count 100");
    assert_eq!(nothing.code, Some(5));
    assert_has(&nothing.err, "nothing of a.toml is left");
    assert_has(&place.run("ops filter a.toml --min-fix-share 2").refusal(), "must be between 0 and 1");
}

#[test]
fn lint_finds_what_cannot_work() {
    let place = Place::new();
    assert_eq!(place.run("ops lint a.toml").fine(), "a.toml: 2 operators, no findings\n");
    let text = place.run("ops lint b.toml").findings();
    assert_has(&text, "`$_ .== :NULL`: :NULL is neither a keyword of c nor an idiom of this set");
    assert_has(&place.run("ops lint a.toml -l java").refusal(), "a.toml is for c, but java defines java");
    place.write("odd.toml", "format = 1\nlanguage = \"odd\"\n");
    assert_has(&place.run("ops lint odd.toml").refusal(), "unknown language \"odd\"");
}

#[test]
fn a_set_with_a_mistake_is_refused_by_every_command() {
    let place = Place::new();
    place.write("key.toml", format!("{FIRST}bogus = 1\n"));
    place.write("word.toml", FIRST.replace("$1 .== :NULL", "$1 == :NULL"));
    place.write("bytes.toml", b"\xff");
    for line in ["show X", "stats X", "merge a.toml X", "diff a.toml X", "filter X", "lint X"] {
        let run = |file: &str| place.run(&format!("ops {}", line.replace('X', file))).refusal();
        assert_has(&run("key.toml"), "error: key.toml:38:1: unknown field `bogus`");
        assert_has(&run("word.toml"), "error: word.toml:28:12: `==` must begin with one of");
        assert_has(&run("bytes.toml"), "bytes.toml is not UTF-8");
        assert_has(&run("none.toml"), "cannot read none.toml");
    }
}

#[test]
fn languages_are_listed_shown_and_checked() {
    let place = Place::new();
    assert_has(&place.run("langdef list").fine(), "*.c *.h\n");
    let text = place.run("langdef show c").fine();
    place.write("mine.toml", &text);
    assert_has(&place.run("langdef check mine.toml").fine(), "mine.toml: valid: C (-l c), *.c *.h; ");
    assert_has(&place.run("langdef show klingon").refusal(), "unknown language \"klingon\"; built in are c,");
    place.write("wrong.toml", text.replace("[[\"(\", \")\"]", "[[\"(\", \"<<|\"]"));
    assert_has(
        &place.run("langdef check wrong.toml").refusal(),
        "wrong.toml: \"<<|\" is not an operator; add it to",
    );
    assert_has(&place.run("langdef check none.toml").refusal(), "cannot read none.toml");
    assert_has(&place.run("langdef check a.toml").refusal(), "unknown field `language`");
}

#[test]
fn the_papers_definition_of_c_is_imported() {
    let place = Place::new();
    place.write("c.lang", FIGURE_2);
    let text = place.run("langdef import c.lang --extensions c,h").fine();
    assert!(text.lines().all(|line| line.len() <= 110), "{text}");
    place.write("c.toml", text);
    let summary = place.run("langdef check c.toml").fine();
    assert_has(&summary, "*.c *.h; 34 keywords, 45 operators, 3 bracket pairs, 2 comments, 2 quotes\n");
    place.write("x.c", "if (a >>= 'x') /* b */ c(\"d\\\"\"); // e\n");
    assert_eq!(place.run("lex x.c -l c.toml --count").fine(), place.run("lex x.c --count").fine());
    place.write("wrong.lang", "K if\nX y\n");
    let error = place.run("langdef import wrong.lang").refusal();
    assert_has(&error, "wrong.lang:2: line begins with \"X\"; begin it with K, O, Q, C or c");
    place.write("a-b.lang", FIGURE_2);
    assert_has(&place.run("langdef import a-b.lang").refusal(), "--name");
}

#[test]
fn lex_lists_and_counts() {
    let place = Place::new();
    place.write("x.c", b"#if 1\nf(\"\xff\"); /* open".as_slice());
    let text = place.run("lex x.c").fine();
    assert_has(&text, "1:2       keyword    if  [directive]\n");
    assert_has(&text, "2:3       string     \"\\xff\"\n");
    assert_has(&place.run("lex x.c --all").fine(), "2:9       comment    /* open  [broken]\n");
    assert_has(&place.run("lex x.c --count").fine(), "identifier       1              0       0\n");
    assert_has(&place.pipe("return 1;", "lex - -l c").fine(), "1:1       keyword    return\n");
    assert_has(&place.pipe("x", "lex -").refusal(), "name it with -l");
    assert_has(&place.run("lex a.toml").refusal(), "cannot detect the language from the file name");
    assert_has(&place.run("lex x.c -l klingon").refusal(), "unknown language \"klingon\"");
    assert_has(&place.run("lex none.c").refusal(), "cannot read none.c");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    let mut set = "format = 1\nlanguage = \"c\"\n".to_owned();
    for number in 0..4000 {
        set.push_str(&format!("[[operator]]\nfind = \":word_number_{number} .( $1 .)\"\nput = \"$1\"\n"));
    }
    place.write("large.toml", &set);
    place.write("large.c", "word\n".repeat(100_000));
    for line in
        ["ops show large.toml", "ops filter large.toml", "lex large.c", "langdef show c", "completions bash"]
    {
        let mut child = command(place.0.path())
            .args(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ran = Ran::of(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line}");
    }
}

#[test]
fn wrong_arguments_are_refused() {
    let place = Place::new();
    assert_has(&place.run("ops").err, "Usage: wildcaught ops <COMMAND>");
    for line in
        ["ops bogus", "ops show", "ops merge", "lex", "langdef check", "ops show a.toml --top x", "--bogus"]
    {
        assert_has(&place.run(line).refusal(), "error: ");
    }
}
