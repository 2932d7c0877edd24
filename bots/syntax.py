"""Where Python cannot read a bot: in its entry, in a module that is imported whenever it starts, or in any other.

The parser runs in this process. A site, where sources are strangers', reads them through `workers.syntax_reader`.
"""

import ast
import sys
import warnings
from collections.abc import Iterator, Mapping
from typing import NamedTuple

LONGEST = 300_000  # bytes of all sources together, read in half a second


class SyntaxFault(NamedTuple):
    """`why` is in Python's words. `at_start`: the bot cannot start; else it may go on until it imports that module."""

    path: str
    line: int
    why: str
    at_start: bool = True


def syntax_fault(entry: str, sources: Mapping[str, bytes]) -> SyntaxFault | None:
    """Return the first fault, those before which the bot cannot start first. What no parser can tell is none."""
    if sum(map(len, sources.values())) > LONGEST:
        return None
    waiting, seen = [entry], {entry}
    while waiting:
        path = waiting.pop(0)
        tree = _tree(path, sources[path])
        if not isinstance(tree, ast.Module):
            return tree
        imports = {name: None for name in _own_imports(tree, entry, sources) if name not in seen}
        waiting += imports
        seen.update(imports)
    trees = (_tree(path, source) for path, source in sorted(sources.items()) if path not in seen)
    fault = next((tree for tree in trees if isinstance(tree, SyntaxFault)), None)
    return fault and fault._replace(at_start=False)


def _tree(path: str, source: bytes) -> ast.Module | SyntaxFault | None:
    """Return the module's tree, or where it cannot be read; None where no parser can tell."""
    try:
        return _parsed(path, source)
    except SyntaxError as error:
        return SyntaxFault(path, error.lineno or 1, error.msg)
    except (ValueError, RecursionError, MemoryError):
        return None


def _parsed(path: str, source: bytes) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source, path)
        compile(tree, path, "exec", dont_inherit=True)  # a `return` outside of a function is seen only here
    return tree


def _own_imports(tree: ast.Module, entry: str, sources: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the sources that are imported whenever this is run: not in a function, a condition or a `try`."""
    for statement in tree.body:
        names = [alias.name for alias in statement.names] if isinstance(statement, ast.Import) else []
        if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            names = [statement.module]
        for name in names:
            stem = "/".join((*entry.split("/")[:-1], *name.split(".")))
            if name.partition(".")[0] not in sys.stdlib_module_names:
                yield from (path for path in (f"{stem}.py", f"{stem}/__init__.py") if path in sources)
