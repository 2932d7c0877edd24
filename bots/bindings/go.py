"""Go: a struct for each record, a struct with the one record in it for each choice."""

from collections.abc import Iterator
from typing import Any

from bots.bindings.first import Made
from bots.bindings.generator import Generator, commented, field_comments, filled, proper, reference
from bots.bindings.shapes import Shape, Types, shape
from bots.record_schema import about_record
from engine.reading import hints

HEAD = """// @title@, rules @rules@: what the table asks, shows and tells, and what may be answered.
package main
"""
SPELLED = {"int": "int64", "float": "float64", "bool": "bool", "text": "string", "json": "any"}
AROUND = {"list": "List[{}]", "pair": "[2]{}", "map": "Map[{}]", "optional": "*{}"}
FIELD = '\t{} {} `json:"{}"`\n'
CHOICE = """
// @name@ is one of: @all@. Is holds a pointer to it.
type @name@ struct{ Is any }

// UnmarshalJSON reads it by its tag.
func (it *@name@) UnmarshalJSON(data []byte) (err error) {
	it.Is, err = chosen("@name@", data, kindsOf@name@)
	return err
}

// MarshalJSON writes it.
func (it @name@) MarshalJSON() ([]byte, error) { return json.Marshal(it.Is) }

var kindsOf@name@ = map[string]func() any{
@cases@}
"""
ANSWER = """
// Answer is one of: @all@.
type Answer interface{ isAnswer() }

"""
TAGGED = """
// MarshalJSON writes it with its tag.
func (it @name@) MarshalJSON() ([]byte, error) {
	type fields @name@
	return tagged("@tag@", fields(it))
}
"""


def spelled(types: Types, shape: Shape) -> str:
    if shape.what == "record":
        return types.names[shape.kind]
    if shape.what == "choice":
        return types.choice(shape.kinds)
    return AROUND[shape.what].format(spelled(types, shape.inner)) if shape.of else SPELLED[shape.what]


def record(types: Types, kind: Any) -> str:
    texts, name = field_comments(kind), types.names[kind]
    fields = [
        commented(texts.get(field, ""), "\t", "//") + FIELD.format(proper(field), spelled(types, shape(hint)), field)
        for field, hint in hints(kind)
    ]
    body = "".join(["struct {\n", *fields, "}"]) if fields else "struct{}"
    tagged = TAGGED.replace("@name@", name).replace("@tag@", kind.tag) if kind.tag else ""
    text = about_record(kind) or "a record"
    return f"\n// {name}: {text}\ntype {name} {body}\n{tagged}"


def choice(types: Types, name: str, kinds: tuple[Any, ...]) -> str:
    names = [types.names[kind] for kind in kinds]
    if name == "Answer":
        marks = "".join(f"func ({record_name}) isAnswer() {{}}\n" for record_name in names)
        return ANSWER.replace("@all@", ", ".join(names)) + marks
    cases = "".join(f'\t"{kind.tag}": func() any {{ return new({types.names[kind]}) }},\n' for kind in kinds)
    return CHOICE.replace("@name@", name).replace("@all@", ", ".join(names)).replace("@cases@", cases)


def view(types: Types) -> Iterator[str]:
    """Return an alias, for what a turn holds is called View in every game."""
    if (name := types.names[types.game.view]) != "View":
        yield f"\n// View is what your seat may know.\ntype View = {name}\n"


def files(types: Types) -> dict[str, str]:
    choices = [choice(types, name, kinds) for name, kinds in types.choices.items()]
    records = [record(types, kind) for kind in types.records]
    head = f'{filled(HEAD, types)}\nimport "encoding/json"\n'
    return {f"{types.game.name}.go": "".join([head, *choices, *records, *view(types)])}


def case(types: Types, question: Any, made: Made) -> str:
    return f"\tcase *{types.names[question]}:\n\t\treturn {written(types, made)}\n"


def written(types: Types, made: Made) -> str:
    shape = made.shape
    if made.what == "reference":
        return reference(made, proper)
    if made.what == "numbers":
        return f"Numbers(len({reference(made, proper)}))"
    name = spelled(types, shape)
    if made.what == "record":
        return f"{name}{{{', '.join(f'{proper(field)}: {written(types, value)}' for field, value in made.fields.items())}}}"  # noqa: E501
    if made.what == "list":
        return f"{name}{{{', '.join(written(types, item) for item in made.items)}}}"
    if made.what == "map":
        pairs = (f"fmt.Sprint({reference(key, proper)}): {written(types, value)}" for key, value in made.entries)
        return f"{name}{{{', '.join(pairs)}}}"
    return literal(made)


def literal(made: Made) -> str:
    if made.value is None:
        return "nil"
    return f'"{made.value}"' if made.shape.what == "text" else str(made.value).lower()


GENERATOR = Generator("go", "bot.go", ("boardroom.go", "go.mod"), files, case)
