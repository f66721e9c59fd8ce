//! Kill matrices: our JSON and CSV come back as they were; what others write is read or refused.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use roaring::RoaringBitmap;
use wildcaught::exec::Verdict;
use wildcaught::matrix::Fate;
use wildcaught::matrix::KillMatrix;
use wildcaught::matrix::MajorFiles;
use wildcaught::matrix::MutantRow;
use wildcaught::matrix::Outcome;
use wildcaught::matrix::TestRow;
use wildcaught::matrix::from_csv;
use wildcaught::matrix::from_json;
use wildcaught::matrix::from_major;
use wildcaught::matrix::from_mte_json;
use wildcaught::matrix::from_pit;
use wildcaught::matrix::mte_json;
use wildcaught::matrix::mutants_json;
use wildcaught::matrix::to_csv;
use wildcaught::matrix::to_json;

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Json(&'a str),
    Csv(&'a str),
    Elements(&'a str),
    Pit(&'a str),
    /// Three or four files with `%%` on a line between them.
    Major(&'a str),
    Matrix {
        tests: Vec<(String, u8, u32)>,
        mutants: Vec<Mutant>,
    },
}

#[derive(Arbitrary, Debug)]
struct Mutant {
    names: [String; 6],
    numbers: [u32; 5],
    text: Vec<u8>,
    operators: Vec<String>,
    outcome: Option<(u8, [Vec<u8>; 5], u32, String)>,
}

const VERDICTS: [Verdict; 4] = [Verdict::Pass, Verdict::Fail, Verdict::Crash, Verdict::TimeOut];
const FATES: [&str; 6] = ["killed", "survived", "not-covered", "time-out", "untested", "equivalent"];

impl Mutant {
    fn rows(self, tests: usize) -> (MutantRow, Option<Outcome>) {
        let [id, file, operator, before, after, engine] = self.names;
        let [line, column, end_line, end_column, repos] = self.numbers;
        let outcome = self.outcome.map(|(fate, sets, millis, log)| {
            let sets = sets.map(|set| {
                set.into_iter()
                    .map(u32::from)
                    .filter(|test| (*test as usize) < tests)
                    .collect::<RoaringBitmap>()
            });
            let fate: Fate = FATES[usize::from(fate) % FATES.len()].parse().expect("a fate");
            let [covered, ran, failed, crashed, timed_out] = sets;
            Outcome {
                covered,
                ran,
                failed,
                crashed,
                timed_out,
                millis: f64::from(millis),
                log,
                ..Outcome::new(fate)
            }
        });
        let row = MutantRow {
            id,
            file,
            line,
            column,
            end_line,
            end_column,
            start: u64::from(line),
            end: u64::from(end_line),
            text: self.text,
            operators: self.operators,
            operator,
            before,
            after,
            repos,
            engine,
            ..MutantRow::default()
        };
        (row, outcome)
    }
}

/// Everything that is made of a matrix.
fn used(matrix: &KillMatrix) {
    assert_eq!(matrix.mutants.len(), matrix.outcomes.len());
    let json = to_json(matrix);
    let back = from_json(&json, "again").unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(to_json(&back), json);
    assert_eq!(&back, matrix);
    let csv = to_csv(matrix);
    let back = from_csv(&csv, "again").unwrap_or_else(|error| panic!("{error}\n{csv}"));
    assert_eq!(to_csv(&back), csv);
    let report = mte_json(matrix, |_| Some("int x;\n".into()), "c");
    from_mte_json(&report, "again").unwrap_or_else(|error| panic!("{error}\n{report}"));
    drop(mutants_json(matrix));
    drop((matrix.score(), matrix.by_file(), matrix.by_operator(), matrix.survivors_ranked()));
}

fuzz_target!(|input: Input| {
    let read = match input {
        Input::Json(text) => from_json(text, "fuzz").ok(),
        Input::Csv(text) => from_csv(text, "fuzz").ok(),
        Input::Elements(text) => from_mte_json(text, "fuzz").ok(),
        Input::Pit(text) => from_pit(text, "fuzz").ok(),
        Input::Major(text) => {
            let mut parts = text.split("\n%%\n");
            let mut part = |name| (name, parts.next().unwrap_or_default());
            let (mutants, tests, kills) = (part("mutants"), part("tests"), part("kills"));
            let covered = parts.next().map(|text| ("covered", text));
            from_major(&MajorFiles { mutants, tests, kills, covered }).ok()
        }
        Input::Matrix { tests, mutants } => {
            let tests: Vec<TestRow> = tests
                .into_iter()
                .map(|(name, verdict, millis)| TestRow {
                    name,
                    verdict: VERDICTS[usize::from(verdict) % 4],
                    millis: f64::from(millis),
                    flaky: verdict > 127,
                })
                .collect();
            let rows = mutants.into_iter().map(|mutant| mutant.rows(tests.len()));
            let (mutants, outcomes) = rows.unzip();
            Some(KillMatrix { tests, mutants, outcomes })
        }
    };
    if let Some(matrix) = read {
        used(&matrix);
    }
});
