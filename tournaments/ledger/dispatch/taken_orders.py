"""Orders taken by workers that died before their first report: in the first second of a set. A worker notes in the
broker what it takes. Anybody who can write there can note anything: so each lease is named with a proof of its secret,
which is known to those who were sent the order.
"""

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from hmac import compare_digest

from engine.records import RecordError, from_plain
from tournaments.core.broker.queues import taken_by
from tournaments.ledger.dispatch.leases import lease_secret
from tournaments.models import Attempt
from workers.orders import Held, InHand, proof_of

LONGEST = 100_000  # bytes of a note


def left_by(gone: Collection[str]) -> Iterator[list[Attempt]]:
    """The attempts of each that are still under way, the first of the set in front. Raises RedisError."""
    for worker, noted in taken_by(gone).items():
        leases = {order.match: order.lease for order in _read(noted) if _was_sent(order)}
        sent = Attempt.objects.filter(match__in=leases, outcome=Attempt.Outcome.SENT, worker__in=("", worker))
        current = [attempt for attempt in sent.order_by("match__turn") if leases[attempt.match_id] == attempt.lease]
        if current:
            yield current


def _was_sent(noted: Held) -> bool:
    proof = proof_of(lease_secret(noted.match, noted.lease))
    return compare_digest(proof.encode(), noted.secret.encode("utf-8", "replace"))


def _read(noted: bytes) -> list[Held]:
    with suppress(ValueError, RecordError, RecursionError):
        in_hand: InHand = from_plain(InHand, json.loads(noted[:LONGEST]), "order")
        return in_hand.held
    return []
