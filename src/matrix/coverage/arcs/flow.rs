//! From the counted arcs of a function to all of its arcs and blocks: what goes into a block comes out of it.

use super::notes::NotedFunction;

/// What of a function was executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Per arc of the notes, how often it was taken.
    pub arcs: Vec<u64>,
    /// Per block, whether it was executed.
    pub blocks: Vec<bool>,
}

/// A block while counts are found: how many of its arcs are not known yet, and how often it was executed if that is.
#[derive(Clone, Default)]
struct Block {
    inward: Vec<usize>,
    outward: Vec<usize>,
    count: Option<u64>,
}

/// Follows from the counters of a run what was executed. Counters of other code give nothing.
pub fn executed(function: &NotedFunction, counters: &[u64]) -> Option<Executed> {
    let counted = function.arcs.iter().filter(|arc| !arc.on_tree).count();
    if counted != counters.len() {
        return None;
    }
    let mut given = counters.iter();
    let mut arcs: Vec<Option<u64>> =
        function.arcs.iter().map(|arc| if arc.on_tree { None } else { given.next().copied() }).collect();
    let mut blocks = vec![Block::default(); function.blocks as usize];
    for (at, arc) in function.arcs.iter().enumerate() {
        blocks[arc.from as usize].outward.push(at);
        blocks[arc.to as usize].inward.push(at);
    }
    let mut moved = true;
    while moved {
        moved = blocks.iter_mut().filter_map(|block| settle(block, &mut arcs).then_some(())).count() > 0;
    }
    let taken: Vec<u64> = arcs.into_iter().map(Option::unwrap_or_default).collect();
    let any = |list: &[usize]| list.iter().any(|arc| taken[*arc] > 0);
    let was = |block: &Block| block.count.unwrap_or(0) > 0 || any(&block.inward) || any(&block.outward);
    Some(Executed { blocks: blocks.iter().map(was).collect(), arcs: taken })
}

/// Finds the count of a block from one of its sides, then the only arc of a side that is not known; whether that
/// added anything.
fn settle(block: &mut Block, arcs: &mut [Option<u64>]) -> bool {
    let mut moved = false;
    if block.count.is_none() {
        // The entry has nothing that leads to it, the exit nothing that leads from it.
        let sides = [&block.inward, &block.outward].into_iter().filter(|side| !side.is_empty());
        let sum = |side: &Vec<usize>| {
            side.iter().map(|arc| arcs[*arc]).try_fold(0_u64, |sum, arc| Some(sum.saturating_add(arc?)))
        };
        block.count = sides.filter_map(sum).next();
        moved = block.count.is_some();
    }
    let Some(count) = block.count else { return false };
    for side in [&block.inward, &block.outward] {
        let mut unknown = side.iter().filter(|arc| arcs[**arc].is_none());
        if let (Some(only), None) = (unknown.next(), unknown.next()) {
            let rest = side.iter().filter_map(|arc| arcs[*arc]).fold(0_u64, u64::saturating_add);
            arcs[*only] = Some(count.saturating_sub(rest));
            moved = true;
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::super::notes::Arc;
    use super::*;

    fn arc(from: u32, to: u32, on_tree: bool) -> Arc {
        Arc { from, to, on_tree, fake: false }
    }

    #[test]
    fn arcs_that_are_not_counted_follow_from_the_others() {
        // entry 0 -> 2; 2 -> 3 or 4; 3 -> 5, 4 -> 5; 5 -> exit 1.
        let arcs = vec![
            arc(0, 2, false),
            arc(2, 3, false),
            arc(2, 4, true),
            arc(3, 5, true),
            arc(4, 5, true),
            arc(5, 1, true),
        ];
        let function = NotedFunction { blocks: 6, arcs, ..NotedFunction::default() };
        let found = executed(&function, &[3, 3]).unwrap();
        assert_eq!(found.arcs, [3, 3, 0, 3, 0, 3]);
        assert_eq!(found.blocks, [true, true, true, true, false, true]);
        assert_eq!(executed(&function, &[3]), None, "counters of something else");
    }
}
