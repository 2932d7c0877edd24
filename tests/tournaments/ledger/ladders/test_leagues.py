"""Leagues: by the characters that a bot beats with confidence, in ladders in which there are enough of them."""

from itertools import islice

import pytest

from bots.characters import characters_of
from tests.factories import a_bot, a_ladder, a_version
from tournaments.ledger.ladders.leagues import LEAGUES, Strength, league_of, needed_for_leagues, playing_characters
from tournaments.ledger.ladders.standings import standings
from tournaments.models import Bot, Entry, Ladder, Rating, Version

CHARACTERS = [Strength(100.0 * number, 30.0) for number in range(12)]


def rated(ladder: Ladder, bot: Bot, elo: float, sd: float = 10.0, sets: int = 50) -> Version:
    version = a_version(bot)
    ladder.entries.create(bot=bot)
    Rating.objects.create(ladder=ladder, version=version, elo=elo, sd=sd, milli_elo=0, sets=sets, games=sets)
    return version


def with_characters(ladder: Ladder, most: int = 6) -> list[Version]:
    versions = []
    for place, house in enumerate(islice(characters_of(ladder.game), most)):
        bot = a_bot()
        Bot.objects.filter(pk=bot.pk).update(house=house)
        versions.append(rated(ladder, bot, 1000 + 100 * place))
    return versions


def test_leagues_need_from_one_to_all_of_the_characters() -> None:
    assert [needed for _, needed in needed_for_leagues(12)] == [1, 3, 5, 8, 10, 12]
    assert [needed for _, needed in needed_for_leagues(6)] == [1, 2, 3, 4, 5, 6]
    assert [league for league, _ in needed_for_leagues(6)] == list(LEAGUES)


@pytest.mark.parametrize(
    ("elo", "league"), [(41, ""), (43, "bronze"), (241, "bronze"), (243, "silver"), (1141, "diamond"), (1143, "legend")]
)
def test_a_character_is_beaten_if_the_interval_of_the_difference_is_above_zero(elo: float, league: str) -> None:
    assert league_of(Strength(elo, 30.0), 20, CHARACTERS) == league  # 30 * sqrt(2) is 42.4


def test_who_has_no_sets_or_is_not_known_well_is_in_no_league() -> None:
    assert league_of(Strength(5000, 100.0), 20, CHARACTERS) == "legend"
    assert league_of(Strength(5000, 100.1), 20, CHARACTERS) == ""
    assert league_of(Strength(5000, 30.0), 0, CHARACTERS) == ""
    assert league_of(Strength(5000, 30.0), 20, CHARACTERS[:5]) == ""


@pytest.mark.django_db
def test_standings_have_the_league_of_each_bot_but_of_those_of_the_house() -> None:
    ladder = a_ladder()
    with_characters(ladder)
    strong, weak = a_bot(name="Strong"), a_bot(name="Weak")
    rated(ladder, strong, 1450)
    rated(ladder, weak, 900)
    lines = {line.bot: line for line in standings(ladder)}
    assert (lines["Strong"].league, lines["Weak"].league) == ("diamond", "")
    assert {line.league for line in lines.values() if line.house} == {""}
    assert sum(bool(line.house) for line in lines.values()) == 6


@pytest.mark.django_db
def test_characters_that_left_and_samples_do_not_count_and_a_frozen_ladder_has_its_own_versions() -> None:
    ladder, other = a_ladder(), a_ladder()
    first, second, *_ = with_characters(ladder)
    with_characters(other, 1)
    sample = a_bot()
    Bot.objects.filter(pk=sample.pk).update(house="random")
    rated(ladder, sample, 500)
    ladder.entries.filter(bot=first.bot).update(status=Entry.Status.WITHDRAWN)
    strengths = playing_characters(ladder.game, [ladder.pk, other.pk])
    assert [round(character.elo) for character in strengths[ladder.pk]] == [1100, 1200, 1300, 1400, 1500]
    assert [round(character.elo) for character in strengths[other.pk]] == [1000]
    ladder.entries.filter(bot=second.bot).update(pinned=second)
    Version.objects.filter(pk=second.pk).update(status=Version.Status.RETIRED)
    assert len(playing_characters(ladder.game, [ladder.pk])[ladder.pk]) == 5
    assert playing_characters("gone", [ladder.pk]) == {}
