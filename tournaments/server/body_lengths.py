"""The maximum length of a request body: larger where bots are uploaded."""

import re
from functools import cache

from django.conf import settings


def longest_of(path: str) -> int:
    """In bytes."""
    if _uploads().fullmatch(path):
        return int(settings.FILE_UPLOAD_MAX_MEMORY_SIZE)
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


@cache
def _uploads() -> re.Pattern[str]:
    return re.compile(settings.UPLOAD_PATHS)
