"""The organisers' actions on events (`tournaments.features.events.lifecycle`), each with a preview."""

from dataclasses import dataclass

from django.db import transaction

from tournaments.audit.log import PLATFORM
from tournaments.features.events import lifecycle
from tournaments.ledger.acts.base import Action, Effect, checked_reason
from tournaments.models import Act, Entrant, Event, User


@dataclass(frozen=True, slots=True)
class Verb(Action):
    """An action whose function says why not, and writes the log. A preview calls it and takes it back."""

    def preview(self) -> Effect:
        with transaction.atomic():
            act = self.act(PLATFORM, "")
            transaction.set_rollback(True)
        return Effect(act.subject, act.detail["says"])

    def do(self, *, by: User | str, reason: str) -> Act:
        reason = checked_reason(by, reason, self.acting_space())
        self.count(by)
        return self.act(by, reason)

    def act(self, by: User | str, reason: str) -> Act:
        raise NotImplementedError

    def carry_out(self, act: Act) -> None:
        """Do nothing: `act` has done it."""


@dataclass(frozen=True, slots=True)
class AnnounceEvent(Verb):
    kind, button = "announce_event", "Announce"
    about = "Everybody sees the event, and bots may register."
    event: Event

    def act(self, by: User | str, reason: str) -> Act:
        return lifecycle.announce(event=self.event, by=by, reason=reason)


@dataclass(frozen=True, slots=True)
class StartEvent(Verb):
    kind, button = "start_event", "Start"
    about = "The versions are fixed, and the first round is dealt."
    event: Event

    def act(self, by: User | str, reason: str) -> Act:
        return lifecycle.start_event(event=self.event, by=by, reason=reason)


@dataclass(frozen=True, slots=True)
class ReleaseRound(Verb):
    kind, button = "release_round", "Release the next round"
    about = "The results of the next round are public."
    event: Event

    def act(self, by: User | str, reason: str) -> Act:
        return lifecycle.release_round(event=self.event, by=by, reason=reason)


@dataclass(frozen=True, slots=True)
class CallOffEvent(Verb):
    kind, button = "call_off_event", "Call off"
    about = "It ends without a result."
    event: Event

    def act(self, by: User | str, reason: str) -> Act:
        return lifecycle.call_off(event=self.event, by=by, reason=reason)


@dataclass(frozen=True, slots=True)
class DisqualifyEntrant(Verb):
    kind, button = "disqualify_entrant", "Disqualify"
    about = "A bot is no longer paired in an event, and has no place in it."
    entrant: Entrant

    def act(self, by: User | str, reason: str) -> Act:
        return lifecycle.disqualify_entrant(entrant=self.entrant, by=by, reason=reason)
