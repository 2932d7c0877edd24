"""The form of who sits where, for a new game and for one that goes on from a match."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from django.db.models import QuerySet
from django.utils.translation import gettext

from tournaments.features.practice.seats import INVITED, PERSON, SeatedPlayer, python_samples, seated_player
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Draft, Ladder, User, Version
from tournaments.web.pages.query_values import whole
from tournaments.web.pages.sentences import say

MOST_BOTS, MOST_DRAFTS = 200, 20  # in a list
RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Option:
    key: str  # "person", "invited", "version-12", "draft-3", "sample-greedy"
    label: str


@dataclass(frozen=True, slots=True)
class Kind:
    title: str
    options: Sequence[Option]


@dataclass(frozen=True, slots=True)
class Place:
    """A seat, or one of the opponents, who may be chosen."""

    name: str
    label: str
    chosen: str


def seat_kinds(ladder: Ladder, by: User, more: Sequence[Version] = (), *, people: bool = False) -> list[Kind]:
    """Return the choices; `more` are the versions that played the match. With `people`, somebody may be invited."""
    played = {version.pk for version in more}
    ranked = [
        Option(f"version-{line.version_id}", f"{place}. {line.bot}, {line.elo:.0f} Elo")
        for place, line in enumerate(standings(ladder), 1)
    ]
    groups = [
        Kind(gettext("People"), [Option(INVITED, gettext("somebody by invitation"))] if people else []),
        Kind(gettext("Those who sat there"), [_version(version) for version in more]),
        Kind(
            gettext("The platform’s samples"),
            [Option(f"sample-{name}", say("sample %(name)s", name=name)) for name in python_samples(ladder.game)],
        ),
        Kind(gettext("Bots of the ladder, the strongest first"), ranked[:MOST_BOTS]),
        Kind(
            gettext("Your versions"),
            [_version(version) for version in own_versions(ladder, by) if version.pk not in played][:MOST_BOTS],
        ),
        Kind(
            gettext("Your drafts"),
            [Option(f"draft-{draft.pk}", say("draft %(name)s", name=draft.name)) for draft in own_drafts(ladder, by)],
        ),
    ]
    return [kind for kind in groups if kind.options]


def _version(version: Version) -> Option:
    return Option(f"version-{version.pk}", str(version))


def own_versions(ladder: Ladder, by: User) -> QuerySet[Version]:
    return (
        Version.objects.filter(bot__owner=by, bot__game=ladder.game)
        .select_related("bot")
        .order_by("bot__name", "-number")
    )


def own_drafts(ladder: Ladder, by: User) -> QuerySet[Draft]:
    return Draft.objects.filter(owner=by, game=ladder.game).exclude(source="").order_by("-saved_at")[:MOST_DRAFTS]


def opponent_places(ladder: Ladder, sent: Mapping[str, str], players: int, *, quick: bool = False) -> list[Place]:
    """Return the places of everybody but the person, as they were sent; `quick`: others are samples."""
    usual = cycle((quick and [f"sample-{name}" for name in python_samples(ladder.game)]) or [""])
    return [
        Place(f"opponent-{number}", say("Opponent %(number)s", number=number), sent.get(f"opponent-{number}", first))
        for number, first in zip(range(1, players), usual, strict=False)
    ]


def seated_players(places: Sequence[Place], seat: str, by: User) -> list[SeatedPlayer]:
    """Return the opponents in turn, and the person at `seat`, or at any."""
    chairs = [seated_player(place.chosen, by) for place in places]
    number = whole(seat)
    index = secrets.randbelow(len(chairs) + 1) if number is None or number > len(chairs) else number
    return [*chairs[:index], PERSON, *chairs[index:]]
