"""Java: a record for each record, a sealed interface for each choice."""

from typing import Any

from bots.bindings.first import Made
from bots.bindings.generator import Generator, commented, field_comments, filled, proper
from bots.bindings.shapes import Shape, Types, shape
from bots.record_schema import about_record
from engine.reading import hints

HEAD = """// @title@, rules @rules@: what the table asks, shows and tells, and what may be answered.

import java.util.List;
import java.util.Map;

/** What `choose` is given: `number` counts your questions from 1, `leftMs` is the CPU time left for the match. */
record Turn(Hello hello, long number, Question ask, @view@ view, List<Event> events, long leftMs) {
    static Turn read(Hello hello, Map<String, Object> from) {
        return new Turn(
            hello,
            Json.field(from, "number", Json::whole),
            Json.field(from, "ask", Question::read),
            Json.field(from, "view", @view@::read),
            Json.field(from, "events", Json.list(Event::read)),
            Json.field(from, "left_ms", Json::whole));
    }
}
"""
RECORD = """
@about@record @name@(@fields@) implements @kinds@ {
    static @name@ read(Object it) {
        Map<String, Object> from = Json.object(it);
        return new @name@(@read@);
    }

    public Object plain() {
        return Json.fields(@written@);
    }
}
"""
CHOICE = """
/** One of these. */
sealed interface @name@ extends Plain permits @all@ {
    static @name@ read(Object it) {
        Object tag = Json.object(it).get("t");
@cases@        throw Json.other("one of @name@", it);
    }
}
"""
CASE = '        if ("{tag}".equals(tag)) {{\n            return {name}.read(it);\n        }}\n'
SPELLED = {"int": "long", "float": "double", "bool": "boolean", "text": "String", "json": "Object"}
BOXED = {"long": "Long", "double": "Double", "boolean": "Boolean"}
AROUND = {"list": "List<{}>", "pair": "List<{}>", "map": "Map<String, {}>", "optional": "{}"}
READERS = {"int": "whole", "float": "number", "bool": "truth", "text": "text", "json": "any"}
READ_AROUND = {"list": "list", "pair": "list", "map": "map", "optional": "optional"}
NOTHING = {
    "int": "0L",
    "float": "0.0",
    "bool": "false",
    "text": '""',
    "json": "null",
    "optional": "null",
    "list": "List.of()",
    "pair": "List.of()",
    "map": "Map.of()",
}
RESERVED = frozenset(
    "abstract assert boolean break byte case catch char class const continue default do double else enum extends final "  # noqa: SIM905
    "finally float for goto if implements import instanceof int interface long native new package private protected "
    "public return short static strictfp super switch synchronized this throw throws transient try void volatile while "
    "true false null clone finalize hashCode notify notifyAll toString wait plain".split()
)


def spelled(types: Types, shape: Shape) -> str:
    if shape.what == "record":
        return types.names[shape.kind]
    if shape.what == "choice":
        return types.choice(shape.kinds)
    if shape.of:
        inner = spelled(types, shape.inner)
        return AROUND[shape.what].format(BOXED.get(inner, inner))
    return SPELLED[shape.what]


def java_reader(types: Types, shape: Shape) -> str:
    if shape.what in ("record", "choice"):
        return f"{spelled(types, shape)}::read"
    return (
        f"Json.{READ_AROUND[shape.what]}({java_reader(types, shape.inner)})"
        if shape.of
        else f"Json::{READERS[shape.what]}"
    )


def java_name(field: str) -> str:
    """Return the field's name as Java spells it: `my_hand` is myHand."""
    name = field[:1] + proper(f"_{field}")[1:]
    return f"{name}_" if name in RESERVED else name


def record(types: Types, kind: Any) -> str:
    texts, fields = field_comments(kind), [(name, shape(hint)) for name, hint in hints(kind)]
    inside = [
        f"\n{commented(texts.get(name, ''), '    ', '//')}    {spelled(types, hinted)} {java_name(name)}"
        for name, hinted in fields
    ]
    read = [f'\n            Json.field(from, "{name}", {java_reader(types, hinted)})' for name, hinted in fields]
    tag = [f'"t", "{kind.tag}"'] if kind.tag else []
    written = [*tag, *(f'"{name}", {java_name(name)}' for name, _ in fields)]
    of = [name for name, kinds in types.choices.items() if kind in kinds]
    parts = {
        "about": f"/** {about_record(kind)} */\n" if about_record(kind) else "",
        "fields": ",".join(inside),
        "kinds": ", ".join(of or ["Plain"]),
        "read": ",".join(read),
        "written": ", ".join(written),
    }
    return filled(RECORD, types, name=types.names[kind], **parts)


def choice(types: Types, name: str, kinds: tuple[Any, ...]) -> str:
    names = [types.names[kind] for kind in kinds]
    cases = "".join(CASE.format(tag=kind.tag, name=types.names[kind]) for kind in kinds)
    return filled(CHOICE, types, name=name, all=", ".join(names), cases=cases)


def files(types: Types) -> dict[str, str]:
    choices = [choice(types, name, kinds) for name, kinds in types.choices.items()]
    records = [record(types, kind) for kind in types.records]
    return {f"{proper(types.game.name)}.java": "".join([filled(HEAD, types), *choices, *records])}


def case(types: Types, question: Any, made: Made) -> str:
    answer = written(types, made)
    asked = f"{types.names[question]} ask" if "ask." in answer else types.names[question]
    return f"        if (turn.ask() instanceof {asked}) {{\n            return {answer};\n        }}\n"


def written(types: Types, made: Made) -> str:
    if made.what == "reference":
        return java_path(made)
    if made.what == "numbers":
        return f"Boardroom.numbers({java_path(made)}.size())"
    if made.what == "record":
        return constructed(types, made)
    if made.what == "list":
        return f"List.of({', '.join(written(types, item) for item in made.items)})"
    if made.what == "map":
        pairs = (f"String.valueOf({java_path(key)}), {written(types, value)}" for key, value in made.entries)
        return f"Map.of({', '.join(pairs)})"
    return literal(made)


def java_path(made: Made) -> str:
    """Fields are asked for, and lists for an item."""
    return "ask" + "".join(f".get({step})" if isinstance(step, int) else f".{java_name(step)}()" for step in made.path)


def constructed(types: Types, made: Made) -> str:
    """Return a constructor's call, which is given all fields in their order."""
    given = [
        written(types, made.fields[name]) if name in made.fields else java_default(types, shape(hint))
        for name, hint in hints(made.shape.kind)
    ]
    return f"new {types.names[made.shape.kind]}({', '.join(given)})"


def java_default(types: Types, shape: Shape) -> str:
    """Return what a field is of which nothing is said."""
    if shape.what in ("record", "choice"):
        return constructed(types, Made("record", Shape("record", kinds=shape.kinds[:1])))
    return NOTHING[shape.what]


def literal(made: Made) -> str:
    if made.value is None:
        return "null"
    if made.shape.what == "text":
        return f'"{made.value}"'
    return f"{made.value}L" if made.shape.what == "int" else str(made.value).lower()


GENERATOR = Generator("java", "Bot.java", ("Boardroom.java", "Json.java"), files, case)
