"""The official ratings: fitted exactly, moved at once by what lands in between, and the same from nothing."""

import json
from copy import copy
from dataclasses import asdict
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from engine.referee import Verdict
from tests.factories import a_bot, a_completed_set, a_ladder, a_version, an_upload
from tournaments.features.overall.standings import overall_standings
from tournaments.ledger.competitors.version_states import make_candidate, take_over
from tournaments.ledger.ladders import official_fit
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.fitted_constants import forget_constants
from tournaments.ledger.ladders.official_fit import FitMemory, recompute, refit, refit_due
from tournaments.ledger.ladders.rating_ledger import ledger_lines, ledger_of
from tournaments.ledger.ladders.standings import standings
from tournaments.ledger.matchmaking.candidates import candidates_of
from tournaments.ledger.matchmaking.ladder_sets import pair
from tournaments.models import Fit, Ladder, MatchSet, Rating, Version
from tournaments.models import ladders as models
from tournaments.ratings.ledger import PRIOR_SD, PRIOR_SDS, RULES
from tournaments.ratings.pairs import Pairs
from tournaments.ratings.table import table_of

pytestmark = pytest.mark.django_db


def rivals(count: int = 2, players: int = 2) -> tuple[Ladder, list[Version]]:
    ladder, versions = a_ladder(players=players), [a_version() for _ in range(count)]
    for version in versions:
        enter_in_ladder(ladder=ladder, bot=version.bot, by=version.bot.owner)
    return ladder, versions


def elos(ladder: Ladder) -> list[float | None]:
    return list(Rating.objects.filter(ladder=ladder).order_by("version").values_list("elo", flat=True))


def a_while_passes(ladder: Ladder) -> None:
    Fit.objects.filter(ladder=ladder).update(made_at=timezone.now() - timedelta(minutes=1))


def test_the_first_set_of_a_ladder_is_fitted_at_once_and_nothing_to_do_is_left() -> None:
    ladder, versions = rivals()
    assert refit_due() == 0
    a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    rate()
    assert (refit_due(), refit_due()) == (1, 0)
    first, second = standings(ladder)
    assert first.elo > 1500 > second.elo
    assert first.fitted == first.elo


def test_a_version_that_has_passed_its_check_is_in_the_next_fit_without_a_set() -> None:
    """The export has it from then on, so who computes the table again has it, too."""
    ladder, versions = rivals()
    a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    rate()
    refit_due()
    for pass_on in (make_candidate, take_over):
        pass_on(version=an_upload(versions[1].bot))
        a_while_passes(ladder)
        assert refit_due() == 1
        rows = Fit.objects.values_list("rows", flat=True).get(ladder=ladder)
        assert [row["ci95"] for row in rows] == [row.ci95 for row in table_of(ledger_of(ladder)).rows]


def test_a_set_between_two_fits_moves_the_rating_once_and_the_next_fit_begins_anew() -> None:
    ladder, versions = rivals()
    a_completed_set(ladder, versions)
    rate()
    refit_due()
    fitted = elos(ladder)
    a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    rate()
    assert refit_due() == 1
    moved = elos(ladder)
    assert moved[0] is not None
    assert fitted[0] is not None
    assert moved[0] > fitted[0]
    line = next(line for line in standings(ladder) if line.version_id == versions[0].pk)
    assert (line.fitted, line.elo) == (round(fitted[0], 1), round(moved[0], 1))
    assert refit_due() == 0
    a_while_passes(ladder)
    assert refit_due() == 1
    assert elos(ladder) == list(
        Rating.objects.filter(ladder=ladder).order_by("version").values_list("fitted", flat=True)
    )
    assert elos(ladder) != moved


def test_a_ladder_fitted_under_earlier_rules_is_fitted_anew_and_says_so() -> None:
    """Nothing of it was played since, and another process fitted it, which knew no rules."""
    ladder, versions = rivals()
    a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    rate()
    refit_due()
    fitted, rows = elos(ladder), Fit.objects.get(ladder=ladder).rows
    new = ("rank", "all_lo", "all_hi", "anchor")
    old = [{name: value for name, value in row.items() if name not in new} | {"rank": 1, "elo": 1.0} for row in rows]
    Fit.objects.filter(ladder=ladder).update(rules=1, rows=old)
    Rating.objects.update(elo=1.0, chance_sd=None)
    official_fit.memories.clear()
    assert [[*line.games.values()] for line in overall_standings()[1].lines] == [[1.0], [1.0]]
    assert "recomputed" not in Client().get(f"/ladders/{ladder.slug}/").content.decode()
    assert (refit_due(), refit_due()) == (1, 0)
    fit = Fit.objects.get(ladder=ladder)
    assert (fit.rules, fit.rows, elos(ladder)) == (RULES, rows, fitted)
    page = Client().get(f"/ladders/{ladder.slug}/").content.decode()
    assert f"All ratings were recomputed under rules {RULES} on {timezone.now():%-d %B %Y}" in page
    refit(ladder=ladder)
    assert Fit.objects.get(ladder=ladder).rules_since == fit.rules_since


def test_whether_a_line_is_enough_is_kept_with_the_fit_and_looked_at_where_it_was_not() -> None:
    ladder, versions = rivals()
    for _ in range(30):
        a_completed_set(ladder, versions)
    rate()
    refit(ladder=ladder)
    page = Client().get(f"/ladders/{ladder.slug}/transitivity/").content.decode()
    assert "1 met often enough to be tested" in page
    Fit.objects.update(transitivity=None)
    assert (
        "No rated set has been analysed yet" in Client().get(f"/ladders/{ladder.slug}/transitivity/").content.decode()
    )
    a_while_passes(ladder)
    assert (refit_due(), refit_due()) == (1, 0)
    of_export = asdict(table_of(ledger_of(ladder)).transitivity)
    assert Fit.objects.get().transitivity == json.loads(json.dumps(of_export))
    assert of_export["pairs"] == 1


def test_the_prior_is_the_ladders_own() -> None:
    ladder, versions = rivals(3)
    Ladder.objects.update(prior_sd=200)
    ladder.refresh_from_db()
    a_completed_set(ladder, versions[:2], faults={versions[1].pk: Verdict.CRASHED})
    assert {round(line.ci95) for line in standings(ladder)} == {392}
    rate()
    refit(ladder=ladder)
    narrow = {row["version"]: row for row in Fit.objects.get(ladder=ladder).rows}
    table = table_of(ledger_of(ladder))
    assert (table.prior_sd, [asdict(row) for row in table.rows]) == (200, list(narrow.values()))
    Ladder.objects.update(prior_sd=600)
    ladder.refresh_from_db()
    refit(ladder=ladder)
    wide = {row["version"]: row for row in Fit.objects.get(ladder=ladder).rows}
    assert wide[versions[0].pk]["elo"] > narrow[versions[0].pk]["elo"] + 50


def test_the_prior_is_fitted_once_when_every_bot_has_played_enough_and_is_in_the_export() -> None:
    ladder, versions = rivals(8)
    for _ in range(9):
        for number in range(8):
            a_completed_set(ladder, [versions[number], versions[number - 1]])
    a_completed_set(ladder, versions[:2])
    rate()
    Rating.objects.update(games=20)
    Rating.objects.filter(version=versions[3]).update(games=19)
    refit(ladder=Ladder.objects.get())
    assert (Ladder.objects.get().prior_sd, Ladder.objects.get().fitted_after) == (PRIOR_SD, None)
    Rating.objects.update(games=20)
    refit(ladder=Ladder.objects.get())
    fitted = Ladder.objects.get()
    assert (fitted.prior_sd, fitted.fitted_after, fitted.scale) == (200, 73, 1000)
    assert json.loads(next(ledger_lines(fitted)))["prior_sd"] == 200
    assert "Fitted to the field after set 73" in Client().get(f"/ladders/{ladder.slug}/").content.decode()
    Ladder.objects.update(prior_sd=500)
    refit(ladder=Ladder.objects.get())
    assert Ladder.objects.get().prior_sd == 500  # once


def test_a_prior_that_organisers_chose_is_never_fitted_and_another_margin_asks_for_another_scale() -> None:
    before = Ladder(prior_sd=350, fitted_after=9, scale=1200, margin=3)
    chosen = with_settings_only(before, prior_sd=400)
    assert (chosen.fit_prior, chosen.fitted_after, chosen.scale) == (False, 9, 1200)
    wider = with_settings_only(before, margin=5)
    assert (wider.fit_prior, wider.fitted_after, wider.scale) == (True, None, 1000)


def with_settings_only(before: Ladder, **settings: int) -> Ladder:
    after = copy(before)
    for name, value in settings.items():
        setattr(after, name, value)
    forget_constants(before, after, chosen=False)
    return after


def test_a_ladder_that_was_closed_under_rules_2_keeps_them_and_its_export() -> None:
    ladder, versions = rivals()
    for _ in range(12):
        a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    Ladder.objects.update(fit_rules=2)
    rate()
    fit = refit(ladder=Ladder.objects.get())
    assert (fit.rules, Fit.objects.get().rules) == (2, 2)
    assert '"ledger":2' in next(ledger_lines(Ladder.objects.get()))
    old, table = standings(Ladder.objects.get()), table_of(ledger_of(Ladder.objects.get()))
    assert [line.los_next for line in old] == [row.los_next for row in table.rows]
    Ladder.objects.update(fit_rules=3)
    a_while_passes(ladder)
    assert refit_due() == 1
    assert Fit.objects.get().rules_since
    new, table = standings(Ladder.objects.get()), table_of(ledger_of(Ladder.objects.get()))
    assert [line.los_next for line in new] == [row.los_next for row in table.rows]
    assert old[0].los_next != new[0].los_next
    assert [line.ci95 for line in old] == [line.ci95 for line in new]


def test_the_bounds_of_the_prior_are_those_of_the_fit() -> None:
    assert (PRIOR_SD, (PRIOR_SDS[0], PRIOR_SDS[-1])) == (models.PRIOR_SD, models.PRIOR_SDS)


def test_what_more_games_cure_is_what_pairing_goes_by() -> None:
    """A bot that always wins is unsure by the prior's pull, too; that more games against the same ones do not cure."""
    ladder, versions = rivals()
    for _ in range(2):
        a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED})
    rate()
    refit(ladder=ladder)
    ratings = {rating.version_id: rating for rating in ladder.ratings.all()}
    unsure = {candidate.version: candidate.unsure for candidate in candidates_of(ladder)}
    assert unsure == {version: rating.chance_sd for version, rating in ratings.items()}
    assert all(1 < (rating.chance_sd or 0) < (rating.sd or 0) - 1 for rating in ratings.values())


def test_a_fit_that_goes_on_is_to_the_last_digit_the_fit_from_nothing() -> None:
    ladder, versions = rivals(4, players=3)
    for absent in range(4):
        a_completed_set(ladder, versions[:absent] + versions[absent + 1 :])
        rate()
        refit(ladder=ladder)
    before = Fit.objects.get(ladder=ladder).rows
    assert recompute(ladder=ladder) == {}
    assert Fit.objects.get(ladder=ladder).rows == before
    assert table_of(ledger_of(ladder)).phi == round(Fit.objects.get(ladder=ladder).phi, 3)


def test_another_process_goes_on_where_the_last_one_died() -> None:
    ladder, versions = rivals()
    a_completed_set(ladder, versions)
    rate()
    refit_due()
    official_fit.memories.clear()
    a_completed_set(ladder, versions)
    rate()
    assert refit_due() == 1
    assert Fit.objects.get(ladder=ladder).sets == 2


@pytest.mark.parametrize(
    ("took", "age", "due"),
    [
        (0.01, 0.5, False),  # at least OFTEN
        (0.01, 1.5, True),
        (2.0, 39.0, False),  # SHARE times as long as it took
        (2.0, 40.0, False),
        (2.0, 41.0, True),
        (2.0, 0.0, False),
        (2.0, -1.0, True),  # made in the future: by a clock that was wrong
    ],
)
def test_a_fit_waits_twenty_times_as_long_as_the_last_one_took(
    took: float, age: float, due: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    ladder, made_at = Ladder(pk=1), now - timedelta(seconds=age)
    ladder.fit = Fit(seconds=took, made_at=made_at)
    monkeypatch.setattr(timezone, "now", lambda: now)
    monkeypatch.setitem(official_fit.memories, ladder.pk, FitMemory(Pairs(), made_at=made_at))
    assert official_fit._is_due(ladder) == due


def test_a_fit_by_another_process_is_followed_by_one_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    ladder, now = Ladder(pk=1), timezone.now()
    ladder.fit = Fit(seconds=1.0, made_at=now)
    monkeypatch.setitem(official_fit.memories, ladder.pk, FitMemory(Pairs(), made_at=now - timedelta(seconds=1)))
    assert official_fit._is_due(ladder)


def test_a_set_that_is_rated_no_more_is_forgotten() -> None:
    ladder, versions = rivals()
    first, second = (a_completed_set(ladder, versions, faults={versions[1].pk: Verdict.CRASHED}) for _ in range(2))
    rate()
    refit(ladder=ladder)
    MatchSet.objects.filter(pk=first.pk).update(rated=False)
    refit(ladder=ladder)
    alone = elos(ladder)
    official_fit.memories.clear()
    refit(ladder=ladder)
    assert elos(ladder) == alone
    assert Fit.objects.get(ladder=ladder).sets == 1
    assert second.number == 2


def test_an_anchor_holds_the_numbers() -> None:
    ladder, versions = rivals()
    ladder.anchor = versions[0]
    ladder.save()
    a_completed_set(ladder, versions)
    rate()
    refit(ladder=ladder)
    assert elos(ladder)[0] == pytest.approx(1000)


def test_who_has_met_nobody_of_the_others_is_not_compared_with_them() -> None:
    ladder, versions = rivals(5)
    a_completed_set(ladder, versions[:2])
    a_completed_set(ladder, versions[1:3])
    a_completed_set(ladder, versions[3:])
    rate()
    refit(ladder=ladder)
    lines = {line.version_id: line for line in standings(ladder)}
    assert [lines[version.pk].comparable for version in versions] == [True, True, True, False, False]


def test_a_ladder_mixes_the_sizes_of_its_tables() -> None:
    ladder, _ = rivals(4)
    ladder.table_sizes = [2, 3, 4]
    ladder.save()
    for _ in range(6):
        pair()
        ladder.sets.update(status="cancelled", ended_at=timezone.now())
    sizes = {match_set.options["players"] for match_set in ladder.sets.all()}
    assert sizes == {2, 3, 4}


def test_a_size_that_is_too_large_for_those_who_are_here_stops_nothing() -> None:
    ladder, _ = rivals(2)
    ladder.table_sizes = [4, 2]
    ladder.save()
    assert pair() > 0
    assert {match_set.options["players"] for match_set in ladder.sets.all()} == {2}


def test_a_new_bot_stands_where_nothing_is_known() -> None:
    ladder, versions = rivals()
    a_completed_set(ladder, versions)
    rate()
    refit(ladder=ladder)
    late = a_version(a_bot())
    enter_in_ladder(ladder=ladder, bot=late.bot, by=late.bot.owner)
    line = next(line for line in standings(ladder) if line.version_id == late.pk)
    assert (line.provisional, line.sets, line.fitted) == (True, 0, None)
    assert line.elo == pytest.approx(1500, abs=0.1)
