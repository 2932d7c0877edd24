"""No set of any kind is dealt in a ladder that is closed, however late whoever deals it learns so. Events are apart:
those of a closed ladder go on (`tournaments/features/events/rounds.py`), unless its space is closed too."""

from functools import partial

import pytest

from tests.factories import a_ladder, a_user, a_version, an_upload, play_set
from tests.meanwhile import meanwhile
from tournaments.core.errors import Refused
from tournaments.features.friendlies import rules as friendlies
from tournaments.features.trials.rules import deal_trials, ladder_for, set_gate
from tournaments.ledger.acts import Close, VoidSet
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set, pair
from tournaments.models import Bot, Ladder, MatchSet, Trial, User

pytestmark = pytest.mark.django_db(transaction=True)
TRIALS_CHOSEN = 'FROM "tournaments_trial"'


@pytest.fixture
def ladder() -> Ladder:
    return a_ladder(players=2)


@pytest.fixture
def bots(ladder: Ladder) -> list[Bot]:
    bots = [a_version().bot for _ in range(2)]
    for bot in bots:
        enter_in_ladder(ladder=ladder, bot=bot, by=bot.owner)
    return bots


@pytest.fixture
def organiser() -> User:
    return a_user(staff=True)


def a_trial(bot: Bot) -> Trial:
    set_gate(bot=bot, gate="auto", by=bot.owner)
    bot.refresh_from_db()
    candidate = an_upload(bot)
    play_set(candidate.check_set)
    return Trial.objects.get(candidate=candidate)


def test_no_set_of_a_trial_is_dealt_once_its_ladder_is_closed(ladder: Ladder, bots: list[Bot], organiser: User) -> None:
    trial = a_trial(bots[0])
    close = partial(Close(ladder).do, by=organiser, reason="test")
    with meanwhile(close, after=TRIALS_CHOSEN) as other:
        assert deal_trials() == 0
    assert other.outcome()
    trial.refresh_from_db()
    assert (trial.status, trial.reason, trial.sets.count()) == ("cancelled", "the ladder was closed", 0)
    assert ladder_for(bots[0]) is None  # the next version plays at once


def test_closing_cancels_what_is_played_there_whoever_asked_for_it(
    ladder: Ladder, bots: list[Bot], organiser: User
) -> None:
    a_trial(bots[0])
    assert deal_trials() == 1
    asked = friendlies.ask_friendly_set(ladder=ladder, bot=bots[0], against=bots[1:], by=bots[0].owner)
    pair()
    Close(ladder).do(by=organiser, reason="test")
    assert asked in ladder.sets.all()
    assert set(ladder.sets.values_list("status", flat=True)) == {"cancelled"}
    assert (deal_trials(), pair()) == (0, 0)


def test_nobody_asks_for_a_set_in_a_ladder_that_was_open_when_it_was_read(
    ladder: Ladder, bots: list[Bot], organiser: User
) -> None:
    Close(Ladder.objects.get(pk=ladder.pk)).do(by=organiser, reason="test")
    assert ladder.status == Ladder.Status.OPEN
    with pytest.raises(Refused, match="is closed; nothing new is played under it"):
        friendlies.ask_friendly_set(ladder=ladder, bot=bots[0], against=bots[1:], by=bots[0].owner)
    assert not ladder.sets.exists()


def test_what_is_voided_is_not_dealt_again_in_a_ladder_that_was_open_when_it_was_read(
    ladder: Ladder, bots: list[Bot], organiser: User
) -> None:
    created = create_set(ladder=ladder, versions=[bot.versions.get().pk for bot in bots])
    play_set(created)
    read = MatchSet.objects.select_related("ladder").get(pk=created.pk)
    Close(Ladder.objects.get(pk=ladder.pk)).do(by=organiser, reason="test")
    VoidSet(read).do(by=organiser, reason="test")
    assert list(ladder.sets.values_list("status", flat=True)) == ["void"]
