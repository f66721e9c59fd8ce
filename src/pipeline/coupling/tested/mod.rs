//! Which faults would mutants have led to a test for: coupling with tests.
//!
//! In: small fixes that came with a test. Out: per fix whether it is measurable, and whether some mutant of the fixed
//! code *couples* with the fault: it passes all tests as they were before the fix, and the tests as they are with the fix
//! kill it. Whoever had looked at that survivor before the fix would have written the test that finds the fault.
//!
//! Two trees are compared, never the user's own:
//!
//! | tree | sources | tests |
//! |---|---|---|
//! | *new* | the fixed revision | the fixed revision |
//! | *old* | the fixed revision | the revision before it, with everything that is no source |
//!
//! In the file that was fixed, the old tree has the text of the revision before with the fixing lines in it: tests that
//! stand in that file are old, too. Each tree is configured as `init` would do it, or as a given file says, built, and
//! tested. Then, from cheap to expensive:
//!
//! 1. The new tree must build, and most of its tests pass. Tests that fail anyway are ignored from then on.
//! 2. The new tree with the fixing lines taken back must fail a test that passed, or the fault is *not detected*.
//! 3. The old tree must build and pass in the same way.
//! 4. The old tree with the fixing lines taken back must pass, or the fault was detected before. This is not run where
//!    the old tree has none of the tests that failed in step 2: then no old test can be the one that notices.
//! 5. The mutants of the function that was fixed are tested in the old tree, switched in one program.
//! 6. Those that survive are tested in the new tree. What is killed there is coupled.
//!
//! One build of the new tests would do where the old tests are a part of them by name and their texts are the same. But
//! names do not say whether the text is: helpers, fixtures, tables of cases and data files change, and a test that got a
//! new assertion keeps its name. So the old tests are always built; it costs one build, since step 6 needs none for what
//! step 5 has settled but a small one for the survivors.

mod deadline;
mod kept;
mod measure;
mod mutants;
mod outcome;
mod request;
mod suite;
mod trees;

pub use kept::KeptFixes;
pub use outcome::CoupledMutant;
pub use outcome::SetOutcome;
pub use outcome::TestedCoupling;
pub use outcome::TestedFix;
pub use outcome::TestedOutcome;
pub use outcome::TestedShare;
pub use outcome::Unmeasurable;
pub use outcome::WhyNot;
pub use request::FoundFix;
pub use request::FoundFixes;
pub use request::TestedRequest;
