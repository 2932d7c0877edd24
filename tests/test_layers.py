"""The house's plan, checked on every import: engine <- bots <- workers <- tournaments, and an import points left."""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("engine", "bots", "workers", "tournaments")
STANDARD_LIBRARY_ALONE = ("engine.", "bots.", "workers.sandbox.")
# The one tier made of packages, an extra: `wit_world` is what a component finds inside of itself.
WASM, WASM_PACKAGES = "workers.sandbox.wasm.", {"wasmtime", "wit_world"}
DJANGO = {"django", "rest_framework", "drf_spectacular", "psycopg"}
# Runs in the sandbox, after all doors are closed: that it can still import what bots need is what it tries.
PROBE = "workers.sandbox.probe"
# The benches live with the tests, and the command that runs them prints their rows.
BENCH = ("tournaments.management.commands.bench", "tests.bench")


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))}
TREES = {module: ast.parse(path.read_text(), path) for module, path in MODULES.items()}


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


def room_of(module: str) -> str:
    return module.partition(".")[0]


EDGES = [(module, name) for module, tree in TREES.items() for name in imports(tree, module)]


def test_there_is_something_to_check() -> None:
    assert {room_of(module) for module in MODULES} == set(ROOMS)
    assert ("engine.referee", "engine.core") in EDGES


def test_an_import_points_left() -> None:
    order = {room: number for number, room in enumerate((*ROOMS, "tests"))}
    inside = [edge for edge in EDGES if room_of(edge[1]) in order and edge != BENCH]
    assert not [edge for edge in inside if order[room_of(edge[1])] > order[room_of(edge[0])]]


def test_django_stays_in_tournaments() -> None:
    assert not [edge for edge in EDGES if room_of(edge[0]) != "tournaments" and room_of(edge[1]) in DJANGO]


def test_the_engine_the_bots_and_the_sandbox_use_the_standard_library_alone() -> None:
    known = {*ROOMS, *sys.stdlib_module_names}
    plain = [edge for edge in EDGES if f"{edge[0]}.".startswith(STANDARD_LIBRARY_ALONE)]
    assert not [
        edge for edge in plain if room_of(edge[1]) not in known | (WASM_PACKAGES if edge[0].startswith(WASM) else set())
    ]


def test_no_function_imports_our_own_packages() -> None:
    hidden = [
        (module, name)
        for module, tree in TREES.items()
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in imports(part, module)
        if room_of(name) in ROOMS and module != PROBE
    ]
    assert not hidden


def test_no_modules_import_each_other_in_a_circle() -> None:
    """A package that gathers the names of its modules counts as one of them: they import each other directly."""
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for module, name in EDGES:
        if name in MODULES and module != name:
            graph[module].add(name)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail("a circle of imports: " + " -> ".join(cycle.args[1]))


# Loops that wait and do not run until they are asked to stop, and by what they end. Every other is a `keep_on`.
BOUNDED = {
    "tournaments.launcher.main.running": "a deadline",
    "tournaments.launcher.embedded_server.Server.start": "a deadline",
    "bots.submit": "the verdict, or a deadline",
    "workers.bundles": "so many tries",
    "workers.sandbox.cgroups": "a deadline",
    "workers.sandbox.wasm.build": "it is a bot, which is stopped",
    "workers.live.Broadcast.run": "the end of its match; the first failure ends it, and nothing else",
    "workers.pulse.Pulse._run": "the end of its set",
    "tournaments.live.drawing_thread.Stage.work": "the end of its round; a board that hangs is left behind",
    "tournaments.broker.retry.patiently": "the end of what it tries: each report has a border of its own",
}


def test_every_loop_that_runs_until_it_is_stopped_does_its_items_apart() -> None:
    """One item never stops the others: `workers.isolation` holds the one such loop there is."""
    found = [place for module in TREES if module != "workers.isolation" for place in waiting_loops(module)]
    assert not [place for place in found if not place.startswith(tuple(BOUNDED))]


def waiting_loops(module: str) -> Iterator[str]:
    for name, function in functions_of(TREES[module], module):
        whiles = [part for part in ast.walk(function) if isinstance(part, ast.While)]
        if any(waits(part) for loop in whiles for part in ast.walk(loop)):
            yield name


def functions_of(tree: ast.AST, name: str) -> Iterator[tuple[str, ast.AST]]:
    for part in ast.iter_child_nodes(tree):
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name}.{part.name}", part
        elif isinstance(part, ast.ClassDef):
            yield from functions_of(part, f"{name}.{part.name}")


def waits(part: ast.AST) -> bool:
    called = part.func if isinstance(part, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in ("wait", "sleep", "is_set")


def test_modules_have_names_that_say_something() -> None:
    empty = {"utils", "helpers", "services", "common", "misc"}
    assert not [module for module in MODULES if empty & set(module.split("."))]
