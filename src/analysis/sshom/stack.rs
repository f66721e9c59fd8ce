//! Room for walking deep diagrams.
//!
//! Diagrams are as deep as there are mutants, and are walked by recursion.

/// Bytes of stack that one level may take, with room to spare.
const LEVEL: usize = 4096;

/// What there is in any case.
const LEAST: usize = 8 << 20;

/// Runs work that goes so deep, on threads whose stacks are large enough.
pub fn deep<T: Send>(levels: usize, work: impl FnOnce() -> T + Send) -> T {
    let stack = LEAST + levels.saturating_mul(LEVEL);
    // Without threads of our own the caller's must do.
    match rayon::ThreadPoolBuilder::new().stack_size(stack).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}
