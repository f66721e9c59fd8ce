//! `wildcaught ops lint`: finds dubious operators in a set that loads.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use anyhow::Result;
use anyhow::bail;

use crate::langdef::LangDef;
use crate::langdef::language;
use crate::operator::OperatorSet;
use crate::operator::lint;
use crate::report::counted;

use super::super::args::LanguageArgs;
use super::super::exit::Exit;
use super::super::output::print_text;
use super::source;

/// Runs the command.
pub fn run(path: &Path, language: &LanguageArgs) -> Result<Exit> {
    let set = source::read(path)?;
    let name = source::name(path);
    let def = definition(&set, &name, language)?;
    let findings = lint(&set, &def);
    if findings.is_empty() {
        let count = counted(set.operators.len() as u64, "operator");
        print_text(&format!("{name}: {count}, no findings\n"))?;
        return Ok(Exit::Fine);
    }
    let mut text = String::new();
    for finding in findings {
        let _ = writeln!(text, "{name}: {} `{}`: {}", finding.id, finding.find, finding.problem);
    }
    print_text(&text)?;
    Ok(Exit::Findings)
}

/// The language that the set names; `-l` brings the definition of one that is not built in.
fn definition(set: &OperatorSet, name: &str, args: &LanguageArgs) -> Result<LangDef> {
    let wanted = &set.header.language;
    let Some(given) = &args.language else {
        return language(wanted).with_context(|| format!("{name}: language = {wanted:?}"));
    };
    let def = language(given)?;
    if def.name() != wanted {
        bail!(
            "{name} is for {wanted}, but {given} defines {}; name the definition of {wanted} with -l",
            def.name()
        );
    }
    Ok(def)
}
