"""The deterministic division is an extra. Where it is not built nothing here can run, and pytest's summary says so."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.hall import TOKEN, Site, a_site
from workers.bundles import Shelf, own_folder
from workers.match import Kit
from workers.sandbox import Arena, SandboxError
from workers.sandbox.wasm import pack

HERE = Path(__file__).parent


def why_not() -> str:
    try:
        pack.find()
    except SandboxError as error:
        return str(error)
    return ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if reason := why_not():
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=f"THE DETERMINISTIC DIVISION IS NOT TESTED: {reason}"))


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
