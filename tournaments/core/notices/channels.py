"""A person's settings for notices: which come by e-mail, a feed's address, a test of a webhook."""

import secrets
from collections.abc import Sequence

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language

from engine.sentences import Sentence
from tournaments.core.errors import Refused
from tournaments.core.notices.email import ask_to_confirm
from tournaments.core.notices.outcome import DeliveryOutcome
from tournaments.models import Delivery, Notice, User, Webhook, WeeklyLetter

KINDS = [kind for kind in Notice.Kind.choices if kind[0] != Notice.Kind.TEST]  # that one may choose by mail
POSTED = [kind for kind in KINDS if kind[0] != Notice.Kind.WEEK]  # and for a webhook


def choose_mailed(*, user: User, kinds: Sequence[str]) -> None:
    """Choose the kinds that are mailed; none of them is a choice, too. The letter of the week is in the language in
    which it is chosen."""
    user.mailed = [kind for kind in Notice.Kind.values if kind in kinds]
    user.save(update_fields=["mailed"])
    if Notice.Kind.WEEK in user.mailed:
        WeeklyLetter.objects.update_or_create(user=user, defaults={"language": get_language() or "en"})
    else:
        WeeklyLetter.objects.filter(user=user).delete()


def mark_all_read(user: User) -> None:
    user.notices.filter(read_at=None).update(read_at=timezone.now())


def new_feed_key(user: User) -> str:
    """The former address of their feed no longer works."""
    user.feed_key = secrets.token_urlsafe(32)
    user.save(update_fields=["feed_key"])
    return user.feed_key


def check_has_address(user: User) -> None:
    """Raises Refused: no_address."""
    if not settings.CAN_MAIL or not user.email:
        raise Refused("no_address", "this site sends no e-mail, or your account has no e-mail address yet")


def send_confirmation(user: User) -> DeliveryOutcome:
    """A letter whose link confirms the account's address. Raises Refused: no_address."""
    check_has_address(user)
    return ask_to_confirm(user)


def post_a_test(webhook: Webhook) -> None:
    """A notice of a test is on its way there; one that was stopped begins again."""
    Webhook.objects.filter(pk=webhook.pk).update(stopped="", failures=0)
    now = timezone.now()
    described = {
        "key": f"test {webhook.pk} {now.isoformat()}",
        "text": Sentence("This is a test."),
        "path": "/webhooks/",
    }
    notice = Notice.objects.create(user=webhook.user, kind=Notice.Kind.TEST, read_at=now, **described)
    Delivery.objects.create(notice=notice, webhook=webhook, next_at=now)
