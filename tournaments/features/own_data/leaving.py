"""Leaving for good: the account is shut and its bots leave at once; after a grace period it is erased."""

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.audit.log import PLATFORM, append
from tournaments.core.accounts.api_tokens import revoke_all
from tournaments.core.accounts.spaces import spaces_led_alone
from tournaments.core.errors import Refused
from tournaments.core.feature import features
from tournaments.ledger.acts.base import Action, Effect
from tournaments.ledger.competitors import entry_states
from tournaments.ledger.ladders import absences
from tournaments.models import Act, Entry, Practice, PracticeSeat, User

GRACE = timedelta(days=3)  # what is under way is played out meanwhile, and organisers can take it back
ASKED = "erase_account"  # the kind of its act
SAYS = (
    "The account is shut and its bots leave their ladders and events. It is erased %(days)s days later: until then an "
    "organiser can open it again."
)


@transaction.atomic
def ask_to_erase(*, user: User) -> Act:
    """Shut the account for its owner, who has shown password or code. Raises Refused: organiser, erased,
    last_organiser."""
    lock_leaving(user)
    check_may_go(user)
    says = Sentence(SAYS, days=GRACE.days)
    subject, reason = f"account {user.pk}", Sentence("its owner asked for it")
    act = append(kind=ASKED, by=PLATFORM, subject=subject, reason=reason, detail={"says": [says], "account": user.pk})
    shut(user)
    return act


def lock_leaving(user: User) -> None:
    """Lock what it is about: the log is locked after it."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    for feature in features():
        feature.before_leaving(user, None)


def check_may_go(user: User) -> None:
    """Raises Refused: organiser, erased, last_organiser."""
    now = User.objects.get(pk=user.pk)
    if now.is_staff:
        raise Refused("organiser", "an organiser's account cannot be erased; another organiser removes that role first")
    if now.erase_at or now.erased_at:
        raise Refused("erased", "this account is erased, or will be")
    if alone := spaces_led_alone(user).first():
        raise Refused(
            "last_organiser",
            "you are the last organiser of %(alone)s; make somebody else one, or close it",
            alone=alone,
        )


def shut(user: User) -> None:
    """Shut the account: nobody can sign in to it, nothing is sent to it, and none of its bots is paired any more."""
    User.objects.filter(pk=user.pk).update(is_active=False, erase_at=timezone.now() + GRACE)
    revoke_all(by=user)
    user.webhooks.update(stopped=Sentence("the account was shut by its owner"))
    games = Practice.objects.filter(owner=user, status__in=("gathering", "waiting", "asking"))
    with_others = PracticeSeat.objects.exclude(user=user).values("practice")
    games.exclude(pk__in=with_others, status__in=("waiting", "asking")).update(status=Practice.Status.LEFT, until=None)
    leave_everything(user)


def leave_everything(user: User) -> None:
    """Take the bots out of everything: a team gives them up, and nobody can enter them again."""
    user.bots.update(team=None)
    for feature in features():
        feature.bots_removed(user.bots.all(), None, Sentence("its owner left"))
    for entry in Entry.objects.filter(bot__owner=user).select_related("ladder", "bot"):
        if entry_states.mark_withdrawn(entry):
            absences.note_leaving(entry)
    for feature in features():
        feature.left(user, None)


@dataclass(frozen=True, slots=True)
class EraseAccount(Action):
    kind, button = ASKED, "Erase an account"
    about = "For somebody who asks for it and cannot sign in: the account is shut, and later erased."
    user: User

    def hold(self) -> None:
        super(EraseAccount, self).hold()
        lock_leaving(self.user)

    def preview(self) -> Effect:
        check_may_go(self.user)
        says = [Sentence(SAYS, days=GRACE.days), Sentence("Its names are removed from this log too.")]
        return Effect(f"account {self.user.pk}", says, more={"account": self.user.pk})

    def carry_out(self, act: Act) -> None:  # noqa: ARG002  the log is enough
        shut(self.user)
