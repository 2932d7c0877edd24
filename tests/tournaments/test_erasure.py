"""An account is erased: nothing that its owner typed is anywhere in the database, and whatever was proved still is."""

import gzip
import io
import json
from collections.abc import Iterator
from datetime import timedelta
from zipfile import ZipFile, is_zipfile

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from engine.replay import read, verify
from tests.factories import SAMPLE, a_bot, a_completed_set, a_ladder, a_user, a_version, play_set, rate
from tournaments import acts, audit
from tournaments.accounts.api_tokens import make_token
from tournaments.audit import log
from tournaments.competitors.teams import answer, create_team, give, invite
from tournaments.competitors.uploads import upload
from tournaments.ladders.entries import enter
from tournaments.ladders.official_fit import recompute
from tournaments.models import (
    Act,
    Bot,
    Draft,
    DraftState,
    FaultEvidence,
    Practice,
    Result,
    Seat,
    SeatNotes,
    Team,
    User,
    Version,
)
from tournaments.notices import triggers
from tournaments.own_data.erasure import erase_due
from tournaments.own_data.leaving import ask_to_erase
from tournaments.practice.start import begin

pytestmark = pytest.mark.django_db
MARK = "Xqz7"  # in whatever the person types
COLUMNS = """
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'
AND data_type IN ('text', 'character varying', 'jsonb', 'bytea') ORDER BY 1, 2
"""


def everything() -> Iterator[tuple[str, bytes]]:
    """Every value of the database that could hold words, with what is packed in it."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for table, column, kind in cursor.fetchall():
            as_bytes = f'"{column}"' if kind == "bytea" else f"convert_to(\"{column}\"::text, 'UTF8')"
            cursor.execute(f'SELECT {as_bytes} FROM "{table}" WHERE "{column}" IS NOT NULL')  # noqa: S608 - its own names
            yield from ((f"{table}.{column}", bytes(value)) for (value,) in cursor.fetchall())
    yield from (("sessions", json.dumps(one.get_decoded()).encode()) for one in Session.objects.all())


def unpacked(value: bytes) -> bytes:
    if value[:2] == b"\x1f\x8b":
        return gzip.decompress(value)
    if is_zipfile(io.BytesIO(value)):
        with ZipFile(io.BytesIO(value)) as packed:
            return b"".join(name.encode() + packed.read(name) for name in packed.namelist())
    return value


def where(mark: str) -> set[str]:
    return {place for place, value in everything() if mark.lower().encode() in unpacked(value).lower()}


def before_there_were_seals(**parts: str) -> Act:
    """An act as an older release of the site has written it."""
    last, now = Act.objects.order_by("number").last(), timezone.now()
    number, previous = (last.number + 1, last.digest) if last else (1, audit.START)
    entry = audit.Entry(number, detail={"says": []}, at=audit.written(now), previous=previous, **parts)
    return Act.objects.create(
        number=number, detail=entry.detail, at=now, previous=previous, digest=entry.digest, **parts
    )


def a_full_account() -> tuple[User, User]:
    """Somebody who typed into all there is, and who runs bots with somebody else."""
    olga, other = a_user(f"{MARK}-olga"), a_user("otto")
    User.objects.filter(pk=olga.pk).update(
        about=f"I am {MARK}", email=f"{MARK}@example.org", confirmed_email=f"{MARK}@example.org", feed_key=f"{MARK}key",
        former_name=f"{MARK}_was", first_name=MARK, last_name=MARK,
    )  # fmt: skip
    olga.refresh_from_db()
    make_token(user=olga, name=f"{MARK} laptop")
    olga.webhooks.create(url=f"https://{MARK}.example.org/", secret=MARK, kinds=["act"])
    Client().login(username=olga.username, password=f"the password of {MARK}-olga")
    crew = create_team(name=f"{MARK} crew", by=olga)
    Team.objects.filter(pk=crew.pk).update(about=f"We are {MARK}")
    team = create_team(name="Kept team", by=olga)
    invite(team=team, user=other, by=olga)
    answer(team=team, by=other, joins=True)
    return olga, other


def a_full_bot(olga: User, other: User) -> tuple[Bot, Version]:
    bot = a_bot(olga, f"{MARK} bot")
    Bot.objects.filter(pk=bot.pk).update(about=f"{MARK} plays")
    give(bot=bot, team=other.memberships.get().team, by=olga)
    source = SAMPLE + f"MARK = '{MARK}'\n".encode()
    version = upload(bot=bot, by=olga, data=source, filename=f"{MARK}.py", note=f"{MARK} note")
    play_set(version.check_set)
    Version.objects.filter(pk=version.pk).update(report=f"{MARK} passed")
    draft = Draft.objects.create(owner=olga, bot=bot, game="zaibatsu", name=f"{MARK} d", filename="b.py", source=MARK)
    DraftState.objects.create(draft=draft, source=MARK, filename=MARK, size=4, saved_at=timezone.now())
    Draft.objects.create(owner=other, bot=bot, game="zaibatsu", name=bot.name, source="pass")
    version.refresh_from_db()
    return bot, version


def what_happens_to_it(bot: Bot, version: Version) -> None:
    """Matches, faults, notices of its team, acts of organisers, games of its owner's and of others."""
    ladder, others = a_ladder("arena"), [a_version() for _ in range(2)]
    for each in (version, *others):
        enter(ladder=ladder, bot=each.bot, by=each.bot.owner)
    for _ in range(3):
        a_completed_set(ladder, [version, *others])
    rate()
    seat = Seat.objects.filter(version=version, match__set__ladder=ladder).first()
    assert seat
    Seat.objects.filter(pk=seat.pk).update(stderr=MARK)
    SeatNotes.objects.create(seat=seat, pages=[[0, MARK]])
    FaultEvidence.objects.create(seat=seat, answer=0, verdict="crashed", detail=MARK, asked={"a": MARK}, given=MARK)
    triggers.rank_changed(ladder.entries.get(bot=bot), 1, 2, "today")
    stella = a_user("stella", staff=True)
    acts.Announce(f"Well done, {bot.owner} with {bot}!").do(by=stella, reason=f"{bot} won")
    act = acts.Disqualify(bot=bot).do(by=stella, reason=f"{bot.owner} asked me to ({bot.owner.email})")
    acts.Reinstate(act).do(by=stella, reason="a mistake")
    before_there_were_seals(kind="x", by=bot.owner.username, subject=f"owner {bot.owner}, all ladders", reason="y")
    acts.Announce("Nothing about anybody").do(by=stella, reason="talk")
    result = Result.objects.filter(match__set__ladder=ladder).first()
    assert result
    begin(by=bot.owner, ladder=ladder, seats=["person", version, version])
    theirs = begin(by=others[0].bot.owner, ladder=ladder, seats=["person", version, version])
    seats = [{"person": True}, {"version": version.pk}, {"version": version.pk}]
    Practice.objects.filter(pk=theirs.pk).update(replay=result.replay, seats=seats, reason=f"{version} was slow")
    result.match.attempts.update(reason=f"{version} could not be built")


def erased(user: User) -> None:
    ask_to_erase(user=user)
    assert not erase_due()  # there is a grace
    User.objects.filter(pk=user.pk).update(erase_at=timezone.now() - timedelta(seconds=1))
    while erase_due():
        pass


def test_nothing_that_somebody_typed_stays_and_all_that_was_proved_still_is() -> None:
    olga, other = a_full_account()
    bot, version = a_full_bot(olga, other)
    what_happens_to_it(bot, version)
    assert len(where(MARK)) > 35
    heads = [audit.Head(act.number, act.digest) for act in Act.objects.all()]
    ranks = list(version.ratings.values_list("milli_elo", "fitted", "sets"))

    erased(olga)

    assert where(MARK) == set()
    olga.refresh_from_db()
    assert (olga.username, olga.erase_at, olga.is_active) == (f"erased-{olga.pk}", None, False)
    assert audit.check(log.lines(), heads).number == Act.objects.count()
    assert not any(recompute(ladder=ladder) for ladder in (entry.ladder for entry in bot.entries.all()))
    assert list(version.ratings.values_list("milli_elo", "fitted", "sets")) == ranks
    for result in Result.objects.filter(match__seats__version=version).exclude(replay=b""):
        found = read(bytes(result.replay))
        verify(found)
        assert found.digest == result.rewritten
        assert found.digest != result.digest
