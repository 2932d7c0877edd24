"""Turns of practices, examinations and suggestions at the door. A process has one in hand at most.

Should the broker forget which, what is reported on it is refused, and the turn is sent again.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, cast

from engine.records import canonical, to_plain
from tournaments.core.broker.celery_app import app
from tournaments.core.broker.queues import broker
from workers.examination_orders import EXAMINED
from workers.orders import REPORTS
from workers.practice_orders import PRACTISED
from workers.report_sizes import LONGEST
from workers.suggestion_orders import SUGGESTED
from workers.turn_orders import Turn, turn_kind

IN_HAND: Final = "boardroom:door:turn:{}"  # in the broker, by process
KEPT: Final = 3600  # seconds
REPORTED: Final = {"practice": PRACTISED, "examination": EXAMINED, "suggestion": SUGGESTED}  # the recorder's tasks


def take(process: str, turn: Turn) -> bool:
    """Note that the process has it, and is at it. Returns whether anybody still waits for it."""
    if _is_over(turn):
        return False
    broker().set(IN_HAND.format(process), json.dumps(turn), ex=KEPT)
    _send(turn, to_plain(turn.begun(process)))
    return True


def hand_on_turns(process: str, reports: Sequence[dict[str, Any]], refused: dict[str, str]) -> bool:
    """Hand reports on its turn to the recorders, and say why others are refused. Returns whether nobody waits for the
    turn any more."""
    return True in [_hand_on(process, plain, refused) for plain in reports if turn_kind(plain)]


def return_turn(process: str, reason: str) -> None:
    if turn := _in_hand(process):
        _send(turn, to_plain(turn.given_back(process, reason)))
        broker().delete(IN_HAND.format(process))


def _hand_on(process: str, plain: dict[str, Any], refused: dict[str, str]) -> bool:
    turn, name = Turn.named(plain), f"{turn_kind(plain)} {plain[turn_kind(plain)]!s:.20}"
    if turn is None or turn != _in_hand(process):
        refused[name] = "not_yours: this process does not have that turn in hand"
        return True
    if len(canonical(plain)) > LONGEST:
        refused[name] = "too_long: the report is longer than a report may be"
        return False
    _send(turn, plain | {"worker": process})
    if plain.get("outcome") in ("playing", "begun"):
        return _is_over(turn)
    broker().delete(IN_HAND.format(process))
    return False


def _in_hand(process: str) -> Turn | None:
    kept = cast("bytes | None", broker().get(IN_HAND.format(process)))
    with suppress(ValueError, TypeError):
        return Turn(*json.loads(kept)) if kept else None
    return None


def _is_over(turn: Turn) -> bool:
    with suppress(ValueError):
        return int(cast("bytes | None", broker().get(turn.key)) or 0) > turn.turn
    return False


def _send(turn: Turn, plain: dict[str, Any]) -> None:
    app.send_task(REPORTED[turn.kind], [plain], queue=REPORTS, retry=False, argsrepr="(report)")
