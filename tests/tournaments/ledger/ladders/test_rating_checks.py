"""What the nightly check finds, mends and says."""

from datetime import timedelta
from typing import Any

import pytest
import yaml
from django.test import Client

from tests.factories import a_ladder, a_user, a_version
from tests.seasons import end_set
from tests.tournaments.ledger.ladders.test_classic_elo import numbers
from tests.tournaments.ledger.ladders.test_classic_elo_meanwhile import a_rated_ladder, two_pairs
from tests.tournaments.ops.launcher.processes import ROOT
from tournaments.audit.log import PLATFORM, append
from tournaments.ledger.ladders import rating_checks
from tournaments.ledger.ladders.official_fit import recompute
from tournaments.ledger.ladders.rating_checks import MENDED, check_due
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Act, Bot, Disqualification, Ladder, MatchSet, Rating, RatingStep
from tournaments.ops.monitoring import database_metrics

pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder() -> Ladder:
    return a_rated_ladder(two_pairs())


def check() -> None:
    """Check as a dispatcher that begins does, to the end."""
    rating_checks.checked.clear()
    while check_due():
        pass


def acts() -> list[Act]:
    return list(Act.objects.filter(kind=MENDED))


def as_if_new(ladder: Ladder) -> None:
    """The versions of the last set were folded as if it were their first, as by a race of before."""
    last = ladder.sets.latest("number")
    wrong: dict[str, Any] = {"milli_elo": 1_447_200, "sets": 1, "games": 2}
    RatingStep.objects.filter(set=last).update(**wrong)
    Rating.objects.filter(version__steps__set=last).update(**wrong)


def a_history(ladder: Ladder) -> None:
    RatingStep.objects.filter(set=ladder.sets.get(number=1)).update(delta=7)


def a_stranger(ladder: Ladder) -> None:
    Rating.objects.create(ladder=ladder, version=a_version(), milli_elo=1)


def a_missing_rating(ladder: Ladder) -> None:
    ladder.ratings.order_by("pk")[0].delete()


def a_missing_step(ladder: Ladder) -> None:
    RatingStep.objects.filter(set=ladder.sets.get(number=2)).order_by("pk")[0].delete()


def an_edited_rating(ladder: Ladder) -> None:
    Rating.objects.filter(pk=ladder.ratings.order_by("pk")[0].pk).update(milli_elo=9_999_000)


def a_step_of_a_set_that_is_void(ladder: Ladder) -> None:
    MatchSet.objects.filter(pk=ladder.sets.get(number=1).pk).update(status="void", rated=False)


def a_place(ladder: Ladder) -> None:
    for seat in ladder.sets.get(number=3).matches.get(turn=0).seats.all():
        seat.place = 3 - (seat.place or 0)
        seat.save()


WRONG = [
    as_if_new,
    a_history,
    a_stranger,
    a_missing_rating,
    a_missing_step,
    an_edited_rating,
    a_step_of_a_set_that_is_void,
    a_place,
]


@pytest.mark.parametrize("spoil", WRONG)
@pytest.mark.parametrize("part", [1, 1000])
def test_what_differs_from_the_results_is_mended_and_logged_once(
    spoil: Any, part: int, ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating_checks, "PART", part)
    spoil(ladder)
    check()
    mended = numbers(ladder)
    assert len(acts()) == 1
    check()
    assert len(acts()) == 1
    assert recompute(ladder=ladder) == {}
    assert numbers(ladder) == mended


@pytest.mark.parametrize("part", [1, 3, 4, 1000])
def test_right_ratings_are_left_alone(part: int, ladder: Ladder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_checks, "PART", part)
    end_set(create_set(ladder=ladder, versions=(late := two_pairs())[0]), late[0])  # nobody has rated it yet
    before = numbers(ladder)
    check()
    assert (numbers(ladder), acts()) == (before, [])


def test_sets_of_somebody_disqualified_are_taken_out_where_nobody_did(ladder: Ladder) -> None:
    act = append(kind="test", by=PLATFORM, subject="test")
    bot = Bot.objects.filter(versions__ratings__ladder=ladder).first()
    Disqualification.objects.create(bot=bot, act=act)
    check()
    assert not ladder.ratings.filter(version__bot=bot).exists()
    assert len(acts()) == 1


def test_a_ladder_is_checked_when_a_dispatcher_begins_and_every_night(ladder: Ladder) -> None:
    check()
    an_edited_rating(ladder)
    assert check_due() == 0
    rating_checks.checked[ladder.pk] -= timedelta(days=1)
    assert check_due() == 1
    assert len(acts()) == 1


def test_the_log_says_what_a_version_had_before(ladder: Ladder) -> None:
    right = ladder.ratings.get(version=(last := ladder.sets.latest("number")).steps.order_by("pk")[0].version_id)
    as_if_new(ladder)
    check()
    [act] = acts()
    assert act.subject == f"ladder {ladder.slug}"
    summary, *lines = act.detail["says"]
    assert summary == "Versions whose classic rating has changed: 2."
    assert f"{right.version}: 1447.2 before, {right.milli_elo / 1000:.1f} now." in lines
    assert last.steps.get(version=right.version).milli_elo == right.milli_elo


def test_the_desk_and_metrics_show_it_and_an_alert_fires(ladder: Ladder, client: Client) -> None:
    def age() -> list[float]:
        samples = (sample for metric in database_metrics.read_database_metrics() for sample in metric.samples)
        return [sample.value for sample in samples if "mended" in sample.name]

    client.force_login(a_user(staff=True))

    def fires() -> list[bool]:
        """Return whether each sample fires the alert, which compares it with a number."""
        rules = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text())["groups"][0]["rules"]
        (rule,) = (rule for rule in rules if rule["alert"] == "BoardroomRatingsMended")
        name, least = rule["expr"].split(" < ")
        samples = (sample for metric in database_metrics.read_database_metrics() for sample in metric.samples)
        return [sample.value < float(least) for sample in samples if sample.name == name]

    says = f"The classic ratings of {ladder.slug} were wrong, and have been corrected."
    assert age() == fires() == []
    assert says not in client.get("/desk/").content.decode()
    an_edited_rating(ladder)
    check()
    [act] = acts()
    page = client.get("/desk/").content.decode()
    assert says in page
    assert f"/audit/?before={act.number + 1}#acts" in page
    assert [round(value, -2) for value in age()] == [0]
    assert fires() == [True]


def test_one_ladder_that_cannot_be_checked_does_not_stop_the_others(ladder: Ladder) -> None:
    broken = a_ladder(players=2)
    pair = two_pairs()[0]
    end_set(create_set(ladder=broken, versions=pair), pair)
    Rating.objects.create(ladder=broken, version_id=pair[0], milli_elo=1)
    MatchSet.objects.filter(ladder=broken).update(rated=True)
    broken.sets.get().matches.get(turn=0).seats.update(place=None)
    an_edited_rating(ladder)
    check()
    assert len(acts()) == 1
