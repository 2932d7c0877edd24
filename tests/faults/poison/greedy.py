"""Poison that takes what is everybody's: long forms and texts, bots that sleep, acts without end, greedy ladders."""

import json
import secrets
import socket
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any, ClassVar
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import transaction

from bots.contest import sample_files
from tests.faults.crowd import GAMES_PLAYED, a_ladder
from tests.faults.poison.lines import HOST, Lines, answered
from tests.faults.stage import Stage
from tournaments.core.accounts.api_tokens import make_token
from tournaments.ledger.competitors.uploads import create_bot
from tournaments.models import Ladder, Space, SpaceMember, User, Version

GREEDY = "greedy "  # begins the names of people whose uploads take what they can get
PATIENCE = 20.0  # seconds for one answer
LARGEST_PAGE = 1_000_000  # bytes, whatever its texts are

FORMS = ("/sign-up/", "/sign-in/", "/sign-in/forgotten/", "/bots/new/", "/account/", "/ladders/new/")
BODIES = (  # of a form that is refused, and shown again where that is possible
    b"'" * 60_000 + b"=1",
    b"username=" + b"%22" * 20_000,
    b"&".join(b"name=%27" for _ in range(6_000)),
    b"\xf0\x9f\x98\x80" + b"'" * 4_000_000 + b"=1",
)
TEXTS = (
    "[a]: " + "u" * 9_000 + "\n\n" + "[a]" * 3_000,
    "|" + "a|" * 900 + "\n|" + "-|" * 900 + "\n" + "|\n" * 2_000,
    "> " * 9_000 + "x",
    "*a **b " * 2_500,
    "![](" * 4_000 + "[[" * 2_000,
)
NAPS = (  # at the greeting, at each answer, and while computing
    ("import time; time.sleep(29)\n", ""),
    ("", "time.sleep(9.7)"),
    ("", "time.sleep(0.085)"),
    ("", "[sum(range(1_000_000)) for _ in range(40)]; time.sleep(1.5)"),
)
WISHES: tuple[Mapping[str, object], ...] = (
    {"memory_mb": 65_536},
    {"threads": 1_024},
    {"bank_ms": 3_600_000},
    {"temp_mb": 65_536},
    {"memory_mb": 65_536, "threads": 1_024, "bank_ms": 3_600_000, "answer_ms": 600_000},
)
TOO_MANY = 429
HEAVY_SOURCES = (  # to compile: long, large when built, in need of memory, and without an end
    (
        "#include <algorithm>\n#include <functional>\n#include <map>\n#include <regex>\n#include <iostream>\n"
        'int main() { std::regex all(".*"); return std::regex_match("x", all); }'
    ),
    "char large[31 << 20] = {1};\nint main() { return large[0]; }",
    (
        "template <int N> struct A { static constexpr int v = A<N - 1>::v + A<N - 2>::v; };\n"
        "template <int N> struct B { A<N> a; B<N - 1> b; };\nint main() { return sizeof(B<800>); }"
    ),
    'constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nstatic_assert(f(60), "");\nint main() {}',
)
STRANGERS = 400


class LongForms(Lines):
    """Six forms at once that nobody can have typed, each refused or shown again."""

    LASTS: ClassVar[float] = 2.0
    COUNT = 6

    def __init__(self, stage: Stage, number: int) -> None:
        super().__init__(stage, number)
        self.path, self.body = FORMS[number % len(FORMS)], BODIES[number % len(BODIES)]

    def requests(self) -> list[bytes]:
        head = f"POST {self.path} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {len(self.body)}"
        kind = "Content-Type: application/x-www-form-urlencoded"
        return [f"{head}\r\n{kind}\r\n\r\n".encode() + self.body] * self.COUNT

    def _call(self, address: str, request: bytes) -> socket.socket:
        """The server may answer and hang up before it has read all."""
        line = socket.create_connection((HOST, self.port), PATIENCE, (address, 0))
        with suppress(OSError):
            line.sendall(request)
        return line

    def worked(self) -> bool:
        return all(answered(line) or hung_up(line) for line in self.open)


def hung_up(line: socket.socket) -> bool:
    try:
        return not line.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK)
    except OSError as reason:
        return not isinstance(reason, BlockingIOError)


class LongText:
    """A ladder's description that was stored by an earlier release, and is looked at."""

    LASTS: ClassVar[float] = 2.0
    WITHIN: ClassVar[float] = 40.0

    def __init__(self, stage: Stage, number: int) -> None:
        self.site, self.text = stage.site, TEXTS[number % len(TEXTS)]
        self.slug = ""

    def give(self) -> None:
        self.slug = f"long-{secrets.token_hex(4)}"
        ladder = {"slug": self.slug, "title": self.slug, "description": self.text, "status": Ladder.Status.PAUSED}
        like = a_paused_like(next(iter(GAMES_PLAYED)))
        Ladder.objects.create(game=like.game, rules=like.rules, options=like.options, **ladder)

    def worked(self) -> bool:
        status, page = asked(f"{self.site}/ladders/{self.slug}/")
        return status == 200 and len(page) < LARGEST_PAGE

    def clear(self) -> None:
        Ladder.objects.filter(slug=self.slug).update(status=Ladder.Status.CLOSED, description="")


def a_paused_like(game: str) -> Ladder:
    return Ladder.objects.filter(slug=game).first() or a_ladder(game)


class GreedyUploads:
    """Three uploads of one person. Their checks wait for each other; what is left of them ends with the run."""

    LASTS: ClassVar[float] = 60.0
    WITHIN: ClassVar[float] = 60.0
    COUNT = 3
    FILE: ClassVar[str]

    def __init__(self, stage: Stage, number: int) -> None:
        self.site, self.number = stage.site, number
        self.versions: list[int] = []

    def give(self) -> None:
        owner = User.objects.create(username=f"{GREEDY}{secrets.token_hex(4)}")
        key, game = make_token(user=owner, name="greedy"), next(iter(GAMES_PLAYED))
        for turn in range(self.COUNT):
            bot = create_bot(owner=owner, game=game, name=f"greedy {secrets.token_hex(4)}")
            path = f"{self.site}/api/v1/bots/{bot.pk}/versions?filename={self.FILE}"
            asked(path, self.bundle(game, self.number + turn), key)
        self.versions = list(Version.objects.filter(bot__owner=owner).values_list("pk", flat=True))

    def worked(self) -> bool:
        return len(self.versions) == self.COUNT

    def clear(self) -> None:
        """Nothing is left of them but their bots."""

    def bundle(self, game: str, number: int) -> bytes:
        """Return what is uploaded."""
        raise NotImplementedError


class SleepingBots(GreedyUploads):
    """Bots that let everybody wait."""

    FILE = "bot.py"

    def bundle(self, game: str, number: int) -> bytes:
        return a_sleeper(game, NAPS[number % len(NAPS)])


class HeavyBuilds(GreedyUploads):
    """Bots whose build takes what it can get of time, memory and disk."""

    FILE = "bot.zip"

    def bundle(self, game: str, number: int) -> bytes:  # noqa: ARG002  for any game
        source = f"// {secrets.randbits(64)}\n{HEAVY_SOURCES[number % len(HEAVY_SOURCES)]}"
        content = BytesIO()
        with ZipFile(content, "w", ZIP_DEFLATED) as archive:
            archive.writestr("bot.toml", 'language = "c++"\n')
            archive.writestr("bot.cpp", source)
        return content.getvalue()


def a_sleeper(game: str, nap: tuple[str, str]) -> bytes:
    """Return the game's random sample with a nap before its start, or before each of its answers."""
    begin, act = nap
    sample = sample_files(game)["random"].read_text()
    awake, start, play = sample.partition("if __name__")
    asleep = f"import time\nawake = choose\ndef choose(*asked):\n    {act or 'pass'}\n    return awake(*asked)\n"
    return f"SALT = {secrets.randbits(64)}\n{begin}{awake}{asleep}{start}{play}".encode()


class InSpace:
    """What the organiser of a new space asks for until the site has had enough of it."""

    LASTS: ClassVar[float] = 2.0
    WITHIN: ClassVar[float] = 120.0
    MEMBERS: ClassVar[int] = 0

    def __init__(self, stage: Stage, number: int) -> None:
        self.site, self.number = stage.site, number
        self.space, self.key, self.is_refused = "", "", False

    @transaction.atomic
    def give(self) -> None:
        name = f"greedy-{secrets.token_hex(4)}"
        organiser = User.objects.create(username=name)
        space = Space.objects.create(slug=name, title=name)
        SpaceMember.objects.create(space=space, user=organiser, role=SpaceMember.Role.ORGANISER)
        people = User.objects.bulk_create(User(username=f"{name} {number}") for number in range(self.MEMBERS))
        SpaceMember.objects.bulk_create(SpaceMember(space=space, user=user) for user in people)
        self.space, self.key, self.is_refused = name, make_token(user=organiser, name=name), False

    def worked(self) -> bool:
        """One act each time that this is asked, so that the run goes on meanwhile."""
        self.is_refused = self.is_refused or self.act()
        return self.is_refused

    def act(self) -> bool:
        """Return whether it was refused for its greed."""
        raise NotImplementedError

    def ask(self, kind: str, **arguments: object) -> tuple[int, Any]:
        body = json.dumps({"reason": "More.", **arguments}).encode()
        status, answer = asked(f"{self.site}/api/v1/acts/{kind}", body, self.key)
        return status, json.loads(answer) if answer else {}

    def clear(self) -> None:
        Ladder.objects.filter(space__slug=self.space).update(status=Ladder.Status.CLOSED)


class GreedyLadder(InSpace):
    """More of the site's workers than a space may have."""

    def act(self) -> bool:
        slug, game = f"{self.space}-ladder", next(iter(GAMES_PLAYED))
        like = a_paused_like(game)
        if not Ladder.objects.filter(slug=slug).exists():
            space = Space.objects.get(slug=self.space)
            copied = {"game": game, "rules": like.rules, "options": like.options, "space": space}
            Ladder.objects.create(slug=slug, title=slug, **copied)
        status, _ = self.ask("change_settings", ladder=slug, settings=WISHES[self.number % len(WISHES)])
        return status == 400


class ManyNotices(InSpace):
    """Announcements to 950 members, twenty at a time."""

    MEMBERS = 950
    AT_ONCE = 20

    def act(self) -> bool:
        words = secrets.token_hex(8)
        answers = [self.ask("announce", space=self.space, text=f"{words} {turn}") for turn in range(self.AT_ONCE)]
        return any(status == TOO_MANY and body["code"] == "over_budget" for status, body in answers)


class LongLog(InSpace):
    """Acts whose entries in the public log would be of a megabyte, after which the log is read."""

    WISH = "x" * 1_000_000

    def act(self) -> bool:
        slug = f"{self.space}-{secrets.token_hex(2)}"
        status, _ = self.ask(
            "create_ladder", space=self.space, game="kaiju", slug=slug, title=slug, description=self.WISH
        )
        log, page = asked(f"{self.site}/audit/")
        return status in (400, 413) and log == 200 and len(page) < LARGEST_PAGE


class StrangersRoster(InSpace):
    """Letters to people whom nobody has asked, some hundred at a time."""

    WITHIN: ClassVar[float] = 300.0  # three acts of seconds each, and all rosters take turns

    def act(self) -> bool:
        people = "\n".join(f"{secrets.token_hex(8)}@strangers.example" for _ in range(STRANGERS))
        body = json.dumps({"people": f"email\n{people}\n"}).encode()
        status, _ = asked(f"{self.site}/api/v1/spaces/{self.space}/roster", body, self.key)
        return status in (409, TOO_MANY)


def asked(url: str, body: bytes | None = None, key: str = "") -> tuple[int, bytes]:
    """Return the status and the body of the answer. Raises OSError if there is none."""
    kind = "application/json" if "/versions" not in url else "application/octet-stream"
    headers = {"Authorization": f"Token {key}", "Content-Type": kind} if key else {}
    request = urllib.request.Request(url, body, headers)  # noqa: S310 - ours
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()
