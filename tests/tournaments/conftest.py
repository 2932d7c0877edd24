from collections.abc import Iterator
from typing import Any

import pytest

from tournaments.broker import queues


@pytest.fixture(autouse=True)
def quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a good one is slow by design


@pytest.fixture
def queue() -> Iterator[None]:
    """An empty broker that remembers."""
    queues.broker().flushdb()
    queues.remember()
    yield
    queues.broker().flushdb()
