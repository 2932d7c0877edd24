"""The sentences that are told of matches: what `say` and `say_number` of `bots.viewer.language` are given.

A sentence stands in the call itself, or under a name: of a constant here or in another module, of a variable, or of a
parameter that this module's own calls fill in.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bots.viewer.boards import board_of
from engine.games import GAMES

ROOT = Path(__file__).parents[4]
PLACES = ("bots/games", "bots/viewer", "tournaments")
LANGUAGE = "bots.viewer.language"
FORMS = {"say": 1, "say_number": 2}
PASS_ON = {"enumerate", "gettext_noop"}
Function = ast.FunctionDef | ast.Module


@dataclass(slots=True)
class Source:
    """A module, and what its names stand for."""

    tree: ast.Module
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)  # by name: the module, and its name there

    @classmethod
    def of(cls, path: Path) -> "Source":
        source = cls(ast.parse(path.read_text()))
        for node in source.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                source.imported |= {name.asname or name.name: (node.module, name.name) for name in node.names}
        return source

    def told(self) -> Iterator[tuple[str, ...]]:
        """Yield each sentence, or its two forms."""
        for function, call in self.calls():
            forms = [
                sorted(self.strings(form, function)) for form in call.args[: FORMS.get(name_of(call.func) or "", 0)]
            ]
            assert all(forms), f"no sentence in line {call.lineno}: {ast.unparse(call)}"
            if len(forms) == 2:
                yield from zip(*forms, strict=True)
            else:
                yield from ((sentence,) for sentence in forms[0])

    def calls(self) -> Iterator[tuple[Function, ast.Call]]:
        return ((function, call) for function, call in self.every_call() if name_of(call.func) in FORMS)

    def strings(self, node: ast.expr | None, function: Function) -> set[str]:
        """The strings that the expression may be."""
        match node:
            case ast.Constant(value=str(text)) if text:
                return {text}
            case ast.IfExp(body=body, orelse=orelse):
                return self.strings(body, function) | self.strings(orelse, function)
            case ast.Subscript(value=value) | ast.Attribute(value=value, attr="items" | "values"):
                return self.strings(value, function)
            case ast.Call(func=ast.Attribute(value=value, attr="get"), args=[_, *default]):
                return self.strings(value, function).union(*(self.strings(value, function) for value in default))
            case ast.Attribute(attr="UNIT"):
                return {board_of(game).UNIT for game in GAMES}
            case ast.Call(func=ast.Name(id=name), args=given):
                return self.strings(given[0], function) if name in PASS_ON else self.returned(name)
            case ast.Call(func=ast.Attribute() as func):
                return self.strings(func, function)
            case ast.Dict(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
                return set[str]().union(*(self.strings(value, function) for value in values))
            case ast.Name(id=name):
                return self.named(name, function)
        return set()

    def named(self, name: str, function: Function) -> set[str]:
        texts = [self.strings(value, function) for value in bindings(name, function)]
        if isinstance(function, ast.FunctionDef):
            texts.append(self.given(name, function))
        if strings := set[str]().union(*texts):
            return strings
        if bound := list(bindings(name, self.tree)):
            return set[str]().union(*(self.strings(value, self.tree) for value in bound))
        module, original = self.imported.get(name, ("", ""))
        path = ROOT / f"{module.replace('.', '/')}.py"
        return source_of(path).named(original, source_of(path).tree) if path.is_file() else set()

    def returned(self, name: str) -> set[str]:
        """Texts that a function of this module returns."""
        scopes = [scope for scope in self.tree.body if isinstance(scope, ast.FunctionDef) and scope.name == name]
        returns = ((scope, node) for scope in scopes for node in ast.walk(scope) if isinstance(node, ast.Return))
        return set[str]().union(*(self.strings(node.value, scope) for scope, node in returns))

    def given(self, name: str, function: ast.FunctionDef) -> set[str]:
        """Texts given to a parameter by default, and by calls in this module; to that of a method by calls anywhere."""
        names = [argument.arg for argument in function.args.args]
        if name not in names:
            return set()
        defaults = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
        texts = self.strings(defaults.get(name), function)
        is_method = names[0] == "self"
        place = names.index(name) - is_method
        for source in sources() if is_method else (self,):
            for scope, call in source.every_call():
                if called(call, is_method=is_method) == function.name and len(call.args) > place:
                    texts |= source.strings(call.args[place], scope)
        return texts

    def every_call(self) -> Iterator[tuple[Function, ast.Call]]:
        functions = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        for scope in (*functions, *(node for node in self.tree.body if isinstance(node, ast.Assign | ast.AnnAssign))):
            function: Function = scope if isinstance(scope, ast.FunctionDef) else self.tree
            yield from ((function, node) for node in ast.walk(scope) if isinstance(node, ast.Call))


def called(call: ast.Call, *, is_method: bool) -> str | None:
    if is_method:
        return call.func.attr if isinstance(call.func, ast.Attribute) else None
    return name_of(call.func)


def name_of(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def bindings(name: str, scope: Function) -> Iterator[ast.expr]:
    """Yield what is assigned to the name there, or what it is one of."""
    for node in ast.walk(scope) if isinstance(scope, ast.FunctionDef) else scope.body:
        match node:
            case ast.Assign(targets=[target], value=value) | ast.comprehension(target=target, iter=value):
                yield from bound(name, target, value)
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
                yield value
            case ast.AugAssign(target=ast.Name(id=found), value=value) if found == name:
                yield value


def bound(name: str, target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    match target, value:
        case ast.Name(id=found), _ if found == name:
            yield value
        case ast.Tuple(elts=targets), ast.Tuple(elts=values):
            for part, assigned in zip(targets, values, strict=True):
                yield from bound(name, part, assigned)
        case ast.Tuple(elts=targets), _ if name in map(name_of, targets):
            yield value


@cache
def source_of(path: Path) -> Source:
    return Source.of(path)


def sources() -> Iterator[Source]:
    for place in PLACES:
        yield from map(source_of, sorted((ROOT / place).rglob("*.py")))


def told() -> Iterator[tuple[str, ...]]:
    for source in sources():
        if source.imported.keys() & FORMS and LANGUAGE in {module for module, _ in source.imported.values()}:
            yield from source.told()
