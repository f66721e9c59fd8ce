//! The `[switch.points]` section: operators in expressions that can be exchanged while the program runs.

use schemars::JsonSchema;
use serde::Deserialize;
use serde::Serialize;

/// How expressions are made of operators, and how those that can be exchanged are written.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PointsFile {
    /// Binary operators that group from left to right, those that bind most tightly first.
    pub levels: Vec<Vec<String>>,
    /// Operators that stand before a value (`-`, `!`).
    pub unary: Vec<String>,
    /// Operators inside of an operand: access, and what stands behind a value (`.`, `++`).
    pub joins: Vec<String>,
    /// Keywords inside of an operand (`sizeof`, `this`, `as`).
    pub words: Vec<String>,
    /// Whether a binary operator has white space on both sides; others are of types.
    pub spaced: bool,
    /// How points are written. What does not compile one way is written the next way that fits.
    pub kind: Vec<PointKindFile>,
}

/// Operators that can be exchanged for each other.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PointKindFile {
    pub name: String,
    /// The operators; `{operator}` is the place of the original among them, from 0.
    pub operators: Vec<String>,
    /// Only where evaluating the right operand does nothing but give a value.
    pub plain: bool,
    /// Only where the right operand is a name: comparing may go wrong, as numbers can be missing.
    pub bare: bool,
    /// What is written: `{point}`, `{operator}`, and once each `{left}` and `{right}`, in this order.
    pub text: String,
}
