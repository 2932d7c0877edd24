from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.crew import Crew


@pytest.fixture
def crew(live_server: Any, tmp_path: Path) -> Iterator[Crew]:
    crew = Crew(tmp_path, live_server.url)
    yield crew
    crew.close()
