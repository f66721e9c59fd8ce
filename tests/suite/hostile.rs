//! Documents and names from elsewhere: nothing that a terminal would obey is printed, nothing outside of the
//! project is shown.

use std::fs;
use std::path::Path;
use std::process::Output;

use super::cli::command;

/// Clears the screen, sets a colour, begins a line of its own, and turns the direction of writing.
const NASTY: &str = "n\u{1b}[2J\u{1b}[35m\nFORGED\r\u{9b}\u{202e}";

fn run(directory: &Path, arguments: &[&str]) -> Output {
    command(directory).args(arguments).output().unwrap()
}

/// Checks all that was printed.
fn printed(output: &Output) -> String {
    let text = String::from_utf8([&output.stdout[..], &output.stderr].concat()).unwrap();
    let odd = text.chars().find(|c| (c.is_control() && !"\n\t".contains(*c)) || *c == '\u{202e}');
    assert_eq!(odd, None, "{text}");
    assert!(!text.lines().any(|line| line.starts_with("FORGED")), "{text}");
    assert!(text.contains("FORGED"), "the name is shown: {text}");
    text
}

fn matrix(file: &str, name: &str) -> String {
    let name = serde_json::to_string(name).unwrap();
    let file = serde_json::to_string(file).unwrap();
    format!(
        r#"{{"format":1,"tests":[{{"name":{name},"baseline":"fail"}},{{"name":"ok"}}],"mutants":[
        {{"id":{name},"file":{file},"line":1,"endLine":4294967295,"operator":{name},"before":{name},"after":{name},
        "start":1,"end":3,"text":"x","outcome":{{"fate":"survived","covered":[0,1],"ran":"covered"}}}},
        {{"id":"2","file":{file},"line":1,"outcome":{{"fate":"killed","covered":[0,1],"ran":"covered",
        "killedBy":{{"fail":[1]}}}}}}]}}"#
    )
}

#[test]
fn names_in_a_matrix_do_nothing_to_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let file = "src/\u{1b}[31m\nFORGED.c";
    fs::create_dir(home.path().join("src")).unwrap();
    fs::write(home.path().join(file), format!("int {NASTY};\n")).unwrap();
    fs::write(home.path().join("m.json"), matrix(file, NASTY)).unwrap();
    printed(&run(home.path(), &["localize", "--matrix", "m.json", "--top", "0"]));
    printed(&run(home.path(), &["localize", "--matrix", "m.json", "--test", "FORGED"]));
    fs::write(home.path().join("failing"), "FORGED\u{1b}[2J\n").unwrap();
    printed(&run(home.path(), &["localize", "--matrix", "m.json", "--failing", "failing"]));
}

#[test]
fn operators_and_file_names_do_nothing_to_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let name: String = NASTY.chars().map(|c| format!("\\u{:04X}", c as u32)).collect();
    let set = format!(
        "format = 1\nlanguage = \"c\"\nname = \"{name}\"\n[[operator]]\nname = \"{name}\"\nfind = \".<\"\nput = \".<=\"\n\
         [[operator]]\nfind = \":FORGED\\\\x1b[2J\"\nput = \"\"\ncount = 1\nrepos = [\"{name}\"]\n\
         [[shift]]\nbefore = \"FORGED\\\\x1b\"\nafter = \"b\"\n"
    );
    fs::write(home.path().join("set.toml"), set).unwrap();
    fs::write(home.path().join("\nFORGED\u{1b}[2J.c"), "int f(int a) { return a < 1; }\n").unwrap();
    for arguments in [
        &["ops", "show", "set.toml"][..],
        &["ops", "lint", "set.toml"],
        &["mutate", ".", "-l", "c", "--ops", "set.toml"],
        &["mutate", ".", "-l", "c", "--ops", "set.toml", "--list"],
        &["mutate", ".", "-l", "c", "--ops", "FORGED\u{1b}[2J.toml"],
    ] {
        let output = run(home.path(), arguments);
        printed(&output);
    }
}

#[test]
fn a_matrix_shows_nothing_outside_of_the_project() {
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join("project");
    fs::create_dir(&root).unwrap();
    fs::write(outer.path().join("secret.c"), "SECRET text\n").unwrap();
    std::os::unix::fs::symlink("../secret.c", root.join("link.c")).unwrap();
    let absolute = outer.path().join("secret.c").display().to_string();
    for file in ["../secret.c", "link.c", &absolute] {
        fs::write(root.join("m.json"), matrix(file, "m")).unwrap();
        let output = run(&root, &["localize", "--matrix", "m.json", "--html", "page.html"]);
        assert_eq!(output.status.code(), Some(0));
        let page = fs::read_to_string(root.join("page.html")).unwrap();
        assert!(!page.contains("SECRET"), "{page}");
        assert!(page.contains("Not shown: ") && page.contains("is outside of"), "{page}");
        let text = run(&root, &["localize", "--matrix", "m.json"]);
        let text = String::from_utf8(text.stdout).unwrap();
        assert!(!text.contains("SECRET") && text.contains("not shown: "), "{text}");
    }
}

#[test]
fn a_page_holds_markup_of_its_own_only() {
    let home = tempfile::tempdir().unwrap();
    let name = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;";
    let file = "a<b onclick='x'>\".c";
    fs::write(home.path().join(file), format!("int {name};\n")).unwrap();
    fs::write(home.path().join("m.json"), matrix(file, name)).unwrap();
    let output = run(home.path(), &["localize", "--matrix", "m.json", "--html", "page.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(home.path().join("page.html")).unwrap();
    assert!(page.contains("&lt;/script&gt;"), "{page}");
    for tag in ["<script", "</script", "<img", "<b onclick"] {
        assert!(!page.contains(tag), "{tag}: {page}");
    }
}
