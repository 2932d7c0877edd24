"""What `manage.py doctor` has found out about one thing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    works: bool
    detail: str
    remedy: str = ""
    vital: bool = True  # the platform cannot run without it
