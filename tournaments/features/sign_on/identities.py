"""Identities become accounts, or sign in to them. Accounts are never found by e-mail address: it can change hands."""

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.sentences import Sentence
from tournaments.core.accounts.names import alike, check_person_name, normalized_name, taken
from tournaments.core.errors import Refused
from tournaments.features.sign_on.claimed_identity import Known
from tournaments.models import Identity, User


def owner_of(known: Known) -> User | None:
    """Return the user whose account it opens; None where it opens none. Raises Refused: account_closed."""
    found = Identity.objects.filter(provider=known.provider, subject=known.subject).select_related("user").first()
    if found is None:
        return None
    if not found.user.is_active:
        raise Refused("account_closed", "this account is closed")
    Identity.objects.filter(pk=found.pk).update(used_at=timezone.now(), called=known.called)
    return found.user


def add_identity(*, user: User, known: Known) -> None:
    """A second time it does nothing. Raises Refused: identity_taken."""
    try:
        with transaction.atomic():
            found, _ = Identity.objects.get_or_create(
                provider=known.provider, subject=known.subject, defaults={"user": user, "called": known.called}
            )
    except IntegrityError:  # the account was deleted meanwhile
        raise Refused("account_closed", "this account is closed") from None
    if found.user_id != user.pk:
        raise Refused("identity_taken", "this identity belongs to another account here; unlink it there first")


@transaction.atomic
def sign_up(*, known: Known, name: str) -> User:
    """A new account that this identity opens, and no password. Raises Refused: bad_name, mixed_scripts, name_taken,
    identity_taken."""
    wanted = normalized_name(name)
    check_person_name(wanted)
    if other := alike(User.objects.all(), "username", wanted):
        raise Refused("name_taken", taken(Sentence("somebody"), other, wanted))
    try:
        with transaction.atomic():
            user = User.objects.create_user(wanted, email=known.email, confirmed_email=known.email)
    except IntegrityError:
        raise Refused("name_taken", "somebody has just taken this name; choose another") from None
    add_identity(user=user, known=known)
    return user


@transaction.atomic
def unlink(*, user: User, number: int) -> None:
    """Raises Refused: unknown_identity, only_way_in."""
    User.objects.select_for_update().get(pk=user.pk)
    found = user.identities.filter(pk=number).first()
    if found is None:
        raise Refused("unknown_identity", "this account has no such identity")
    others = user.identities.exclude(pk=number).filter(provider__in=settings.SIGN_ON)
    if not user.has_usable_password() and not others.exists():
        raise Refused("only_way_in", "it is the only way into this account: set a password first")
    found.delete()
