//! Whether a search found all there are, or what is missing.

use std::fmt;

use crate::analysis::sshom::PriorityBounds;

/// Why a search ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    Cancelled,
    TimeOut,
    /// There were more leaves than allowed.
    Leaves(u64),
}

impl fmt::Display for SearchEnd {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Cancelled => out.write_str("it was stopped"),
            Self::TimeOut => out.write_str("time ran out"),
            Self::Leaves(most) => write!(out, "there were more than {most} leaves"),
        }
    }
}

/// How complete the result of a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// All were found.
    Complete,
    /// All of at most this order were found.
    UpToOrder(usize),
    /// All within the bounds of the prioritized search were found.
    Within(PriorityBounds),
    /// The genetic search ended by itself.
    Genetic,
    /// The search did not begin.
    NotSearched(SearchEnd),
    /// As many combinations as allowed were tried.
    AllAllowedTried { tried: u64 },
    /// The search ended after it tried some combinations.
    EndedAfter { tried: u64, why: SearchEnd },
    /// The variational search ended with some of its parts done.
    SomeTests {
        /// All of at most this order were found.
        whole: Option<usize>,
        /// The order of the parts that are done; all orders if there is none.
        order: Option<usize>,
        why: SearchEnd,
        done: usize,
        tests: usize,
    },
}

impl fmt::Display for Completeness {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Complete => out.write_str("complete"),
            Self::UpToOrder(order) => write!(out, "complete up to order {order}"),
            Self::Within(PriorityBounds { order, functions, files }) => write!(
                out,
                "complete up to order {order} in at most {functions} functions and {files} files of one directory"
            ),
            Self::Genetic => out.write_str("not complete: a genetic search never is"),
            Self::NotSearched(why) => {
                write!(out, "{why} while single mutants were tested, so nothing was searched")
            }
            Self::AllAllowedTried { tried } => {
                write!(out, "not complete: the limit of {tried} combinations was reached")
            }
            Self::EndedAfter { tried, why } => {
                write!(out, "not complete: {why} after {tried} combinations")
            }
            Self::SomeTests { whole, order, why, done, tests } => {
                match whole {
                    Some(order) => write!(out, "complete up to order {order}")?,
                    None => out.write_str("not complete")?,
                }
                let upto = order.map_or(String::new(), |order| format!(" up to order {order}"));
                write!(
                    out,
                    "; {why}, with {done} of {tests} tests done: complete{upto} for SSHOMs that one of these \
                     tests is the first to kill"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        let some =
            |whole, order, why| Completeness::SomeTests { whole, order, why, done: 3, tests: 7 }.to_string();
        assert_eq!(
            some(Some(2), Some(3), SearchEnd::TimeOut),
            "complete up to order 2; time ran out, with 3 of 7 tests done: complete up to order 3 for SSHOMs \
             that one of these tests is the first to kill"
        );
        assert_eq!(
            some(None, None, SearchEnd::Leaves(50)),
            "not complete; there were more than 50 leaves, with 3 of 7 tests done: complete for SSHOMs that one \
             of these tests is the first to kill"
        );
    }
}
