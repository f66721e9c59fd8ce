//! placeholder
pub struct Cloning;
pub struct Remote;
