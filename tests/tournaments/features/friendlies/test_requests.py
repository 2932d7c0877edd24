"""Friendly sets: asked for, public, and never rated."""

from typing import Any

import pytest

from tests.factories import a_bot, a_ladder, a_version, play_set
from tournaments.core.errors import Refused
from tournaments.features.friendlies.rules import ask_friendly_set
from tournaments.ledger.ladders.classic_elo import rate
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import pair
from tournaments.models import Bot, Entry, Ladder, MatchSet

pytestmark = pytest.mark.django_db


def entered(ladder: Ladder) -> Bot:
    bot = a_version().bot
    enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)
    return bot


def friendly(ladder: Ladder, bot: Bot, *against: Bot) -> MatchSet:
    return ask_friendly_set(ladder=ladder, bot=bot, against=against, by=bot.owner)


def refusal(ladder: Ladder, bot: Bot, *against: Bot) -> str:
    with pytest.raises(Refused) as refused:
        friendly(ladder, bot, *against)
    assert len(refused.value.detail) > 20
    return refused.value.code


def test_a_friendly_set_is_played_under_the_settings_of_the_ladder_and_never_rated() -> None:
    ladder = a_ladder(players=2, strikes=7)
    mine, opponent = a_version().bot, entered(ladder)
    made = friendly(ladder, mine, opponent)
    made.refresh_from_db()
    assert (made.ladder, made.number, made.strikes, made.line) == (ladder, None, 7, "asked")
    assert play_set(made) == ["recorded", "recorded"]
    made.refresh_from_db()
    assert (made.status, rate(), ladder.ratings.count()) == ("complete", 0, 0)


def test_what_cannot_be_asked_for_is_refused_with_its_reason() -> None:
    ladder = a_ladder(players=2)
    mine, opponent, elsewhere = a_version().bot, entered(ladder), a_version().bot
    with pytest.raises(Refused, match="belongs to somebody else"):
        ask_friendly_set(ladder=ladder, bot=mine, against=[opponent], by=opponent.owner)
    assert refusal(ladder, mine) == "wrong_table"
    assert refusal(ladder, mine, opponent, elsewhere) == "wrong_table"
    assert refusal(ladder, mine, mine) == "same_bot_twice"
    assert refusal(ladder, mine, elsewhere) == "not_entered"
    assert refusal(ladder, a_bot(mine.owner), opponent) == "no_version"
    assert refusal(a_ladder(game="kaiju", rules=1), mine, opponent) == "wrong_game"
    assert refusal(a_ladder(players=2, status=Ladder.Status.PAUSED), mine, opponent) == "ladder_not_open"
    Entry.objects.update(status=Entry.Status.DISQUALIFIED)
    assert refusal(ladder, opponent, mine) == "disqualified"


def test_so_many_may_be_open_and_so_many_asked_for_in_a_day(settings: Any) -> None:
    settings.FRIENDLIES_OPEN, settings.FRIENDLIES_A_DAY = 1, 2
    ladder = a_ladder(players=2)
    mine, opponent = a_version().bot, entered(ladder)
    for _ in range(2):
        made = friendly(ladder, mine, opponent)
        assert refusal(ladder, mine, opponent) == "too_many_open"
        play_set(made)
    assert refusal(ladder, mine, opponent) == "too_many_requests"


def test_requests_that_wait_do_not_stop_the_pairing(settings: Any) -> None:
    settings.FRIENDLIES_OPEN = 9
    ladder = a_ladder(players=2)
    mine, opponent = entered(ladder), entered(ladder)
    for _ in range(6):
        friendly(ladder, mine, opponent)
    assert pair() == 4
