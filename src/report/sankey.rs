//! The funnel as an SVG Sankey diagram, like the paper's Figure 5.

use crate::operator::Funnel;

/// Draws a funnel.
pub fn sankey(_funnel: &Funnel, _title: &str) -> String {
    String::new()
}
