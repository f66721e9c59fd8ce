//! Looks for witnesses among the mutants of the failing program.

use std::collections::BTreeMap;

use crate::analysis::witness::RuleChain;
use crate::insert::Sampler;

use super::error::WitnessError;
use super::mutate::Seed;
use super::request::WitnessSearch;
use super::result::Origin;
use super::state::BATCH;
use super::state::SearchState;
use super::state::Seen;

/// Failing mutants that become seeds of the next order.
const MOST_SEEDS: usize = 8;
/// Rules without a mutant that are passed over before the chain gives up.
const MOST_MISSES: usize = 2_000;

/// Chooses the next mutant of some seeds: its seed and its place there.
trait Chooser {
    fn next(&mut self, random: &mut Sampler) -> Option<(usize, usize)>;
    /// Hears the result of a mutant.
    fn hear(&mut self, choice: (usize, usize), seen: Seen);
}

/// Tries mutants until there are enough. Failing mutants are mutated again only while there is no witness at all.
pub fn search(state: &mut SearchState, text: &[u8]) -> Result<(), WitnessError> {
    let mut random = Sampler::new(state.request.seed);
    let mut seeds = vec![Seed::new(state.request, text.to_vec(), 0)];
    let mut left = state.request.tries;
    while left > 0 && !state.is_over() && seeds.iter().any(|seed| !seed.mutants.is_empty()) {
        let failing = round(state, &seeds, &mut random, &mut left)?;
        if state.witnesses.iter().any(|known| matches!(known.origin, Origin::Mutant { .. })) {
            break;
        }
        let order = seeds[0].order + 1;
        seeds =
            failing.into_iter().take(MOST_SEEDS).map(|text| Seed::new(state.request, text, order)).collect();
    }
    Ok(())
}

/// Tries mutants of seeds of one order; the texts that still fail.
fn round(
    state: &mut SearchState,
    seeds: &[Seed],
    random: &mut Sampler,
    left: &mut usize,
) -> Result<Vec<Vec<u8>>, WitnessError> {
    let mut chooser: Box<dyn Chooser> = match state.request.search {
        WitnessSearch::Diwi => Box::new(ByRule::new(seeds, random)),
        WitnessSearch::Random => Box::new(InOrder::shuffled(seeds, random)),
        WitnessSearch::Nearest => Box::new(InOrder::by_place(seeds, random)),
    };
    let (mut failing, mut ended) = (Vec::new(), false);
    while !ended && *left > 0 && !state.is_over() {
        let (mut choices, mut texts) = (Vec::new(), Vec::new());
        while choices.len() < BATCH.min(*left) {
            let Some(choice) = chooser.next(random) else {
                ended = true;
                break;
            };
            let seed = &seeds[choice.0];
            let mutant = &seed.mutants[choice.1];
            let text = seed.text_of(mutant);
            if state.is_new(&text) {
                let operator = state.request.arsenal.entries[mutant.rule].id.clone();
                choices.push(choice);
                texts.push((text, Origin::Mutant { operator, order: seed.order + 1 }));
            }
        }
        *left -= choices.len();
        let tried: Vec<Vec<u8>> = texts.iter().map(|(text, _)| text.clone()).collect();
        for ((choice, seen), text) in choices.into_iter().zip(state.try_all(texts)?).zip(tried) {
            chooser.hear(choice, seen);
            if seen == Seen::Fails {
                failing.push(text);
            }
        }
    }
    Ok(failing)
}

/// Mutants in an order that is fixed beforehand.
struct InOrder {
    order: std::vec::IntoIter<(usize, usize)>,
}

impl InOrder {
    fn all(seeds: &[Seed]) -> Vec<(usize, usize)> {
        let mutants = |(at, seed): (usize, &Seed)| (0..seed.mutants.len()).map(move |mutant| (at, mutant));
        seeds.iter().enumerate().flat_map(mutants).collect()
    }

    fn shuffled(seeds: &[Seed], random: &mut Sampler) -> Self {
        let all = Self::all(seeds);
        let order: Vec<_> = random.choose(all.len(), all.len()).into_iter().map(|at| all[at]).collect();
        Self { order: order.into_iter() }
    }

    /// One mutant of every place before a second: where a change makes a program pass says more than which change.
    fn by_place(seeds: &[Seed], random: &mut Sampler) -> Self {
        let mut times: BTreeMap<(usize, u32), usize> = BTreeMap::new();
        let shuffled: Vec<_> = Self::shuffled(seeds, random).order.collect();
        let mut rounds: Vec<(usize, (usize, usize))> = shuffled
            .into_iter()
            .map(|(seed, mutant)| {
                let count = times.entry((seed, seeds[seed].mutants[mutant].token)).or_default();
                *count += 1;
                (*count, (seed, mutant))
            })
            .collect();
        rounds.sort_by_key(|(round, _)| *round);
        Self { order: rounds.into_iter().map(|(_, choice)| choice).collect::<Vec<_>>().into_iter() }
    }
}

impl Chooser for InOrder {
    fn next(&mut self, _: &mut Sampler) -> Option<(usize, usize)> {
        self.order.next()
    }

    fn hear(&mut self, _: (usize, usize), _: Seen) {}
}

/// Mutants by the rule that makes them, rules as the chain goes.
struct ByRule {
    chain: RuleChain,
    /// Per rule its mutants that were not tried yet, in random order.
    rules: Vec<Vec<(usize, usize)>>,
    rule_of: BTreeMap<(usize, usize), usize>,
}

impl ByRule {
    fn new(seeds: &[Seed], random: &mut Sampler) -> Self {
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut rules, mut rule_of): (Vec<Vec<(usize, usize)>>, _) = (Vec::new(), BTreeMap::new());
        for choice in InOrder::shuffled(seeds, random).order {
            let rule = seeds[choice.0].mutants[choice.1].rule;
            let next = numbers.len();
            let number = *numbers.entry(rule).or_insert(next);
            if number == rules.len() {
                rules.push(vec![]);
            }
            rules[number].push(choice);
            rule_of.insert(choice, number);
        }
        let first = random.below(rules.len().max(1) as u64) as usize;
        Self { chain: RuleChain::new(rules.len(), first), rules, rule_of }
    }
}

impl Chooser for ByRule {
    fn next(&mut self, random: &mut Sampler) -> Option<(usize, usize)> {
        let mut share = || random.below(1 << 53) as f64 / (1_u64 << 53) as f64;
        for _ in 0..MOST_MISSES {
            if self.rules.iter().all(Vec::is_empty) {
                return None;
            }
            let rule = self.chain.next(&mut share);
            if let Some(choice) = self.rules[rule].pop() {
                return Some(choice);
            }
        }
        None
    }

    fn hear(&mut self, choice: (usize, usize), seen: Seen) {
        let witness = match seen {
            Seen::Witness(distance) => distance,
            _ => None,
        };
        self.chain.note(self.rule_of[&choice], witness);
    }
}
