//! Which mutation rule is tried next: a Markov chain over the rules, the better ones more often (section 4.2 of DiWi).
//!
//! A rule is worth the mean coverage distance of its last witness to the witnesses before it, times its success rate. A
//! step from rule a to rule b is accepted with (1 − p)^(k_b − k_a), k being places in the order of worth.

/// The success probability p of a Bernoulli trial.
pub const ACCEPTANCE: f64 = 0.023;

/// What is known of a rule.
#[derive(Clone, Copy, Debug, Default)]
struct Rule {
    tried: u32,
    accepted: u32,
    /// Mean distance of its last witness to those that were there.
    distance: f64,
}

impl Rule {
    fn worth(&self) -> f64 {
        if self.tried == 0 { 0.0 } else { self.distance * f64::from(self.accepted) / f64::from(self.tried) }
    }
}

/// Rules, and the one that was chosen last.
pub struct RuleChain {
    rules: Vec<Rule>,
    /// Numbers of rules, the best first.
    order: Vec<usize>,
    /// Per rule, its place in the order.
    places: Vec<usize>,
    current: usize,
}

impl RuleChain {
    /// A chain over `count` rules that starts at `first`.
    pub fn new(count: usize, first: usize) -> Self {
        let order: Vec<usize> = (0..count).collect();
        Self { rules: vec![Rule::default(); count], places: order.clone(), order, current: first }
    }

    /// The next rule. `random` gives numbers from 0 to 1.
    pub fn next(&mut self, random: &mut dyn FnMut() -> f64) -> usize {
        loop {
            let drawn = (random() * self.rules.len() as f64) as usize;
            let proposed = drawn.min(self.rules.len() - 1);
            if random() < self.acceptance(proposed) {
                self.current = proposed;
                return proposed;
            }
        }
    }

    /// How likely a step to a rule is accepted.
    fn acceptance(&self, proposed: usize) -> f64 {
        let step = self.places[proposed] as f64 - self.places[self.current] as f64;
        (1.0 - ACCEPTANCE).powf(step).min(1.0)
    }

    /// Notes the result of a rule: the mean distance of a new witness to those that were there, or none.
    pub fn note(&mut self, rule: usize, witness: Option<f64>) {
        let known = &mut self.rules[rule];
        known.tried += 1;
        if let Some(distance) = witness {
            known.accepted += 1;
            known.distance = distance;
        }
        let rules = &self.rules;
        // Rules of the same worth stay in their order.
        self.order.sort_by(|a, b| rules[*b].worth().total_cmp(&rules[*a].worth()));
        for (place, rule) in self.order.iter().enumerate() {
            self.places[*rule] = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_rule_is_always_accepted_and_a_worse_one_by_how_far_it_is() {
        let mut chain = RuleChain::new(132, 0);
        chain.note(131, Some(0.5));
        assert_eq!(chain.places[131], 0);
        assert_eq!(chain.acceptance(131), 1.0);
        chain.current = 131;
        assert!((chain.acceptance(0) - 0.977).abs() < 1e-12);
        assert!((chain.acceptance(130) - 0.977_f64.powi(131)).abs() < 1e-12);
    }

    /// The conditions on p in section 5.2 of the paper, for its 132 rules.
    #[test]
    fn all_rules_can_be_chosen_and_the_last_one_hardly_ever() {
        let chance = |k: i32| (1.0 - ACCEPTANCE).powi(k - 1) * ACCEPTANCE;
        let all: f64 = (1..=132).map(chance).sum();
        assert!((0.95..=1.0).contains(&all), "{all}");
        const { assert!(ACCEPTANCE >= 1.0 / 132.0) };
        // A millionth more than the paper's example of a small deviation.
        assert!(chance(132) < 0.0011, "{}", chance(132));
    }

    #[test]
    fn the_worth_of_a_rule_is_distance_times_success() {
        let mut chain = RuleChain::new(2, 0);
        chain.note(0, Some(0.4));
        chain.note(0, None);
        assert!((chain.rules[0].worth() - 0.2).abs() < 1e-12);
        chain.note(1, Some(0.1));
        assert_eq!(chain.order, [0, 1]);
        chain.note(0, None);
        chain.note(0, None);
        chain.note(0, None);
        assert_eq!(chain.order, [1, 0]);
    }
}
