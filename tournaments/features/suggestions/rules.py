"""Who may ask what a seat should have done, and how workers are asked to try other answers.

It is asked by those who run the seat's bot, or who sat there in a practice game, once the match is over. A worker tries
the answers after all matches (`workers.suggestions`); what is lost is ordered again.
"""

import logging
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from engine.games import GAMES
from engine.referee import Result
from engine.replay import Player, Replay, read_replay
from engine.sentences import Sentence
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.broker import queues
from tournaments.core.broker.available_workers import AvailableWorkers
from tournaments.core.broker.failing_items import FAILING_ITEMS, item_name
from tournaments.core.broker.retry import AWAY
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.config.plain_text import storable
from tournaments.core.errors import Refused
from tournaments.features.suggestions.recordings import OTHER_RULES, Recording
from tournaments.models import Space, Suggestion, User
from workers.isolation import handle_each
from workers.settings_numbers import whole_number
from workers.suggestion_orders import MOST_S, SuggestionOrder

BUDGET = partial(Budget, resource="Checks and builds", where="tournaments.features.suggestions.rules.ask_suggestion")
A_DAY = declare(
    BUDGET(
        name="suggested answers",
        most=20,
        unit="moments",
        seconds=86_400,
        holder="person",
        sentence=Sentence("other answers are tried at %(most)s moments a day; ask again tomorrow"),
        setting="SUGGESTIONS_A_DAY",
    )
)
AT_ONCE = declare(
    BUDGET(
        name="waiting suggestions",
        most=60,
        unit="moments",
        holder="site",
        sentence=Sentence("%(most)s moments wait for the workers already; ask again later"),
    )
)
SECONDS = whole_number(os.environ, "SUGGESTION_SECONDS", 20, MOST_S)  # of a processor, for each
QUEUED, TRYING, MOST_TURNS = 180, 240, 20  # seconds until it is ordered again: not begun, and begun; and orders at most
UNHEARD = Sentence("no worker here has done it")
NOT_KEPT = Sentence("its replay is no longer kept")
Status = Suggestion.Status

log = logging.getLogger(__name__)


@transaction.atomic
def ask_suggestion(*, recording: Recording, at: int, by: User) -> Suggestion:
    """Have other answers tried at a decision of a seat of theirs. Asked again it is the same, unless it has failed.

    Raises Refused: over_budget, not_your_turn, not_played, and as `Recording.check`.
    """
    recording.check()
    line: Any = recording.replay.answers[at] if 0 <= at < len(recording.replay.answers) else [None]
    if line[0] not in recording.seats:
        raise Refused("not_your_turn", "answer %(at)s is none of a seat of yours", at=at)
    if line[3:]:
        sentence = "it gave no answer of its own there (%(fault)s): there is nothing to compare with others"
        raise Refused("not_played", sentence, fault=line[3])
    kept = recording.rows.filter(at=at).exclude(status=Status.FAILED)
    if kept.exists():
        return kept.get()
    spend_budget(A_DAY, f"person {by.pk}")
    AT_ONCE.check(Suggestion.objects.filter(status__in=Suggestion.TO_DO).count() + 1)
    recording.rows.filter(at=at, status=Status.FAILED).delete()
    values = {"seat": line[0], "rules": recording.replay.rules, "asked_by": by}
    return recording.of.suggestions.get_or_create(at=at, defaults=values)[0]


# --- workers -------------------------------------------------------------------------------------------------------


def continue_suggestions() -> int:
    """Order those again that were lost, and the next. Return how many."""
    late = list(Suggestion.objects.filter(status=Status.ASKED, until__lt=Now()))
    again = handle_each("suggestions", late, wait_again, FAILING_ITEMS, item_name)
    chosen = dict(_next())
    return again + handle_each("suggestions", chosen, lambda row: _ask(row, chosen[row]), FAILING_ITEMS, item_name)


def resend_suggestions() -> int:
    """The broker has lost every order: mark all as overdue."""
    return Suggestion.objects.filter(status=Status.ASKED).update(until=Now())


def _next() -> Iterator[tuple[Suggestion, str]]:
    """Yield those to send now, with the space whose own workers are to have it: half of the workers have one."""
    rows = Suggestion.objects.filter(status=Status.WAITING).order_by("pk")
    online = AvailableWorkers.here() if rows else None
    held = Counter(Suggestion.objects.filter(status=Status.ASKED).values_list("pool", flat=True))
    if online is None:
        return
    for row in rows:
        pool, workers = online.pool_of(game_of_suggestion(row), row.rules, [], space_of_suggestion(row))
        if is_outdated(row) or (workers and held[pool] < max(1, workers // 2)):
            held[pool] += 1
            yield row, pool


def is_outdated(row: Suggestion) -> bool:
    return row.rules != GAMES[game_of_suggestion(row)].version


def space_of_suggestion(row: Suggestion) -> Space | None:
    return row.match.set.space if row.match else row.practice.ladder.space  # type: ignore[union-attr]


def game_of_suggestion(row: Suggestion) -> str:
    return row.match.set.game if row.match else row.practice.ladder.game  # type: ignore[union-attr]


def replay_of_suggestion(row: Suggestion) -> Replay | None:
    """Return the replay, None where it is no longer kept."""
    data = row.match.result.replay if row.match else row.practice.replay  # type: ignore[union-attr]
    return read_replay(bytes(data)) if data else None


@transaction.atomic
def _ask(row: Suggestion, pool: str) -> int:
    waiting = Suggestion.objects.select_for_update(skip_locked=True).filter(status=Status.WAITING)
    if (chosen := waiting.filter(pk=row.pk).first()) is None:
        return 0
    if is_outdated(chosen):
        return end_suggestion(chosen, Status.FAILED, Sentence(OTHER_RULES, rules=chosen.rules))
    if (replay := replay_of_suggestion(chosen)) is None or chosen.turn >= MOST_TURNS:
        return end_suggestion(chosen, Status.FAILED, UNHEARD if replay else NOT_KEPT)
    chosen.turn, chosen.status, chosen.pool, chosen.begun = chosen.turn + 1, Status.ASKED, pool, False
    chosen.save()
    extend_suggestion(chosen, QUEUED)
    transaction.on_commit(partial(_send, chosen, order_of_suggestion(chosen, replay)))
    return 1


def _send(row: Suggestion, order: SuggestionOrder) -> None:
    with suppress(*AWAY):
        return queues.send_suggestion(order, row.pool)
    log.warning("%s waits: the broker is away", row)
    return extend_suggestion(row, 1)


def order_of_suggestion(row: Suggestion, replay: Replay) -> SuggestionOrder:
    """Return the order for a worker, which learns of no names and of nothing after the question."""
    shown = replace(replay, answers=replay.answers[: row.at + 1], result=Result([], [], [], []), terms=None)
    shown.players = [Player("") for _ in replay.players]
    return SuggestionOrder(row.pk, row.turn, shown, row.at, SECONDS, suggestion_secret(row.pk, row.turn))


def extend_suggestion(row: Suggestion, seconds: float) -> None:
    """Let the worker have so many seconds, by the database's clock."""
    Suggestion.objects.filter(pk=row.pk).update(until=Now() + timedelta(seconds=seconds))


def suggestion_secret(row: int, turn: int) -> str:
    """Return the secret of a turn, like that of a lease."""
    return salted_hmac("boardroom.suggestion", f"{row} {turn}", algorithm="sha256").hexdigest()


def knows_suggestion_secret(row: int, turn: int, secret: str) -> bool:
    return constant_time_compare(suggestion_secret(row, turn), secret)


def wait_again(row: Suggestion) -> int:
    """Let that turn of it be over, and the next one come."""
    same = Suggestion.objects.filter(pk=row.pk, turn=row.turn, status=Status.ASKED)
    return same.update(status=Status.WAITING, until=None)


def end_suggestion(row: Suggestion, status: Suggestion.Status, reason: str = "") -> int:
    row.status, row.until, row.reason, row.ended_at = status, None, storable(reason), timezone.now()
    row.save()
    return 1
