"""Accounts are never deleted, because they own history; they can be shut and reopened."""

from dataclasses import dataclass
from typing import ClassVar

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.ledger.acts.base import Action, Change, Effect
from tournaments.models import Act, User


@dataclass(frozen=True, slots=True)
class AccountAction(Action):
    user: User
    active: ClassVar[bool]
    says: ClassVar[str]

    def preview(self) -> Effect:
        if self.user.is_staff:
            raise Refused("organiser", "%(user)s is an organiser; remove the staff status first", user=self.user)
        if User.objects.get(pk=self.user.pk).is_active == self.active:
            raise Refused(
                "wrong_status",
                "the account of %(user)s is %(word)s already",
                user=self.user,
                word=_word(active=self.active),
            )
        if self.user.erased_at:
            raise Refused("erased", "%(user)s is erased; there is nobody to open the account for", user=self.user)
        change = Change("account", _word(active=not self.active), _word(active=self.active))
        return Effect(f"account {self.user}", [self.says], [change])

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        User.objects.filter(pk=self.user.pk).update(is_active=self.active, erase_at=None)


class Deactivate(AccountAction):
    kind, button, active = "deactivate_user", "Shut the account", False
    about = "Nobody can sign in to the account or use its tokens; its bots play on."
    says = Sentence(
        "Nobody can sign in to it, and it is sent nothing. Its bots play on: to stop them, disqualify the owner."
    )


class Activate(AccountAction):
    kind, button, active = "activate_user", "Open the account again", True
    about = "The owner of a shut account can sign in again."
    says = Sentence("Its owner can sign in again, and its tokens work. If it was to be erased, it no longer is.")


def _word(*, active: bool) -> Sentence:
    return Sentence("open") if active else Sentence("shut")
