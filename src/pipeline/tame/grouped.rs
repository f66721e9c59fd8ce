//! Inputs in a directory per group: one of each is to be looked at.
//!
//! In: an order with its groups, and the files of the inputs. Out: copies in a new directory; originals stay as they
//! are.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

use crate::files::Beneath;

use super::request::Taming;

/// Copies inputs into directories `001`, `002`, …, in the order of the list; gives how many there are. The directory
/// must be new or empty.
pub fn group_into(taming: &Taming, files: &[(String, PathBuf)], into: &Path) -> io::Result<usize> {
    if fs::read_dir(into).is_ok_and(|mut entries| entries.next().is_some()) {
        let why = "it is not empty; name a new directory";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
    }
    fs::create_dir_all(into)?;
    let directory = Beneath::open(into)?;
    let groups = in_order(taming);
    for (number, inputs) in (1..).zip(&groups) {
        let group = PathBuf::from(format!("{number:03}"));
        directory.create_dir_all(&group)?;
        for name in inputs.iter().map(|input| &taming.inputs.names[*input]) {
            let Some((_, file)) = files.iter().find(|(known, _)| known == name) else { continue };
            directory.write(&group.join(name.replace('/', "_")), &fs::read(file)?)?;
        }
    }
    Ok(groups.len())
}

/// The groups in the order in which the list comes to them; an input that differs from all others is one.
fn in_order(taming: &Taming) -> Vec<Vec<usize>> {
    let group_of: BTreeMap<usize, &Vec<usize>> =
        taming.groups.iter().flat_map(|group| group.iter().map(move |input| (*input, group))).collect();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for ranked in &taming.order {
        if !groups.iter().any(|group| group.contains(&ranked.input)) {
            let alone = || vec![ranked.input];
            groups.push(group_of.get(&ranked.input).map_or_else(alone, |group| (*group).clone()));
        }
    }
    groups
}
