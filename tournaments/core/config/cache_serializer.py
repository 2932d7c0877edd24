"""The cache holds only plain data: it shares a Redis with match workers, who could run code through a pickle."""

import json
from typing import Any


class PlainData:
    """A serialiser for Django's Redis cache."""

    def dumps(self, value: Any) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)
