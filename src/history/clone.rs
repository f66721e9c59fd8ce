//! placeholder

#[derive(Clone, Debug)]
pub struct Remote;
impl Remote {
    pub fn parse(_: &str) -> Option<Self> {
        None
    }
    pub fn name(&self) -> String {
        String::new()
    }
}
