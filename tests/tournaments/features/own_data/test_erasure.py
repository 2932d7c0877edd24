"""An account is erased: nothing that its owner typed is anywhere in the database, and whatever was proved still is."""

import gzip
import io
import json
import re
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile, is_zipfile

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import BinaryField, CharField, JSONField, TextField
from django.test import Client
from django.utils import timezone

from engine.replay import read_replay, verify
from engine.sentences import Sentence, as_data
from tests.factories import (
    SAMPLE,
    a_bot,
    a_completed_set,
    a_ladder,
    a_user,
    a_version,
    new_contents,
    play_set,
    rate,
)
from tournaments import audit
from tournaments.audit import log
from tournaments.audit.log import append
from tournaments.core.accounts.api_tokens import make_token, token_with_secret
from tournaments.core.errors import Refused
from tournaments.core.notices import triggers
from tournaments.core.notices.channels import choose_mailed
from tournaments.features.follow.rules import start_following
from tournaments.features.moderation.take_down import Rename
from tournaments.features.own_data import sentences
from tournaments.features.own_data.erased_names import ErasedNames
from tournaments.features.own_data.erasure import erase_due
from tournaments.features.own_data.leaving import EraseAccount, ask_to_erase
from tournaments.features.practice.start import begin_practice
from tournaments.features.teams.rules import answer_team_invitation, create_team, give_bot, invite_to_team
from tournaments.ledger import acts
from tournaments.ledger.competitors.uploads import upload
from tournaments.ledger.dispatch.claims import claim_all
from tournaments.ledger.dumps.dump import dump
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.matchmaking.deal import deal_set
from tournaments.models import (
    Act,
    AdmittedAddress,
    Bot,
    Draft,
    DraftState,
    Event,
    Examination,
    FaultEvidence,
    JoinRequest,
    MatchSet,
    Practice,
    Result,
    Seat,
    SeatNotes,
    Space,
    SpaceMember,
    Team,
    User,
    Version,
)
from tournaments.ops.backups import pg_tools
from tournaments.ops.backups.backup import backup

pytestmark = pytest.mark.django_db
MARK = "Xqz7"  # in whatever the person types
COLUMNS = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'public'"

NAMELESS = {  # columns of text in which nothing can be that somebody typed about themselves, their bots or teams
    "Act": "digest erased kind previous salts",
    "ApiToken": "digest",
    "Attempt": "worker",
    "Badge": "character kind",
    "Bot": "colours house",
    "Bundle": "sha256",
    "Course": "final_field rules time_zone",
    "CourseLink": "context grades place provider roster title",
    "Draft": "filename",
    "Event": "lot slug spec title",
    "Examination": "pool",
    "FailingItem": "item loop",
    "FaultEvidence": "verdict",
    "FairnessReport": "checks",
    "FinalRun": "borders bots",
    "Highlight": "game kind month",
    "Fit": "final named transitivity",
    "Ladder": "options slug table_sizes title",
    "JoinCode": "code key",
    "LadderLuck": "hash value",
    "MatchLuck": "hash millionths",
    "MatchSet": "beacon commitment game needs options pairing seed",
    "NewsItem": "filled key missed path template",
    "Notice": "key path",
    "PastSeason": "fingerprint winners",
    "Practice": "absences invite_key options script seed share_key waits_for",
    "RatingMoves": "base moves",
    "Result": "digest rewritten story tier worker",
    "Seat": "verdict",
    "SeedChain": "anchor root",
    "ShadowFit": "hash rows",
    "Space": "slug title about time_zone",
    "Spending": "budget holder",
    "Complaint": "about",
    "Suggestion": "pool reason tried",
    "Survey": "findings matches",
    "SurveyAnswers": "said",
    "Suspension": "paused",
    "Twins": "text",  # of bots of the house
    "Upkeep": "what",
    "User": "mailed password",
    "Version": "behaviour contents need",
    "Webhook": "kinds stopped",
    "WeeklyLetter": "language places",
    "Worker": "name",
    "WorkerToken": "digest offers",
}


def not_thought_of(marked: set[str]) -> set[str]:
    """Columns of text that neither the account here fills, nor the sweep reads, nor the table above has: say of a new
    one what becomes of it when somebody is erased."""
    missing = set()
    for model in apps.get_app_config("tournaments").get_models():
        thought_of = {*sentences.WRITTEN.get(model, ()), *sentences.TYPED.get(model, ())}
        thought_of |= set(NAMELESS.get(model.__name__, "").split())
        for column in model._meta.concrete_fields:
            is_text = isinstance(column, (CharField, TextField, JSONField, BinaryField)) and not column.choices
            if is_text and column.name not in thought_of and f"{model._meta.db_table}.{column.column}" not in marked:
                missing.add(f"{model.__name__}.{column.name}")
    return missing


def everything() -> Iterator[tuple[str, bytes]]:
    """Yield every value of the database that could hold words, with what is packed in it."""
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for table, column, kind in cursor.fetchall():
            as_bytes = f'"{column}"' if kind == "bytea" else f"convert_to(\"{column}\"::text, 'UTF8')"
            cursor.execute(f'SELECT {as_bytes} FROM "{table}" WHERE "{column}" IS NOT NULL')  # noqa: S608 - its own names
            yield from ((f"{table}.{column}", bytes(value)) for (value,) in cursor.fetchall())
    yield from (("sessions", json.dumps(session.get_decoded()).encode()) for session in Session.objects.all())


def unpacked(value: bytes) -> bytes:
    if value[:2] == b"\x1f\x8b":
        return gzip.decompress(value)
    if is_zipfile(io.BytesIO(value)):
        with ZipFile(io.BytesIO(value)) as packed:
            return b"".join(name.encode() + packed.read(name) for name in packed.namelist())
    return value


def where(mark: str) -> set[str]:
    return {place for place, value in everything() if mark.lower().encode() in unpacked(value).lower()}


def before_there_were_seals(**parts: Any) -> Act:
    """An act as an older release of the site has written it."""
    last, now = Act.objects.order_by("number").last(), timezone.now()
    number, previous = (last.number + 1, last.digest) if last else (1, audit.START)
    entry = audit.Entry(number, detail={"says": []}, at=audit.moment_text(now), previous=previous, **parts)
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
    olga.identities.create(provider=MARK, subject=f"{MARK}-1", called=f"{MARK}@uni.example")
    Authenticator.objects.create(user=olga, type="webauthn", data={"name": f"{MARK} ring"})
    olga.webhooks.create(url=f"https://{MARK}.example.org/", secret=MARK, kinds=["act"])
    Client().login(username=olga.username, password=f"the password of {MARK}-olga")
    crew = create_team(name=f"{MARK} crew", by=olga)
    Team.objects.filter(pk=crew.pk).update(about=f"We are {MARK}")
    team = create_team(name="Kept team", by=olga)
    invite_to_team(team=team, user=other, by=olga)
    answer_team_invitation(team=team, by=other, joins=True)
    return olga, other


def a_full_bot(olga: User, other: User) -> tuple[Bot, Version]:
    bot = a_bot(olga, f"{MARK} bot")
    Bot.objects.filter(pk=bot.pk).update(about=f"{MARK} plays", motto=f"{MARK} wins")
    space = Space.objects.create(slug="a-class", title="A class")
    SpaceMember.objects.create(space=space, user=olga, identity=MARK, address=f"{MARK}@example.org")
    AdmittedAddress.objects.create(space=space, address=f"{MARK}@example.org".lower())
    JoinRequest.objects.create(space=space, user=olga)
    give_bot(bot=bot, team=other.memberships.get().team, by=olga)
    source = SAMPLE + f"MARK = '{MARK}'\n".encode()
    version = upload(bot=bot, by=olga, data=source, filename=f"{MARK}.py", note=f"{MARK} note")
    play_set(version.check_set)
    Version.objects.filter(pk=version.pk).update(report=f"{MARK} passed", report_data=f"{MARK} passed")
    draft = Draft.objects.create(owner=olga, bot=bot, game="zaibatsu", name=f"{MARK} d", filename="b.py", source=MARK)
    DraftState.objects.create(draft=draft, source=MARK, filename=MARK, size=4, saved_at=timezone.now())
    Draft.objects.create(owner=other, bot=bot, game="zaibatsu", name=bot.name, source="pass")
    version.refresh_from_db()
    return bot, version


def what_happens_to_it(bot: Bot, version: Version) -> None:
    """Matches, faults, notices of its team, acts of organisers, games of its owner's and of others."""
    ladder, rivals = a_ladder("arena"), [a_version() for _ in range(2)]
    for entered in (version, *rivals):
        enter_in_ladder(ladder=ladder, bot=entered.bot, by=entered.bot.owner)
    for _ in range(3):
        a_completed_set(ladder, [version, *rivals])
    rate()
    seat = Seat.objects.filter(version=version, match__set__ladder=ladder).first()
    assert seat
    Seat.objects.filter(pk=seat.pk).update(stderr=MARK)
    SeatNotes.objects.create(seat=seat, pages=[[0, MARK]])
    Examination.objects.filter(version=version).update(reason=MARK, seen={"a": MARK}, findings=[{"text": MARK}])
    FaultEvidence.objects.create(seat=seat, answer=0, verdict="crashed", detail=MARK, asked={"a": MARK}, given=MARK)
    FaultEvidence.objects.filter(seat=seat).update(detail_data=MARK)
    start_following(user=rivals[0].bot.owner, target=bot)
    start_following(user=bot.owner, target=ladder)
    choose_mailed(user=bot.owner, kinds=["week"])
    triggers.notify_of_new_rank(ladder.entries.get(bot=bot), 1, 2, "today")
    stella = a_user("stella", staff=True)
    acts.Announce(f"Well done, {bot.owner} with {bot}!").do(by=stella, reason=f"{bot} won")
    acts.Announce(f"And {bot.owner} again!", ladder=ladder).do(by=stella, reason=f"{bot} won")
    act = acts.Disqualify(bot=bot).do(by=stella, reason=f"{bot.owner} asked me to ({bot.owner.email})")
    acts.Reinstate(act).do(by=stella, reason="a mistake")
    Rename(name=f"{MARK} again", bot=bot).do(by=stella, reason="x")
    bot.refresh_from_db()
    append(kind="disqualify_entrant", by=stella, subject="event cup", detail={"says": [f"{bot} is paired no more."]})
    append(kind="final_run", by=stella, subject="ladder a", detail={"says": [f"Near it: A, {bot} and {bot}."]})
    append(kind="second_factor_removed", by=stella, subject=bot.owner, reason="x")
    before_there_were_seals(kind="x", by=bot.owner.username, subject=f"owner {bot.owner}, all ladders", reason="y")
    acts.Announce("Nothing about anybody").do(by=stella, reason="talk")
    sat = Seat.objects.filter(version=version, match__set__ladder=ladder, number=1).first()
    assert sat
    result = sat.match.result
    begin_practice(by=bot.owner, ladder=ladder, seats=["person", version, version])
    foreign = begin_practice(by=rivals[0].bot.owner, ladder=ladder, seats=["person", version, version])
    LogEntry.objects.create(
        user=stella,
        action_flag=2,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(bot.owner_id),
        object_repr=str(bot.owner),
        change_message=f"{bot.owner}",
    )
    seats = [{"person": True}, {"version": version.pk}, {"version": version.pk}]
    Practice.objects.filter(pk=foreign.pk).update(replay=result.replay, seats=seats, reason=f"{version} was slow")
    asked_of = Sentence("%(version)s was asked", version=version)
    Practice.objects.filter(pk=foreign.pk).update(faults_data=[as_data(asked_of)])
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
    marked = where(MARK)
    assert len(marked) > 35
    assert not_thought_of(marked) == set()
    heads = [audit.Head(act.number, act.digest) for act in Act.objects.all()]
    ranks = list(version.ratings.values_list("milli_elo", "fitted", "sets"))

    erased(olga)

    assert where(MARK) == set()
    olga.refresh_from_db()
    assert (olga.username, olga.erase_at, olga.is_active) == (f"erased-{olga.pk}", None, False)
    assert audit.check_log(log.log_lines(), heads).number == Act.objects.count()
    assert not any(recompute(ladder=ladder) for ladder in (entry.ladder for entry in bot.entries.all()))
    assert list(version.ratings.values_list("milli_elo", "fitted", "sets")) == ranks
    for result in Result.objects.filter(match__seats__version=version).exclude(replay=b""):
        replay = read_replay(bytes(result.replay))
        verify(replay)
        assert replay.digest == result.rewritten
        assert replay.digest != result.digest


def test_a_name_that_is_a_word_of_the_log_takes_no_word_out_of_it() -> None:
    vandal, stella = a_user("ladders"), a_user("stella", staff=True)
    a_bot(vandal, "sets")
    for word in ("the", "confirmed", "status", "Worker"):
        a_bot(vandal, word)
    acts.Announce("The sets of all ladders are over").do(by=stella, reason="x")
    paused = acts.Pause(a_ladder()).do(by=stella, reason="x")
    checked = a_completed_set(a_ladder(players=2), [a_version(), a_version()])
    MatchSet.objects.filter(pk=checked.pk).update(reason="confirmed")
    append(kind="seed_chains_ended", by="the platform", subject="all ladders", detail={"says": ["2 sets, 3 before"]})
    erased(vandal)
    last = Act.objects.get(kind="seed_chains_ended")
    assert Act.objects.get(pk=paused.pk).detail == paused.detail
    assert MatchSet.objects.get(pk=checked.pk).reason == "confirmed"
    assert (last.subject, last.detail, last.erased) == ("all ladders", {"says": ["2 sets, 3 before"]}, {})


def test_a_source_that_somebody_else_uploaded_too_stays_and_one_that_comes_again_is_there_again() -> None:
    mine, other = a_user(), a_user()
    shared, single = new_contents(), new_contents()
    versions = [upload(bot=a_bot(owner), by=owner, data=data, filename="bot.py") for owner, data in
                ((mine, shared), (other, shared), (mine, single))]  # fmt: skip
    erased(mine)
    assert [bytes(Version.objects.get(pk=version.pk).bundle.content) for version in versions] == [shared, shared, b""]
    upload(bot=a_bot(other), by=other, data=single, filename="bot.py")
    assert bytes(Version.objects.get(pk=versions[2].pk).bundle.content) == single


def test_an_organiser_takes_it_back_within_the_grace_and_nobody_after_it() -> None:
    user, stella = a_user(), a_user("stella", staff=True)
    token = make_token(user=user, name="laptop")
    EraseAccount(user).do(by=stella, reason="a letter asked for it")
    with pytest.raises(Refused, match="is erased, or will be"):
        ask_to_erase(user=user)
    acts.Activate(user).do(by=stella, reason="another letter")
    user.refresh_from_db()
    assert (user.is_active, user.erase_at, token_with_secret(token)) == (True, None, None)
    erased(user)
    user.refresh_from_db()
    with pytest.raises(Refused, match="there is nobody"):
        acts.Activate(user).do(by=stella, reason="a third letter")
    with pytest.raises(Refused, match="organiser"):
        ask_to_erase(user=stella)


def test_a_set_of_an_event_that_is_not_over_is_played_without_its_code() -> None:
    ladder, versions = a_ladder(players=2), [a_version(), a_version()]
    event = Event.objects.create(slug="cup", title="Cup", ladder=ladder, spec={}, lot="x", status="running")
    played = deal_set(
        ladder=ladder, versions=[version.pk for version in versions], lot="x", event=event, round=1, pairing="a"
    )
    gone = versions[0].bot.owner
    erased(gone)
    [seats] = claim_all([played.pk]).values()
    assert {seat.version: seat.withdrawn for seat in seats} == {versions[0].pk: True, versions[1].pk: False}
    assert gone.username not in {seat.bot for seat in seats}


def test_a_log_that_lost_a_name_without_a_voucher_or_by_another_one_is_broken() -> None:
    user = a_user("Xavier")
    before_there_were_seals(kind="x", by="Xavier", subject="something", reason="y")
    append(kind="y", by="Xavier", subject="something")
    erased(user)
    lines = list(log.log_lines())
    assert audit.check_log(lines).number == len(lines)
    for vouches in ([], [[1, "another digest", audit.START]]):
        last = json.loads(lines[-1])
        last["detail"]["vouches"] = vouches
        del last["digest"]
        forged = audit.Entry(**last)
        with pytest.raises(audit.BrokenLog, match="no act says so"):
            audit.check_log([*lines[:-1], audit.write_entry(forged, forged.digest)])
    other = json.loads(lines[1]) | {"kind": "z"}
    with pytest.raises(audit.BrokenLog, match="is not what its digest"):
        audit.check_log([lines[0], json.dumps(other)])


HEX = re.compile(r"\\\\x([0-9a-f]+)")


def test_a_name_is_found_in_any_script_and_case_and_in_no_longer_word() -> None:
    names = ErasedNames({"igor": "erased-1", "你好": "erased 2", "Blend": "erased 3"})
    assert names.in_typed("IGOR, ıgor and igors; 再见你好吗") == "erased-1, erased-1 and igors; 再见erased 2吗"
    assert names.in_written("version 你好 v3, bot Blend; a Blend") == "version erased 2 v3, bot erased 3; a Blend"


def test_the_next_public_dump_has_no_name_of_it(tmp_path: Path) -> None:
    olga, ladder = a_user(f"{MARK}-olga"), a_ladder("arena", players=2)
    versions = [a_version(a_bot(olga, f"{MARK} bot")), a_version()]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    a_completed_set(ladder, versions)
    rate()
    for is_there in (True, False):
        files = {file["stored"] for file in dump(ladder, tmp_path).manifest["files"]}
        marked = {name for name in files if MARK.encode() in unpacked((tmp_path / "arena" / name).read_bytes())}
        assert any(name.startswith("replays-") for name in marked) == bool(marked) == is_there
        if is_there:
            erased(olga)


@pytest.mark.django_db(transaction=True)
def test_a_preview_is_no_transaction_and_a_bot_leaves_its_event() -> None:
    version = a_version()
    event = Event.objects.create(slug="cup", title="Cup", ladder=a_ladder(), spec={}, lot="x", status="registration")
    event.entrants.create(bot=version.bot)
    owner, stella = version.bot.owner, a_user("stella", staff=True)
    assert EraseAccount(owner).preview().subject == f"account {owner.pk}"
    EraseAccount(owner).do(by=stella, reason="a letter asked for it")
    assert not event.entrants.exists()


@pytest.mark.django_db(transaction=True)
def test_a_new_backup_has_nothing_of_it_either(tmp_path: Path) -> None:
    olga, other = a_full_account()
    what_happens_to_it(*a_full_bot(olga, other))
    for is_there in (True, False):
        seal = backup(tmp_path / "site.backup")
        command = [str(pg_tools.pg_program("pg_restore", seal.server)), "--file=-", str(tmp_path / "site.backup")]
        text = subprocess.run(command, capture_output=True, check=True).stdout.decode().lower()
        packed = [unpacked(bytes.fromhex(literal)).lower() for literal in HEX.findall(text)]
        assert (MARK.lower() in text) == is_there
        assert any(MARK.lower().encode() in value for value in packed) == is_there
        if is_there:
            erased(olga)
