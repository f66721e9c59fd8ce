//! How early an order shows the bugs, compared with a random order.

use super::truth::Truth;

/// When each bug is first seen in an order of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// How many inputs there are.
    pub inputs: usize,
    /// Per bug the place, from 1, of the first input that shows it; none if the order ends before.
    pub first: Vec<Option<usize>>,
}

impl Curve {
    /// Reads inputs until all bugs are seen.
    pub fn of(order: impl IntoIterator<Item = usize>, truth: &Truth) -> Self {
        let mut first = vec![None; truth.bugs.len()];
        let mut unseen = first.len();
        for (at, input) in order.into_iter().enumerate() {
            for bug in &truth.of[input] {
                let place = &mut first[*bug as usize];
                unseen -= usize::from(place.is_none());
                place.get_or_insert(at + 1);
            }
            if unseen == 0 {
                break;
            }
        }
        Self { inputs: truth.of.len(), first }
    }

    /// How many bugs were seen after one input, two inputs, … all inputs: the discovery curve.
    pub fn seen(&self) -> Vec<usize> {
        let mut seen = vec![0; self.inputs];
        self.first.iter().flatten().for_each(|place| seen[place - 1] += 1);
        for at in 1..seen.len() {
            seen[at] += seen[at - 1];
        }
        seen
    }

    /// How many inputs show all bugs; none if the order does not.
    pub fn complete_at(&self) -> Option<usize> {
        self.first.iter().copied().try_fold(0, |worst, place| Some(worst.max(place?)))
    }

    /// Average percentage of faults detected, 0 to 1: `1 − ΣTFᵢ/(n·m) + 1/(2n)`, with TFᵢ the place of the
    /// first of n inputs that shows bug i of m. A bug that is never seen counts as seen after the last. None
    /// without bugs.
    pub fn apfd(&self) -> Option<f64> {
        let places = self.first.iter().map(|place| place.unwrap_or(self.inputs + 1) as f64);
        apfd(places.sum(), self.inputs, self.first.len())
    }

    /// Where a reader gives up who has seen no new bug for this many inputs: inputs read, bugs seen.
    pub fn gives_up(&self, patience: usize) -> (usize, usize) {
        let seen = self.seen();
        let idle = |at: &usize| seen[*at] == if *at < patience { 0 } else { seen[at - patience] };
        let end = (patience.max(1) - 1..seen.len()).find(idle).map_or(seen.len(), |at| at + 1);
        (end, seen.get(end.wrapping_sub(1)).copied().unwrap_or(0))
    }
}

fn apfd(places: f64, inputs: usize, bugs: usize) -> Option<f64> {
    let (n, m) = (inputs as f64, bugs as f64);
    (bugs > 0 && inputs > 0).then(|| 1.0 - places / (n * m) + 1.0 / (2.0 * n))
}

/// How many bugs a random order shows on average after one input, two inputs, …: of a bug that c of n inputs
/// show, k inputs miss `C(n−c, k) / C(n, k)`.
pub fn expected_seen(truth: &Truth) -> Vec<f64> {
    let inputs = truth.of.len();
    let mut seen = vec![0.0; inputs];
    for shown in truth.shown_by() {
        let mut missed = 1.0;
        for (drawn, sum) in seen.iter_mut().enumerate() {
            let left = inputs - drawn;
            missed *= left.saturating_sub(shown) as f64 / left as f64;
            *sum += 1.0 - missed;
        }
    }
    seen
}

/// The mean APFD of all orders: the first of c inputs among n is at `(n+1)/(c+1)` on average.
pub fn expected_apfd(truth: &Truth) -> Option<f64> {
    let inputs = truth.of.len();
    let places = truth.shown_by().into_iter().map(|shown| (inputs + 1) as f64 / (shown + 1) as f64);
    apfd(places.sum(), inputs, truth.bugs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(of: &[&[u32]]) -> Truth {
        let bugs = of.iter().copied().flatten().max().map_or(0, |last| last + 1);
        Truth {
            bugs: (0..bugs).map(|bug| bug.to_string()).collect(),
            of: of.iter().map(|bugs| bugs.to_vec()).collect(),
        }
    }

    fn orders(inputs: usize) -> Vec<Vec<usize>> {
        if inputs == 0 {
            return vec![Vec::new()];
        }
        let shorter = orders(inputs - 1);
        let with_last = |order: &Vec<usize>| {
            let order = order.clone();
            (0..inputs).map(move |at| [&order[..at], &[inputs - 1], &order[at..]].concat())
        };
        shorter.iter().flat_map(with_last).collect()
    }

    #[test]
    fn a_curve_counts_bugs_not_inputs() {
        let truth = truth(&[&[0], &[0], &[1, 2], &[0], &[3]]);
        let curve = Curve::of([0, 1, 2, 3, 4], &truth);
        assert_eq!(curve.seen(), [1, 1, 3, 3, 4]);
        assert_eq!(curve.complete_at(), Some(5));
        assert_eq!(curve.apfd(), Some(1.0 - 12.0 / 20.0 + 0.1));
        assert_eq!(curve.gives_up(1), (2, 1));
        assert_eq!(curve.gives_up(2), (5, 4));
        assert_eq!(Curve::of([2, 4, 0], &truth).seen(), [2, 3, 4, 4, 4]);
        assert_eq!(Curve::of([0, 1], &truth).complete_at(), None);
    }

    #[test]
    fn chance_is_the_mean_over_all_orders() {
        let truth = truth(&[&[0], &[0, 1], &[0], &[2], &[], &[2]]);
        let orders = orders(6);
        assert_eq!(orders.len(), 720);
        let curves: Vec<Curve> = orders.iter().map(|order| Curve::of(order.clone(), &truth)).collect();
        for (at, expected) in expected_seen(&truth).into_iter().enumerate() {
            let sum: usize = curves.iter().map(|curve| curve.seen()[at]).sum();
            assert!((expected - sum as f64 / 720.0).abs() < 1e-12, "{at}");
        }
        let mean = curves.iter().filter_map(Curve::apfd).sum::<f64>() / 720.0;
        assert!((expected_apfd(&truth).unwrap() - mean).abs() < 1e-12);
    }

    #[test]
    fn without_bugs_there_is_nothing_to_measure() {
        let truth = truth(&[&[], &[]]);
        let curve = Curve::of([0, 1], &truth);
        assert_eq!((curve.seen(), curve.apfd(), curve.complete_at()), (vec![0, 0], None, Some(0)));
        assert_eq!(expected_apfd(&truth), None);
        assert_eq!(curve.gives_up(1), (1, 0));
    }
}
