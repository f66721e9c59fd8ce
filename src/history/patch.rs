//! placeholder
pub fn read_patch() {}
