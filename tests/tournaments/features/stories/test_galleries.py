"""Galleries show rated matches that stand out to those who may see them, and nothing else."""

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bots.viewer.stories import Kept
from engine.referee import Verdict
from tests.factories import (
    a_bot,
    a_completed_set,
    a_ladder,
    a_set_with_dice,
    a_trial,
    a_user,
    a_version,
    play_set,
    rate,
)
from tests.holding import KNOCKOUT, a_running, play_out
from tests.spaces import a_space
from tests.tournaments.web.pages.conftest import signed_in
from tournaments.features.friendlies.rules import ask_friendly_set
from tournaments.features.stories import galleries as shown_galleries
from tournaments.features.stories import highlights, steps
from tournaments.features.stories.galleries import galleries
from tournaments.features.stories.highlights import highlights_of
from tournaments.features.stories.steps import keep_headlines
from tournaments.models import Highlight, MatchSet, Result, Seat, Version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def everything_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlights, "CLOSE", 10**6)
    monkeypatch.setattr(highlights, "BEHIND", 10**6)
    monkeypatch.setattr(steps, "SECONDS", 60.0)


@pytest.fixture
def versions() -> list[Version]:
    return [a_version(a_bot(name=name)) for name in ("Ada", "Bob", "Cleo")]


def keep_all_headlines() -> None:
    while keep_headlines():
        pass


def listed(client: Client | None = None, query: str = "?of=ever") -> set[int]:
    page = (client or Client()).get(f"/matches/best/{query}")
    assert page.status_code == 200
    return {row.match.pk for gallery in page.context["galleries"] for row in gallery.page.rows}


def matches_of(*sets: MatchSet) -> set[int]:
    """Return the matches that somebody won alone."""
    seats = Seat.objects.filter(match__set__in=sets, place=1).values_list("match", flat=True)
    return {match for match, winners in Counter(seats).items() if winners == 1}


def test_the_closest_stand_first_and_say_how_close(versions: list[Version]) -> None:
    played = a_completed_set(a_ladder("arena"), versions)
    keep_all_headlines()
    rows = list(Highlight.objects.filter(kind="closest").order_by("value"))
    for row in rows:
        first, second, *_ = sorted((seat.score or 0 for seat in row.match.seats.all()), reverse=True)
        assert row.value == (first - second) / first
        assert (row.game, row.month) == ("zaibatsu", f"{row.match.result.recorded_at:%Y-%m}")
    closest, *_ = galleries(None, "", of_all_time=True)
    assert [row.match.pk for row in closest.page.rows] == [row.match_id for row in rows]
    assert {row.match_id for row in rows} == matches_of(played)
    page = Client().get("/matches/best/").content.decode()
    assert f"decided by {100 * rows[0].value:.1f} % of the score" in page
    german = Client(headers={"accept-language": "de"}).get("/matches/best/").content.decode()
    assert "der Punkte entschieden" in german


def test_a_comeback_is_the_least_chance_that_the_winner_had(versions: list[Version]) -> None:
    a_completed_set(a_ladder("arena"), versions)
    keep_all_headlines()
    values = [row.value for row in Highlight.objects.filter(kind="comeback").order_by("value")]
    assert len(values) == len(Highlight.objects.filter(kind="closest"))
    assert all(0 <= value <= 0.5 for value in values)
    text = Client().get("/matches/best/").content.decode()
    assert text.index("The closest") < text.index("The biggest comebacks")
    assert "came back from a chance of " in text


def test_an_upset_is_by_the_ratings_before_the_set(versions: list[Version], monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = a_ladder("arena")
    for _ in range(6):  # Ada loses them all
        a_completed_set(ladder, versions, faults={versions[0].pk: Verdict.CRASHED})
    rate()
    monkeypatch.setattr(highlights, "GAP", 1.0)
    strong, weak = versions[1], versions[0]
    last = a_completed_set(ladder, versions)
    rate()  # which changes nothing of what was before
    before = {
        version: version.steps.filter(set__lt=last).latest("set").milli_elo / 1000
        for version in (strong, weak, versions[2])
    }
    keep_all_headlines()
    won = [match for match in last.matches.all() if [seat.version for seat in match.seats.filter(place=1)] == [weak]]
    expected = max(elo for version, elo in before.items() if version != weak) - before[weak]
    rows = {row.match_id: row.value for row in Highlight.objects.filter(kind="upset", match__set=last)}
    for match in won:
        assert rows[match.pk] == pytest.approx(expected)
    assert all(value >= 1 for value in rows.values())
    assert not Highlight.objects.filter(match__set__ladder=ladder, match__set__lt=last.pk).exists()  # with forfeits


def test_a_match_in_which_somebody_forfeited_or_several_won_stands_out_in_nothing(versions: list[Version]) -> None:
    played = a_completed_set(a_ladder("arena"), versions, faults={versions[1].pk: Verdict.CRASHED})
    keep_all_headlines()
    assert not Highlight.objects.exists()
    assert listed() == set()
    match = played.matches.select_related("set", "result").latest("pk")
    assert list(highlights_of(match, Kept("", fair=False))) == []
    assert "No rated match of this kind stands out yet." in Client().get("/matches/best/").content.decode()


def held_back(_: Sequence[Version]) -> MatchSet:
    event = play_out(a_running(3, KNOCKOUT, released=0))
    return event.sets.latest("pk")


def friendly(versions: Sequence[Version]) -> MatchSet:
    ladder, bots = a_ladder(), [version.bot for version in versions]
    for bot in bots:
        ladder.entries.create(bot=bot)
    asked = ask_friendly_set(ladder=ladder, bot=bots[0], against=bots[1:], by=bots[0].owner)
    play_set(asked)
    return asked


def trial(versions: Sequence[Version]) -> MatchSet:
    ladder = a_ladder()
    for version in versions:
        ladder.entries.create(bot=version.bot)
    return a_trial(versions[0], sets=1).sets.latest("pk")


def check(versions: Sequence[Version]) -> MatchSet:
    return versions[0].check_set


def void(versions: Sequence[Version]) -> MatchSet:
    played = a_completed_set(a_ladder(), list(versions))
    MatchSet.objects.filter(pk=played.pk).update(status="void")
    return played


def disqualified(versions: Sequence[Version]) -> MatchSet:
    played = a_completed_set(a_ladder(), list(versions))
    MatchSet.objects.filter(pk=played.pk).update(counts=False)
    return played


def forgotten(versions: Sequence[Version]) -> MatchSet:
    played = a_completed_set(a_ladder(), list(versions))
    keep_all_headlines()
    Result.objects.filter(match__set=played).update(replay=b"")
    return played


@pytest.mark.parametrize("what", [held_back, friendly, trial, check, void, disqualified, forgotten])
def test_what_is_no_rated_match_is_in_no_gallery(
    versions: list[Version], what: Callable[[Sequence[Version]], MatchSet]
) -> None:
    hidden = matches_of(what(versions))
    rated = matches_of(a_completed_set(a_ladder("arena"), versions))
    keep_all_headlines()
    assert hidden
    for user in (None, a_user(), a_user(staff=True)):
        seen = listed(signed_in(user))
        assert seen == rated
        assert seen.isdisjoint(hidden)


def test_what_is_voided_later_is_gone_at_once(versions: list[Version]) -> None:
    played = a_completed_set(a_ladder("arena"), versions)
    keep_all_headlines()
    assert listed() == matches_of(played)
    MatchSet.objects.filter(pk=played.pk).update(status="void")
    assert listed() == set()


def test_matches_of_a_private_space_are_for_its_members(versions: list[Version]) -> None:
    member, staff = a_user(), a_user(staff=True)
    space = a_space(members=[member])
    played = a_completed_set(a_ladder(space=space), versions)
    MatchSet.objects.filter(pk=played.pk).update(space=space)
    keep_all_headlines()
    assert listed() == listed(signed_in(a_user())) == set()
    assert listed(signed_in(member)) == listed(signed_in(staff)) == matches_of(played)


def test_a_game_and_a_month_are_chosen(versions: list[Version]) -> None:
    cards, dice = a_completed_set(a_ladder("arena"), versions), a_set_with_dice()
    keep_all_headlines()
    fair = set(Highlight.objects.filter(game="gigabucks").values_list("match", flat=True))
    assert listed(query="") == matches_of(cards) | fair
    assert listed(query="?game=zaibatsu") == matches_of(cards)
    assert listed(query="?game=gigabucks") == fair <= matches_of(dice)
    assert listed(query="?game=chess&of=ever") == set()
    Highlight.objects.filter(game="zaibatsu").update(month="2024-02")
    assert listed(query="?game=zaibatsu") == set()
    assert listed(query="?game=zaibatsu&of=ever") == matches_of(cards)


def test_a_gallery_is_bounded_and_takes_as_many_queries_however_many_there_are(
    versions: list[Version], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shown_galleries, "LENGTH", 2)
    ladder = a_ladder("arena")
    a_completed_set(ladder, versions)
    keep_all_headlines()
    with CaptureQueriesContext(
        connection,
    ) as before:
        listed()
    for _ in range(3):
        a_completed_set(ladder, versions)
    keep_all_headlines()
    with CaptureQueriesContext(connection) as after:
        page = Client().get("/matches/best/?of=ever")
    assert len(after) == len(before)
    assert all(len(gallery.page.rows) <= 2 for gallery in page.context["galleries"])


def test_each_is_found_by_its_index(versions: list[Version]) -> None:
    a_completed_set(a_ladder("arena"), versions)
    keep_all_headlines()
    queries = {
        "highlights_by_kind": {},
        "highlights_by_kind_game": {"game": "zaibatsu"},
        "highlights_by_kind_month": {"month": "2026-11"},
        "highlights_by_kind_game_month": {"game": "zaibatsu", "month": "2026-11"},
    }
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
    for index, of in queries.items():
        for kind, order in (("closest", ("value", "-match")), ("upset", ("-value", "match"))):
            plan = Highlight.objects.filter(kind=kind, **of).order_by(*order)[:5].explain()
            assert f"using {index} " in plan
            assert "Sort" not in plan


def test_matches_of_before_are_found_too(versions: list[Version]) -> None:
    """A story that is told again keeps what was remarkable once."""
    played = a_completed_set(a_ladder("arena"), versions)
    keep_all_headlines()
    kept = list(Highlight.objects.order_by("match", "kind").values("match", "kind", "value"))
    Result.objects.update(story=None)
    keep_all_headlines()
    assert list(Highlight.objects.order_by("match", "kind").values("match", "kind", "value")) == kept
    assert {row["match"] for row in kept} == matches_of(played)


def test_few_matches_stand_out(versions: list[Version], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlights, "CLOSE", 0.1)
    monkeypatch.setattr(highlights, "BEHIND", 0.5)
    played = a_completed_set(a_ladder("arena"), versions)
    match = played.matches.select_related("set", "result").latest("pk")
    for kept, kinds in (
        (Kept("", fair=True, margin=0.1, lowest=None), {"closest"}),
        (Kept("", fair=True, margin=0.11, lowest=0.2), set()),  # an even chance of three is a third
        (Kept("", fair=True, margin=0.0, lowest=0.16), {"closest", "comeback"}),
        (Kept("", fair=True, margin=None, lowest=0.5), set()),
        (Kept("", fair=True, margin=None, lowest=None), set()),  # a game that tells nothing
        (Kept("", fair=False, margin=0.0, lowest=0.0), set()),
    ):
        assert {str(row.kind) for row in highlights_of(match, kept)} == kinds
