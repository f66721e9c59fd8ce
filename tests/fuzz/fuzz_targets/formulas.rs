//! Failing conditions: saved diagrams, formulas, boxes, groups and places.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use wildcaught::analysis::sshom::Conditions;
use wildcaught::analysis::sshom::SolveLimits;
use wildcaught::analysis::sshom::read_boxes;
use wildcaught::analysis::sshom::read_dimacs;
use wildcaught::analysis::sshom::read_groups;
use wildcaught::analysis::sshom::read_javabdd;
use wildcaught::analysis::sshom::read_places;
use wildcaught::analysis::sshom::solve;
use wildcaught::control::Progress;

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Diagram(u8, &'a str),
    Formula(u8, &'a str),
    Boxes(&'a str),
    Groups(&'a str),
    Places(&'a str),
}

const GROUPS: &str = "a b\nc\nd e f\ng\n";
const NODES: usize = 10_000;

fuzz_target!(|input: Input| {
    let points = read_groups("groups", GROUPS).expect("they are groups");
    let mut conditions = Conditions::new(NODES);
    match input {
        Input::Diagram(first, text) => {
            if let Ok(read) = read_javabdd("fuzz", text, &points, u32::from(first), &mut conditions) {
                conditions.holds(read, &[0, 2]);
            }
        }
        Input::Formula(first, text) => {
            if let Ok(read) = read_dimacs("fuzz", text, &points, u32::from(first), &mut conditions) {
                let known =
                    conditions.support(read).iter().all(|mutant| (*mutant as usize) < points.mutants());
                assert!(known);
            }
        }
        Input::Boxes(text) => {
            if let Ok((problem, _)) = read_boxes("fuzz", text, NODES)
                && problem.points.mutants() <= 8
            {
                let limits = SolveLimits { max_order: Some(3), max_nodes: NODES };
                drop(solve(&problem, &limits, &Progress::default()));
            }
        }
        Input::Groups(text) => drop(read_groups("fuzz", text)),
        Input::Places(text) => drop(read_places("fuzz", text, &points)),
    }
});
