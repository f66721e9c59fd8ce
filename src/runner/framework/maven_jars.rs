//! Jars that Maven adds to a class path only when it runs tests: the engine and the launcher of JUnit 5.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::exec::Spec;

use super::super::request::RunError;
use super::setup::TestSetup;

/// How long a download may take.
const DOWNLOAD: Duration = Duration::from_secs(300);

/// A library in a repository of Maven.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Artifact {
    group: &'static str,
    name: &'static str,
    version: String,
}

impl Artifact {
    fn path(&self, repository: &Path) -> PathBuf {
        let Self { group, name, version } = self;
        repository
            .join(group.replace('.', "/"))
            .join(name)
            .join(version)
            .join(format!("{name}-{version}.jar"))
    }
}

/// What a class path lacks to run tests of JUnit 5, downloaded if need be.
pub(super) fn launcher_jars(jars: &[String], setup: &TestSetup) -> Result<Vec<String>, RunError> {
    let Some((repository, lacking)) = lacking(jars) else { return Ok(vec![]) };
    let absent: Vec<&Artifact> = lacking.iter().filter(|one| !one.path(&repository).is_file()).collect();
    if !absent.is_empty() {
        download(&absent, setup)?;
    }
    match lacking.iter().find(|one| !one.path(&repository).is_file()) {
        None => Ok(lacking.iter().map(|one| one.path(&repository).display().to_string()).collect()),
        Some(Artifact { group, name, version }) => Err(RunError::Broken(format!(
            "JUnit 5 needs {group}:{name}:{version}, which is not in {} and cannot be downloaded; run `mvn \
             test` once with a network connection",
            repository.display()
        ))),
    }
}

/// The repository that a class path is from, and what is lacking in the path.
fn lacking(jars: &[String]) -> Option<(PathBuf, Vec<Artifact>)> {
    let version = |name: &str| {
        let jar = jars.iter().find(|jar| {
            Path::new(jar).file_name().is_some_and(|file| {
                file.to_string_lossy()
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            })
        })?;
        let version = Path::new(jar).parent()?.file_name()?.to_string_lossy().into_owned();
        Some((Path::new(jar).ancestors().nth(6)?.to_owned(), version))
    };
    let (repository, jupiter) = match (version("junit-jupiter-api-"), version("junit-platform-engine-")) {
        (Some((repository, version)), _) => (repository, version),
        (None, Some((repository, version))) => (repository, version.replacen("1.", "5.", 1)),
        (None, None) => return None,
    };
    // Until version 6, the platform counted for itself.
    let platform = jupiter.strip_prefix("5.").map_or(jupiter.clone(), |rest| format!("1.{rest}"));
    let all = [
        ("org.junit.jupiter", "junit-jupiter-engine", &jupiter),
        ("org.junit.platform", "junit-platform-engine", &platform),
        ("org.junit.platform", "junit-platform-launcher", &platform),
    ];
    let lacking = all.into_iter().filter(|(_, name, _)| version(&format!("{name}-")).is_none());
    let lacking: Vec<Artifact> =
        lacking.map(|(group, name, version)| Artifact { group, name, version: version.clone() }).collect();
    Some((repository, lacking))
}

/// Has Maven resolve a project that needs nothing else.
fn download(artifacts: &[&Artifact], setup: &TestSetup) -> Result<(), RunError> {
    let directory = setup.scratch.join("launcher");
    let needs: Vec<String> = artifacts.iter().map(|one| dependency(one)).collect();
    let pom = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>wildcaught</groupId><artifactId>launcher</artifactId>\
         <version>1</version><dependencies>{}</dependencies></project>\n",
        needs.concat()
    );
    fs::create_dir_all(&directory)
        .and_then(|()| fs::write(directory.join("pom.xml"), pom))
        .map_err(RunError::io(directory.display().to_string()))?;
    let line = "if command -v mvn > /dev/null; then mvn -B -q compile; else sh \"$1\" -B -q compile; fi";
    let wrapper = setup.tree.join("mvnw");
    // If it fails, the jars are still absent, and that is told.
    setup.observe(Spec::shell(line, &directory).arg(wrapper).time(DOWNLOAD)).map(drop)
}

fn dependency(artifact: &Artifact) -> String {
    let Artifact { group, name, version } = artifact;
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(jars: &[&str]) -> Option<(PathBuf, Vec<String>)> {
        let jars: Vec<String> = jars.iter().map(|jar| (*jar).to_owned()).collect();
        let (repository, lacking) = lacking(&jars)?;
        let paths = lacking.iter().map(|one| one.path(Path::new("")).display().to_string());
        Some((repository, paths.collect()))
    }

    #[test]
    fn the_launcher_has_the_version_of_the_tests() {
        let api = "/m2/org/junit/jupiter/junit-jupiter-api/5.14.4/junit-jupiter-api-5.14.4.jar";
        let engine = "/m2/org/junit/jupiter/junit-jupiter-engine/5.14.4/junit-jupiter-engine-5.14.4.jar";
        let platform = "/m2/org/junit/platform/junit-platform-engine/1.14.4/junit-platform-engine-1.14.4.jar";
        let launcher = "org/junit/platform/junit-platform-launcher/1.14.4/junit-platform-launcher-1.14.4.jar";
        let (repository, lacking) = of(&[api, engine, platform]).unwrap();
        assert_eq!((repository, lacking), (PathBuf::from("/m2"), vec![launcher.to_owned()]));
        assert_eq!(of(&[api]).unwrap().1.len(), 3);
        let six = "/m2/org/junit/jupiter/junit-jupiter-api/6.0.1/junit-jupiter-api-6.0.1.jar";
        assert!(of(&[six]).unwrap().1[2].ends_with("junit-platform-launcher-6.0.1.jar"));
        assert_eq!(of(&["/m2/junit/junit/4.13.2/junit-4.13.2.jar"]), None);
    }
}
