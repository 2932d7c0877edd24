"""Which bundles a worker gets: those of the orders that it was sent, as its tickets show (`workers.bundles.ticket`)."""

import re

from tournaments.core.errors import Refused
from tournaments.core.feature import questions
from tournaments.features.examinations import rules as examinations
from tournaments.features.practice import turns
from tournaments.ledger.dispatch.leases import knows_lease_secret
from tournaments.models import Attempt, Examination, Match

TICKETS = re.compile(r"(match|practice|examination) (-?[0-9]{1,15}) ([0-9]{1,9}) ([0-9a-f]{64})")


def check_ticket(ticket: str, bundle: str, worker: str = "") -> None:
    """Raises Refused unless the ticket is of an order in hand that needs the bundle: if a worker is named, in its."""
    needs = {"match": _match_needs, "practice": _practice_needs, "examination": _examination_needs}
    found = TICKETS.fullmatch(ticket)
    if not found or not needs[found[1]](int(found[2]), int(found[3]), found[4], bundle, worker):
        raise Refused("not_sent", f"A worker gets bundle {bundle} with the order of a match in which it plays.")


def _match_needs(number: int, lease: int, secret: str, bundle: str, worker: str) -> bool:
    """Raises Refused if the lease is over: an order may lie in its queue for longer, and that is no worker's fault."""
    if not knows_lease_secret(number, lease, secret):
        return False
    if worker and not Attempt.objects.filter(match=number, lease=lease, worker__startswith=f"{worker}/").exists():
        return False
    leased = Match.objects.filter(pk=number, lease=lease, status=Match.Status.LEASED)
    if not leased.exists():
        raise Refused("lease_over", f"Lease {lease} of match {number} is over: nobody waits for it any more.")
    return leased.filter(seats__version__bundle=bundle, seats__withdrawn=False).exists()


def _practice_needs(number: int, turn: int, secret: str, bundle: str, _: str) -> bool:
    """Return whether it does: whoever took a turn knows its secret. Numbers below 0 are questions to bots."""
    awaits = questions().awaits(-number, turn, bundle) if number < 0 else turns.awaits_turn(number, turn, bundle)
    return awaits and turns.knows_turn_secret(number, turn, secret)


def _examination_needs(number: int, turn: int, secret: str, bundle: str, _: str) -> bool:
    """Raises Refused if the turn is over."""
    if not examinations.knows_examination_secret(number, turn, secret):
        return False
    current = Examination.objects.filter(pk=number, turn=turn, status=Examination.Status.ASKED)
    if not current.exists():
        raise Refused("lease_over", f"Turn {turn} of examination {number} is over: nobody waits for it any more.")
    return current.filter(version__bundle=bundle).exists()
