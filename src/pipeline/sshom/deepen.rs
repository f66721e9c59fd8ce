//! The orders of the variational search. Where time is limited and no order is asked for, pairs come first, then
//! triples, and so on: all orders at once may leave nothing finished.

use super::completeness::Completeness;

/// Which order is searched, and up to which order everything was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deepening {
    /// The requested order.
    asked: Option<usize>,
    /// Whether orders come one after the other.
    deepens: bool,
    /// The highest order of this pass; none for all.
    order: Option<usize>,
    /// The highest order of the last pass that was finished.
    whole: Option<usize>,
}

impl Deepening {
    /// The first pass of a search.
    pub fn new(asked: Option<usize>, is_limited: bool) -> Self {
        let deepens = asked.is_none() && is_limited;
        Self { asked, deepens, order: if deepens { Some(2) } else { asked }, whole: None }
    }

    /// The highest order of this pass; none for all.
    pub fn order(&self) -> Option<usize> {
        self.order
    }

    /// Up to which order everything was found.
    pub fn whole(&self) -> Option<usize> {
        self.whole
    }

    /// Notes that a pass is finished and goes on to the next; gives how complete the search is if there is none. `cut`
    /// is whether there are combinations of a higher order; no order is higher than the number of points.
    pub fn finish_pass(&mut self, cut: bool, points: usize) -> Option<Completeness> {
        self.whole = self.order;
        if !cut && self.asked.is_none() {
            (self.order, self.whole) = (None, Some(points));
            return Some(Completeness::Complete);
        }
        match self.order {
            Some(last) if self.deepens => {
                self.order = Some(last + 1);
                None
            }
            Some(order) => Some(Completeness::UpToOrder(order)),
            None => {
                self.whole = Some(points);
                Some(Completeness::Complete)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_limited_time_orders_come_one_after_the_other_until_none_is_cut() {
        let mut orders = Deepening::new(None, true);
        assert_eq!((orders.order(), orders.whole()), (Some(2), None));
        assert_eq!(orders.finish_pass(true, 9), None);
        assert_eq!((orders.order(), orders.whole()), (Some(3), Some(2)));
        assert_eq!(orders.finish_pass(false, 9), Some(Completeness::Complete));
        assert_eq!((orders.order(), orders.whole()), (None, Some(9)));
    }

    #[test]
    fn an_order_that_is_asked_for_is_the_only_one() {
        for is_limited in [false, true] {
            let mut orders = Deepening::new(Some(4), is_limited);
            assert_eq!(orders.order(), Some(4));
            assert_eq!(orders.finish_pass(false, 9), Some(Completeness::UpToOrder(4)));
            assert_eq!(orders.whole(), Some(4));
        }
    }

    #[test]
    fn with_all_time_all_orders_are_searched_at_once() {
        let mut orders = Deepening::new(None, false);
        assert_eq!(orders.order(), None);
        assert_eq!(orders.finish_pass(false, 9), Some(Completeness::Complete));
        assert_eq!((orders.order(), orders.whole()), (None, Some(9)));
    }
}
