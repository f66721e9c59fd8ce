//! Operators and shifts in a line, for people.

use super::super::notation::escape;
use super::super::notation::write_terms;
use super::super::set::Operator;
use super::super::set::Shift;

/// What an operator does: `:if .( $1 .) ⇒ $1`.
pub fn operator_text(operator: &Operator) -> String {
    let put = write_terms(operator.put());
    format!("{} ⇒ {}", write_terms(operator.find()), if put.is_empty() { "ε" } else { &put })
}

/// What a shift does; it goes either way.
pub fn shift_text(shift: &Shift) -> String {
    format!("{} ⇔ {}", escape(&shift.before), escape(&shift.after))
}
