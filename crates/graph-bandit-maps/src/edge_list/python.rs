//! Python dictionaries, as networkx writes the attributes of an edge: `a b {'weight': 3}`.

use crate::map::Attributes;
use serde_json::{Number, Value, json};

/// Maps do not need deeper lists.
const DEPTH: usize = 16;

/// The text before the dictionary at the end of a line, and the dictionary.
pub(super) fn split_off(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end();
    let open = line.find(" {").or_else(|| line.find("\t{"))?;
    line.ends_with('}').then(|| (&line[..open], &line[open + 1..]))
}

/// The attributes that a dictionary holds.
pub(super) fn attributes_of(text: &str) -> Option<Attributes> {
    let mut parser = Parser { rest: text };
    match parser.value(DEPTH)? {
        Value::Object(attributes) if parser.rest.trim().is_empty() => Some(attributes),
        _ => None,
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.rest = self.rest.trim_start();
        let deeper = depth.checked_sub(1)?;
        match self.rest.chars().next()? {
            '{' => self.dictionary(deeper),
            '[' => self.list(']', deeper),
            '(' => self.list(')', deeper),
            quote @ ('\'' | '"') => self.text(quote).map(Value::String),
            _ => self.word(),
        }
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn dictionary(&mut self, depth: usize) -> Option<Value> {
        let mut attributes = Attributes::new();
        self.eat('{');
        while !self.eat('}') {
            let name = match self.value(depth)? {
                Value::String(name) => name,
                other => other.to_string(),
            };
            if !self.eat(':') {
                return None;
            }
            attributes.insert(name, self.value(depth)?);
            if !self.eat(',') && !self.rest.starts_with('}') {
                return None;
            }
        }
        Some(Value::Object(attributes))
    }

    fn list(&mut self, close: char, depth: usize) -> Option<Value> {
        let mut values = Vec::new();
        self.rest = &self.rest[1..];
        while !self.eat(close) {
            values.push(self.value(depth)?);
            if !self.eat(',') && !self.rest.starts_with(close) {
                return None;
            }
        }
        Some(Value::Array(values))
    }

    fn text(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((place, character)) = characters.next() {
            match character {
                '\\' => match characters.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    code @ ('x' | 'u' | 'U') => {
                        let digits = [('x', 2), ('u', 4), ('U', 8)];
                        let digits = digits.iter().find(|(letter, _)| *letter == code)?.1;
                        let mut number = 0;
                        for _ in 0..digits {
                            number = 16 * number + characters.next()?.1.to_digit(16)?;
                        }
                        text.push(char::from_u32(number)?);
                    }
                    other => text.push(other),
                },
                _ if character == quote => {
                    self.rest = &self.rest[place + character.len_utf8()..];
                    return Some(text);
                }
                plain => text.push(plain),
            }
        }
        None
    }

    fn word(&mut self) -> Option<Value> {
        let ends = |character: char| {
            matches!(character, ',' | '}' | ']' | ')' | ':') || character.is_whitespace()
        };
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word {
            "" => None,
            "None" => Some(Value::Null),
            "True" => Some(json!(true)),
            "False" => Some(json!(false)),
            // Not JSON, but a value that Python writes.
            "nan" | "inf" | "-inf" => Some(json!(word)),
            number => match (number.parse::<i64>(), number.parse::<f64>()) {
                (Ok(whole), _) => Some(json!(whole)),
                (_, Ok(number)) => Number::from_f64(number).map(Value::Number),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries() {
        let text = r#"{'a': 1, "b": [1.5, 'x', (True, None)], 'c d': {'e': 'it\'s \x41\u00e9'}, }"#;
        let expected = json!({"a": 1, "b": [1.5, "x", [true, null]], "c d": {"e": "it's Aé"}});
        assert_eq!(attributes_of(text).map(Value::Object), Some(expected));
        assert_eq!(attributes_of("{}"), Some(Attributes::new()));
    }

    #[test]
    fn other_texts_are_not_dictionaries() {
        let deep = "{'a': ".repeat(30) + "1" + &"}".repeat(30);
        for text in
            ["", "{", "{'a'}", "{'a' 1}", "{'a': 1", "[1]", "{'a': 1} x", "{'a: 1}", "{,}", &deep]
        {
            assert_eq!(attributes_of(text), None, "{text}");
        }
    }
}
