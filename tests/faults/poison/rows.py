"""Poison written past the forms, straight into the tables: what a site of an earlier release may have accepted."""

import secrets
from collections.abc import Sequence
from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from engine.games import GAMES
from engine.records import to_plain
from tests.faults.poison.giving import NotNow
from tests.faults.poison.receivers import receivers
from tests.faults.stage import Stage
from tournaments.core.notices.create import notify
from tournaments.core.notices.webhook_signature import PREFIX
from tournaments.models import Delivery, Entrant, Entry, Event, FailingItem, Ladder, User, Version, Webhook

OPTIONS: Sequence[tuple[str, dict[str, Any]]] = (  # sound at a table of three
    ("zaibatsu", {"players": 3, "first": 2}),
    ("kaiju", {"players": 3, "start_player": 2}),
)
SIZES = [2, 3]
SPECS: Sequence[object] = ({"t": "round_robin"}, {"t": "nonsense"}, ["swiss"], {"t": "swiss", "rounds": -1})
PILE = 4  # notices to one webhook


def a_bad_ladder(slug: str, game: str, options: dict[str, Any]) -> Ladder:
    """Make a ladder whose options do not hold at one of its table sizes."""
    return Ladder.objects.create(
        slug=slug,
        title=slug,
        game=game,
        rules=GAMES[game].version,
        options=to_plain(GAMES[game].read_options(options)),
        table_sizes=SIZES,
    )


def playing(game: str) -> list[Version]:
    versions = list(Version.objects.filter(bot__game=game, status=Version.Status.ACTIVE).order_by("pk")[:3])
    if len(versions) < len(SIZES):
        raise NotNow
    return versions


class InTables:
    """Rows of their own names, each of which the record of failing items must come to hold."""

    LASTS: ClassVar[float] = 5.0
    WITHIN: ClassVar[float] = 20.0

    def __init__(self, _stage: Stage, _number: int) -> None:
        self.names: list[str] = []

    @transaction.atomic
    def give(self) -> None:
        dose = secrets.token_hex(4)
        self.names = [f"bad-{dose}-{case}" for case in range(self.write(f"bad-{dose}"))]

    def write(self, dose: str) -> int:
        """How many: DOSE-0, DOSE-1 and so on."""
        raise NotImplementedError

    def worked(self) -> bool:
        return all(FailingItem.objects.filter(item__contains=name).exists() for name in self.names)


class BadLadder(InTables):
    def write(self, dose: str) -> int:
        for number, (game, options) in enumerate(OPTIONS):
            ladder = a_bad_ladder(f"{dose}-{number}", game, options)
            Entry.objects.bulk_create(Entry(ladder=ladder, bot=version.bot) for version in playing(game))
        return len(OPTIONS)

    def clear(self) -> None:
        Ladder.objects.filter(slug__in=self.names).update(status=Ladder.Status.CLOSED)


class BadEvent(InTables):
    """Formats that are none, and entrants that have no version."""

    def write(self, dose: str) -> int:
        ladder = Ladder.objects.earliest("pk")
        versions = playing(ladder.game)
        for number, spec in enumerate(SPECS):
            event = self._event(f"{dose}-{number}", ladder, spec)
            Entrant.objects.bulk_create(
                Entrant(event=event, bot=version.bot, version=version if number else None) for version in versions
            )
        return len(SPECS)

    def _event(self, name: str, ladder: Ladder, spec: object) -> Event:
        return Event.objects.create(
            slug=name,
            title=name,
            ladder=ladder,
            spec=spec,
            lot=secrets.token_hex(16),
            status=Event.Status.RUNNING,
            started_at=timezone.now(),
        )

    def clear(self) -> None:
        over = {"status": Event.Status.CANCELLED, "ended_at": timezone.now(), "reason": "it was poison"}
        Event.objects.filter(slug__in=self.names).update(**over)


class BadWebhook:
    """Addresses that no socket takes, and receivers that answer as none should, each a person's own."""

    LASTS: ClassVar[float] = 5.0
    WITHIN: ClassVar[float] = 60.0

    def __init__(self, _stage: Stage, _number: int) -> None:
        addresses = receivers()
        self.urls = [f"https://{'a' * 70}.com/", "http://a..b/", f"{addresses['garbage']}ü", "https://[::1"]
        self.urls += ["https://ex℀mple.org/", *addresses.values()]
        self.hooks: list[int] = []

    @transaction.atomic
    def give(self) -> None:
        self.hooks = [self._hook(url) for url in self.urls]

    def _hook(self, url: str) -> int:
        user = User.objects.create(username=f"poisoner {secrets.token_hex(4)}")
        hook = Webhook.objects.create(user=user, url=url, secret=PREFIX + "AAAA", kinds=["test"])
        for number in range(PILE):
            notify([user], "test", f"{number}", "Something has happened.", "/")
        return hook.pk

    def worked(self) -> bool:
        """Return whether each has been tried, and what came of it stands there."""
        tried = Delivery.objects.filter(webhook__in=self.hooks, attempts__gt=0).exclude(answer="")
        return tried.values("webhook").distinct().count() == len(self.hooks)

    def clear(self) -> None:
        waiting = Delivery.objects.filter(webhook__in=self.hooks, status=Delivery.Status.WAITING)
        waiting.update(status=Delivery.Status.FAILED, answer="it was poison")
