"""Time controls of ladders: increments, and the division whose clock is fuel."""

from datetime import timedelta

import pytest

from bots.protocol import Clock
from tests.factories import a_bot, a_ladder, a_version
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.core.errors import Refused
from tournaments.ledger.dispatch.leases import claim
from tournaments.ledger.dispatch.orders import order_of_set
from tournaments.ledger.dispatch.waiting_sets import sets_to_send
from tournaments.ledger.ladders.entries import enter_in_ladder
from tournaments.ledger.ladders.table_options import check_ladder
from tournaments.ledger.matchmaking.ladder_sets import create_set
from tournaments.models import Ladder, Version
from tournaments.web.pages.ladder_settings_text import settings_in_words
from workers.orders import TAG, queue_for
from workers.process_heartbeats import OnlineProcess

pytestmark = pytest.mark.django_db
FUEL = Ladder.Division.FUEL


def versions() -> list[int]:
    return [a_version().pk, a_version().pk]


def test_the_increment_of_a_ladder_is_in_its_orders_and_in_its_rules() -> None:
    ladder = a_ladder(players=2, increment_ms=50)
    played = create_set(ladder=ladder, versions=versions())
    order = order_of_set(played, claim(match_set=played))
    assert (order.clock, order.tier) == (Clock(1000, 30_000, 5000, 50), "")
    assert "0.05 s more after each answer, in CPU time" in dict(settings_in_words(ladder))["Clock"]


def test_orders_of_the_deterministic_division_ask_for_it_and_go_to_those_who_have_it() -> None:
    played = create_set(ladder=a_ladder(players=2, division=FUEL), versions=versions())
    processes = (OnlineProcess.of("ada/1", TAG, ["python"]), OnlineProcess.of("bob/1", TAG, ["python", "wasm"]))
    crew = AvailableWorkers(processes, any_online=True, tags=(TAG,))
    assert crew.queue_of(played.game, played.rules, "wasm") == (queue_for(["wasm"]), 1)
    assert [queue for _, queue in sets_to_send(crew, timedelta())] == [queue_for(["wasm"])]
    assert order_of_set(played, claim(match_set=played)).tier == "wasm"


def test_the_deterministic_division_has_its_increment_like_any_other() -> None:
    ladder = a_ladder(players=2, division=FUEL, increment_ms=50)
    check_ladder(ladder)
    played = create_set(ladder=ladder, versions=versions())
    assert order_of_set(played, claim(match_set=played)).clock.increment_ms == 50
    assert "0.05 s more after each answer, in WebAssembly fuel" in dict(settings_in_words(ladder))["Clock"]


@pytest.mark.parametrize("need", ["c", "numpy"])
def test_the_deterministic_division_takes_python_alone(need: str) -> None:
    bot = a_bot()
    a_version(bot)
    Version.objects.filter(bot=bot).update(need=need)
    with pytest.raises(Refused) as refused:
        enter_in_ladder(ladder=a_ladder(division=FUEL), bot=bot, by=bot.owner)
    assert refused.value.code == "python_only"
