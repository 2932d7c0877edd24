"""A worker's kit with all the languages of this machine, each found by its trial in the real sandbox."""

import pytest

from tests.workers.conftest import arena, site
from tests.workers.hall import TOKEN, Site
from workers import languages
from workers.bundles import Shelf
from workers.match import Kit
from workers.sandbox import Arena

__all__ = ["arena", "site"]


@pytest.fixture(scope="module")
def tools(arena: Arena) -> languages.Tools:
    return languages.find(arena)


@pytest.fixture
def kit(arena: Arena, site: Site, tools: languages.Tools) -> Kit:
    return Kit("tester/1", Shelf(arena.store.parent, site.url, TOKEN), arena, tools)
