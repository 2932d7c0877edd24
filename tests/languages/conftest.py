"""A worker's kit with all the languages of this machine, each found by its trial in the real sandbox, tier by tier.

The trials take seconds: they are made once for all files of this folder.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.worker_cache import a_cache
from tests.workers.conftest import site
from tests.workers.hall import TOKEN, Site
from workers import languages
from workers.bundles import Shelf
from workers.match import Kit
from workers.sandbox.arena import Arena
from workers.sandbox.errors import SandboxError

__all__ = ["site"]

TIERS = ("namespaces", "landlock")  # the third, `pure`, is for Python alone


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take the second tier too where a module asks for it: that each language plays there, and every verdict."""
    if "arena" in metafunc.fixturenames and "arena" not in vars(metafunc.module):  # not one of the module's own
        tiers = TIERS if getattr(metafunc.module, "IN_EACH_TIER", False) else TIERS[:1]
        metafunc.parametrize("arena", tiers, indirect=True, scope="package")


@pytest.fixture(scope="package")
def arena(request: pytest.FixtureRequest) -> Iterator[Arena]:
    with tempfile.TemporaryDirectory(prefix="boardroom-languages-") as folder:
        store = Path(a_cache(Path(folder))) / "unpacked"
        Path(folder).chmod(0o755)  # so that a bot may have a user of its own
        try:
            arena = Arena.start(store, tier=request.param)
        except SandboxError as refusal:
            pytest.skip(f"NOT TESTED: bots' languages in a tier that does not hold here. {refusal}")
        with arena:
            yield arena


@pytest.fixture(scope="package")
def tools(arena: Arena) -> languages.Tools:
    return languages.find_tools(arena)


@pytest.fixture
def kit(arena: Arena, site: Site, tools: languages.Tools) -> Kit:
    return Kit("tester/1", Shelf(arena.store.parent, site.url, TOKEN), arena, tools)


@pytest.fixture
def any_core() -> Iterator[None]:
    """Playing keeps to one core; give the others back."""
    cores = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, cores)
