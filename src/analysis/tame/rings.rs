//! Onion rings: inputs by their distance from one of them.

use super::distance::Distance;

/// The inputs at one distance from the centre, in the order given.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    pub distance: f64,
    pub inputs: Vec<usize>,
}

/// The rings around an input, from the innermost out; the centre is in the first.
pub fn rings(distances: &(impl Distance + ?Sized), centre: usize) -> Vec<Ring> {
    let all: Vec<usize> = (0..distances.inputs()).collect();
    let mut far: Vec<(f64, usize)> = distances.row(centre, &all).into_iter().zip(all).collect();
    far.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut rings: Vec<Ring> = Vec::new();
    for (distance, input) in far {
        match rings.last_mut() {
            Some(ring) if ring.distance == distance => ring.inputs.push(input),
            _ => rings.push(Ring { distance, inputs: vec![input] }),
        }
    }
    rings
}
