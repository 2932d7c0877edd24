"""Who imports whom, read from the sources: what `test_layers` checks and `python3 -m tests.figures` counts."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("engine", "bots", "workers", "tournaments")


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


@cache
def trees() -> dict[str, ast.Module]:
    """Parsed when they are first asked for: every process of the tests collects those that look."""
    return {module: ast.parse(path.read_text(), path) for module, path in MODULES.items()}


def imports(node: ast.AST, module: str) -> Iterator[str]:
    """Full names of what is imported anywhere below the node, of submodules rather than of their packages."""
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            source = absolute(part, module)
            for alias in part.names:
                yield f"{source}.{alias.name}" if f"{source}.{alias.name}" in MODULES else source


def absolute(part: ast.ImportFrom, module: str) -> str:
    if not part.level:
        return part.module or ""
    is_package = MODULES[module].name == "__init__.py"
    package = module.split(".")[: len(module.split(".")) - part.level + is_package]
    return ".".join([*package, *([part.module] if part.module else [])])


@cache
def edges() -> list[tuple[str, str]]:
    return [(module, name) for module, tree in trees().items() for name in imports(tree, module)]


def graph_of(package: str = "") -> dict[str, set[str]]:
    """Return for each module below the package those that it imports there."""
    graph: dict[str, set[str]] = {module: set() for module in MODULES if f"{module}.".startswith(package)}
    for module, name in edges():
        if module in graph and name in graph and module != name:
            graph[module].add(name)
    return graph


def longest_chain(graph: Mapping[str, set[str]]) -> list[str]:
    """Modules of which each imports the next. The graph has no circle."""

    @cache
    def from_here(module: str) -> tuple[str, ...]:
        return (module, *longest(from_here(name) for name in sorted(graph[module])))

    return list(longest(from_here(module) for module in sorted(graph)))


def longest(chains: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return max(chains, key=len, default=())


def reached_from(graph: Mapping[str, set[str]], module: str) -> set[str]:
    """Return what is loaded with the module, directly or by way of others."""
    seen, waiting = set[str](), [module]
    while waiting:
        seen.add(current := waiting.pop())
        waiting += graph.get(current, set()) - seen
    return seen
