import pytest

from workers.logs import begin


@pytest.fixture(autouse=True)
def nothing_is_known() -> None:
    """What an earlier test's request was called is none of this one's business."""
    begin()
