"""The small world of the API's tests, to be dumped."""

import pytest

from tests.again import again
from tests.api.world import World, a_world


@pytest.fixture
def world(db: None) -> World:
    return again(a_world)
