"""C#: a class for each record, an interface for each choice. Of the language only what Mono's compiler knows."""

from typing import Any

from bots.bindings.first import Made
from bots.bindings.generator import Generator, field_comments, filled, proper
from bots.bindings.shapes import Shape, Types, shape
from bots.record_schema import about_record
from engine.reading import hints

HEAD = """// @title@, rules @rules@: what the table asks, shows and tells, and what may be answered.
using System.Collections.Generic;

/// <summary>What `choose` is given.</summary>
public sealed class Turn
{
    public Hello Hello;
    /// <summary>Your questions so far, from 1.</summary>
    public long Number;
    public IQuestion Ask;
    public @view@ View;
    /// <summary>What your seat heard since its last question, oldest first.</summary>
    public List<IEvent> Events;
    /// <summary>CPU milliseconds left for the match.</summary>
    public long LeftMs;

    public static Turn Read(Hello hello, Dictionary<string, object> from)
    {
        return new Turn
        {
            Hello = hello,
            Number = Json.Field(from, "number", Json.Whole),
            Ask = Json.Field(from, "ask", OneOf.Question),
            View = Json.Field(from, "view", @view@.Read),
            Events = Json.Field(from, "events", Json.List(OneOf.Event)),
            LeftMs = Json.Field(from, "left_ms", Json.Whole),
        };
    }
}
"""
RECORD = """
@about@public sealed class @name@ : @kinds@
{
@fields@    public static @name@ Read(object it)
    {
        @from@Json.Object(it);
        return new @name@
        {
@read@        };
    }

    public object Plain()
    {
        return Json.Fields(@written@);
    }
}
"""
CHOICE = """
/// <summary>One of: @all@.</summary>
public interface I@name@ : IPlain { }
"""
ONE_OF = """
/// <summary>Reads into the class that the tag tells.</summary>
public static class OneOf
{
@readers@}
"""
READER = """    public static I@name@ @name@(object it)
    {
        switch (Json.Field(Json.Object(it), "t", Json.Text))
        {
@cases@            default: throw Json.Other("one of @name@", it);
        }
    }
"""
SPELLED = {"int": "long", "float": "double", "bool": "bool", "text": "string", "json": "object"}
READERS = {"int": "Whole", "float": "Real", "bool": "Truth", "text": "Text", "json": "Any"}
AROUND = {"list": "List<{}>", "pair": "List<{}>", "map": "Dictionary<string, {}>", "optional": "{}"}
VALUES = ("int", "float", "bool")  # which cannot be null unless it is said
MEMBERS = ("Read", "Plain", "ToString", "Equals", "GetHashCode", "GetType")


def spelled(types: Types, shape: Shape) -> str:
    if shape.what == "record":
        return types.names[shape.kind]
    if shape.what == "choice":
        return f"I{types.choice(shape.kinds)}"
    if not shape.of:
        return SPELLED[shape.what]
    mark = "?" if shape.what == "optional" and shape.inner.what in VALUES else ""
    return AROUND[shape.what].format(spelled(types, shape.inner)) + mark


def csharp_reader(types: Types, shape: Shape) -> str:
    if shape.what == "record":
        return f"{types.names[shape.kind]}.Read"
    if shape.what == "choice":
        return f"OneOf.{types.choice(shape.kinds)}"
    if not shape.of:
        return f"Json.{READERS[shape.what]}"
    inner = spelled(types, shape.inner)
    around = {"map": "Map", "optional": "Maybe" if shape.inner.what in VALUES else "Optional"}.get(shape.what, "List")
    return f"Json.{around}<{inner}>({csharp_reader(types, shape.inner)})"


def csharp_name(owner: str, field: str) -> str:
    """Return the field's name as C# spells it: `my_hand` is MyHand. No member is called as its class is."""
    name = proper(field)
    return f"{name}_" if name in (owner, *MEMBERS) else name


def said_as(text: str, margin: str = "") -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"{margin}/// <summary>{escaped}</summary>\n" if text else ""


def record(types: Types, kind: Any) -> str:
    texts, owner = field_comments(kind), types.names[kind]
    fields = [(name, csharp_name(owner, name), shape(hint)) for name, hint in hints(kind)]
    inside = [
        f"{said_as(texts.get(name, ''), '    ')}"
        f"    public {spelled(types, hinted)} {member}{csharp_default(types, hinted)};\n"
        for name, member, hinted in fields
    ]
    read = [
        f'            {member} = Json.Field(from, "{name}", {csharp_reader(types, hinted)}),\n'
        for name, member, hinted in fields
    ]
    tag = [f'"t", "{kind.tag}"'] if kind.tag else []
    of = [f"I{name}" for name, kinds in types.choices.items() if kind in kinds]
    parts = {
        "about": said_as(about_record(kind)),
        "kinds": ", ".join(of or ["IPlain"]),
        "fields": "".join([*inside, "\n"] if inside else []),
        "from": "var from = " if read else "",
        "read": "".join(read),
        "written": ", ".join([*tag, *(f'"{name}", {member}' for name, member, _ in fields)]),
    }
    return filled(RECORD, types, name=owner, **parts)


def csharp_default(types: Types, shape: Shape) -> str:
    """Return what a field is before anything is said of it."""
    if shape.what in ("list", "pair", "map"):
        return f" = new {spelled(types, shape)}()"
    if shape.what in ("record", "choice"):
        return f" = new {types.names[shape.kind]}()"
    return ' = ""' if shape.what == "text" else ""


def choice(types: Types, name: str, kinds: tuple[Any, ...]) -> str:
    return filled(CHOICE, types, name=name, all=", ".join(types.names[kind] for kind in kinds))


def chosen(types: Types, name: str, kinds: tuple[Any, ...]) -> str:
    cases = "".join(f'            case "{kind.tag}": return {types.names[kind]}.Read(it);\n' for kind in kinds)
    return filled(READER, types, name=name, cases=cases)


def files(types: Types) -> dict[str, str]:
    choices = [choice(types, name, kinds) for name, kinds in types.choices.items()]
    readers = "\n".join(chosen(types, name, kinds) for name, kinds in types.choices.items())
    records = [record(types, kind) for kind in types.records]
    one_of = filled(ONE_OF, types, readers=readers)
    return {f"{proper(types.game.name)}.cs": "".join([filled(HEAD, types), *choices, *records, one_of])}


def case(types: Types, question: Any, made: Made) -> str:
    answer, name = written(types, made, question), types.names[question]
    asked = f"{name} {variable(name)}" if f"{variable(name)}." in answer else name
    return f"        if (turn.Ask is {asked}) return {answer};\n"


def variable(name: str) -> str:
    """Return a variable's name, one for each class: to Mono's compiler one of an `if` is there after it too."""
    return name[:1].lower() + name[1:]


def written(types: Types, made: Made, question: Any) -> str:
    if made.what == "reference":
        return csharp_path(types, made, question)
    if made.what == "numbers":
        return f"Boardroom.Numbers({csharp_path(types, made, question)}.Count)"
    name = spelled(types, made.shape)
    if made.what == "record":
        given = [
            f"{csharp_name(name, field)} = {written(types, value, question)}" for field, value in made.fields.items()
        ]
        return f"new {name} {{ {', '.join(given)} }}" if given else f"new {name}()"
    if made.what == "list":
        items = ", ".join(written(types, item, question) for item in made.items)
        return f"new {name} {{ {items} }}" if items else f"new {name}()"
    if made.what == "map":
        pairs = [
            f"[{csharp_path(types, key, question)}.ToString()] = {written(types, value, question)}"
            for key, value in made.entries
        ]
        return f"new {name} {{ {', '.join(pairs)} }}"
    return literal(made)


def csharp_path(types: Types, made: Made, question: Any) -> str:
    """Return the path from the question on, each member as the class that it is of spells it."""
    owner, member = types.names[question], Shape("record", kinds=(question,))
    text = variable(owner)
    for step in made.path:
        if isinstance(step, int):
            text, member = f"{text}[{step}]", member.inner
        else:
            text, member = f"{text}.{csharp_name(owner, step)}", shape(dict(hints(member.kind))[step])
            member = member.inner if member.what == "optional" else member
        owner = types.names[member.kind] if member.what == "record" else ""
    return text


def literal(made: Made) -> str:
    if made.value is None:
        return "null"
    return f'"{made.value}"' if made.shape.what == "text" else str(made.value).lower()


FIXED = ("Boardroom.cs", "Json.cs", "bot.csproj")
GENERATOR = Generator("csharp", "Bot.cs", FIXED, files, case)
