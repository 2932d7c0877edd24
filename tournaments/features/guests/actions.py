"""Organisers decide whether people play without an account."""

from dataclasses import dataclass
from typing import ClassVar

from engine.sentences import Sentence
from tournaments.core.accounts.guests import OFF, ON, are_welcome
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Action, Change, Effect
from tournaments.models import Act


@dataclass(frozen=True, slots=True)
class SwitchGuests(Action):
    on: ClassVar[bool]
    says: ClassVar[str]

    def preview(self) -> Effect:
        if are_welcome() == self.on:
            raise Refused("wrong_status", "playing without an account is %(word)s already", word=_word(on=self.on))
        change = Change("guests", _word(on=not self.on), _word(on=self.on))
        return Effect("playing without an account", [self.says], [change])

    def carry_out(self, act: Act) -> None:
        """The log is what `are_welcome` asks."""


class SwitchGuestsOff(SwitchGuests):
    kind, button, on = OFF, "Switch guests off", False
    about = "Nobody plays without an account any more; games of guests go on to their end."
    says = Sentence("Play now leads to the sign-in. Guests who play already finish their games.")


class SwitchGuestsOn(SwitchGuests):
    kind, button, on = ON, "Switch guests on", True
    about = "People may play without an account again."
    says = Sentence("Whoever presses Play now, or opens an invitation to a seat, plays as a guest for a day.")


def _word(*, on: bool) -> Sentence:
    return Sentence("allowed") if on else Sentence("switched off")
