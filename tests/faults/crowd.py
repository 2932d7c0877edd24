"""The load of a run: ladders of the shortest games, bots in them, and visitors who look and upload all the time."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from threading import Event, Thread

from bots.contest import sample_files
from engine.games import GAMES
from engine.records import to_plain
from tournaments.core.accounts.api_tokens import make_token
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.models import Bot, Ladder, User

GAMES_PLAYED = {"kaiju": {"max_turns": 1}, "network": {"max_turns": 1}}  # a few answers each: the rest is what works
WATCHED = "zaibatsu"  # long enough to be looked at
BOTS = 6  # of each game
LOOKS, UPLOADS = 0.5, 4.0  # seconds between two


def settle() -> list[tuple[int, str]]:
    """Make ladders with bots in them that are still to be checked. Return each bot, and the key of its owner."""
    bots = []
    for game, options in GAMES_PLAYED.items():
        ladder = a_ladder(game, **options)
        bots += [enter_bot(ladder, number) for number in range(BOTS)]
    return bots


def a_ladder(game: str, **options: int) -> Ladder:
    full = to_plain(GAMES[game].read_options({"players": 2, **options}))
    return Ladder.objects.create(
        slug=game, title=game, game=game, rules=GAMES[game].version, options=full, sets_wanted=1_000_000
    )


def enter_bot(ladder: Ladder, number: int) -> tuple[int, str]:
    owner = User.objects.create(username=f"{ladder.slug}-{number}")
    bot: Bot = create_bot(owner=owner, game=ladder.game, name=f"bot {number}")
    upload(bot=bot, by=owner, data=code(ladder.game, -number), filename="bot.py")
    enter_in_ladder(ladder=ladder, bot=bot, by=owner)
    return bot.pk, make_token(user=owner, name="crowd")


def code(game: str, number: int) -> bytes:
    """The game's random sample; no two have the same contents: a comment would make no difference."""
    return sample_files(game)["random"].read_bytes() + f"UPLOAD = {number}\n".encode()


@dataclass(slots=True)
class Visitors:
    """A thread that looks at pages and uploads. `promised` are the versions that the site said it has."""

    site: str
    bots: list[tuple[int, str]]
    promised: list[tuple[int, int]] = field(default_factory=list)
    answers: dict[str, int] = field(default_factory=dict)
    _ended: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def come(self) -> None:
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def leave(self) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        due = 0.0
        for number in count(1):
            if self._ended.wait(LOOKS):
                return
            self._ask("ladders/kaiju/standings")
            if time.monotonic() >= due:
                due = time.monotonic() + UPLOADS
                self._upload(number)

    def _upload(self, number: int) -> None:
        bot, key = self.bots[number % len(self.bots)]
        game = list(GAMES_PLAYED)[number % len(self.bots) // BOTS]
        headers = {"Authorization": f"Token {key}", "Content-Type": "application/octet-stream"}
        if answer := self._ask(f"bots/{bot}/versions?filename=bot.py", code(game, number), headers):
            self.promised.append((bot, json.loads(answer)["number"]))

    def _ask(self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
        """The answer, if there was one with what was asked for; the site may be away for a while."""
        request = urllib.request.Request(f"{self.site}/api/v1/{path}", body, headers or {})  # noqa: S310 - ours
        status, content = "nothing", b""
        try:
            with suppress(OSError, HTTPException), urllib.request.urlopen(request, timeout=5) as response:  # noqa: S310
                status, content = str(response.status), response.read()
        except urllib.error.HTTPError as error:
            status = str(error.code)
        self.answers[status] = self.answers.get(status, 0) + 1
        return content
