"""An owner or team enters a bundle once in a ladder: which bundles are the same, and who counts as one owner."""

import io
import zipfile
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection

from bots.bundle import read_bundle
from bots.contents import LONGEST, bundle_fingerprint
from bots.python_tokens import tokens_of
from tests.factories import a_bot, a_completed_set, a_ladder, a_user, a_version, an_upload, rate
from tests.tournaments.ledger.ladders.entering import ONE, OTHER, a_team, code, enters
from tournaments.core.accounts.sides import people_with
from tournaments.core.errors import Refused
from tournaments.features.teams import rules as teams
from tournaments.ledger.ladders.entries import withdraw_bot
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Bot, Entry

pytestmark = pytest.mark.django_db


def zipped(files: dict[str, bytes], year: int = 2020) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0)), content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("main.py", ONE),
        ("bot.py", b"# made anew\n\n" + ONE.replace(b"\n", b"  \r\n").replace(b"ONE = 1", b"ONE  =  1 # one")),
        ("bot.zip", zipped({"bot.py": ONE})),
        ("renamed.zip", zipped({"bot.py": ONE}, 2024)),
        ("other.zip", zipped({"main.py": ONE, "bot.toml": b'name = "Another"\n'})),
    ],
)
def test_packing_it_otherwise_makes_no_other_bundle(name: str, data: bytes) -> None:
    assert bundle_fingerprint(read_bundle(data, name)) == bundle_fingerprint(read_bundle(ONE, "bot.py"))
    assert bundle_fingerprint(read_bundle(data, name)) != bundle_fingerprint(read_bundle(OTHER, "bot.py"))


@pytest.mark.parametrize(
    ("name", "source", "changed"),
    [
        ("bot.py", b"A = '''\n# b\n'''\n", b"A = '''\n# c\n'''\n"),  # no comment: it stands in a string
        ("bot.py", b"A = '''\n\n'''\n", b"A = '''\n'''\n"),
        ("bot.py", b"A = f'''{1}\n# b\n'''\n", b"A = f'''{1}\n# c\n'''\n"),
        ("bot.py", b"A = '# b'\n", b"A = '# c'\n"),
        ("bot.py", b"if A:\n  B\nC\n", b"if A:\n  B\n  C\n"),
        ("bot.js", b"A = `\n// b\n`\n", b"A = `\n// c\n`\n"),
        ("bot.cpp", b'auto a = R"(\n// b\n)";\n', b'auto a = R"(\n// c\n)";\n'),
    ],
)
def test_what_only_looks_like_a_comment_counts(name: str, source: bytes, changed: bytes) -> None:
    """It is another program: to refuse it as known contents would be wrong."""
    assert bundle_fingerprint(read_bundle(source, name)) != bundle_fingerprint(read_bundle(changed, name))


def test_what_is_no_python_or_too_long_is_compared_by_its_bytes() -> None:
    assert tokens_of(b"A = '''never ends\n") is None
    assert tokens_of(b"# coding: nonsense\nA = 1\n") is None
    for times, equal in ((9, True), (LONGEST // 6, False)):
        fingerprint = bundle_fingerprint(read_bundle(b"A = 1\n" * times, "bot.py"))
        assert (bundle_fingerprint(read_bundle(b"A = 1\n" * times + b"\n" * 9, "bot.py")) == fingerprint) == equal


def test_the_place_of_a_file_and_its_contents_are_told_apart() -> None:
    packed = [{"bot.py": ONE, "ab": b"c"}, {"bot.py": ONE, "a": b"bc"}, {"bot.py": ONE, "ab": b"c "}, {"bot.py": ONE}]
    assert len({bundle_fingerprint(read_bundle(zipped(files), "bot.zip")) for files in packed}) == 4


def test_one_bundle_has_one_entry_of_an_owner_in_a_ladder() -> None:
    ladder, owner = a_ladder(), a_user()
    first, second = a_version(a_bot(owner), ONE), a_version(a_bot(owner), b"# again\n" + ONE)
    enters(ladder, first.bot)
    assert code(lambda: enters(ladder, second.bot)) == "same_contents"
    enters(a_ladder(), second.bot)
    enters(ladder, a_version(a_bot(), ONE).bot)  # somebody else's


def test_a_team_counts_as_one_owner_and_so_do_teams_that_share_somebody() -> None:
    ladder, ada, bob, eve = a_ladder(), a_user(), a_user(), a_user()
    enters(ladder, a_version(a_bot(ada), ONE).bot)
    twin = a_version(a_bot(eve), ONE).bot
    a_team(ada, bob)
    team = teams.create_team(name="The others", by=bob)
    teams.invite_to_team(team=team, user=eve, by=bob)
    assert people_with(eve) == {eve.pk}
    teams.answer_team_invitation(team=team, by=eve, joins=True)
    assert people_with(eve) == {ada.pk, bob.pk, eve.pk}
    assert code(lambda: enters(ladder, twin)) == "same_contents"
    teams.leave_team(team=team, by=eve)
    enters(ladder, twin)


def test_a_version_that_another_entry_plays_is_refused_when_uploaded_and_when_activated() -> None:
    ladder, owner = a_ladder(version_pause=0), a_user()
    enters(ladder, a_version(a_bot(owner), ONE).bot)
    old = a_version(a_bot(owner), ONE)
    bot = a_version(old.bot, OTHER).bot
    enters(ladder, bot)
    assert code(lambda: activate(version=old, by=owner)) == "same_contents"
    third = a_version(a_bot(owner)).bot
    enters(ladder, third)
    assert code(lambda: an_upload(third, ONE)) == "same_contents"
    assert third.versions.count() == 1


def test_a_bundle_that_is_checked_still_holds_its_place() -> None:
    ladder, owner = a_ladder(), a_user()
    first, second = an_upload(a_bot(owner), ONE), an_upload(a_bot(owner), ONE)
    enters(ladder, first.bot)
    assert code(lambda: enters(ladder, second.bot)) == "same_contents"


def test_a_bundle_that_has_played_goes_on_with_its_bot_and_begins_with_no_other() -> None:
    ladder, owner = a_ladder(players=2), a_user()
    mine, rival = a_version(a_bot(owner), ONE), a_version()
    entries = [enters(ladder, version.bot) for version in (mine, rival)]
    a_completed_set(ladder, [mine, rival])
    rate()
    before = next(line for line in standings(ladder) if line.bot_id == mine.bot_id)
    withdraw_bot(entry=entries[0], by=owner)
    assert code(lambda: enters(ladder, a_version(a_bot(owner), ONE).bot)) == "same_contents"
    enters(ladder, mine.bot)
    rate()
    after = next(line for line in standings(ladder) if line.bot_id == mine.bot_id)
    assert (after.elo, after.games, after.sets) == (before.elo, before.games, before.sets)


def test_doubles_of_before_stay_until_one_of_them_changes_something() -> None:
    ladder, ada, bob = a_ladder(version_pause=0), a_user(), a_user()
    first, second = a_version(a_bot(ada), ONE).bot, a_version(a_bot(bob), ONE).bot
    entries = [enters(ladder, bot) for bot in (first, second)]
    a_team(ada, bob)
    assert set(Entry.objects.values_list("status", flat=True)) == {"playing"}
    withdraw_bot(entry=entries[1], by=bob)
    assert code(lambda: enters(ladder, second)) == "same_contents"


@pytest.mark.django_db(transaction=True)
def test_of_two_that_enter_at_once_one_is_refused() -> None:
    ladder, owner = a_ladder(), a_user()
    twins = [a_version(a_bot(owner), ONE).bot for _ in range(4)]
    start, outcomes = Barrier(len(twins)), []

    def go(bot: Bot) -> None:
        try:
            start.wait()
            enters(ladder, bot)
            outcomes.append("entered")
        except Refused as refused:
            outcomes.append(refused.code)
        finally:
            connection.close()

    threads = [Thread(target=go, args=(bot,)) for bot in twins]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["entered", *["same_contents"] * 3]
    assert ladder.entries.count() == 1


def test_a_refused_entry_comes_back_with_what_was_chosen(client: Any) -> None:
    ladder, owner = a_ladder(), a_user()
    enters(ladder, a_version(a_bot(owner), ONE).bot)
    twin = a_version(a_bot(owner), ONE).bot
    client.force_login(owner)
    answer = client.post(f"/ladders/{ladder.slug}/enter/", {"bot": twin.pk})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "already has these contents" in page
    assert f'value="{twin.pk}" selected' in page
