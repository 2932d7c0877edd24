"""`python3 -m tests.mutation [MODULE...] [--sample N] [--seed S]`: how many small faults in a module its tests find.

Every mutant has a process of its own, forked where all is loaded that does not import the module: so it costs little
more than its tests. One pair of servers and one migrated database serve all. Other processes of tests are not mutated.
"""

import argparse
import math
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import django
import pytest
from django.apps import apps

from tests import servers
from tests.imports import MODULES, graph_of, reached_from
from tests.mutation.mutants import Mutant, mutants_of, mutated
from tournaments.apps import Organising

TESTS = {
    "tournaments.ledger.recording.reports": (
        "tournaments/ledger/recording/test_reports.py",
        "tournaments/ledger/recording/test_recording.py",
    ),
    "tournaments.ledger.recording.report_checks": (
        "tournaments/ledger/recording/test_report_bounds.py",
        "tournaments/ledger/recording/test_report_checks.py",
    ),
    "tournaments.ledger.recording.results": ("tournaments/ledger/recording/test_results.py",),
    "tournaments.ledger.dispatch.leases": ("tournaments/ledger/dispatch/test_leases.py",),
    "tournaments.ledger.dispatch.fair_share": ("tournaments/ledger/dispatch/test_fair_share.py",),
    "tournaments.ledger.ladders.official_fit": (
        "tournaments/ledger/ladders/test_official_fit.py",
        "tournaments/ledger/ladders/test_official_ratings.py",
        "tournaments/ledger/ladders/test_classic_elo.py",
    ),
    "tournaments.ratings.fit": (
        "tournaments/ratings/test_page_formulas.py",
        "tournaments/ratings/test_odd_ledgers.py",
        "tournaments/ratings/test_fit.py",
    ),
    "tournaments.ratings.dispersion": (
        "tournaments/ratings/test_dispersion.py",
        "tournaments/ratings/test_page_formulas.py",
        "tournaments/ratings/test_fit.py",
    ),
    "tournaments.ratings.standard_errors": (
        "tournaments/ratings/test_page_formulas.py",
        "tournaments/ratings/test_fit.py",
    ),
    "tournaments.ratings.ranks": ("tournaments/ratings/test_ranks.py",),
    "bots.formats.rematch_avoidance": ("bots/formats/test_rematches.py",),
    "bots.formats.bracket_places": ("bots/formats/test_fixed_bracket.py",),
    "bots.formats.unplayed_rounds": ("bots/formats/test_unplayed_rounds.py",),
    "bots.viewer.frames": ("bots/viewer/test_frames.py", "bots/viewer/test_film_chunks.py"),
    "tournaments.core.accounts.visibility": ("tournaments/core/accounts/test_visibility.py",),
    "tournaments.core.accounts.spaces": (
        "tournaments/features/spaces/test_joining.py",
        "tournaments/features/spaces/test_pages.py",
    ),
    "bots.bundle": ("bots/test_bundle_bounds.py", "bots/test_bundle.py", "bots/test_bundle_languages.py"),
    "bots.sequential_test": ("bots/test_sequential_test.py",),
    "tournaments.web.server.page_cache": (
        "tournaments/web/server/test_page_cache.py",
        "tournaments/web/server/test_languages.py",
    ),
    "tournaments.web.server.kept_answers": ("tournaments/web/server/test_page_cache.py",),
    "tournaments.web.pages.kept_parts": ("tournaments/web/pages/test_kept_parts.py",),
}
# Of what these load by names alone, the graph of imports knows nothing.
LOADING_BY_NAME = (
    *("tests", "rest_framework", "drf_spectacular"),
    *("tournaments.urls", "tournaments.wsgi", "tournaments.asgi"),
)
SLOWER = 5  # times as long as without a mutant: the tests do not end
SHORTEST = 30.0  # seconds until that is said


def loaded_with(module: str, tree: Any) -> None:
    """Make the module what the tree says, wherever it is imported from now on."""
    read, path = SourceFileLoader.get_code, str(MODULES[module])

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        return compile(tree, path, "exec") if name == module else read(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def run(files: Sequence[str]) -> int:
    servers.start = lambda: None  # they run
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    apps.get_app_config("admin").ready()
    options = ("-x", "-q", "-p", "no:cacheprovider", "--assert=plain", "--hypothesis-seed=0")
    return int(pytest.main([*options, *(str(servers.ROOT / "tests" / file) for file in files)]))


@contextmanager
def end_of_process() -> Iterator[None]:
    """Whatever happens in a forked process, it does not go on with its parent's work."""
    try:
        yield
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
    finally:
        os._exit(1)


def apart(work: Callable[[], int], seconds: float) -> bool:
    """Whether it returns 0, in a process of its own, within so many seconds."""
    sys.stdout.flush()
    if not (child := os.fork()):
        os.setsid()
        with end_of_process():
            os._exit(work())
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def loaded_by_tests(module: str, names: Path) -> float:
    """Load what its tests load and does not import it: no mutant's process need do that. The seconds that they take."""

    def test() -> int:
        code = run(TESTS[module])
        names.write_text("\n".join(sys.modules))
        return code

    began = time.monotonic()
    if not apart(test, 3600):
        sys.exit(f"{module}: its tests fail without a mutant: {' '.join(TESTS[module])}")
    took, graph = time.monotonic() - began, {name: with_packages(imported) for name, imported in graph_of().items()}
    for name in names.read_text().split("\n"):
        if not name.startswith(LOADING_BY_NAME) and not reaches(graph, name, module):
            with suppress(ImportError):
                import_module(name)
        assert module not in sys.modules, f"{name} loads it"
    return took


def with_packages(names: Iterable[str]) -> set[str]:
    """A module is loaded after the packages that it is in."""
    return {
        ".".join(parts[: number + 1]) for name in names for parts in [name.split(".")] for number in range(len(parts))
    }


def reaches(graph: Mapping[str, set[str]], name: str, module: str) -> bool:
    return any(module in reached_from(graph, package) for package in with_packages([name]))


def survivors(module: str, chosen: Sequence[Mutant], source: str, longest: float) -> list[Mutant]:
    def test(mutant: Mutant) -> int:
        loaded_with(module, mutated(source, mutant.number))
        return run(TESTS[module])

    alive = []
    for mutant in chosen:
        if apart(partial(test, mutant), longest):
            alive.append(mutant)
            print(f"  lives: {mutant}", flush=True)
    return alive


def score(module: str, sample: int, seed: int) -> int:
    with tempfile.NamedTemporaryFile() as names:
        longest = max(SHORTEST, SLOWER * loaded_by_tests(module, Path(names.name)))
    source = MODULES[module].read_text()
    everything = mutants_of(source)
    chosen = sorted(
        random.Random(seed).sample(everything, min(sample, len(everything))), key=lambda mutant: mutant.line
    )
    began = time.monotonic()
    killed = len(chosen) - len(survivors(module, chosen, source, longest))
    took = time.monotonic() - began
    print(
        f"{module}: {killed} of {len(chosen)} killed, {100 * killed / len(chosen):.0f} %"
        f" ({len(everything)} there are; {took:.0f} s)",
        flush=True,
    )
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", default=list(TESTS), choices=[*TESTS, []], metavar="MODULE")
    parser.add_argument("--sample", type=int, default=sys.maxsize, help="so many of each module's mutants, drawn")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    servers.pytest_load_initial_conftests()
    servers.start()
    servers.database("ready").wait()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tournaments.settings"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Organising, "ready", lambda _: None)  # it imports nearly everything: `run` has it do so
        django.setup()
    for module in options.modules:
        apart(partial(score, module, options.sample, options.seed), math.inf)
    servers.pytest_sessionfinish()


if __name__ == "__main__":
    main()
