//! What to run before the parts, as a part, and after all parts.

use std::path::Path;
use std::path::PathBuf;

use anyhow::Result;
use anyhow::bail;

use super::super::settings::OUT;
use super::super::settings::results;
use super::args::WorkArgs;
use super::retype::Typed;
use super::retype::takes;

/// Stands for the number of the part in what is typed.
pub const PART: &str = "{part}";
/// Options that say how something is run: a plan needs them, and so does every part.
const HOW: [&str; 4] = ["quiet", "jobs", "sandbox", "network"];
/// Options that say what is shown, and not what is done.
const SHOWN: [&str; 9] = ["output", "raw", "json", "html", "list", "funnel", "explain", "show", "suites"];

/// Work that is cut into parts.
pub struct Work {
    /// The directory of scripts, logs and parts.
    pub dir: PathBuf,
    pub parts: u32,
    /// What is run once, before everything; nothing for most commands.
    pub before: Option<Vec<String>>,
    /// What is run for each part.
    pub part: Vec<String>,
    /// What is run when all parts are done, one after the other.
    pub after: Vec<Vec<String>>,
    /// Exit codes of a part that is done.
    pub fine: &'static [i32],
}

impl Work {
    /// Cuts a command into parts.
    pub fn new(args: &WorkArgs) -> Result<Self> {
        let typed = Typed::parse(&args.command)?;
        if typed.has("shard") || typed.has("plan") {
            bail!("remove --shard and --plan: submit adds them to every part");
        }
        let out = typed.value("out").map_or_else(|| PathBuf::from(OUT), PathBuf::from);
        let home = results(&out);
        let dir = args.dir.clone().unwrap_or_else(|| home.join("submit"));
        let cut = Cut { typed: &typed, home: &home, dir: &dir, parts: args.array };
        match typed.name.as_str() {
            "test" => Ok(cut.test()),
            "localize" => cut.localize(),
            "harvest" => cut.harvest(),
            "coupling" => cut.coupling(),
            other => {
                bail!("{other} cannot be split into parts; test, localize, harvest and coupling --test can")
            }
        }
    }
}

struct Cut<'a> {
    typed: &'a Typed,
    home: &'a Path,
    dir: &'a Path,
    parts: u32,
}

impl Cut<'_> {
    fn work(&self, part: Vec<String>, after: Vec<Vec<String>>, fine: &'static [i32]) -> Work {
        Work { dir: self.dir.to_owned(), parts: self.parts, before: None, part, after, fine }
    }

    /// The options that are wanted, behind a name.
    fn line(&self, name: &str, more: &[String], wanted: impl Fn(&str) -> bool) -> Vec<String> {
        [&[name.to_owned()], more, &self.typed.words(wanted)[..]].concat()
    }

    fn shard(&self) -> String {
        format!("--shard={PART}/{}", self.parts)
    }

    fn inside(&self, option: &str, name: &str) -> String {
        format!("--{option}={}", self.dir.join(name).display())
    }

    fn parts(&self) -> String {
        self.dir.join("parts").display().to_string()
    }

    fn out(&self) -> String {
        format!("--out={}", self.home.display())
    }

    fn test(&self) -> Work {
        let plan = self.inside("output", "plan.wc");
        let before = self.line("plan", &[plan, self.out()], |id| takes("plan", id) && id != "out");
        let own = [self.inside("plan", "plan.wc"), self.shard(), format!("--out={}/{PART}", self.parts())];
        let part = self.line("test", &own, |id| {
            let planned = takes("plan", id) && !HOW.contains(&id);
            let judged = takes("merge", id);
            !planned && !judged && id != "out" && !SHOWN.contains(&id)
        });
        let merge = [self.parts(), self.out()];
        let after = self.line("merge", &merge, |id| takes("merge", id) && id != "out");
        Work { before: Some(before), ..self.work(part, vec![after], &[0]) }
    }

    fn localize(&self) -> Result<Work> {
        for id in ["matrix", "compare", "methods", "audit"] {
            if self.typed.has(id) {
                bail!("--{id}: runs no mutants that could be split into parts");
            }
        }
        let own = [self.shard(), format!("--out={}/{PART}", self.parts())];
        let part = self.line("localize", &own, |id| id != "out" && !SHOWN.contains(&id));
        let merge =
            ["merge".to_owned(), self.parts(), self.out(), "--fail-on=nothing".into(), "--show=0".into()];
        let matrix = [
            format!("--matrix={}", self.home.display()),
            format!("--coverage={}", self.home.join("coverage.info").display()),
        ];
        let gathers = ["config", "out", "per_statement", "seed", "resume", "jobs", "paths", "ops"];
        let rank = self.line("localize", &matrix, |id| !gathers.contains(&id) && !HOW.contains(&id));
        Ok(self.work(part, vec![merge.to_vec(), rank], &[0]))
    }

    fn harvest(&self) -> Result<Work> {
        if !self.typed.has("language") {
            bail!(
                "name the language with -l: a part reads only some of the repositories, so it cannot detect it"
            );
        }
        self.kept("tallies")
    }

    fn coupling(&self) -> Result<Work> {
        if !self.typed.has("test") {
            bail!("coupling without --test is fast and is not split into parts; run it here, or add --test");
        }
        self.kept("fixes")
    }

    /// A command that keeps what each part found where the next run of it finds that.
    fn kept(&self, name: &str) -> Result<Work> {
        if self.typed.has("dry_run") {
            bail!("--dry-run: use --print of submit instead");
        }
        let keep = if self.typed.has("keep") { vec![] } else { vec![self.inside("keep", name)] };
        let own = [&keep[..], &[self.shard()]].concat();
        let command = &self.typed.name;
        let part = self.line(command, &own, |id| !SHOWN.contains(&id));
        let after = self.line(command, &keep, |_| true);
        Ok(self.work(part, vec![after], &[0, 5]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(line: &str) -> Result<Work> {
        let command = line.split(' ').map(str::to_owned).collect();
        Work::new(&WorkArgs { array: 4, dir: Some("d".into()), print: false, quiet: false, command })
    }

    #[test]
    fn options_go_where_they_belong() {
        let test = work("test src --ops wild --jobs 2 --min-score 80 --resume").unwrap();
        let line = |words: &[String]| words.join(" ");
        let plan = "plan --output=d/plan.wc --out=wildcaught.out --ops=wild --jobs=2 src";
        assert_eq!(line(&test.before.unwrap()), plan);
        let part = "test --plan=d/plan.wc --shard={part}/4 --out=d/parts/{part} --jobs=2 --resume";
        assert_eq!(line(&test.part), part);
        assert_eq!(line(&test.after[0]), "merge d/parts --out=wildcaught.out --min-score=80");
        let harvest = work("harvest a b -l c -o c.toml").unwrap();
        assert_eq!(line(&harvest.part), "harvest --keep=d/tallies --shard={part}/4 --language=c a b");
        assert_eq!(line(&harvest.after[0]), "harvest --keep=d/tallies --output=c.toml --language=c a b");
        let coupling = work("coupling r --test --keep k --json").unwrap();
        assert_eq!(line(&coupling.part), "coupling --shard={part}/4 --test --keep=k r");
        let localize = work("localize --method muse --html l.html").unwrap();
        let part = "localize --shard={part}/4 --out=d/parts/{part} --method=muse";
        assert_eq!(line(&localize.part), part);
        let rank = "localize --matrix=wildcaught.out --coverage=wildcaught.out/coverage.info --method=muse --html=l.html";
        assert_eq!(line(&localize.after[1]), rank);
    }

    #[test]
    fn what_cannot_be_shared_is_said() {
        for (line, why) in [
            ("test --shard 1/2", "submit adds them"),
            ("harvest a -o x", "-l"),
            ("coupling r", "--test"),
            ("localize --methods", "--methods"),
            ("lex a.c", "cannot be split"),
            ("test --bad", "--bad"),
        ] {
            let refusal = work(line).map(|_| ()).unwrap_err().to_string();
            assert!(refusal.contains(why), "{line}: {refusal}");
        }
    }
}
