from collections.abc import Iterator
from typing import Any

import pytest

from tournaments import bell


@pytest.fixture(autouse=True)
def quick_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # a good one is slow by design


@pytest.fixture
def queue() -> Iterator[None]:
    """An empty broker that remembers."""
    bell.broker().flushdb()
    bell.remember()
    yield
    bell.broker().flushdb()
