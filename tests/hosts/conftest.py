from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.crew import Crew


class Patient(Crew):
    """With the leases that a site has in earnest: on bad lines all takes its time."""

    def _environment(self, name: str) -> dict[str, str]:
        return super()._environment(name) | {"DJANGO_SETTINGS_MODULE": "tournaments.settings"}


@pytest.fixture
def crew(live_server: Any, tmp_path: Path) -> Iterator[Crew]:
    crew = Patient(tmp_path, live_server.url)
    yield crew
    crew.close()
