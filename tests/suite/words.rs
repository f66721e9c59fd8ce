//! Every operator of the shipped sets has a sentence that people can read.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use wildcaught::operator::OperatorSet;
use wildcaught::operator::operator_text;
use wildcaught::operator::read_set;
use wildcaught::operator::sentence;
use wildcaught::operator::sentence_of_notation;
use wildcaught::operator::shift_sentence;
use wildcaught::operator::shift_text;
use wildcaught::operator::shipped_names;
use wildcaught::operator::shipped_text;

/// Sentences per set in the golden file.
const KEPT: usize = 40;

fn sets() -> Vec<OperatorSet> {
    shipped_names().map(|name| read_set(shipped_text(name).unwrap(), name).unwrap()).collect()
}

/// The words of a sentence, without the code that it quotes.
fn prose(sentence: &str) -> String {
    sentence.split('`').step_by(2).collect()
}

fn check(notation: &str, sentence: &str) {
    assert!(
        prose(sentence).split_whitespace().count() >= 2 || sentence.contains('`'),
        "{notation}: {sentence}"
    );
    assert!(!prose(sentence).contains(['$', '\n', '⇒']), "{notation}: notation in {sentence}");
    assert!(prose(sentence).starts_with(|first: char| first.is_lowercase()), "{notation}: {sentence}");
    assert_eq!(
        sentence_of_notation(notation).as_deref(),
        Some(sentence),
        "a row of the matrix says the same"
    );
}

#[test]
fn every_operator_of_the_shipped_sets_has_a_sentence() {
    let mut kept = String::new();
    for set in sets() {
        let name = &set.header.name;
        let rows: BTreeMap<String, String> = set
            .operators
            .iter()
            .map(|operator| (operator_text(operator), sentence(operator)))
            .chain(set.shifts.iter().map(|shift| (shift_text(shift), shift_sentence(shift))))
            .collect();
        rows.iter().for_each(|(notation, sentence)| check(notation, sentence));
        let step = rows.len().div_ceil(KEPT).max(1);
        let _ = writeln!(kept, "# {name}: one of {step}");
        for (notation, sentence) in rows.iter().step_by(step) {
            let _ = writeln!(kept, "{sentence}\n    {notation}");
        }
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/words.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&golden, &kept).unwrap();
    }
    assert_eq!(fs::read_to_string(golden).unwrap(), kept, "if this is meant, run with BLESS=1");
}

#[test]
fn different_operators_of_a_set_rarely_share_a_sentence() {
    for set in sets().iter().filter(|set| set.operators.len() > 1000) {
        let mut said: BTreeMap<String, usize> = BTreeMap::new();
        set.operators.iter().for_each(|operator| *said.entry(sentence(operator)).or_default() += 1);
        let share = said.len() as f64 / set.operators.len() as f64;
        assert!(share > 0.5, "{}: only {} sentences", set.header.name, said.len());
    }
}
