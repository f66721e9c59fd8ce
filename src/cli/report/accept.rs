//! `wildcaught accept`: arguments → entries of `wildcaught.accepted.toml`.

use std::fs;

use anyhow::Result;
use anyhow::bail;

use crate::exec::Spec;
use crate::matrix::ACCEPTED;
use crate::matrix::Accepted;
use crate::matrix::AcceptedMutant;
use crate::matrix::KillMatrix;
use crate::matrix::RunDir;

use super::super::exit::Exit;
use super::super::output::write_out;
use super::super::settings::results;
use super::super::test::by_id;
use super::args::AcceptArgs;
use super::job::project_root;
use super::kept::read_accepted;

/// Runs the command.
pub fn run(args: &AcceptArgs) -> Result<Exit> {
    let root = args.root.clone().unwrap_or_else(project_root);
    let path = root.join(ACCEPTED);
    let known = read_accepted(&root)?;
    let matrix = KillMatrix::load(&RunDir::open_store(&results(&args.out))?)?;
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    let author = args.author.clone().unwrap_or_else(author);
    let mut added = Vec::new();
    for id in &args.ids {
        for at in by_id(id, &matrix)? {
            let row = &matrix.mutants[at as usize];
            let fate = matrix.fate(at as usize);
            if !fate.is_missed() {
                bail!("{} is {}; only missed mutants can be accepted", row.id, fate.name());
            }
            if known.accept.iter().any(|entry| entry.id == row.id) || added.contains(&row.id) {
                tell!("{} is accepted already", row.id);
                continue;
            }
            added.push(row.id.clone());
            text = Accepted::with(
                &text,
                &AcceptedMutant {
                    id: row.id.clone(),
                    reason: args.reason.clone(),
                    author: author.clone(),
                    expires: args.expires.clone().unwrap_or_default(),
                    place: format!("{}:{}", row.file, row.line),
                    words: row.words(),
                },
            );
        }
    }
    Accepted::parse(&text, &path.display().to_string())?;
    if !added.is_empty() {
        write_out(Some(&path), &text)?;
        tell!("{} in {}: {}", added.len(), path.display(), added.join(", "));
    }
    Ok(Exit::Fine)
}

/// The user's name as git knows it.
fn author() -> String {
    let said = Spec::shell("git config user.name", std::path::Path::new(".")).run();
    said.map_or_else(|_| String::new(), |said| String::from_utf8_lossy(&said.stdout).trim().to_owned())
}
