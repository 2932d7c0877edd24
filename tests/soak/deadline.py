"""A class before its deadline: so many students of a private space upload a bot each within minutes, over the API.

Beside them a public ladder plays on, whose bots are promised waits. All uploads must be accepted, all checks be done
CHECKED_S after the deadline, and no promise be broken.
"""

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import quantiles
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from django.db import connection
from django.db.models import Sum

from bots.contest import sample_files
from tournaments.core.accounts.api_tokens import make_token
from tournaments.models import Entry, Ladder, Space, SpaceMember, User, Version

CHECKED_S = 600.0
AT_ONCE = 8  # students who send at the same moment
SAMPLE = sample_files("zaibatsu")["random"].read_bytes()


@dataclass(frozen=True, slots=True)
class Sent:
    """An upload: what was answered, and when."""

    status: int
    began: float
    seconds: float
    said: str


def run(address: str, students: int, minutes: float) -> int:
    """Say what is wrong; return 1 if anything is."""
    ladder, tokens = a_class(students)
    before, began = broken(), time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        pause = 60 * minutes / students
        turns = ((number, token, began + number * pause) for number, token in enumerate(tokens))
        sent = list(pool.map(lambda turn: hand_in(address, ladder, *turn), turns))
    deadline = time.monotonic()
    while unchecked() and time.monotonic() < deadline + 2 * CHECKED_S:
        time.sleep(1)
    done = time.monotonic() - deadline
    print("\n".join(summary(sent, done)))
    complaints = list(wrong(sent, done, broken() - before))
    print("\n".join(f"WRONG: {complaint}" for complaint in complaints))
    return 1 if complaints else 0


def a_class(students: int) -> tuple[Ladder, list[str]]:
    """A private space with a ladder, and a token of each of its members."""
    space = Space.objects.create(slug="class", title="A class")
    ladder = Ladder.objects.get(slug="zaibatsu")
    ladder.pk, ladder.slug, ladder.space = None, "class-ladder", space
    ladder.save(force_insert=True)
    people = [User.objects.create_user(f"student{number}") for number in range(students)]
    SpaceMember.objects.bulk_create(SpaceMember(space=space, user=person) for person in people)
    return ladder, [make_token(user=person, name="deadline") for person in people]


def hand_in(address: str, ladder: Ladder, number: int, token: str, moment: float) -> Sent:
    """Send a new bot, its file, and its place in the ladder, at that moment."""
    time.sleep(max(0.0, moment - time.monotonic()))
    began = time.monotonic()
    try:
        body = {"game": ladder.game, "name": f"Homework {number}", "space": "class"}
        bot = ask(address, "bots", token, json.dumps(body).encode())["id"]
        source = SAMPLE + f"STUDENT = {number}\n".encode()
        ask(address, f"bots/{bot}/versions?filename=bot.py", token, source, "application/octet-stream")
        ask(address, f"ladders/{ladder.slug}/entries", token, json.dumps({"bot": bot}).encode())
    except HTTPError as error:
        return Sent(error.code, began, time.monotonic() - began, error.read().decode()[:200])
    return Sent(201, began, time.monotonic() - began, "")


def ask(address: str, path: str, token: str, body: bytes, kind: str = "application/json") -> dict[str, int]:
    headers = {"Authorization": f"Token {token}", "Content-Type": kind}
    with urlopen(Request(f"{address}/api/v1/{path}", body, headers), timeout=60) as answer:  # noqa: S310  our own site
        reply: dict[str, int] = json.load(answer)
        return reply


def unchecked() -> int:
    connection.close()
    return Version.objects.filter(bot__space__isnull=False, status=Version.Status.CHECKING).count()


def broken() -> int:
    connection.close()
    return int(Entry.objects.filter(ladder__space=None).aggregate(all=Sum("broken"))["all"] or 0)


def wrong(sent: list[Sent], done: float, promises: int) -> Iterator[str]:
    if refused := [upload for upload in sent if upload.status != 201]:
        yield f"{len(refused)} of {len(sent)} uploads were refused: {refused[0].status} {refused[0].said}"
    if done > CHECKED_S:
        yield f"checks were done {done:.0f} s after the deadline, later than {CHECKED_S:.0f} s"
    if rejected := Version.objects.filter(bot__space__isnull=False, status=Version.Status.REJECTED).count():
        yield f"{rejected} were rejected, and all of them are sound"
    if promises:
        yield f"{promises} promised waits of others were broken"


def summary(sent: list[Sent], done: float) -> Iterator[str]:
    took = quantiles([upload.seconds for upload in sent], n=20)
    spent = max(upload.began + upload.seconds for upload in sent) - min(upload.began for upload in sent)
    yield f"{len(sent)} uploads in {spent:.0f} s: p50 {took[9]:.2f} s, p95 {took[18]:.2f} s, each three requests"
    yield f"all checks were done {done:.0f} s after the last of them"
    sys.stdout.flush()
