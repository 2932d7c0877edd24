"""A bot copied by somebody who does not want it to be seen."""

import ast
import random
from collections.abc import Collection


class Renamed(ast.NodeTransformer):
    """Every name another one; but for those kept."""

    def __init__(self, kept: Collection[str] = ()) -> None:
        self.names: dict[str, str] = {}
        self.kept = kept

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "arg", "attr", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str) and not isinstance(node, ast.alias) and name not in self.kept:
                setattr(node, field, self.names.setdefault(name, f"thing{len(self.names)}"))
        return super().generic_visit(node)


def copied(text: str, *, kept: Collection[str] = ()) -> str:
    """Return it with other names, without comments and docstrings, formatted anew, classes and functions shuffled."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            node.body = node.body[1:] or [ast.Pass()]
    parts = [node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    statements = [node for node in tree.body if node not in parts]
    if not kept:  # else it is to be run, and what begins it stands last
        random.Random(len(text)).shuffle(parts)
        tree.body = [*statements, *parts]
    return ast.unparse(ast.fix_missing_locations(Renamed(kept).visit(tree)))


def copied_to_run(text: str) -> str:
    """Return it as far as it plays on: names that it does not give itself are kept."""
    tree = ast.parse(text)
    bound = {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and not node.name.startswith("__")
    }
    bound |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names = {
        name
        for node in ast.walk(tree)
        for field in ("id", "arg", "attr", "name")
        if isinstance(name := getattr(node, field, None), str)
    }
    passed = {node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg}
    passed |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return copied(text, kept=(names - bound) | passed | {"self"})
