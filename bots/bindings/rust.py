"""Rust: a struct for each record, an enum for each choice."""

from typing import Any

from bots.bindings.first import Made
from bots.bindings.generator import Generator, commented, field_comments, filled, reference
from bots.bindings.shapes import Shape, Types, shape
from bots.record_schema import about_record
from engine.reading import hints

HEAD = """//! @title@, rules @rules@: what the table asks, shows and tells, and what may be answered.
#![allow(dead_code, unused_imports)]

use crate::json::Value;
use std::collections::BTreeMap;

/// What `choose` is given.
pub type Turn = crate::boardroom::Turn<Question, @view@, Event>;
"""
SPELLED = {"int": "i64", "float": "f64", "bool": "bool", "text": "String", "json": "Value"}
AROUND = {"list": "Vec<{}>", "pair": "[{}; 2]", "map": "BTreeMap<String, {}>", "optional": "Option<{}>"}
COPIED = ("int", "float", "bool")
RESERVED = frozenset(
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if "  # noqa: SIM905
    "impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try "
    "type typeof unsafe unsized use virtual where while yield".split()
)


def spelled(types: Types, shape: Shape) -> str:
    if shape.what == "record":
        return types.names[shape.kind]
    if shape.what == "choice":
        return types.choice(shape.kinds)
    return AROUND[shape.what].format(spelled(types, shape.inner)) if shape.of else SPELLED[shape.what]


def rust_name(field: str) -> str:
    return f"{field}_" if field in RESERVED else field


def record(types: Types, kind: Any) -> str:
    texts = field_comments(kind)
    fields = [
        f'{commented(texts.get(name, ""), "        ")}        {rust_name(name)}: {spelled(types, shape(hint))} = "{name}",\n'  # noqa: E501
        for name, hint in hints(kind)
    ]
    body = f"{{\n{''.join(fields)}    }}" if fields else "{}"
    return f'\nrecord! {{\n{commented(about_record(kind), "    ")}    {types.names[kind]} "{kind.tag}" {body}\n}}\n'


def choice(types: Types, name: str, kinds: tuple[Any, ...]) -> str:
    lines = "".join(f'        {types.names[kind]} = "{kind.tag}",\n' for kind in kinds)
    return f"\nchoice! {{\n    {name} {{\n{lines}    }}\n}}\n"


def files(types: Types) -> dict[str, str]:
    choices = [choice(types, name, kinds) for name, kinds in types.choices.items()]
    records = [record(types, kind) for kind in types.records]
    return {f"{types.game.name}.rs": filled(HEAD, types) + "".join([*choices, *records])}


def case(types: Types, question: Any, made: Made) -> str:
    used = "ask" if "ask." in (answer := written(types, made)) else "_"
    answered = f"Answer::{types.names[made.shape.kind]}({answer})"
    return f"        Question::{types.names[question]}({used}) => {answered},\n"


def written(types: Types, made: Made) -> str:
    shape = made.shape
    if made.what == "reference":
        return f"{reference(made, rust_name)}{'' if shape.what in COPIED else '.clone()'}"
    if made.what == "numbers":
        return f"(0..{reference(made, rust_name)}.len() as i64).collect()"
    if made.what == "record":
        given = [f"{rust_name(name)}: {written(types, value)}" for name, value in made.fields.items()]
        default = [] if len(given) == len(hints(shape.kind)) else ["..Default::default()"]
        return (
            f"{types.names[shape.kind]} {{ {', '.join([*given, *default])} }}"
            if given or default
            else f"{types.names[shape.kind]} {{}}"
        )
    if made.what == "list":
        return f"vec![{', '.join(written(types, item) for item in made.items)}]"
    if made.what == "map":
        pairs = (f"({reference(key, rust_name)}.to_string(), {written(types, value)})" for key, value in made.entries)
        return f"std::collections::BTreeMap::from([{', '.join(pairs)}])"
    return literal(made)


def literal(made: Made) -> str:
    if made.value is None:
        return "None"
    return f'"{made.value}".to_string()' if made.shape.what == "text" else str(made.value).lower()


GENERATOR = Generator("rust", "bot.rs", ("json.rs", "plain.rs", "boardroom.rs", "Cargo.toml"), files, case)
