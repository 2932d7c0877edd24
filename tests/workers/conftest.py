import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.hall import TOKEN, Hall, Site, a_site, own_database
from workers.bundles import Shelf, own_folder
from workers.match import Kit
from workers.sandbox.arena import Arena


@pytest.fixture
def site() -> Iterator[Site]:
    with a_site() as site:
        yield site


@pytest.fixture
def hall(site: Site) -> Iterator[Hall]:
    hall = Hall(site, own_database(os.environ["REDIS_URL"]))
    yield hall
    hall.close()


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    store = own_folder(str(tmp_path_factory.mktemp("worker") / "cache")) / "unpacked"
    store.mkdir()
    with Arena.start(store) as arena:
        yield arena


@pytest.fixture
def kit(arena: Arena, site: Site) -> Kit:
    """Return all that a match is played with, in this process."""
    return Kit("tester/1", Shelf(arena.store.parent, site.url, TOKEN), arena)


@pytest.fixture
def shelf(site: Site, tmp_path: Path) -> Shelf:
    return Shelf(own_folder(str(tmp_path / "cache")), site.url, TOKEN)
