import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.games import GAMES
from tests.factories import SAMPLE, a_bot, a_ladder, a_user, a_version, an_upload, play_set
from tournaments.core.errors import Refused
from tournaments.ledger.competitors.uploads import create_bot, upload
from tournaments.ledger.ladders.entries import enter_in_ladder, withdraw_bot
from tournaments.ledger.matchmaking.activation import activate
from tournaments.models import Bot, Bundle, Entry, Ladder, MatchSet, Version

pytestmark = pytest.mark.django_db


def code(act: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.detail[-1] not in ".\n"
    assert len(refusal.value.detail) > 20
    return refusal.value.code


@pytest.mark.parametrize(
    "name", ["abc", "Gold-digger 3.1", "a_b", "4x4", "x" * 40, "a b c", "näme", "Ёжик", "中国", "हिन्दी"]
)
def test_a_name_is_3_to_40_letters_digits_and_single_signs_between(name: str) -> None:
    assert a_bot(name=name).name == name


@pytest.mark.parametrize(
    "name", ["", "ab", "x" * 41, " abc", "abc ", "a  b", "-abc", "abc.", "中", "a/b", "a\nb", "a\0bc", "a--b"]
)
def test_any_other_name_is_refused(name: str) -> None:
    assert code(lambda: create_bot(owner=a_user(), game="zaibatsu", name=name)) == "bad_name"
    assert not Bot.objects.exists()


def test_a_name_may_be_taken_by_one_bot_only_in_capitals_or_not() -> None:
    a_bot(name="Gold digger")
    assert code(lambda: a_bot(name="gold Digger")) == "name_taken"


def test_a_bot_plays_a_game_that_is_on_the_shelf() -> None:
    assert code(lambda: create_bot(owner=a_user(), game="chess", name="Deep")) == "unknown_game"


def test_an_owner_has_so_many_bots_and_no_more(settings: Any) -> None:
    settings.BOTS_AN_OWNER = 2
    owner = a_user()
    a_bot(owner), a_bot(owner)
    assert code(lambda: a_bot(owner)) == "too_many_bots"


def test_an_upload_is_a_version_in_check_with_one_match_that_it_plays_alone() -> None:
    bot = a_bot()
    version = upload(bot=bot, by=bot.owner, data=SAMPLE, filename="a\0\udc80b.py", note="  first\n try\x00 ")
    assert (version.number, version.status, version.note) == (1, "checking", "first try")
    assert (bytes(version.bundle.content), version.filename) == (SAMPLE, "a b.py")
    match = version.check_set.matches.get()
    assert {seat.version_id for seat in match.seats.all()} == {version.pk}
    assert (match.status, match.seats.count(), version.check_set.strikes) == ("waiting", 3, 1)


def test_only_the_owner_uploads() -> None:
    bot = a_bot()
    for stranger in (a_user(), a_user(staff=True)):
        assert code(lambda: upload(bot=bot, by=stranger, data=SAMPLE, filename="bot.py")) == "not_yours"  # noqa: B023
    assert not Version.objects.exists()


def a_zip(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "filename", "expected"),
    [
        (b"", "bot.py", "empty"),
        (b"x = 1\n" * (1 << 20), "bot.py", "too_large"),
        (b"\xff\xfe", "bot.py", "not_python"),
        (b"rar", "bot.rar", "wrong_kind"),
        (b"not a zip", "bot.zip", "not_a_zip"),
        (a_zip(notes=b"no bot here"), "bot.zip", "no_entry"),
    ],
)
def test_what_is_no_bundle_is_refused_with_the_bundles_own_code_and_leaves_no_trace(
    data: bytes, filename: str, expected: str
) -> None:
    bot = a_bot()
    assert code(lambda: upload(bot=bot, by=bot.owner, data=data, filename=filename)) == expected
    assert [model.objects.count() for model in (Bundle, Version, MatchSet)] == [0, 0, 0]


def test_one_version_is_checked_at_a_time() -> None:
    bot = an_upload(a_bot()).bot
    assert code(lambda: an_upload(bot)) == "check_running"


def test_contents_that_a_bot_has_already_are_not_taken_again() -> None:
    bot = a_version(data=SAMPLE).bot
    assert code(lambda: an_upload(bot, b"# another comment\n" + SAMPLE)) == "already_active"
    a_version(bot, b"TWO = 2\n" + SAMPLE)
    assert code(lambda: an_upload(bot, SAMPLE.replace(b"\n", b"  \r\n"))) == "already_uploaded"
    assert (Bundle.objects.count(), bot.versions.count()) == (2, 2)


def test_an_owner_uploads_so_many_times_in_24_hours(settings: Any) -> None:
    settings.UPLOADS_A_DAY = 2
    bot = a_bot()
    a_version(bot), a_version(a_bot(bot.owner))
    assert code(lambda: an_upload(bot)) == "too_many_uploads"
    an_upload(a_bot())
    Version.objects.update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert an_upload(bot).number == 2


def test_a_new_version_that_passes_takes_the_place_of_the_active_one() -> None:
    first = a_version()
    second = a_version(first.bot)
    first.refresh_from_db()
    assert (first.status, second.status) == ("retired", "active")


def test_an_owner_rolls_back_to_a_retired_version() -> None:
    first = a_version()
    second = a_version(first.bot)
    activate(version=first, by=first.bot.owner)
    for version in (first, second):
        version.refresh_from_db()
    assert (first.status, second.status) == ("active", "retired")
    assert code(lambda: activate(version=second, by=a_user())) == "not_yours"


def test_a_version_in_check_or_rejected_cannot_be_activated() -> None:
    version = an_upload(a_bot())
    assert code(lambda: activate(version=version, by=version.bot.owner)) == "not_retired"


def test_a_bot_enters_withdraws_and_enters_again() -> None:
    ladder, bot = a_ladder(), a_bot()
    entry = enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)
    assert code(lambda: enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)) == "already_entered"
    assert withdraw_bot(entry=entry, by=bot.owner).status == "withdrawn"
    assert code(lambda: withdraw_bot(entry=entry, by=bot.owner)) == "not_entered"
    assert enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner) == entry
    assert Entry.objects.get().status == "playing"


def test_who_may_not_enter_is_told_why() -> None:
    bot, closed, other = a_bot(), a_ladder(status=Ladder.Status.CLOSED), a_ladder()
    assert code(lambda: enter_in_ladder(ladder=closed, bot=bot, by=bot.owner)) == "ladder_closed"
    assert code(lambda: enter_in_ladder(ladder=other, bot=bot, by=a_user())) == "not_yours"
    entry = enter_in_ladder(ladder=other, bot=bot, by=bot.owner)
    assert code(lambda: withdraw_bot(entry=entry, by=a_user(staff=True))) == "not_yours"


def test_a_bot_enters_ladders_of_its_game_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "other", replace(GAMES["zaibatsu"], name="other", title="Another game"))
    bot = create_bot(owner=a_user(), game="other", name="Stranger")
    assert code(lambda: enter_in_ladder(ladder=a_ladder(), bot=bot, by=bot.owner)) == "wrong_game"


def test_a_suspended_bot_enters_again_by_a_new_version_alone() -> None:
    ladder, bot = a_ladder(), a_version().bot
    entry = enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)
    Entry.objects.update(status=Entry.Status.SUSPENDED)
    assert code(lambda: enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)) == "suspended"
    play_set(an_upload(bot).check_set)
    entry.refresh_from_db()
    assert entry.status == "playing"


def test_a_check_is_of_one_deal_under_the_same_rules() -> None:
    first, second = an_upload(a_bot()), an_upload(a_bot())
    assert first.check_set.seed == second.check_set.seed
    play_set(first.check_set)
    assert (
        upload(bot=first.bot, by=first.bot.owner, data=b"ONE = 1\n" + SAMPLE, filename="bot.py").check_set.seed
        == second.check_set.seed
    )
