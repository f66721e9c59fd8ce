//! Programs of `node_modules` without npx, which takes longer to start than many a test suite.

use std::path::Path;

const NPX: &str = "npx --no-install ";
const PROGRAMS: &str = "node_modules/.bin";

/// A command in which programs that are in the tree are called directly, and find each other as they do under npx.
pub fn without_npx(line: &str, tree: &Path) -> String {
    let programs = tree.join(PROGRAMS);
    let mut direct = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(NPX) {
        let name = after.split_whitespace().next().unwrap_or_default();
        let plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
        direct.push_str(before);
        if plain && !name.is_empty() && programs.join(name).is_file() {
            direct.push_str(&format!("PATH=\"$PWD/{PROGRAMS}:$PATH\" {PROGRAMS}/"));
        } else {
            direct.push_str(NPX);
        }
        rest = after;
    }
    direct + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_the_tree_are_called_directly() {
        let tree = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(tree.path().join(PROGRAMS)).unwrap();
        std::fs::write(tree.path().join(PROGRAMS).join("ava"), "").unwrap();
        let line = "tsc && npx --no-install ava --tap && npx --no-install other";
        assert_eq!(
            without_npx(line, tree.path()),
            "tsc && PATH=\"$PWD/node_modules/.bin:$PATH\" node_modules/.bin/ava --tap && npx --no-install other"
        );
        assert_eq!(without_npx("make check", tree.path()), "make check");
    }
}
