//! `package.json`, as far as it tells how a project is tested.

use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;

use super::super::tree::Tree;

/// Lock files, and the command that installs what they say.
const LOCKS: [(&str, &str); 7] = [
    ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
    ("yarn.lock", "yarn install --frozen-lockfile"),
    ("package-lock.json", "npm ci"),
    ("npm-shrinkwrap.json", "npm ci"),
    ("bun.lockb", "bun install --frozen-lockfile"),
    ("bun.lock", "bun install --frozen-lockfile"),
    (".pnp.cjs", "yarn install --immutable"),
];
/// How far above a package the modules of its workspace may lie.
const ABOVE: usize = 4;

/// A `package.json`.
pub(super) struct Manifest {
    json: Value,
    pub scripts: BTreeMap<String, String>,
}

impl Manifest {
    /// That of the root, if there is one.
    pub fn read(tree: &Tree) -> Option<Self> {
        let json: Value = serde_json::from_str(&tree.text("package.json")).ok()?;
        let scripts = json.get("scripts").and_then(Value::as_object);
        let scripts = scripts.into_iter().flatten();
        let scripts = scripts.filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned())));
        Some(Self { scripts: scripts.collect(), json })
    }

    /// Whether a package is among those that it depends on.
    pub fn depends(&self, package: &str) -> bool {
        let lists = ["devDependencies", "dependencies", "peerDependencies", "optionalDependencies"];
        lists.iter().any(|list| self.json.get(list).and_then(|list| list.get(package)).is_some())
    }

    fn depends_on_any(&self) -> bool {
        let lists = ["devDependencies", "dependencies"];
        let filled =
            |list: &&str| self.json.get(list).and_then(Value::as_object).is_some_and(|all| !all.is_empty());
        lists.iter().any(filled)
    }

    /// A key that holds the settings of a runner, such as `jest`.
    pub fn has_settings(&self, key: &str) -> bool {
        self.json.get(key).is_some_and(Value::is_object)
    }

    /// Files and directories that are published.
    pub fn published(&self) -> Vec<String> {
        let mut all = Vec::new();
        let files = self.json.get("files").and_then(Value::as_array);
        all.extend(files.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
        for key in ["main", "module", "source"] {
            all.extend(self.json.get(key).and_then(Value::as_str).map(str::to_owned));
        }
        if let Some(exports) = self.json.get("exports") {
            strings(exports, &mut all);
        }
        let clean = |path: &String| path.trim_start_matches("./").trim_end_matches('/').to_owned();
        let mut clean: Vec<String> = all.iter().map(clean).filter(|path| !path.is_empty()).collect();
        clean.sort();
        clean.dedup();
        clean
    }

    /// Globs of the packages of a workspace.
    pub fn workspaces(&self, tree: &Tree) -> Vec<String> {
        let listed = self.json.get("workspaces");
        let listed = listed.and_then(|all| all.as_array().or_else(|| all.get("packages")?.as_array()));
        let mut all: Vec<String> =
            listed.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        // The list of a YAML file: `- packages/*`.
        let yaml = tree.text("pnpm-workspace.yaml");
        let after = yaml.split_once("packages:").map(|(_, rest)| rest).unwrap_or_default();
        let items = after
            .lines()
            .skip(1)
            .map(str::trim)
            .take_while(|line| line.is_empty() || line.starts_with(['-', '#']));
        let items = items.filter_map(|line| line.strip_prefix('-'));
        all.extend(items.map(|item| item.trim().trim_matches(['"', '\'']).to_owned()));
        all.retain(|glob| !glob.starts_with('!'));
        all
    }

    /// The command that installs what it depends on.
    pub fn install(&self, root: &Path) -> &'static str {
        let manager = self.json.get("packageManager").and_then(Value::as_str).unwrap_or_default();
        let lock = LOCKS.iter().find(|(file, _)| root.join(file).exists()).map(|(_, command)| *command);
        lock.unwrap_or(match manager.split('@').next() {
            Some("pnpm") => "pnpm install",
            Some("yarn") => "yarn install",
            Some("bun") => "bun install",
            _ => "npm install",
        })
    }

    /// The directory with what it depends on: its own, or that of the workspace above.
    pub fn modules(&self, root: &Path) -> Modules {
        if root.join("node_modules").is_dir() {
            return Modules::Own;
        }
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let above = root.ancestors().skip(1).take(ABOVE).find(|above| above.join("node_modules").is_dir());
        match above {
            Some(above) => Modules::Above(above.join("node_modules")),
            None if self.depends_on_any() => Modules::Missing,
            None => Modules::Own,
        }
    }
}

/// Where the modules are that a project depends on.
pub(super) enum Modules {
    /// In the project, if it needs any.
    Own,
    /// In a directory above.
    Above(PathBuf),
    Missing,
}

fn strings(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|value| strings(value, all)),
        Value::Object(map) => map.values().for_each(|value| strings(value, all)),
        _ => {}
    }
}
