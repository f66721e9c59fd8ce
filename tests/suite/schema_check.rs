//! Holds a JSON value against a schema: as much of draft 2020-12 as our schemas use.

use regex::Regex;
use serde_json::Map;
use serde_json::Value;

/// A schema with its definitions.
pub struct Checked {
    root: Value,
}

impl Checked {
    pub fn new(root: Value) -> Self {
        Self { root }
    }

    /// The keys that the document itself may have.
    pub fn keys(&self) -> Vec<String> {
        let properties = self.root["properties"].as_object().expect("an object");
        properties.keys().cloned().collect()
    }

    /// Why a value does not fit the schema; nothing if it does.
    pub fn problem(&self, value: &Value) -> Option<String> {
        self.misfit(&self.root, value, "$")
    }

    fn misfit(&self, schema: &Value, value: &Value, at: &str) -> Option<String> {
        let Some(schema) = schema.as_object() else {
            return (schema == &Value::Bool(false)).then(|| format!("{at}: nothing may be there"));
        };
        if let Some(reference) = schema.get("$ref") {
            let target = reference.as_str().unwrap().trim_start_matches('#');
            return self.misfit(self.root.pointer(target).expect("it is defined"), value, at);
        }
        if let Some(choices) = schema.get("anyOf").or(schema.get("oneOf")) {
            let mut misfits = choices.as_array().unwrap().iter().map(|one| self.misfit(one, value, at));
            return (!misfits.any(|misfit| misfit.is_none()))
                .then(|| format!("{at}: no choice fits {value}"));
        }
        let wrong_type = schema.get("type").is_some_and(|kind| !is_of(kind, value));
        let wrong_enum = schema.get("enum").is_some_and(|known| !known.as_array().unwrap().contains(value));
        let wrong_const = schema.get("const").is_some_and(|known| known != value);
        if wrong_type || wrong_enum || wrong_const {
            return Some(format!("{at}: {value} is not {}", Value::Object(schema.clone())));
        }
        match value {
            Value::Object(object) => self.object_misfit(schema, object, at),
            Value::Array(list) => self.list_misfit(schema, list, at),
            _ => None,
        }
    }

    fn object_misfit(
        &self,
        schema: &Map<String, Value>,
        object: &Map<String, Value>,
        at: &str,
    ) -> Option<String> {
        let none = Map::new();
        let properties = schema.get("properties").map_or(&none, |known| known.as_object().unwrap());
        for required in schema.get("required").into_iter().flat_map(|keys| keys.as_array().unwrap()) {
            if !object.contains_key(required.as_str().unwrap()) {
                return Some(format!("{at}: {required} is missing"));
            }
        }
        let any = Value::Bool(true);
        let other = schema.get("additionalProperties").unwrap_or(&any);
        let patterns = schema.get("patternProperties").map_or(&none, |known| known.as_object().unwrap());
        object.iter().find_map(|(key, value)| {
            let matches = |pattern: &str| Regex::new(pattern).unwrap().is_match(key);
            let by_pattern = || patterns.iter().find(|(pattern, _)| matches(pattern)).map(|(_, known)| known);
            let known = properties.get(key).or_else(by_pattern).unwrap_or(other);
            self.misfit(known, value, &format!("{at}.{key}"))
        })
    }

    fn list_misfit(&self, schema: &Map<String, Value>, list: &[Value], at: &str) -> Option<String> {
        let first = schema.get("prefixItems").map_or(&[][..], |items| items.as_array().unwrap());
        let any = Value::Bool(true);
        let rest = schema.get("items").unwrap_or(&any);
        list.iter().enumerate().find_map(|(place, value)| {
            self.misfit(first.get(place).unwrap_or(rest), value, &format!("{at}[{place}]"))
        })
    }
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| is_of(kind, value)),
        kind => match kind.as_str().unwrap() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_u64() || value.is_i64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("type {other}"),
        },
    }
}
