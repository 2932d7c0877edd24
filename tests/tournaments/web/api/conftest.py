"""The API is asked through `tests.tournaments.web.api.asking`, which holds every answer against the OpenAPI file."""

import uuid
from typing import Any

import pytest

from tests.again import again
from tests.tournaments.web.api.world import World, a_world


@pytest.fixture(autouse=True)
def counters_of_its_own(settings: Any) -> None:
    """A test begins with nothing counted, whoever else uses the cache meanwhile."""
    settings.CACHES = settings.CACHES | {"default": {**settings.CACHES["default"], "KEY_PREFIX": uuid.uuid4().hex}}


@pytest.fixture
def api_world(db: None) -> World:
    return again(a_world)
