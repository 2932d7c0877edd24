"""A worker that lies about time alone is blocked before its owner's bot gains by it.

`LIARS=20 python3 manage.py test -s tests/tournaments/ledger/recording/test_time_liar.py` prints a table of 20 of them.
"""

import os
from random import Random
from typing import Any

import pytest
from django.db import transaction

from tests.tournaments.ledger.recording.time_liar import Outcome, World

pytestmark = pytest.mark.django_db
PAST, SHORT_PAST, TICKS = 240, 24, 100  # sets before the first lie; and ticks of a run at most


@pytest.fixture(autouse=True)
def usual_checks(settings: Any) -> None:
    settings.SPOT_CHECKS = 0.02


def test_a_liar_about_time_is_blocked_before_its_bot_has_gained_50_elo() -> None:
    runs = int(os.environ.get("LIARS", "0"))
    world = World(Random(0))
    world.play_honestly(PAST if runs else SHORT_PAST)
    print(f"\nThe weakest bot has {world.elo():.0f} Elo before.")
    print("\n| seed | sets lied about | ticks | blocked | most Elo gained |\n|---|---|---|---|---|")
    outcomes = [run(world, seed) for seed in range(runs or 1)]
    assert all(outcome.blocked and outcome.lies <= 12 for outcome in outcomes)
    assert sum(outcome.gained < 50 for outcome in outcomes) >= 0.95 * runs  # of few sets each moves ratings further


@transaction.atomic
def run(world: World, seed: int) -> Outcome:
    """Let a worker lie, from the same honest past."""
    world.draw = Random(seed)
    outcome = world.lie(TICKS)
    print(f"| {seed} | {outcome.lies} | {outcome.ticks} | {outcome.blocked} | {outcome.gained:.0f} |", flush=True)
    transaction.set_rollback(True)
    return outcome
