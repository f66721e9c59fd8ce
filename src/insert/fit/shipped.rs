//! The models of viability that ship beside the operator sets.

use std::sync::Arc;

use crate::operator::shipped_model_text;

use super::super::mutants::Fit;
use super::model::Learned;
use super::model::Model;
use super::model::ModelError;
use super::model::ModelFile;
use super::rules::Rule;
use super::rules::Rules;

/// Asks for a model, if there is one.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelWish {
    /// The least chance that a mutant compiles; the model's own threshold if left out.
    pub least: Option<f64>,
}

impl Fit {
    /// Has the model of a language decide in place of the rules that only guess; as it is if none ships.
    pub fn learned_for(mut self, language: &str, wish: ModelWish) -> Result<Self, ModelError> {
        let Some(text) = shipped_model_text(language) else { return Ok(self) };
        let file = ModelFile::read(text, &format!("viability-{language}"))?;
        let model = Model::from(&file);
        let threshold = wish.least.map_or(model.threshold, |least| least as f32);
        self.rules = Rules::of(Rules::hard().iter().filter(|rule: &Rule| self.rules.has(*rule)));
        self.learned = Some(Learned { model: Arc::new(model), threshold });
        Ok(self)
    }
}
