"""What a feature offers to the rest of the site: the one list of extension points.

`tournaments/features/__init__.py` lists the features. Rooms below them ask `features()` while they run, and import none
of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Protocol

from django.urls import URLPattern
from django.utils.module_loading import import_string

LIST = "tournaments.features.FEATURES"


class OrganisersAction(Protocol):
    """What the list of actions needs to know of `acts.base.Action`."""

    kind: ClassVar[str]
    button: ClassVar[str]
    about: ClassVar[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Work that the dispatcher does again and again. `run` returns how much there was to do."""

    name: str
    run: Callable[[], int]
    every: float = 0.5  # seconds between two turns
    # SQL that selects a row if there may be something to do: it may do so in vain, but never leave something out.
    # Without it there always may be something to do.
    pending: str = ""
    deals: bool = False  # it deals sets, so it can wait while all workers have enough to do


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One folder of `tournaments/features/`."""

    name: str
    uses: tuple[str, ...] = ()  # the other features that it may import
    steps: tuple[Step, ...] = ()
    actions: tuple[type[OrganisersAction], ...] = ()
    pages: tuple[URLPattern, ...] = ()
    endpoints: tuple[URLPattern, ...] = ()


@cache
def features() -> tuple[Feature, ...]:
    """Return all features, in the order in which their steps and hooks run."""
    listed: tuple[Feature, ...] = import_string(LIST)
    return listed
