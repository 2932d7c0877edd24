//! Records, choices and simple types as JSON.
#![allow(dead_code)]

use crate::boardroom::Plain;
use crate::json::{self, Value};
use std::collections::BTreeMap;

/// A record: `Name "tag" { field: Type = "name", ... }`. Without a tag it is written without one.
macro_rules! record {
    ($(#[$about:meta])* $name:ident $tag:literal { $($(#[$told:meta])* $field:ident: $kind:ty = $key:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$told])* pub $field: $kind),*
        }

        impl $crate::boardroom::Plain for $name {
            fn read(_value: &$crate::json::Value) -> Result<Self, String> {
                Ok($name { $($field: $crate::boardroom::field(_value, $key)?),* })
            }

            fn write(&self, out: &mut String) {
                $crate::plain::begin($tag, out);
                $($crate::plain::write_field($key, &self.$field, out);)*
                out.push('}');
            }
        }
    };
}

/// One of several records, told apart by their tags: `Name { Record = "tag", ... }`.
macro_rules! choice {
    ($(#[$about:meta])* $name:ident { $first:ident = $tag:literal $(, $other:ident = $others:literal)* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $first($first),
            $($other($other)),*
        }

        impl Default for $name {
            fn default() -> Self {
                $name::$first($first::default())
            }
        }

        impl $crate::boardroom::Plain for $name {
            fn read(value: &$crate::json::Value) -> Result<Self, String> {
                match value.get("t") {
                    Some($crate::json::Value::Text(tag)) if tag == $tag => $crate::boardroom::Plain::read(value).map($name::$first),
                    $(Some($crate::json::Value::Text(tag)) if tag == $others => $crate::boardroom::Plain::read(value).map($name::$other),)*
                    tag => Err(format!("{} cannot be {tag:?}", stringify!($name))),
                }
            }

            fn write(&self, out: &mut String) {
                match self {
                    $name::$first(it) => $crate::boardroom::Plain::write(it, out),
                    $($name::$other(it) => $crate::boardroom::Plain::write(it, out)),*
                }
            }
        }
    };
}

/// Of an object, with the tag if there is one.
pub fn begin(tag: &str, out: &mut String) {
    out.push('{');
    if !tag.is_empty() {
        write_field("t", &tag.to_string(), out);
    }
}

pub fn write_field<T: Plain>(name: &str, value: &T, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    json::write_text(name, out);
    out.push(':');
    value.write(out);
}

fn other<T>(wanted: &str, value: &Value) -> Result<T, String> {
    let mut found = String::new();
    json::write(value, &mut found);
    Err(format!("must be {wanted}, not {}", found.chars().take(60).collect::<String>()))
}

impl Plain for Value {
    fn read(value: &Value) -> Result<Self, String> {
        Ok(value.clone())
    }

    fn write(&self, out: &mut String) {
        json::write(self, out);
    }
}

macro_rules! simple {
    ($kind:ty, $wanted:literal, $($pattern:pat => $read:expr),+; $it:ident => $written:expr) => {
        impl Plain for $kind {
            fn read(value: &Value) -> Result<Self, String> {
                match value {
                    $($pattern => Ok($read),)+
                    _ => other($wanted, value),
                }
            }

            fn write(&self, out: &mut String) {
                let $it = self;
                json::write(&$written, out);
            }
        }
    };
}

simple!(i64, "a whole number", Value::Int(it) => *it; it => Value::Int(*it));
simple!(f64, "a number", Value::Float(it) => *it, Value::Int(it) => *it as f64; it => Value::Float(*it));
simple!(bool, "true or false", Value::Bool(it) => *it; it => Value::Bool(*it));
simple!(String, "a text", Value::Text(it) => it.clone(); it => Value::Text(it.clone()));

impl<T: Plain> Plain for Option<T> {
    fn read(value: &Value) -> Result<Self, String> {
        if *value == Value::Null { Ok(None) } else { T::read(value).map(Some) }
    }

    fn write(&self, out: &mut String) {
        match self {
            Some(it) => it.write(out),
            None => out.push_str("null"),
        }
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::List(items) => items.iter().map(T::read).collect(),
            _ => other("a list", value),
        }
    }

    fn write(&self, out: &mut String) {
        json::write_all('[', self.iter(), ']', out, |item, out| item.write(out));
    }
}

impl<T: Plain + Clone, const N: usize> Plain for [T; N] {
    fn read(value: &Value) -> Result<Self, String> {
        Vec::read(value)?.try_into().map_err(|_| format!("must be a list of {N}"))
    }

    fn write(&self, out: &mut String) {
        json::write_all('[', self.iter(), ']', out, |item, out| item.write(out));
    }
}

impl<T: Plain> Plain for BTreeMap<String, T> {
    fn read(value: &Value) -> Result<Self, String> {
        match value {
            Value::Map(entries) => entries.iter().map(|(key, it)| Ok((key.clone(), T::read(it)?))).collect(),
            _ => other("an object", value),
        }
    }

    fn write(&self, out: &mut String) {
        json::write_all('{', self.iter(), '}', out, |(key, it), out| {
            json::write_text(key, out);
            out.push(':');
            it.write(out);
        });
    }
}
