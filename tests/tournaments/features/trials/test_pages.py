"""The page of a trial, and what an owner reads before one begins."""

import pytest
from django.db.models import F
from django.test import Client

from bots.sequential_test import NAMED, Evidence, judged
from tests.factories import a_trial
from tests.tournaments.web.pages.conftest import World, signed_in
from tournaments.features.trials.chart import HEIGHT, curve, points_to_draw
from tournaments.features.trials.forecast import forecast_trial, seconds_of, variance_of_share
from tournaments.features.trials.pages import sets_by_outcome
from tournaments.models import Fit, MatchSet, Seat, Trial

pytestmark = pytest.mark.django_db


def begun(world: World, sets: int = 2) -> Trial:
    return a_trial(world.bot.versions.get(status="active"), sets=sets)


def text_of(trial: Trial) -> str:
    return " ".join(Client().get(f"/trials/{trial.pk}/").content.decode().split())


def test_the_page_shows_the_curve_the_bounds_and_what_follows(pages_world: World) -> None:
    page = text_of(begun(pages_world))
    assert 'role="img" aria-label="Log-likelihood ratio after each of 2 sets: now ' in page
    assert "Accepted at +3.14, refused at −2.48." in page
    assert "<polyline" in page
    assert "lost all" in page
    assert "won all" in page
    assert "+30 Elo is a share of 0.543" in page
    assert "replaces version 1 from the next set on" in page
    assert "It takes about" in page


def test_a_sentence_comes_first(pages_world: World) -> None:
    trial = begun(pages_world)
    percent = round(100 * trial.score)
    sentence = f"After 2 sets version 2 has taken {percent} %: too early to say."
    assert sentence in text_of(trial)
    assert sentence in " ".join(Client().get(f"/bots/{pages_world.bot.pk}/").content.decode().split())
    Trial.objects.filter(pk=trial.pk).update(status="refused")
    assert f"After 2 sets version 2 had taken {percent} %." in text_of(trial)
    assert "too early to say" not in text_of(trial)


def test_before_its_first_set_there_is_no_line(pages_world: World) -> None:
    page = text_of(begun(pages_world, sets=0))
    assert "Version 2 has yet to finish its first set." in page
    assert "The line begins with the first set." in page
    assert "<polyline" not in page


def test_it_says_where_the_same_games_are_played_again(pages_world: World) -> None:
    trial, sentence = begun(pages_world, sets=6), "repeat one that was played before: one game counts several times"
    assert sentence not in text_of(trial)
    seats = Seat.objects.filter(match__set__trial=trial)
    order = sorted(set(seats.values_list("version", flat=True)))
    for place, version in enumerate(order, 1):
        seats.filter(version=version).update(place=place, score=9 - place)
    assert sentence not in text_of(trial)  # so few scores may only say who won
    seats.update(score=10 * F("score") + F("number"))
    assert sentence in text_of(trial)


def test_a_trial_of_the_rule_of_before_says_so(pages_world: World) -> None:
    trial = begun(pages_world)
    Trial.objects.filter(pk=trial.pk).update(rule=1, status="refused", played=150)
    page = text_of(trial)
    assert "It was decided by an earlier rule" in page
    assert "Some of its sets were voided" not in page


def test_a_trial_that_is_over_stays_decided_when_a_set_is_voided(pages_world: World) -> None:
    trial = begun(pages_world)
    Trial.objects.filter(pk=trial.pk).update(status="refused")
    MatchSet.objects.filter(pk=trial.sets.latest("pk").pk).update(status="void")
    assert "Some of its sets were voided after it was over." in text_of(trial)


def test_an_owner_reads_what_each_test_takes_and_chooses_one(pages_world: World) -> None:
    client = signed_in(pages_world.owner)
    page = " ".join(client.get(f"/bots/{pages_world.bot.pk}/").content.decode().split())
    assert page.count("It takes about") == 3
    assert "−30 Elo is a share of 0.457; 0 Elo is a share of 0.500." in page
    client.post(f"/bots/{pages_world.bot.pk}/gate/", {"gate": "ask", "gate_test": "non_regression"})
    pages_world.bot.refresh_from_db()
    assert (pages_world.bot.gate, pages_world.bot.gate_test) == ("ask", "non_regression")
    again = " ".join(client.get(f"/bots/{pages_world.bot.pk}/").content.decode().split())
    assert 'value="non_regression" checked' in again
    refused = client.post(f"/bots/{pages_world.bot.pk}/gate/", {"gate": "auto", "gate_test": "-5:0"})
    assert refused.status_code == 422
    assert "is not a test for new versions; the tests are gain, non_regression, balanced." in refused.content.decode()
    pages_world.bot.refresh_from_db()
    assert pages_world.bot.gate == "ask"


def test_a_forecast_follows_the_luck_and_the_pace_of_the_ladder(pages_world: World) -> None:
    Fit.objects.filter(ladder=pages_world.ladder).delete()
    seats, test = pages_world.ladder.seats, NAMED["gain"]
    assert variance_of_share(pages_world.ladder) == 0.25 / seats
    Fit.objects.create(ladder=pages_world.ladder, sets=1, phi=0.6, zero=0, rows=[], seconds=0)
    assert variance_of_share(pages_world.ladder) == pytest.approx(0.15 / seats)
    Fit.objects.update(phi=0)
    assert variance_of_share(pages_world.ladder) == pytest.approx(0.0125 / seats)
    MatchSet.objects.update(rated=False)
    assert (seconds_of(pages_world.ladder), forecast_trial(pages_world.ladder, test).seconds) == (None, None)
    begun(pages_world)
    seconds = seconds_of(pages_world.ladder)
    assert seconds is not None
    expected = forecast_trial(pages_world.ladder, test)
    assert expected.seconds == pytest.approx(expected.usual * seconds)


def test_the_curve_stays_inside_and_ends_at_the_last_set() -> None:
    evidence = judged([1.0] * 12, 4, NAMED["gain"])
    chart = curve(evidence)
    assert chart is not None
    heights = [float(point.split(",")[1]) for point in chart.points.split()]
    assert len(heights) == 13
    assert all(0 <= height <= HEIGHT for height in heights)
    assert heights == sorted(heights, reverse=True)
    assert [(bound.words, bound.label) for bound in chart.bounds] == [("accepted", "+3.14"), ("refused", "−2.48")]
    assert chart.bounds[0].at < chart.nothing.at < chart.bounds[1].at
    assert chart.sets == "16 sets"  # where the axis ends, not the line
    assert curve(Evidence(NAMED["gain"], 4)) is None


@pytest.mark.parametrize("count", [2, 300, 301, 2001])
def test_long_curves_leave_points_out_but_not_the_last(count: int) -> None:
    drawn = points_to_draw(count)
    assert (drawn[0], drawn[-1]) == (0, count - 1)
    assert len(drawn) <= 301


def test_outcomes_go_from_lost_all_to_won_all() -> None:
    rows = sets_by_outcome(judged([0, 0.25, 0.25, 0.5, 1], 2, NAMED["gain"]))
    assert [(row.took, row.sets, row.width) for row in rows] == [
        ("lost all", 1, 100),
        ("0.5 of 2", 2, 200),
        ("level", 1, 100),
        ("1.5 of 2", 0, 0),
        ("won all", 1, 100),
    ]
