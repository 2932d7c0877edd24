"""Erasing the account of somebody who cannot sign in to ask for it."""

from dataclasses import dataclass

from engine.sentences import Sentence
from tournaments.acts.base import Action, Effect
from tournaments.features.own_data.leaving import ASKED, GRACE, SAYS, check_may_go, hold, shut
from tournaments.models import Act, User


@dataclass(frozen=True, slots=True)
class EraseAccount(Action):
    kind, button = ASKED, "Erase an account"
    about = "For somebody who asks for it and cannot sign in: the account is shut, and erased after a grace."
    user: User

    def hold(self) -> None:
        super(EraseAccount, self).hold()
        hold(self.user)

    def preview(self) -> Effect:
        check_may_go(self.user)
        says = [Sentence(SAYS, days=GRACE.days), Sentence("Its names leave this log too.")]
        return Effect(f"account {self.user.pk}", says, more={"account": self.user.pk})

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        shut(self.user)
