//! Locates a bug from inputs that trigger it and similar ones that do not (DiWi).
//!
//! In: what runs executed ([`Trace`]), and which of them failed. Out: functions and files, the most suspicious first.
//! Also pure: the choice of the next mutation rule ([`RuleChain`]) and the reduction of a failing program
//! ([`Reducer`]), which only say what to try next.

mod bisect;
mod elements;
mod evidence;
mod formula;
mod rank;
mod reduce;
mod reporters;
mod rules;

pub use bisect::Bisection;
pub use bisect::Tested;
pub use elements::Elements;
pub use elements::Trace;
pub use elements::TracedFunction;
pub use formula::FORMULAS;
pub use formula::WitnessFormula;
pub use rank::RankBy;
pub use rank::RankedPart;
pub use rank::Runs;
pub use rank::nearest;
pub use rank::rank;
pub use reduce::Reducer;
pub use reduce::Step;
pub use reporters::is_reporter;
pub use rules::ACCEPTANCE;
pub use rules::RuleChain;
