"""What a feature offers to the rest of the site: the one list of extension points.

`tournaments/features/__init__.py` lists the features. Rooms below them ask `features()` while they run, and import none
of them.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Protocol

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import URLPattern
from django.utils.module_loading import import_string

from engine.sentences import Sentence
from tournaments.models import Act, Bot, Event, Ladder, MatchSet, NewsItem, Space, User, Version
from workers.practice_orders import PracticeReport

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
    after_sending: bool = False  # in every round, once orders are sent: it chooses by itself when to do something


@dataclass(frozen=True, slots=True)
class Card:
    """A part of a page: a template, which finds its context under the name `card`."""

    template: str
    context: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a page of one ladder. `label` is translated where it is shown."""

    route: str
    label: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """What is done with a new account, in its transaction (it may raise Refused), and where its person goes on."""

    receive: Callable[[User], None]
    path: str


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables that a ladder deals before its own pairing, in at most half of the room."""

    wanted: Callable[[Ladder], bool]
    choose: Callable[[Ladder, int, Collection[int]], list[list[int]]]  # at most so many, of these versions


def nothing(*_: object) -> None:
    """Do what most features do at most hooks."""


def no_actions(_: Ladder) -> tuple[type[OrganisersAction], ...]:
    return ()


def never(*_: object) -> bool:
    return False


def nothing_to_send() -> int:
    return 0


def no_sentences(_: Ladder) -> list[str]:
    return []


def lets_play(_: Version) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What happened to an event, a space, a ladder or a bot. `key` is never that of other news."""

    of: Event | Space | Ladder | Bot
    kind: NewsItem.Kind
    key: str
    text: Sentence
    path: str  # of the page that shows more
    round: int = 0  # of an event, whose results it tells


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions that workers for practices ask bots. Reports on them have negative numbers."""

    awaits: Callable[[int, int, str], bool]  # whether a bundle is asked now, by number, turn and hash
    take: Callable[[PracticeReport], str]  # processes a report. Raises Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """One folder of `tournaments/features/`. Hooks run in the transaction of their caller."""

    name: str
    uses: tuple[str, ...] = ()  # the other features that it may import
    steps: tuple[Step, ...] = ()
    actions: tuple[type[OrganisersAction], ...] = ()
    pages: tuple[URLPattern, ...] = ()
    endpoints: tuple[URLPattern, ...] = ()

    # Asked before something is done. Each may raise Refused.
    before_upload: Callable[[Bot], None] = nothing
    before_activation: Callable[[Bot], None] = nothing  # another of its versions is to play
    before_entry: Callable[[Ladder, Bot], None] = nothing
    before_withdrawal: Callable[[Ladder, Bot], None] = nothing
    before_opening: Callable[[Ladder], None] = nothing  # in the preview of what calls `ladder_opened`
    before_leaving: Callable[[User, Space | None], None] = nothing  # locks what `left` changes, before other locks
    # Of a version that has passed its check: whether it waits, and the feature lets it play later, or never.
    holds_back: Callable[[Version], bool] = lets_play

    # Told after something was done.
    set_completed: Callable[[MatchSet], None] = nothing  # one that somebody awaits: a check, a trial's, a friendly one
    version_passed: Callable[[Version], None] = nothing  # its check; it may be held back
    version_activated: Callable[[Version], None] = nothing  # one that was retired plays again
    # The bots leave the ladder, or all ladders, because they are disqualified, or their owner goes; and why.
    bots_removed: Callable[[QuerySet[Bot], Ladder | None, str], None] = nothing
    ladder_closed: Callable[[Ladder, Act], None] = nothing  # by this action
    ladder_opened: Callable[[Ladder], None] = nothing  # thawed or opened again: versions are no longer fixed
    ratings_changed: Callable[[Ladder], None] = nothing  # of the ladder, or of an event there
    set_voided: Callable[[MatchSet], None] = nothing  # of an event, to be dealt again
    left: Callable[[User, Space | None], None] = nothing  # somebody left the space; None: the site
    guest_kept: Callable[[User, User], None] = nothing  # a guest has become this account, or signs in to it
    happened: Callable[[News], None] = nothing  # what everybody may be told who sees what it happened to
    unsaid: Callable[[Act], None] = nothing  # what this act announced is withdrawn
    event_ended: Callable[[Event], None] = nothing
    event_resumed: Callable[[Event], None] = nothing  # it had ended, and is played on
    lead_changed: Callable[[], None] = nothing  # this dispatcher begins or ends to lead: forget what was seen

    resend: Callable[[], int] = nothing_to_send  # the broker lost what it held; returns how much is sent again

    # Asked for what they add.
    paired_by_result: Callable[[MatchSet], bool] = never  # whether it dealt other sets by the result of this
    # Of somebody who signs up on the way to an address. It may raise Refused.
    welcome: Callable[[HttpRequest, str], Welcome | None] = nothing
    tables: Tables | None = None
    questions: Questions | None = None
    closing_says: Callable[[Ladder], list[str]] = no_sentences  # in the preview of what calls `ladder_closed`
    opening_says: Callable[[Ladder], list[str]] = no_sentences  # in the preview of what calls `ladder_opened`
    ladder_card: Callable[[Ladder], Card | None] = nothing
    standings_note: Callable[[Ladder], Card | None] = nothing  # below the standings of the ladder's page
    ladder_actions: Callable[[Ladder], tuple[type[OrganisersAction], ...]] = no_actions  # on its desk
    account_card: Callable[[User], Card | None] = nothing  # on their own account's page
    person_card: Callable[[User, User | AnonymousUser], Card | None] = nothing  # on somebody's page, for who looks
    # For organisers: on the ladder's desk, and on its page if the feature has no card there.
    ladder_links: tuple[Link, ...] = ()


@cache
def features() -> tuple[Feature, ...]:
    """Return all features, in the order in which their steps and hooks run."""
    listed: tuple[Feature, ...] = import_string(LIST)
    return listed


def questions() -> Questions:
    """Return the questions of the one feature that asks some."""
    return next(feature.questions for feature in features() if feature.questions)
