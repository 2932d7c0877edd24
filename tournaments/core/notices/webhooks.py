"""Somebody's webhooks, and what is posted to them."""

import base64
import json
import secrets

from django.conf import settings
from django.db import transaction

from engine.sentences import Sentence
from tournaments.core.accounts.quotas import counted_alone
from tournaments.core.accounts.spending import spend_budget
from tournaments.core.config.budgets import Budget, declare
from tournaments.core.errors import Refused
from tournaments.core.notices.webhook_addresses import check_webhook_address
from tournaments.core.notices.webhook_signature import PREFIX
from tournaments.models import Notice, User, Webhook

MOST = 5  # webhooks of one person
MADE = declare(
    Budget(
        "webhooks that are made",
        resource="Actions and notices",
        most=30,
        unit="webhooks",
        holder="person",
        where="tournaments.core.notices.webhooks.add_webhook",
        sentence=Sentence("one person makes at most %(most)s webhooks a day; go on tomorrow"),
        seconds=86_400,
    )
)


@transaction.atomic
def add_webhook(*, user: User, url: str, kinds: list[str]) -> Webhook:
    """Raises Refused: bad_address, too_many_webhooks, unknown_kind, over_budget."""
    check_webhook_address(url)
    counted_alone(user)
    if user.webhooks.count() >= MOST:
        raise Refused(
            "too_many_webhooks", "you have %(most)s webhooks, which is as many as one may have; remove one", most=MOST
        )
    if wrong := set(kinds) - set(Notice.Kind.values):
        known = ", ".join(Notice.Kind.values)
        raise Refused(
            "unknown_kind",
            "%(wrong)s is not a kind of notice; the kinds are %(known)s",
            wrong=f"{min(wrong):.20}",
            known=known,
        )
    spend_budget(MADE, user.pk)
    secret = PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()
    return Webhook.objects.create(user=user, url=url, kinds=sorted(kinds), secret=secret)


def body_of(notice: Notice) -> bytes:
    """`{"type", "timestamp", "data": {"text", "url", ...}}`."""
    data = {"text": notice.text, "url": f"{settings.SITE_URL}{notice.path}", **notice.detail}
    body = {"type": f"boardroom.{notice.kind}", "timestamp": notice.at.isoformat(), "data": data}
    return json.dumps(body, separators=(",", ":")).encode()
