"""The shadow beside the ratings: told of each match once, apart from every number that counts."""

import json
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from engine.games.gigabucks.luck import LUCK
from engine.luck import luck_of, shares_beaten
from engine.luck_value import LuckValue, read_value, with_hash
from engine.records import to_plain
from engine.replay import read_replay
from tests.again import again
from tests.factories import a_completed_set, a_ladder, a_set_with_dice, a_user
from tournaments.core.errors import Refused
from tournaments.features.luck import match_luck
from tournaments.features.luck.actions import NameLuckValue
from tournaments.features.luck.luck_adjusted_ratings import fit_due, without_luck
from tournaments.features.luck.match_luck import compute_luck
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.official_fit import refit, refit_due
from tournaments.ledger.ladders.rating_ledger import ledger_of
from tournaments.ledger.ladders.shadow_ratings import shadow_of
from tournaments.ledger.ladders.standings import standings
from tournaments.management.commands import luck_value
from tournaments.models import (
    Act,
    Ladder,
    LadderLuck,
    Match,
    MatchLuck,
    MatchSet,
    Rating,
    Result,
    Seat,
    ShadowFit,
    Version,
)
from tournaments.ratings.cells import weight_of
from tournaments.ratings.intervals import CI95
from tournaments.ratings.pairs import MILLION, Pairs

pytestmark = pytest.mark.django_db
VALUE = LUCK.values[0]


def fitted() -> MatchSet:
    """A rated set of a ladder that names a value."""
    played = a_set_with_dice()
    rate()
    refit_due()
    assert played.ladder
    named(played.ladder)
    played.refresh_from_db()
    return played


def named(ladder: Ladder, value: str | None = VALUE.name) -> Act:
    return NameLuckValue(ladder, value).do(by=a_user(staff=True), reason="The season begins.")


def test_luck_is_told_once_and_is_that_of_the_replay() -> None:
    played = again(fitted)
    assert (compute_luck(), compute_luck()) == (2, 0)
    for match in played.matches.all():
        luck = luck_of(read_replay(bytes(match.result.replay)), VALUE)
        assert match.luck.millionths == [round(MILLION * taken) for taken in luck.taken_out]
        assert match.luck.hash == VALUE.hash


def test_the_shadow_follows_the_fit_and_enters_nothing() -> None:
    played = again(fitted)
    ladder, before = played.ladder, list(Rating.objects.order_by("pk").values())
    assert ladder
    table = standings(ladder)
    assert fit_due() == 0  # before luck is told
    compute_luck()
    assert (fit_due(), fit_due()) == (1, 0)
    shadow = shadow_of(ladder)
    assert shadow
    assert (shadow.sets, set(shadow.rows)) == (1, {str(row["version_id"]) for row in before})
    assert list(Rating.objects.order_by("pk").values()) == before
    assert standings(ladder) == table


def test_pairs_without_luck_take_what_is_left_of_their_shares() -> None:
    played = again(fitted)
    assert played.ladder
    compute_luck()
    (without,) = without_luck(played.ladder, [1])
    adjusted, plain = Pairs([without]), Pairs(ledger_of(played.ladder).sets)
    weight = weight_of(2)
    for version, other in (tuple(plain.cells[1].versions), tuple(plain.cells[1].versions)[::-1]):
        taken = sum(game.luck[list(game.versions).index(version)] for game in without.games)
        left = plain.taken[version][other] - weight * taken / MILLION
        assert adjusted.taken[version][other] == pytest.approx(left, abs=2)
        assert adjusted.weight(version, other) == plain.weight(version, other)


def test_where_nothing_is_told_the_shadow_is_the_rating() -> None:
    played = fitted()
    assert played.ladder
    MatchLuck.objects.bulk_create(
        MatchLuck(match=match, hash=VALUE.hash, millionths=[], trouble="other_rules: another version")
        for match in played.matches.all()
    )
    compute_luck()
    fit_due()
    shadow = shadow_of(played.ladder)
    assert shadow
    official = list(Rating.objects.values_list("version", "fitted", "sd"))
    assert len(official) == 2
    for version, elo, sd in official:
        assert sd
        assert shadow.rows[str(version)] == pytest.approx([elo, CI95 * sd], abs=0.11)


def test_one_odd_replay_never_stops_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    played = again(fitted)
    odd, broken = played.matches.order_by("pk")
    Result.objects.filter(match=odd).update(replay=b"{}")
    real = match_luck._luck_in

    def breaks(match: int, value: object) -> tuple[list[int], str]:
        if match == broken.pk:
            raise RuntimeError("nobody thought of it")
        return real(match, value)  # type: ignore[arg-type]

    monkeypatch.setattr(match_luck, "_luck_in", breaks)
    assert compute_luck() == 2
    troubles = dict(MatchLuck.objects.values_list("match", "trouble"))
    assert troubles[odd.pk].startswith("not_a_replay: ")
    assert troubles[broken.pk] == match_luck.FAILED
    assert fit_due() == 1
    assert played.ladder
    named(played.ladder, None)
    named(played.ladder)
    assert compute_luck() == 2  # both again


def test_a_round_tells_no_more_than_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted()
    monkeypatch.setattr(match_luck, "BATCH", 1)
    assert (compute_luck(), fit_due(), compute_luck(), compute_luck(), fit_due()) == (1, 0, 1, 0, 1)


def test_a_set_that_is_voided_leaves_the_shadow() -> None:
    played = again(fitted)
    ladder = played.ladder
    assert ladder
    versions = list(Version.objects.filter(seats__match__set=played).distinct())
    a_completed_set(ladder, versions)
    rate()
    refit(ladder=ladder)
    compute_luck()
    fit_due()
    assert ShadowFit.objects.get().sets == 2
    MatchSet.objects.filter(pk=played.pk).update(rated=False, status="void")
    refit(ladder=ladder)
    ShadowFit.objects.update(made_at=timezone.now() - timedelta(minutes=10))
    compute_luck()
    fit_due()
    assert ShadowFit.objects.get().sets == 1


def test_another_value_begins_anew_and_none_ends_it() -> None:
    played = again(fitted)
    ladder = played.ladder
    assert ladder
    compute_luck()
    fit_due()
    half = with_hash(replace(VALUE, name="half", coefficient=500))
    named(ladder, json.dumps(to_plain(half)))
    assert shadow_of(ladder) is None
    compute_luck()
    fit_due()
    assert set(MatchLuck.objects.values_list("hash", flat=True)) == {half.hash}
    assert ShadowFit.objects.get().hash == half.hash
    named(ladder, None)
    assert (LadderLuck.objects.count(), ShadowFit.objects.count(), compute_luck()) == (0, 0, 0)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("no such value", "unknown_luck_value"),
        ("{", "not_a_luck_value"),
        ('{"name": 1}', "not_a_luck_value"),
        (json.dumps({**to_plain(VALUE), "hash": "0" * 64}), "wrong_hash"),
        (json.dumps(to_plain(with_hash(replace(VALUE, game="kaiju")))), "other_game"),
        (json.dumps(to_plain(with_hash(replace(VALUE, features=["a"], weights=[1])))), "other_features"),
        (VALUE.name, "nothing_changes"),
    ],
)
def test_a_value_that_cannot_be_named_is_refused(value: str, code: str) -> None:
    played = again(fitted)
    assert played.ladder
    with pytest.raises(Refused) as caught:
        named(played.ladder, value)
    assert caught.value.code == code
    assert LadderLuck.objects.get().hash == VALUE.hash


def test_the_log_publishes_the_value_with_its_hash() -> None:
    played = again(fitted)
    assert played.ladder
    act = Act.objects.get(kind="name_luck_value")
    assert act.detail["value"] == to_plain(VALUE)
    assert VALUE.hash in act.detail["says"][0]
    assert "two players" in act.detail["says"][1]


def test_shares_of_a_match_are_those_that_the_recorded_places_say() -> None:
    played = again(fitted)
    for match in Match.objects.filter(set=played):
        places = [seat.place or 0 for seat in match.seats.order_by("number")]
        assert luck_of(read_replay(bytes(match.result.replay)), VALUE).places == places
        assert sum(shares_beaten(places), Fraction()) == 1


def fit_value(*ladders: str) -> tuple[LuckValue, str]:
    out, err = StringIO(), StringIO()
    call_command("luck_value", *ladders, "--name", "mine", stdout=out, stderr=err)
    return read_value(json.loads(out.getvalue())), err.getvalue()


def test_fewer_matches_than_one_are_refused_in_a_sentence() -> None:
    with pytest.raises(CommandError, match="'-5' is not a whole number from 1"):
        call_command("luck_value", "any", "--name", "mine", "--latest=-5")


def test_a_value_is_fitted_on_the_matches_of_a_season(monkeypatch: pytest.MonkeyPatch) -> None:
    played = again(fitted)
    assert played.ladder
    odd, bots = played.matches.order_by("pk")[0], list(Version.objects.filter(seats__match__set=played).distinct())
    seats = Seat.objects.filter(match__set__ladder=played.ladder, version=bots[0]).exclude(match=odd)
    while seats.values("place").distinct().count() < 2:  # deals are drawn: one that wins all shows nothing of luck
        a_completed_set(played.ladder, bots)
    rate()
    monkeypatch.setattr(luck_value, "FEWEST", 1)
    Result.objects.filter(match=odd).update(replay=b"{}")
    value, report = fit_value(played.ladder.slug)
    assert f"match {odd.pk} is left out: not_a_replay" in report
    assert (value.name, value.game, value.features) == ("mine", "gigabucks", VALUE.features)
    assert any(value.weights)
    named(played.ladder, json.dumps(to_plain(value)))
    assert LadderLuck.objects.get().hash == value.hash


def test_a_value_is_not_fitted_on_few_matches_nor_where_there_are_no_dice() -> None:
    played, other = fitted(), a_ladder()
    assert played.ladder
    for ladders, why in (
        ([played.ladder.slug], "100 matches"),
        ([other.slug], "does not tell luck"),
        ([played.ladder.slug, other.slug], "of one game"),
        (["nowhere"], "no ladder"),
    ):
        with pytest.raises(CommandError, match=why):
            fit_value(*ladders)
