"""Small faults that one could write into a module, each of which some test should find.

A boundary moved or a comparison turned round, an operator swapped, a number one more or less, a condition negated,
`and` for `or`, a value not returned, a call not made. Annotations, decorators and texts are left as they are.
"""

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.USub: ast.UAdd,
}
LEFT_ALONE = ("annotation", "returns", "decorator_list")  # fields of nodes
Change = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """The change with that number among those of the module, and how its code reads before and after."""

    number: int
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"line {self.line}: `{self.before}` -> `{self.after}`"


def mutants_of(source: str) -> list[Mutant]:
    changes = list(_changes(ast.parse(source)))
    return [_described(number, source) for number in range(len(changes))]


def mutated(source: str, number: int) -> ast.Module:
    tree = ast.parse(source)
    _, change = list(_changes(tree))[number]
    change()
    return ast.fix_missing_locations(tree)


def _described(number: int, source: str) -> Mutant:
    node, change = list(_changes(ast.parse(source)))[number]
    before = _shown(node)
    change()
    return Mutant(number, node.lineno, before, _shown(node))


def _shown(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(deepcopy(node))).partition("\n")[0][:100]


def _changes(tree: ast.Module) -> Iterator[tuple[Any, Change]]:
    """Always in the same order."""
    alone = {id(part) for node in ast.walk(tree) for name in LEFT_ALONE for part in _below(getattr(node, name, None))}
    for node in ast.walk(tree):
        if id(node) not in alone:
            yield from ((node, change) for change in _of_node(node))


def _below(value: object) -> list[ast.AST]:
    nodes = value if isinstance(value, list) else [value]
    return [part for node in nodes if isinstance(node, ast.AST) for part in ast.walk(node)]


def _of_node(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                yield partial(node.ops.__setitem__, index, COMPARED[type(operator)]())
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign() | ast.UnaryOp(op=ast.USub()) if type(node.op) in SWAPPED:
            yield partial(setattr, node, "op", SWAPPED[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield partial(setattr, node, "operand", _negated(node.operand))
        case ast.If() | ast.IfExp() | ast.While() if not isinstance(node.test, ast.Compare | ast.UnaryOp):
            yield partial(setattr, node, "test", _negated(node.test))
        case ast.Constant():
            yield from (partial(setattr, node, "value", value) for value in _near(node.value))
        case ast.Return(value=ast.AST()) | ast.Expr(value=ast.Call() | ast.Await()):
            if not (isinstance(node.value, ast.Constant) and node.value.value is None):
                yield partial(setattr, node, "value", ast.Constant(None))


def _negated(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), node)


def _near(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    return [value + 1, value - 1] if isinstance(value, int | float) else []
