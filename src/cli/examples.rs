//! The examples at the end of every help: one table, so that a test can try each line.

/// Command lines of a command, each with what it does.
pub type Examples = &'static [(&'static str, &'static str)];

/// The words of each command, and its examples. `wildcaught` itself has no words.
pub const EXAMPLES: &[(&str, Examples)] = &[
    (
        "",
        &[
            ("wildcaught init", "set up the project in this directory"),
            ("wildcaught test", "run its tests against mutants"),
            ("wildcaught report", "write an HTML report of that run"),
        ],
    ),
    (
        "init",
        &[
            ("wildcaught init", "detect, write and check the settings"),
            ("wildcaught init --list", "list the presets that fit the project"),
            ("wildcaught init --preset pytest --force", "use another preset"),
            ("wildcaught init --install ~/src/app", "install dependencies into a cache first"),
        ],
    ),
    (
        "test",
        &[
            ("wildcaught test", "test a sample of 1,000 mutants"),
            ("wildcaught test --all src/parser", "test all mutants in a directory"),
            ("wildcaught test --in-diff main", "test only what changed since main"),
            ("wildcaught test --survived", "test missed mutants again with new tests"),
        ],
    ),
    (
        "plan",
        &[
            ("wildcaught plan --all -o plan.wc", "measure once"),
            ("wildcaught test --plan plan.wc --shard 1/8", "then run each part"),
        ],
    ),
    (
        "merge",
        &[
            ("wildcaught merge", "merge all parts in wildcaught.out/shards"),
            ("wildcaught merge part1 part2 --out whole", "merge the named parts"),
            ("wildcaught merge a.tally b.tally -o both.tally", "merge raw tallies"),
        ],
    ),
    (
        "submit",
        &[
            ("wildcaught submit slurm --array 20 -- test --all", "20 parts on a cluster"),
            ("wildcaught submit parallel --array 4 -- test", "4 parts on this machine"),
        ],
    ),
    (
        "submit slurm",
        &[
            ("wildcaught submit slurm --array 20 --wait -- test --all", "submit and wait"),
            ("wildcaught submit slurm --status", "show the state of the parts"),
            ("wildcaught submit slurm --resubmit", "submit failed parts again"),
        ],
    ),
    (
        "submit kubernetes",
        &[
            ("wildcaught submit kubernetes --image ci/wildcaught --claim project -- test --all", ""),
            ("wildcaught submit kubernetes --image ci/wildcaught --claim project --print -- test", ""),
        ],
    ),
    (
        "submit parallel",
        &[
            ("wildcaught submit parallel --array 4 -- test --all", "on this machine"),
            ("wildcaught submit parallel --array 16 --sshloginfile hosts -- test --all", "on all hosts"),
        ],
    ),
    (
        "show",
        &[
            ("wildcaught show", "list what the last run missed"),
            ("wildcaught show --survived --max 10", "show the first ten survivors"),
            ("wildcaught show 3f9a-17", "show one mutant and its tests"),
        ],
    ),
    (
        "report",
        &[
            ("wildcaught report", "write wildcaught.out/report.html"),
            ("wildcaught report sarif -o missed.sarif", "for code scanning"),
            ("wildcaught report markdown >>\"$GITHUB_STEP_SUMMARY\"", "for a CI job"),
        ],
    ),
    (
        "accept",
        &[
            ("wildcaught accept 3f9a-17 --reason 'only a log message'", ""),
            ("wildcaught accept 3f9a-17 77e0-2 --reason 'fixed in v2' --expires 2030-01-31", ""),
        ],
    ),
    (
        "export",
        &[
            ("wildcaught export matrix.csv mutants.json", "write two files"),
            ("wildcaught export matrix.csv --print", "print the kill matrix"),
        ],
    ),
    (
        "localize",
        &[
            ("wildcaught localize", "rank statements of this project"),
            ("wildcaught localize src/parser --by function --budget 10m", "rank functions"),
            ("wildcaught localize --matrix kills.csv --failing failing.txt", "from a kill matrix"),
            ("wildcaught localize --compare a.json b.json", "compare methods"),
        ],
    ),
    (
        "repair",
        &[
            ("wildcaught repair", "find patches for the failing tests"),
            ("wildcaught repair src/parse.c --budget 2m", "edit only this file, for two minutes"),
            ("wildcaught repair --apply 1", "write the first patch; --revert removes it"),
        ],
    ),
    (
        "witness",
        &[
            ("wildcaught witness bug.c --run './tcc -run {file}' --reference ./gcc-run.sh", "wrong output"),
            ("wildcaught witness bug.c --run './cc {file}'", "the compiler crashes"),
            ("wildcaught witness bug.js --oracle ./oracle.sh --tests test/", "an interpreter"),
            ("wildcaught witness bug.js --run 'out/js {file}' --coverage reach", "no gcov needed"),
        ],
    ),
    (
        "tame",
        &[
            ("wildcaught tame crashes/ --cmd './target {}'", "rank crashing inputs"),
            ("wildcaught tame crashes/ --cmd './target {}' --group-into groups", "sort the files"),
            ("wildcaught tame --coverage coverage/", "rank by coverage"),
            ("wildcaught tame", "rank failing tests"),
        ],
    ),
    (
        "onion",
        &[
            ("wildcaught onion crash-17 --texts crashes/", "by edit distance"),
            ("wildcaught onion crash-17", "by mutants, after `wildcaught tame`"),
        ],
    ),
    (
        "harvest",
        &[
            ("wildcaught harvest ~/src/redis ~/src/jq -o c.toml", "mine two repositories"),
            ("wildcaught harvest --patches fixes.mbox -l java -o j.toml", "mine patches"),
            ("wildcaught harvest --manifest list -l c --keep tallies --shard 1/8", "mine one part of 8"),
            ("wildcaught harvest --manifest list -l c --keep tallies -o c.toml", "merge all parts"),
        ],
    ),
    (
        "coupling",
        &[
            ("wildcaught coupling ~/src/jq", "compare all shipped sets"),
            ("wildcaught coupling ~/src/jq --ops wild,classic --list", "list every fix"),
            ("wildcaught coupling --test --budget 2h --keep fixes", "run the tests"),
        ],
    ),
    (
        "mutate",
        &[
            ("wildcaught mutate src --count 20 --diff", "print 20 mutants as diffs"),
            ("wildcaught mutate src --ops my.toml --out mutants", "write patches"),
            ("wildcaught mutate src --count 100 --check 'gcc -c {file}'", "count what compiles"),
            ("wildcaught mutate src --id 3f9a-17 --in-place", "try one by hand"),
        ],
    ),
    (
        "explain",
        &[
            ("wildcaught explain 3f9a-17 src", "explain a mutant"),
            ("wildcaught explain 3f9a --ops my.toml", "explain an operator"),
        ],
    ),
    (
        "sshom",
        &[
            ("wildcaught sshom", "search in this project"),
            ("wildcaught sshom src/core --search pri --budget 10m", "likely ones first"),
            ("wildcaught sshom --verify --patches sshoms", "verify them and write diffs"),
        ],
    ),
    (
        "sshom solve",
        &[
            ("wildcaught sshom solve conditions --groups groups.txt", "count the solutions"),
            ("wildcaught sshom solve boxes.json --max-order 4 --list 10", "list some of them"),
        ],
    ),
    (
        "ops",
        &[
            ("wildcaught ops show my.toml --top 20", "list operators"),
            ("wildcaught ops filter my.toml --min-repos 3 -o common.toml", "thin a set"),
        ],
    ),
    (
        "ops show",
        &[
            ("wildcaught ops show my.toml --top 20", "list the first 20 operators"),
            ("wildcaught ops show my.toml 3f9a", "show one in full"),
            ("wildcaught ops show my.toml --html my.html", "write an HTML page"),
        ],
    ),
    ("ops stats", &[("wildcaught ops stats my.toml", "corpus, funnel, kinds of operators")]),
    ("ops merge", &[("wildcaught ops merge a.toml b.toml -o both.toml --name both", "")]),
    ("ops diff", &[("wildcaught ops diff old.toml new.toml", "exit code 2 if they differ")]),
    (
        "ops filter",
        &[
            ("wildcaught ops filter my.toml --min-repos 3 -o common.toml", "seen widely"),
            ("wildcaught ops filter my.toml --top 100 --name top -o top.toml", "the first 100"),
        ],
    ),
    (
        "ops field-test",
        &[("wildcaught ops field-test my.toml --on ~/src/jq --check 'gcc -fsyntax-only {file}'", "")],
    ),
    ("ops weigh", &[("wildcaught ops weigh my.toml --on ~/src/redis ~/src/jq -o my.toml", "")]),
    (
        "ops learn-fit",
        &[
            ("wildcaught ops learn-fit projects.toml --verdicts verdicts -o model.toml", "train"),
            ("wildcaught ops learn-fit projects.toml --verdicts verdicts --measure", "measure"),
        ],
    ),
    ("ops lint", &[("wildcaught ops lint my.toml", "exit code 2 if something is dubious")]),
    (
        "langdef",
        &[
            ("wildcaught langdef list", "list the built-in languages"),
            ("wildcaught langdef show c >my.toml", "begin a definition of your own"),
        ],
    ),
    ("langdef list", &[("wildcaught langdef list", "")]),
    ("langdef show", &[("wildcaught langdef show c >my.toml", "copy the definition of C")]),
    ("langdef check", &[("wildcaught langdef check my.toml", "")]),
    ("langdef import", &[("wildcaught langdef import zig.lang --name zig --extensions zig >zig.toml", "")]),
    (
        "lex",
        &[
            ("wildcaught lex main.c", "print the tokens"),
            ("wildcaught lex --count -l my.toml main.x", "count them, with your definition"),
        ],
    ),
    (
        "schema",
        &[
            ("wildcaught schema", "list the documents"),
            ("wildcaught schema report >report.schema.json", "write one schema"),
        ],
    ),
    (
        "completions",
        &[("wildcaught completions bash >~/.local/share/bash-completion/completions/wildcaught", "")],
    ),
    ("man", &[("wildcaught man ~/.local/share/man/man1", "")]),
];
