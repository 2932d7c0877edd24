"""The house's plan, checked on every import: engine <- bots <- workers <- tournaments, and an import points left.

Within `tournaments` the same holds of its floors and rooms, in the order of docs/architecture.md.
"""

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from engine.games import OWN
from tests.imports import MODULES, PACKAGES, edges, graph_of, imports, longest_chain, reached_from, trees
from tournaments.features import FEATURES

STANDARD_LIBRARY_ALONE = ("engine.", "bots.", "workers.sandbox.")
# The competitor's command is made with these. Of it nothing of ours imports more than the wheel.
KIT, KIT_PACKAGES, KIT_WHEEL = "bots.command.", {"click", "rich"}, "bots.command.wheel"
# Environments for research, extras of the kit: nothing else of ours imports them but the encodings of games.
RESEARCH, RESEARCH_PACKAGES = "bots.environments.", {"numpy", "gymnasium", "pettingzoo", "pyspiel"}
ENCODING = re.compile(r"bots\.games\.\w+\.encoding")  # what these ask a game for
# The one tier made of packages, an extra: `wit_world` is what a component finds inside of itself.
WASM, WASM_PACKAGES = "workers.sandbox.wasm.", {"wasmtime", "wit_world"}
DJANGO = {"django", "rest_framework", "drf_spectacular", "psycopg"}
# Runs in the sandbox, after all doors are closed: that it can still import what bots need is what it tries.
PROBE = "workers.sandbox.probe"
# The benches live with the tests, and the command that runs them prints their rows.
BENCH = ("tournaments.management.commands.bench", "tests.bench")


# The floors of `tournaments`, and their rooms: an import may only point to an earlier room, or stay at home.
FLOORS: dict[str, tuple[str, ...]] = {
    "core": (
        *("core.errors", "core.csv_text", "core.config", "ratings", "models", "core.schema_release", "core.feature"),
        *("core.broker", "audit", "core.accounts", "core.notices"),
    ),
    "ledger": (
        *("ledger.formats", "ledger.viewer", "ledger.retention", "ledger.competitors", "ledger.dispatch"),
        *("ledger.ladders", "ledger.matchmaking", "ledger.statistics", "ledger.search", "ledger.acts"),
        *("ledger.recording", "ledger.dumps"),
    ),
    "web": ("web.live", "web.server", "web.api", "web.pages"),  # what pages and endpoints are made with
    "features": ("features",),
    "site": ("site",),  # what shows several features, and all addresses
    "ops": (
        *("ops.launcher", "ops.backups", "ops.dispatcher", "ops.final_standings", "ops.monitoring", "ops.admin"),
        *("settings", "accounts", "apps", "urls", "wsgi", "asgi", "templatetags", "locale", "management", "migrations"),
    ),
}
FOLDERS = ("core", "ledger", "web", "ops")
ROOMS = tuple(room for rooms in FLOORS.values() for room in rooms)
ASK = {"features", "actions"}  # what finds the features
LONGEST_CHAIN = 17  # modules of `tournaments`, each of which imports the next
PLAYS_OR_RATES = (
    "engine.games",
    "engine.referee",
    "tournaments.ratings",
    "tournaments.ledger.formats",
    "bots.formats",
    "bots.games",
)


def is_bench(edge: tuple[str, str]) -> bool:
    return edge[0] == BENCH[0] and edge[1].startswith(BENCH[1])


def package_of(module: str) -> str:
    return module.partition(".")[0]


def room_of(module: str) -> str:
    """Return the room of a module of `tournaments`, with its floor where that is a folder of rooms."""
    floor, *inner = module.split(".")[1:] if module.startswith("tournaments.") else [""]
    return floor if floor not in FOLDERS else f"{floor}.{inner[0]}" if inner else ""


def feature_of(module: str) -> str:
    room, _, name = module.removeprefix("tournaments.").partition(".")
    return name.partition(".")[0] if room == "features" else ""


def test_there_is_something_to_check() -> None:
    assert {package_of(module) for module in MODULES} == set(PACKAGES)
    assert ("engine.referee", "engine.core") in edges()


def test_an_import_points_left() -> None:
    order = {package: number for number, package in enumerate((*PACKAGES, "tests"))}
    inside = [edge for edge in edges() if package_of(edge[1]) in order and not is_bench(edge)]
    assert not [edge for edge in inside if order[package_of(edge[1])] > order[package_of(edge[0])]]


def test_django_stays_in_tournaments() -> None:
    assert not [edge for edge in edges() if package_of(edge[0]) != "tournaments" and package_of(edge[1]) in DJANGO]


def test_the_engine_the_bots_and_the_sandbox_use_the_standard_library_alone() -> None:
    allowed = {*PACKAGES, *sys.stdlib_module_names}
    plain = [edge for edge in edges() if f"{edge[0]}.".startswith(STANDARD_LIBRARY_ALONE)]
    assert not [edge for edge in plain if package_of(edge[1]) not in allowed | packages_for(edge[0])]


def packages_for(module: str) -> set[str]:
    if module.startswith(WASM):
        return WASM_PACKAGES
    if module.startswith(RESEARCH):
        return RESEARCH_PACKAGES
    return KIT_PACKAGES if module.startswith(KIT) and module != KIT_WHEEL else set()


def test_of_the_command_the_site_imports_the_wheel_alone() -> None:
    """Bots see its files, beside those of the SDK, and no package that it is made with."""
    into = [edge for edge in edges() if f"{edge[1]}.".startswith(KIT) and not f"{edge[0]}.".startswith(KIT)]
    assert {name for _, name in into} == {KIT_WHEEL}


def test_nothing_else_imports_the_environments_for_research() -> None:
    into = [edge for edge in edges() if f"{edge[1]}.".startswith(RESEARCH) and not f"{edge[0]}.".startswith(RESEARCH)]
    lists_answers = ("workers.suggestions", "bots.environments.encoding")  # of any game, from its encoding
    assert [edge for edge in into if not ENCODING.fullmatch(edge[0])] == [lists_answers]


def test_a_game_is_known_by_its_interface_alone() -> None:
    """A game's folder imports itself; who shows or plays games asks `bots.games` for the modules by their names."""
    folders = {
        package: f"bots.games.{game}" for game in OWN for package in (f"bots.games.{game}", f"engine.games.{game}")
    }
    of_games = [(edge, folder) for edge in edges() if (folder := folders.get(".".join(edge[1].split(".")[:3])))]
    shared = ("engine.games.", "bots.samples.")  # rules, and samples under their former names
    assert not [edge for edge, folder in of_games if not f"{edge[0]}.".startswith((f"{folder}.", *shared))]


def test_no_function_imports_our_own_packages() -> None:
    hidden = [
        (module, name)
        for module, tree in trees().items()
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
        for name in imports(part, module)
        if package_of(name) in PACKAGES and module != PROBE
    ]
    assert not hidden


def test_no_modules_import_each_other_in_a_circle() -> None:
    """A package that gathers the names of its modules counts as one of them: they import each other directly."""
    try:
        TopologicalSorter(graph_of()).prepare()
    except CycleError as cycle:
        pytest.fail("a circle of imports: " + " -> ".join(cycle.args[1]))


def test_every_module_of_tournaments_is_in_a_room() -> None:
    assert {room_of(module) for module in MODULES} - {""} == set(ROOMS)


def test_an_import_points_to_an_earlier_room() -> None:
    order = {room: number for number, room in enumerate(ROOMS)}
    between = [edge for edge in edges() if room_of(edge[0]) and room_of(edge[1])]
    assert not [edge for edge in between if order[room_of(edge[1])] > order[room_of(edge[0])]]


def test_a_feature_imports_another_only_if_it_says_so() -> None:
    """And `features/__init__.py` alone imports all of them."""
    uses = {feature.name: {feature.name, *feature.uses} for feature in FEATURES}
    assert uses.keys() == {feature_of(module) for module in MODULES} - {""}
    between = [edge for edge in edges() if feature_of(edge[0]) and feature_of(edge[1])]
    assert not [edge for edge in between if feature_of(edge[1]) not in uses[feature_of(edge[0])]]


def test_rooms_below_the_features_ask_for_them_only_while_they_run() -> None:
    """An import at the start would load a feature that imports the room."""
    below = {room for floor in ("core", "ledger", "web") for room in FLOORS[floor]}
    early = [module for module, tree in trees().items() if room_of(module) in below and calls_at_import(tree) & ASK]
    assert not early


def test_a_call_at_import_is_found() -> None:
    source = "STEPS = [step for feature in features() for step in feature.steps]\ndef later():\n    actions()\n"
    assert calls_at_import(ast.parse(source)) == {"features"}


def calls_at_import(tree: ast.AST) -> set[str]:
    """Return the names of the functions that are called when the module is loaded."""
    calls = (part.func for part in loaded(tree) if isinstance(part, ast.Call))
    return {func.id for func in calls if isinstance(func, ast.Name)}


def loaded(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when the module is loaded."""
    for part in ast.iter_child_nodes(tree):
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield part
            yield from loaded(part)


def test_the_longest_chain_of_imports_is_short() -> None:
    assert len(chain := longest_chain(graph_of("tournaments."))) <= LONGEST_CHAIN, " -> ".join(chain)


def test_models_load_nothing_that_plays_rates_or_plans() -> None:
    loaded = reached_from(graph_of(), "tournaments.models")
    assert not [module for module in loaded if module.startswith(PLAYS_OR_RATES)]


# Loops that wait and do not run until they are asked to stop, and by what they end. Every other is a `keep_on`.
BOUNDED = {
    "tournaments.ops.launcher.doorkeeper.keep_door": "the web server answers",
    "tournaments.ops.launcher.main.running_servers": "a deadline",
    "tournaments.ops.launcher.embedded_server.Server.start": "a deadline",
    "bots.command.submit": "the verdict, or a deadline",
    "bots.command.gate.followed": "the verdict, or Ctrl-C",
    "bots.command.worker_pool.Cores.play": "the last match, or the end of a process that plays",
    "workers.bundles": "so many tries",
    "workers.door_worker.start_several": "the end of a process",
    "workers.door_client.Door.ask": "an answer, or the end of its worker",
    "workers.door_worker.DoorWorker.work": "the end of its worker, or a refusal; an order that fails ends nothing else",
    "workers.sandbox.cgroups": "a deadline",
    "workers.sandbox.wasm.build": "it is a bot, which is stopped",
    "workers.live.Broadcast.run": "the end of its match; the first failure ends it, and nothing else",
    "workers.heartbeat.Heartbeat._run": "the end of its set",
    "tournaments.web.live.drawing_thread.DrawingThread.work": "the end of its round; a board that hangs is left behind",
    "tournaments.core.broker.retry.retry_while_unavailable": "the end of what it tries: each report is tried apart",
}


def test_every_loop_that_runs_until_it_is_stopped_does_its_items_apart() -> None:
    """One item never stops the others: `workers.isolation` holds the one such loop there is."""
    places = [place for module in trees() if module != "workers.isolation" for place in waiting_loops(module)]
    assert not [place for place in places if not place.startswith(tuple(BOUNDED))]


def waiting_loops(module: str) -> Iterator[str]:
    for name, function in functions_of(trees()[module], module):
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
