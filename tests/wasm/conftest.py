"""What the tests of WebAssembly play in: see installed.py for where it is not there."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wasm.installed import NEEDS_THE_PACK
from tests.workers.hall import TOKEN, Site, a_site
from workers.bundles import Shelf, own_folder
from workers.match import Kit
from workers.sandbox.arena import Arena

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(NEEDS_THE_PACK)


@pytest.fixture(scope="session")
def arena() -> Iterator[Arena]:
    with tempfile.TemporaryDirectory(prefix="boardroom-store-") as folder:
        store = own_folder(f"{folder}/cache") / "unpacked"
        Path(folder).chmod(0o755)
        store.mkdir()
        with Arena.start(store) as arena:
            yield arena


@pytest.fixture
def site() -> Iterator[Site]:
    with a_site() as site:
        yield site


@pytest.fixture
def kit(arena: Arena, site: Site) -> Kit:
    return Kit("tester/1", Shelf(arena.store.parent, site.url, TOKEN), arena)
