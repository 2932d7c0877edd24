//! Plays one match over stdin and stdout: a line of JSON for each message.
#![allow(dead_code)]

use crate::json::{self, Value};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::rc::Rc;

/// What a record, a list or a number has to do with JSON.
pub trait Plain: Sized {
    fn read(value: &Value) -> Result<Self, String>;
    fn write(&self, out: &mut String);
}

record! {
    /// The CPU time of a bot, in milliseconds.
    Clock "" {
        answer_ms: i64 = "answer_ms",
        bank_ms: i64 = "bank_ms",
        start_ms: i64 = "start_ms",
        increment_ms: i64 = "increment_ms",
    }
}

record! {
    /// The greeting.
    Hello "hello" {
        game: String = "game",
        rules: i64 = "rules",
        seat: i64 = "seat",
        seats: i64 = "seats",
        options: Value = "options",
        clock: Clock = "clock",
        limits: BTreeMap<String, i64> = "limits",
    }
}

record! {
    /// How the match ended, by seat.
    End "end" {
        places: Vec<i64> = "places",
        scores: Vec<i64> = "scores",
    }
}

/// A question with all that a seat may know.
pub struct Turn<Q, V, E> {
    pub hello: Rc<Hello>,
    /// Your questions so far, from 1.
    pub number: i64,
    pub ask: Q,
    pub view: V,
    /// What your seat heard since its last question, oldest first.
    pub events: Vec<E>,
    /// CPU milliseconds left for the match.
    pub left_ms: i64,
}

/// Plays until the end: `choose` gives a legal answer to `turn.ask`. Write to stderr what you want to see yourself.
pub fn play<Q: Plain, V: Plain, E: Plain, A: Plain>(choose: impl FnMut(&Turn<Q, V, E>) -> A) -> Option<End> {
    match try_to_play(choose) {
        Ok(end) => end,
        Err(reason) => {
            eprintln!("{reason}");
            std::process::exit(1)
        }
    }
}

fn try_to_play<Q: Plain, V: Plain, E: Plain, A: Plain>(
    mut choose: impl FnMut(&Turn<Q, V, E>) -> A,
) -> Result<Option<End>, String> {
    let mut hello = Rc::new(Hello::default());
    for line in io::stdin().lock().lines() {
        let message = json::parse(&line.map_err(|error| error.to_string())?)?;
        match message.get("t") {
            Some(Value::Text(kind)) if kind == "hello" => {
                hello = Rc::new(Hello::read(&message)?);
                say("{\"t\":\"ready\"}")?;
            }
            Some(Value::Text(kind)) if kind == "question" => {
                let mut answer = String::from("{\"action\":");
                choose(&turn(&hello, &message)?).write(&mut answer);
                answer.push('}');
                say(&answer)?;
            }
            _ => return End::read(&message).map(Some),
        }
    }
    Ok(None)
}

fn turn<Q: Plain, V: Plain, E: Plain>(hello: &Rc<Hello>, message: &Value) -> Result<Turn<Q, V, E>, String> {
    Ok(Turn {
        hello: hello.clone(),
        number: field(message, "number")?,
        ask: field(message, "ask")?,
        view: field(message, "view")?,
        events: field(message, "events")?,
        left_ms: field(message, "left_ms")?,
    })
}

fn say(line: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| error.to_string())
}

/// A number that `boardroom tune` may set; `otherwise` is what it is when nobody does.
pub fn parameter(name: &str, otherwise: f64) -> f64 {
    let set = std::env::var(format!("BOARDROOM_PARAM_{name}"));
    set.ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The field of an object.
pub fn field<T: Plain>(value: &Value, name: &str) -> Result<T, String> {
    T::read(value.get(name).unwrap_or(&Value::Null)).map_err(|reason| format!("{name}: {reason}"))
}
